// The caller, as user code sees it.

export interface CodeActor {
  /** The same for all requests of one credential's owner; empty if anonymous. */
  readonly name: string
  readonly signedIn: boolean
  /** The id of the record that they are. */
  readonly id: string | null
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
}
