// The documents seen lately, by their text, with everything that is known of them: whether they are valid, how their
// operations are asked, and what has been planned of those.

import type { GraphQLSchema } from "graphql"
import { cacheBudget } from "../../base/cache-budget.ts"
import { createRecent, type RecentBounds } from "../../base/clock-cache.ts"
import { present } from "../../base/invariant.ts"
import { type CheckedDocument, checkDocument, type DocumentOptions } from "./document.ts"
import { type PreparedOperation, prepareOperation } from "./prepare.ts"

interface KnownDocument extends CheckedDocument {
  /** For a valid document. @throws Refusal with what is wrong with the operation's name */
  operation(name: string | undefined): PreparedOperation
}

export interface DocumentCache {
  read(text: string): KnownDocument
  /** Weighs a document again, after more has been planned of it. */
  weigh(text: string): void
  /** Documents kept, and their weight together. */
  size(): { readonly count: number; readonly weight: number }
}

/** The weight is in bytes. */
const usual: RecentBounds = { count: 1_000, weight: 50_000_000 }

/** The weight of a parsed document, for each of its characters. */
const bytesPerCharacter = 100

export function createDocumentCache(
  schema: GraphQLSchema,
  options: DocumentOptions,
  bounds: RecentBounds = usual,
): DocumentCache {
  const kept = createRecent<string, Kept>(bounds, cacheBudget)
  return {
    read(text) {
      const known = kept.get(text)
      if (known) return known.document
      const entry = checkOnce(schema, text, options)
      kept.set(text, entry, entry.weight())
      return entry.document
    },
    weigh(text) {
      const known = kept.get(text)
      if (known) kept.set(text, known, known.weight())
    },
    size: () => ({ count: kept.count, weight: kept.weight }),
  }
}

interface Kept {
  readonly document: KnownDocument
  weight(): number
}

function checkOnce(schema: GraphQLSchema, text: string, options: DocumentOptions): Kept {
  const checked = checkDocument(schema, text, options)
  const operations = new Map<string | undefined, PreparedOperation>()
  const operation = (name: string | undefined): PreparedOperation => {
    const known = operations.get(name)
    if (known) return known
    const document = present(checked.document, "only a document that is valid is asked for its operations")
    const prepared = prepareOperation(schema, document, name, options)
    operations.set(name, prepared)
    return prepared
  }
  return {
    document: { ...checked, operation },
    weight() {
      let weight = bytesPerCharacter * text.length
      for (const { shapes } of operations.values()) weight += shapes.weight
      return weight
    },
  }
}
