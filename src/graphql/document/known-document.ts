// A document in the cache: validated, with its operations and their plans.
import type { DocumentNode, GraphQLSchema } from "graphql"
import { present } from "../../base/invariant.ts"
import type { CheckedDocument, DocumentOptions } from "./document.ts"
import { type PreparedOperation, prepareOperation } from "./prepare.ts"

export interface KnownDocument extends CheckedDocument {
  /** For a valid document. @throws Refusal with what is wrong with the operation's name */
  operation(name: string | undefined): PreparedOperation
  /** Called when another plan is kept with it. */
  planned(): void
  /** Shared by several texts: errors are reported from the text's own document, which has its locations. */
  readonly isShared?: true
}

export interface Operations {
  readonly prepare: KnownDocument["operation"]
  /** Bytes of its plans. */
  weight(): number
}

/** The weight of a parsed document, for each of its characters. */
export const bytesPerCharacter = 100

export function createOperations(
  schema: GraphQLSchema,
  document: DocumentNode | undefined,
  options: DocumentOptions,
): Operations {
  const operations = new Map<string | undefined, PreparedOperation>()
  return {
    prepare(name) {
      const known = operations.get(name)
      if (known) return known
      const valid = present(document, "only a document that is valid is asked for its operations")
      const prepared = prepareOperation(schema, valid, name, options)
      operations.set(name, prepared)
      return prepared
    },
    weight() {
      let weight = 0
      for (const { shapes } of operations.values()) weight += shapes.weight
      return weight
    },
  }
}
