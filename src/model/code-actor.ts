// Whoever asks, as own code is told.

export interface CodeActor {
  /** The same for all requests of one credential's owner; empty for whoever has not signed in. */
  readonly name: string
  readonly signedIn: boolean
  /** The id of the record that they are. */
  readonly id: string | null
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
}
