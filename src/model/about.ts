// A service's facts for its users: the `info` of its OpenAPI description, beside title and description.

export interface AboutDeclaration {
  /** The release of this description, such as "2.3.0": OpenAPI's `info.version`. */
  readonly version?: string
  /** The licence of the API: the name, and its text's address or its SPDX identifier. */
  readonly licence?: { readonly name: string; readonly url?: string; readonly identifier?: string }
  /** The contact for questions about the API. */
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string }
}
