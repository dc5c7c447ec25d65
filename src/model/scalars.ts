// The one table of scalars. Faces, SQL and checks derive from it; nobody lists scalars again.

export type ScalarName =
  | "text"
  | "email"
  | "url"
  | "slug"
  | "integer"
  | "int64"
  | "float"
  | "decimal"
  | "boolean"
  | "date"
  | "time"
  | "timestamp"
  | "uuid"
  | "json"
  | "oneOf"
  | "bytes"

/** Families of scalars by the questions that their values take; operators.ts has the operators of each. */
export type ScalarFamily = "text" | "number" | "moment" | "choice" | "boolean" | "opaque"

export interface Scalar {
  readonly name: ScalarName
  readonly family: ScalarFamily
  /** JSON type on the wire (RFC 8259 section 3), `any` for json. */
  readonly wire: "string" | "number" | "boolean" | "any"
  /** GraphQL type name; `oneOf` has the name of its enumeration instead. */
  readonly graphql: string
  /** JSON Schema `format` (draft 2020-12), where one fits. */
  readonly format?: string
  /** A pattern that each accepted value matches as a whole (ECMA-262). */
  readonly pattern?: string
  /** Where the value's form is defined. */
  readonly specification?: string
  readonly description: string
}

const define = (name: ScalarName, rest: Omit<Scalar, "name">): Scalar => ({ name, ...rest })

export const scalars: Readonly<Record<ScalarName, Scalar>> = {
  text: define("text", { family: "text", wire: "string", graphql: "String", description: "Text." }),
  email: define("email", {
    family: "text",
    wire: "string",
    graphql: "Email",
    // JSON Schema's `email` (RFC 5321) is neither wider nor narrower than this.
    pattern:
      "^[a-zA-Z0-9.!#$%&'*+\\/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$",
    specification: "https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address",
    description: "An e-mail address, as HTML forms accept it.",
  }),
  url: define("url", {
    family: "text",
    wire: "string",
    graphql: "URL",
    specification: "https://url.spec.whatwg.org/",
    description: "An absolute URL.",
  }),
  slug: define("slug", {
    family: "text",
    wire: "string",
    graphql: "Slug",
    pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$",
    description: "Lower-case letters, digits and single hyphens between them.",
  }),
  integer: define("integer", {
    family: "number",
    wire: "number",
    graphql: "Int",
    format: "int32",
    description: "A whole number of 32 bits.",
  }),
  int64: define("int64", {
    family: "number",
    wire: "string",
    graphql: "Int64",
    format: "int64",
    description: "A whole number of 64 bits, as a string, so that no client rounds it.",
  }),
  float: define("float", {
    family: "number",
    wire: "number",
    graphql: "Float",
    format: "double",
    description: "A finite IEEE 754 double.",
  }),
  decimal: define("decimal", {
    family: "number",
    wire: "string",
    graphql: "Decimal",
    description:
      "An exact decimal number, as a string, with as many digits after the point as its scale says.",
  }),
  boolean: define("boolean", {
    family: "boolean",
    wire: "boolean",
    graphql: "Boolean",
    description: "True or false.",
  }),
  date: define("date", {
    family: "moment",
    wire: "string",
    graphql: "Date",
    format: "date",
    specification: "https://www.rfc-editor.org/rfc/rfc3339#section-5.6",
    description: "A calendar day, `YYYY-MM-DD`.",
  }),
  time: define("time", {
    family: "moment",
    wire: "string",
    graphql: "Time",
    pattern: "^(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,6})?$",
    description: "A time of day without a zone, `hh:mm:ss` with up to six digits of a second's fraction.",
  }),
  timestamp: define("timestamp", {
    family: "moment",
    wire: "string",
    graphql: "Timestamp",
    format: "date-time",
    specification: "https://www.rfc-editor.org/rfc/rfc3339#section-5.6",
    description: "A date-time in UTC, `YYYY-MM-DDThh:mm:ssZ` with up to six digits of a second's fraction.",
  }),
  uuid: define("uuid", {
    family: "choice",
    wire: "string",
    graphql: "UUID",
    format: "uuid",
    specification: "https://www.rfc-editor.org/rfc/rfc9562#section-4",
    description: "A UUID in lower case.",
  }),
  json: define("json", { family: "opaque", wire: "any", graphql: "JSON", description: "Any JSON value." }),
  oneOf: define("oneOf", {
    family: "choice",
    wire: "string",
    graphql: "String",
    description: "One of the values named.",
  }),
  bytes: define("bytes", {
    family: "opaque",
    wire: "string",
    graphql: "Bytes",
    format: "byte",
    specification: "https://www.rfc-editor.org/rfc/rfc4648#section-4",
    description: "Bytes in base64.",
  }),
}

/**
 * How a column holds its values:
 * `plain` as the dialect stores this scalar by itself (a Bifold-made table; any well-typed PostgreSQL column);
 * `loose` a SQLite column of somebody else's, which may hold the value in any form SQLite understands;
 * `nocase`, `rtrim` the same, of a text that the database itself compares without letter case, or spaces at its end;
 * `local` a PostgreSQL timestamp without time zone, taken as UTC;
 * `single` a PostgreSQL number of 32 bits (`real`), of which its shortest decimal is the value;
 * `cast` a PostgreSQL type served as its text; a SQLite column that keeps numbers as such, served as text;
 * `unordered` the same of PostgreSQL, of a type whose own order is not that of its text: told apart, and not ordered;
 * `padded` a PostgreSQL `char(n)`: blanks at the end of a value mean nothing;
 * `folded` a PostgreSQL text that the database compares otherwise than by its characters: `citext`, some collations;
 * `domain` a PostgreSQL domain over an enumeration, which has no operators of its own: compared as its text.
 */
export type StoredForm =
  | "plain"
  | "loose"
  | "nocase"
  | "rtrim"
  | "local"
  | "single"
  | "cast"
  | "unordered"
  | "padded"
  | "folded"
  | "domain"
