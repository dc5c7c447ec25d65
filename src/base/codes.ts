// The catalogue of what can go wrong for a person. A code is public and never changes; its kind knows no
// protocol, each face maps kinds to its own appearance.

export type ProblemKind =
  | "malformed" // the request cannot be understood
  | "refused" // understood, but it asks for something that does not exist or is not allowed to be asked
  | "missing" // there is no such record, or the caller does not see it
  | "method"
  | "media"
  | "accept"
  | "large"
  | "data" // the database holds what the declaration rules out
  | "unavailable"
  | "internal"

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
