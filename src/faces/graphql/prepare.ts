// From a request to the operation it means: which one of the document, and its variables coerced
// (specification section 6.1).
import {
  type DocumentNode,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from "graphql"
import { type Problem, Refusal } from "../../base/problem.ts"
import { documentLimits } from "./document.ts"
import { fromGraphqlError, type RequestError } from "./errors.ts"
import { fragmentsOf, type Operation } from "./operation.ts"

export interface GraphqlRequest {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  readonly operationName?: string | undefined
}

/** Refusals carry RequestErrors. */
export function refuse(errors: readonly RequestError[]): never {
  throw new Refusal(errors as readonly [Problem, ...Problem[]])
}

/** The operation that the request names, or the only one; undefined when that cannot be told. */
export function findOperation(
  document: DocumentNode,
  operationName: string | undefined,
): OperationDefinitionNode | undefined {
  const operations = document.definitions.filter((definition) => definition.kind === "OperationDefinition")
  if (operationName !== undefined) return operations.find(({ name }) => name?.value === operationName)
  return operations.length === 1 ? operations[0] : undefined
}

/** @throws Refusal with what is wrong with the operation's name or its variables */
export function prepareOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  { variables: input = {}, operationName }: GraphqlRequest,
  introspection: boolean,
): Operation {
  const definition = findOperation(document, operationName)
  if (!definition) refuse([{ code: "invalid_document", message: notFound(document, operationName) }])
  if (isNestedBeyond(input, documentLimits.nesting)) {
    refuse([
      { code: "too_deep", message: `The variables are nested more than ${documentLimits.nesting} deep.` },
    ])
  }
  const { variableValues, errors } = getVariableValues(schema, definition.variableDefinitions ?? [], input, {
    maxErrors: 50,
    hideSuggestions: !introspection,
  })
  if (errors) refuse(errors.map((error) => fromGraphqlError("invalid_value", error)))
  const fragments = fragmentsOf(document)
  return { schema, document, definition, fragments, input, variables: variableValues, spent: { fields: 0 } }
}

/** In the words of graphql-js. */
function notFound(document: DocumentNode, operationName: string | undefined): string {
  if (operationName !== undefined) return `Unknown operation named "${operationName}".`
  const several = document.definitions.some(({ kind }) => kind === "OperationDefinition")
  return several
    ? "Must provide operation name if query contains multiple operations."
    : "Must provide an operation."
}

/** Without recursion, which is what the depth is limited for. */
function isNestedBeyond(value: unknown, depth: number): boolean {
  let level: unknown[] = [value]
  for (let reached = 0; level.length > 0; reached += 1) {
    if (reached > depth) return true
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []))
  }
  return false
}
