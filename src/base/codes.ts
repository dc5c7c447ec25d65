// The catalog of problems: every code, and how either face shows its kind. A code is public and never changes.
// docs/reference/errors.md is the same table for readers; a test compares them.

interface KindEntry {
  /** The meaning that all codes of the kind share. */
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
  refused: {
    means: "The request names something unknown, or something that requests may not name",
    blame: "client",
    rest: 400,
  },
  unidentified: {
    means: "Authentication required",
    blame: "client",
    rest: 401,
    graphql: 401,
  },
  forbidden: { means: "Permission denied", blame: "client", rest: 403 },
  missing: { means: "The record does not exist, or the caller cannot see it", blame: "client", rest: 404 },
  method: { means: "The address does not support the method", blame: "client", rest: 405, graphql: 405 },
  accept: {
    means: "No acceptable media type is available",
    blame: "client",
    rest: 406,
    graphql: 406,
  },
  large: { means: "The request exceeds a limit of size", blame: "client", rest: 413, graphql: 413 },
  media: { means: "The media type of the body is not supported", blame: "client", rest: 415, graphql: 415 },
  conflict: { means: "The request contradicts stored data", blame: "client", rest: 409 },
  gone: { means: "The service no longer has the requested data", blame: "client", rest: 410 },
  stale: { means: "The record has changed meanwhile", blame: "client", rest: 412 },
  unprocessable: {
    means: "The request is understood, and cannot be carried out",
    blame: "client",
    rest: 422,
  },
  limited: {
    means: "The caller has used up its share for now",
    blame: "client",
    rest: 429,
    graphql: 429,
  },
  unconditional: { means: "The request must name the version of the record", blame: "client", rest: 428 },
  data: {
    means: "Stored data that the declaration rules out",
    blame: "service",
    rest: 500,
    graphql: 500,
  },
  internal: { means: "A fault of Bifold or of user code", blame: "service", rest: 500, graphql: 500 },
  unavailable: {
    means: "The service cannot answer now; a retry may succeed",
    blame: "service",
    rest: 503,
    graphql: 503,
  },
  full: { means: "The database has no room left", blame: "service", rest: 507, graphql: 507 },
} as const satisfies Record<string, KindEntry>

export type ProblemKind = keyof typeof kinds

export const kindEntry = (kind: ProblemKind): KindEntry => kinds[kind]

interface CodeEntry {
  readonly kind: ProblemKind
  readonly title: string
}

export const codes = {
  invalid_declaration: { kind: "refused", title: "Invalid declaration" },
  invalid_command: { kind: "refused", title: "Invalid command" },
  cannot_listen: { kind: "unavailable", title: "Cannot listen on the address" },
  malformed_request: { kind: "malformed", title: "Malformed request" },
  syntax_error: { kind: "refused", title: "Syntax error in the document" },
  invalid_document: { kind: "refused", title: "Invalid document" },
  unknown_parameter: { kind: "refused", title: "Unknown parameter" },
  unknown_field: { kind: "refused", title: "Unknown field" },
  unknown_operator: { kind: "refused", title: "Unknown operator" },
  invalid_value: { kind: "refused", title: "Invalid value" },
  invalid_cursor: { kind: "refused", title: "Invalid cursor" },
  unknown_version: { kind: "refused", title: "Unknown version" },
  version_ended: { kind: "gone", title: "Version no longer served" },
  version_in_use: { kind: "conflict", title: "Version in use" },
  events_expired: { kind: "gone", title: "Events no longer in the log" },
  document_not_found: { kind: "refused", title: "Document not found" },
  document_not_registered: { kind: "refused", title: "Document not registered" },
  too_deep: { kind: "refused", title: "Nested too deeply" },
  not_found: { kind: "missing", title: "Not found" },
  method_not_allowed: { kind: "method", title: "Method not allowed" },
  unsupported_media_type: { kind: "media", title: "Unsupported media type" },
  not_acceptable: { kind: "accept", title: "Not acceptable" },
  too_large: { kind: "large", title: "Too large" },
  too_expensive: { kind: "unprocessable", title: "Too expensive" },
  rate_limited: { kind: "limited", title: "Limit of requests reached" },
  limits_unavailable: { kind: "unavailable", title: "Limits cannot be checked" },
  unrepresentable_value: { kind: "data", title: "Stored value does not fit its declaration" },
  result_out_of_range: { kind: "unprocessable", title: "Result out of range" },
  program_unavailable: { kind: "unavailable", title: "A part of the server cannot be loaded" },
  storage_unavailable: { kind: "unavailable", title: "Database unavailable" },
  deadline_exceeded: { kind: "unavailable", title: "Deadline exceeded" },
  overloaded: { kind: "unavailable", title: "Overloaded" },
  database_mismatch: { kind: "unavailable", title: "Database does not match the service" },
  empty_database: { kind: "data", title: "Empty database" },
  missing_reference: { kind: "unprocessable", title: "Referenced record not found" },
  already_exists: { kind: "conflict", title: "Record already exists" },
  still_referenced: { kind: "conflict", title: "Record is still referenced" },
  rule_violated: { kind: "unprocessable", title: "Database constraint violated" },
  missing_field: { kind: "refused", title: "Missing field" },
  readonly_field: { kind: "refused", title: "Read-only field" },
  too_many_affected: { kind: "conflict", title: "Too many records affected" },
  stale_version: { kind: "stale", title: "Stale version" },
  version_required: { kind: "unconditional", title: "Version required" },
  invalid_idempotency_key: { kind: "malformed", title: "Invalid idempotency key" },
  idempotency_mismatch: { kind: "unprocessable", title: "Idempotency key reused for another request" },
  idempotency_in_progress: { kind: "conflict", title: "Request with this idempotency key in progress" },
  storage_full: { kind: "full", title: "Database full" },
  patch_failed: { kind: "conflict", title: "Patch failed" },
  invalid_credentials: { kind: "unidentified", title: "Invalid credentials" },
  unauthenticated: { kind: "unidentified", title: "Authentication required" },
  issuer_unavailable: { kind: "unavailable", title: "Token issuer unavailable" },
  forbidden: { kind: "forbidden", title: "Permission denied" },
  illegal_transition: { kind: "conflict", title: "Transition not possible in this state" },
  condition_not_met: { kind: "conflict", title: "Condition not met" },
  conflict: { kind: "conflict", title: "Conflict" },
  wrong_output: { kind: "internal", title: "Invalid output of user code" },
  computed_failed: { kind: "internal", title: "Computed field failed" },
  action_timeout: { kind: "unavailable", title: "Operation timed out" },
  action_interrupted: { kind: "unavailable", title: "Operation interrupted" },
  internal: { kind: "internal", title: "Internal error" },
  resource_unavailable: { kind: "unavailable", title: "Resource unavailable" },
  migration_refused: { kind: "refused", title: "Migration refused" },
} as const satisfies Record<string, CodeEntry>

export type Code = keyof typeof codes
