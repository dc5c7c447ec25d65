// Prepares an operation of a document for repeated requests: selects it by name, prepares the coercion of its variables, and
// keeps its plans.
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from "graphql"
import { RequestCache } from "../../base/caches.ts"
import { withDefaultSizes } from "../../model/limits.ts"
import { createShapes, type Shapes, weigh } from "../../plan/draft/plan-cache.ts"
import type { DocumentOptions } from "./document.ts"
import { refuse } from "./errors.ts"
import { fragmentsOf, type Operation } from "./operation.ts"
import type { PlannedOperation } from "./planned-operation.ts"
import { prepareVariables, type ReadVariables, type VariableRequest } from "./variables.ts"

export interface GraphqlRequest {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  readonly operationName?: string | undefined
  /** The request asks for the price only; nothing runs. */
  readonly dryRun?: true
}

export interface PreparedOperation {
  readonly operation: Operation
  readonly readVariables: ReadVariables
  readonly shapes: Shapes<VariableRequest, PlannedOperation>
  /** Several texts share the document: errors have the locations of the request's own text. */
  readonly isShared?: true
}

/** The operation that the request names, or the only one; undefined when it is ambiguous. */
export function findOperation(
  document: DocumentNode,
  operationName: string | undefined,
): OperationDefinitionNode | undefined {
  const operations = document.definitions.filter((definition) => definition.kind === "OperationDefinition")
  if (operationName !== undefined) return operations.find(({ name }) => name?.value === operationName)
  return operations.length === 1 ? operations[0] : undefined
}

/** @throws Refusal for a wrong name of the operation */
export function prepareOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  { limits = withDefaultSizes(), cache = new RequestCache(), ...options }: DocumentOptions,
): PreparedOperation {
  const definition = findOperation(document, operationName)
  if (!definition) refuse([{ code: "invalid_document", message: notFound(document, operationName) }])
  return {
    operation: { schema, definition, fragments: fragmentsOf(document), limits },
    readVariables: prepareVariables(schema, definition, { ...options, limits }),
    shapes: createShapes<VariableRequest, PlannedOperation>(cache, (planned) =>
      weigh(planned.kind === "read" ? planned.roots : planned.steps),
    ),
  }
}

/** In the words of graphql-js. */
function notFound(document: DocumentNode, operationName: string | undefined): string {
  if (operationName !== undefined) return `Unknown operation named "${operationName}".`
  const several = document.definitions.some(({ kind }) => kind === "OperationDefinition")
  return several
    ? "Must provide operation name if query contains multiple operations."
    : "Must provide an operation."
}
