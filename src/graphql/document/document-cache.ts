// A cache of recent documents by their text: the result of validation, prepared operations and their plans. Valid documents
// that differ in literals only share their plans.

import type { GraphQLSchema } from "graphql"
import { cacheBudget } from "../../base/cache-budget.ts"
import { createRecent, type RecentBounds } from "../../base/clock-cache.ts"
import { withDefaultSizes } from "../../model/limits.ts"
import { checkDocument, type DocumentOptions } from "./document.ts"
import { bytesPerCharacter, createOperations, type KnownDocument } from "./known-document.ts"
import { scanDocument } from "./scan.ts"
import { createSharedDocuments } from "./shared-documents.ts"

export interface DocumentCache {
  read(text: string): KnownDocument
  /** The document parsed from this text, with the locations of its parts. */
  readOwn(text: string): KnownDocument
  /** Documents kept, and their weight together. */
  size(): { readonly count: number; readonly weight: number }
}

/** The weight is in bytes. */
const usual: RecentBounds = { count: 1_000, weight: 50_000_000 }

export function createDocumentCache(
  schema: GraphQLSchema,
  options: DocumentOptions,
  bounds: RecentBounds = usual,
): DocumentCache {
  const { limits = withDefaultSizes() } = options
  const kept = createRecent<string, KnownDocument>(bounds, cacheBudget)
  const shared = createSharedDocuments(schema, options, bounds)
  const add = (text: string, scan = scanDocument(text, limits)): KnownDocument => {
    const checked = checkDocument(schema, text, options, scan)
    const operations = createOperations(schema, checked.document, options)
    const keep = (): void => kept.set(text, known, bytesPerCharacter * text.length + operations.weight())
    const planned = (): void => {
      keep()
      shared.note(scan)
    }
    const known = { ...checked, operation: operations.prepare, planned }
    keep()
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
    size: () => ({ count: kept.count + shared.count, weight: kept.weight + shared.weight }),
  }
}
