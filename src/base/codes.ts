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
  unidentified: {
    means: "It is not known who asks",
    blame: "client",
    rest: 401,
    graphql: 401,
  },
  forbidden: { means: "Whoever asks may not do it", blame: "client", rest: 403 },
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
  conflict: { means: "It contradicts what is stored", blame: "client", rest: 409 },
  stale: { means: "The record has changed meanwhile", blame: "client", rest: 412 },
  unprocessable: { means: "It is understood, and cannot be done as it stands", blame: "client", rest: 422 },
  unconditional: { means: "It must say which state of the record it is about", blame: "client", rest: 428 },
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
  full: { means: "There is no room left to write", blame: "service", rest: 507, graphql: 507 },
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
  result_out_of_range: { kind: "unprocessable", title: "A result is beyond the numbers that can be held" },
  storage_unavailable: { kind: "unavailable", title: "The database cannot be reached" },
  deadline_exceeded: { kind: "unavailable", title: "The request took too long" },
  overloaded: { kind: "unavailable", title: "The service or its database is busy" },
  database_mismatch: { kind: "unavailable", title: "The database does not have what the service needs" },
  empty_database: { kind: "data", title: "The database holds nothing to serve" },
  missing_reference: { kind: "unprocessable", title: "There is no such record to refer to" },
  already_exists: { kind: "conflict", title: "There is one already" },
  still_referenced: { kind: "conflict", title: "Others refer to it" },
  rule_violated: { kind: "unprocessable", title: "A rule of the data is violated" },
  missing_field: { kind: "refused", title: "Missing field" },
  readonly_field: { kind: "refused", title: "The field cannot be written" },
  too_many_affected: { kind: "conflict", title: "More records than the request allows" },
  stale_version: { kind: "stale", title: "The record has changed" },
  version_required: { kind: "unconditional", title: "A version is required" },
  invalid_idempotency_key: { kind: "malformed", title: "Invalid idempotency key" },
  idempotency_mismatch: { kind: "unprocessable", title: "The key was used for another request" },
  idempotency_in_progress: { kind: "conflict", title: "The same request is under way" },
  storage_full: { kind: "full", title: "The database is full" },
  patch_failed: { kind: "conflict", title: "The patch does not fit the record" },
  invalid_credentials: { kind: "unidentified", title: "The credentials are not accepted" },
  unauthenticated: { kind: "unidentified", title: "Sign in first" },
  issuer_unavailable: { kind: "unavailable", title: "Credentials cannot be checked now" },
  forbidden: { kind: "forbidden", title: "Not allowed" },
  illegal_transition: { kind: "conflict", title: "Not possible in this state" },
  condition_not_met: { kind: "conflict", title: "The condition is not met" },
  conflict: { kind: "conflict", title: "Not possible as things are" },
  wrong_output: { kind: "internal", title: "The service's own code broke its word" },
  computed_failed: { kind: "internal", title: "A field could not be computed" },
  action_timeout: { kind: "unavailable", title: "The operation took too long" },
  action_interrupted: { kind: "unavailable", title: "The operation was interrupted" },
  internal: { kind: "internal", title: "Internal error" },
  resource_unavailable: { kind: "unavailable", title: "The resource cannot be served" },
  migration_refused: { kind: "refused", title: "The database cannot be migrated as it is" },
} as const satisfies Record<string, CodeEntry>

export type Code = keyof typeof codes
