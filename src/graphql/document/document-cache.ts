// A cache of recent documents by their text: the result of validation, prepared operations and their plans. Valid documents
// that differ in literals only share their plans.

import { type GraphQLSchema, Kind, type OperationDefinitionNode, type SelectionSetNode } from "graphql"
import { RequestCache } from "../../base/caches.ts"
import { withDefaultSizes } from "../../model/limits.ts"
import { type CheckedDocument, checkDocument, type DocumentOptions } from "./document.ts"
import { bytesPerCharacter, createOperations, type KnownDocument } from "./known-document.ts"
import { scanDocument } from "./scan.ts"
import { createSharedDocuments } from "./shared-documents.ts"

export interface DocumentCache {
  read(text: string): KnownDocument
  /** The document parsed from this text, with the locations of its parts. */
  readOwn(text: string): KnownDocument
}

export function createDocumentCache(schema: GraphQLSchema, given: DocumentOptions): DocumentCache {
  const { limits = withDefaultSizes(), cache = new RequestCache() } = given
  const options = { ...given, cache }
  const kept = cache.open<string, KnownDocument>()
  const shared = createSharedDocuments(schema, options, cache)
  const add = (text: string, scan = scanDocument(text, limits)): KnownDocument => {
    const checked = withoutRefused(checkDocument(schema, text, options, scan))
    const operation = createOperations(schema, checked.document, options)
    const known = { ...checked, operation, planned: () => shared.note(scan) }
    kept.set(
      text,
      known,
      checked.errors.length > 0 ? bytesOfRefused(text, checked) : bytesPerCharacter * text.length,
    )
    return known
  }
  return {
    read(text) {
      const known = kept.get(text) ?? shared.recall(text)
      if (known) return known
      const scan = scanDocument(text, limits)
      return shared.find(text, scan) ?? add(text, scan)
    },
    readOwn: (text) => kept.get(text) ?? add(text),
  }
}

/** A refused document is asked for nothing but the kinds of its operations. */
function withoutRefused(checked: CheckedDocument): CheckedDocument {
  const { document, errors } = checked
  if (!document || errors.length === 0) return checked
  const definitions = document.definitions.flatMap((definition): OperationDefinitionNode[] => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return []
    const { kind, operation, name } = definition
    // A location would keep the text's tokens.
    const named = name && { name: { kind: Kind.NAME, value: name.value } as const }
    return [{ kind, operation, ...named, selectionSet: noSelection }]
  })
  return { document: { kind: Kind.DOCUMENT, definitions }, errors }
}

const noSelection: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: [] }

const bytesOfError = 1_000

const bytesOfRefused = (text: string, { errors }: CheckedDocument): number =>
  2 * text.length + errors.reduce((sum, { message }) => sum + bytesOfError + 2 * message.length, 0)
