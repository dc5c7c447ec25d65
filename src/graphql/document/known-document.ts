// A document in the cache: validated, with its operations and their plans.
import type { DocumentNode, GraphQLSchema } from "graphql"
import { present } from "../../base/invariant.ts"
import type { CheckedDocument, DocumentOptions } from "./document.ts"
import { type PreparedOperation, prepareOperation } from "./prepare.ts"

export interface KnownDocument extends CheckedDocument {
  /** For a valid document. @throws Refusal for a wrong name of the operation */
  operation(name: string | undefined): PreparedOperation
  /** Called when an operation of it was planned for the first time: it is valid, and texts like it may share it. */
  planned?(): void
  /** Shared by several texts: errors are reported from the text's own document, which has its locations. */
  readonly isShared?: true
}

/** Bytes of a parsed document, for each of its characters. */
export const bytesPerCharacter = 100

/** Each operation is prepared once. */
export function createOperations(
  schema: GraphQLSchema,
  document: DocumentNode | undefined,
  options: DocumentOptions,
): KnownDocument["operation"] {
  const operations = new Map<string | undefined, PreparedOperation>()
  return (name) => {
    const known = operations.get(name)
    if (known) return known
    const valid = present(document, "only a document that is valid is asked for its operations")
    const prepared = prepareOperation(schema, valid, name, options)
    operations.set(name, prepared)
    return prepared
  }
}
