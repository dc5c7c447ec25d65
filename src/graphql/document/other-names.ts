// Arguments of lists by the names that other APIs give them, conditions without an operator, and how both are written here.
import { type GraphQLSchema, isObjectType } from "graphql"
import type { RequestError } from "./errors.ts"

const unknownArgument = /^Unknown argument "(\w+)" on field "(\w+)\.(\w+)"\./

/** Names in lower case without underscores, by the argument that does the same. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  where: ["filter", "filters", "filterby", "condition", "conditions", "query", "search"],
  orderBy: ["sort", "sortby", "order", "orderings"],
  first: ["limit", "take", "top", "count", "size", "pagesize", "perpage"],
  after: ["page", "offset", "skip", "cursor", "start"],
}

const hints: Readonly<Record<string, string>> = {
  where: 'Conditions are written `where: { name: { eq: "…" } }`.',
  orderBy: "The order is written `orderBy`, most significant first.",
  first: "The number of records is written `first: 20`.",
  after: "Lists have cursors: write `first: 20`, then `after:` with the `pageInfo.endCursor` of the answer.",
}

/** The error, with a hint where the field has an argument of another name for what was meant. */
export function withArgument(schema: GraphQLSchema, error: RequestError): RequestError {
  const [, name = "", typeName = "", fieldName = ""] = unknownArgument.exec(error.message) ?? []
  const type = schema.getType(typeName)
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
  const meant = Object.keys(otherNames).find((one) =>
    otherNames[one]?.includes(name.toLowerCase().replaceAll("_", "")),
  )
  if (!meant || !field?.args.some((argument) => argument.name === meant)) return error
  // graphql-js has compared letters.
  return { ...error, message: error.message.replace(/ Did you mean .*$/, ""), hint: hints[meant] ?? "" }
}

/** The beginning of a condition without its operator, in a document or in a variable. */
const bareOperand = /Expected value of type "\w+Filter" to be an object, found: [^{]/

export const withOperator = (error: RequestError): RequestError =>
  bareOperand.test(error.message)
    ? { ...error, hint: 'A condition names its operator: `{ name: { eq: "…" } }`.' }
    : error

export interface Elsewhere {
  readonly introspection: boolean
  /** Names another served version whose type has the field. */
  readonly elsewhere?: (type: string, field: string) => string | undefined
}

export const unknownField = /^Cannot query field "(\w+)" on type "(\w+)"\.$/
const unknownInput = /Expected value of type "(\w+)!?" not to include unknown field "(\w+)"/

/** The error, with the version that has the unknown name. */
export function withVersion(error: RequestError, { introspection, elsewhere }: Elsewhere): RequestError {
  const [, field, type] = unknownField.exec(error.message) ?? []
  const [, input = type, member = field] = unknownInput.exec(error.message) ?? []
  const known = introspection && input !== undefined && member !== undefined
  const hint = known ? elsewhere?.(input, member) : undefined
  return hint === undefined ? error : { ...error, hint }
}
