// The documents seen lately, by their text: at most so many, and at most so much text; the least recently used goes.
import type { GraphQLSchema } from "graphql"
import { type CheckedDocument, checkDocument, type DocumentOptions } from "./document.ts"

export interface DocumentCache {
  read(text: string): CheckedDocument
  /** Documents kept, and the length of their texts together. */
  size(): { readonly count: number; readonly length: number }
}

interface CacheBounds {
  readonly count: number
  readonly length: number
}

const usual: CacheBounds = { count: 1_000, length: 2_000_000 }

export function createDocumentCache(
  schema: GraphQLSchema,
  options: DocumentOptions,
  bounds: CacheBounds = usual,
): DocumentCache {
  // A Map iterates in the order of insertion: what is read is inserted anew, so that the first is the least recent.
  const kept = new Map<string, CheckedDocument>()
  let length = 0
  const keep = (text: string, checked: CheckedDocument): void => {
    kept.set(text, checked)
    length += text.length
    for (const oldest of kept.keys()) {
      if (kept.size <= bounds.count && length <= bounds.length) break
      kept.delete(oldest)
      length -= oldest.length
    }
  }
  return {
    read(text) {
      const known = kept.get(text)
      if (known) {
        kept.delete(text)
        kept.set(text, known)
        return known
      }
      const checked = checkDocument(schema, text, options)
      keep(text, checked)
      return checked
    },
    size: () => ({ count: kept.size, length }),
  }
}
