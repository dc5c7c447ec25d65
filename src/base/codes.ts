// The catalogue of what can go wrong for a person: every code, and how either face shows its kind. A code is public and
// never changes. docs/errors.md is the same table for readers; a test compares them.

interface KindEntry {
  /** What all codes of the kind have in common. */
  readonly means: string
  /** Whether the client could have avoided it. */
  readonly blame: "client" | "service"
  /** The status by REST (RFC 9110 section 15). */
  readonly rest: number
  /** The status by GraphQL over HTTP; absent where the media type decides it: 200 in the older one, 400 in the newer one. */
  readonly graphql?: number
}

export const kinds = {
  malformed: { means: "The request cannot be understood", blame: "client", rest: 400, graphql: 400 },
  refused: { means: "It asks for what does not exist or may not be asked", blame: "client", rest: 400 },
  missing: { means: "There is no such record, or the caller does not see it", blame: "client", rest: 404 },
  method: { means: "The method is not for this address", blame: "client", rest: 405, graphql: 405 },
  accept: {
    means: "No media type that the client takes is available",
    blame: "client",
    rest: 406,
    graphql: 406,
  },
  large: { means: "The request is larger than is read", blame: "client", rest: 413, graphql: 413 },
  media: { means: "The body is of another media type", blame: "client", rest: 415, graphql: 415 },
  data: {
    means: "The database holds what the declaration rules out",
    blame: "service",
    rest: 500,
    graphql: 500,
  },
  internal: { means: "Something broke inside", blame: "service", rest: 500, graphql: 500 },
  unavailable: {
    means: "It cannot be answered now, perhaps later",
    blame: "service",
    rest: 503,
    graphql: 503,
  },
} as const satisfies Record<string, KindEntry>

export type ProblemKind = keyof typeof kinds

export const kindEntry = (kind: ProblemKind): KindEntry => kinds[kind]

interface CodeEntry {
  readonly kind: ProblemKind
  readonly title: string
}

export const codes = {
  invalid_declaration: { kind: "refused", title: "The service's declaration has a mistake" },
  invalid_command: { kind: "refused", title: "The command cannot be run as it was given" },
  cannot_listen: { kind: "unavailable", title: "The address cannot be listened on" },
  malformed_request: { kind: "malformed", title: "The request cannot be read" },
  syntax_error: { kind: "refused", title: "The document cannot be parsed" },
  invalid_document: { kind: "refused", title: "The document does not fit the schema" },
  unknown_parameter: { kind: "refused", title: "Unknown parameter" },
  unknown_field: { kind: "refused", title: "Unknown field" },
  unknown_operator: { kind: "refused", title: "Unknown operator" },
  invalid_value: { kind: "refused", title: "Invalid value" },
  invalid_cursor: { kind: "refused", title: "Invalid cursor" },
  too_deep: { kind: "refused", title: "Nested too deeply" },
  not_found: { kind: "missing", title: "Not found" },
  method_not_allowed: { kind: "method", title: "Method not allowed" },
  unsupported_media_type: { kind: "media", title: "Unsupported media type" },
  not_acceptable: { kind: "accept", title: "Not acceptable" },
  too_large: { kind: "large", title: "Too large" },
  unrepresentable_value: { kind: "data", title: "A stored value does not fit its declaration" },
  storage_unavailable: { kind: "unavailable", title: "The database cannot be reached" },
  database_mismatch: { kind: "data", title: "The database does not have what the service needs" },
  empty_database: { kind: "data", title: "The database holds nothing to serve" },
  internal: { kind: "internal", title: "Internal error" },
} as const satisfies Record<string, CodeEntry>

export type Code = keyof typeof codes
