// Documents by their shape: a text that differs from earlier ones in literals only is taken for their document, asked
// with its literals as values. It is neither parsed nor validated, and planned once for all of them.
import type { GraphQLSchema } from "graphql"
import { cacheBudget, createRecent, createSeen, type RecentBounds } from "../../base/caches.ts"
import type { DocumentOptions } from "./document.ts"
import { type DocumentShape, shapeOf, withValues } from "./document-shape.ts"
import { bytesPerCharacter, createOperations, type KnownDocument, type Operations } from "./known-document.ts"
import type { Scan } from "./scan.ts"

export interface SharedDocuments {
  /** The document of a text that was found before. */
  recall(text: string): KnownDocument | undefined
  /** Undefined where the text needs a document of its own. */
  find(text: string, scan: Scan): KnownDocument | undefined
  /** Notes a document that is valid and has been planned. */
  note(scan: Scan): void
  readonly count: number
  readonly weight: number
}

/** A shape that documents have had. */
interface Known {
  readonly pieces: Scan["pieces"]
  /** Made when a third text needs it; null where there can be none. */
  shared?: Shared | null
}

interface Shared {
  readonly shape: DocumentShape
  readonly operations: Operations
  planned(): void
}

type Values = NonNullable<ReturnType<DocumentShape["read"]>>

/** A text that came again. Its document is found by the key, so that nothing keeps one beyond its own bounds. */
interface Recalled {
  readonly key: string
  readonly values: Values
  /** Requests with this text since it was kept, or since it last had a document of its own. */
  times: number
}

/** After so many requests a text gets a document of its own, so that its literals are not read each time. */
const often = 32

const textBounds: RecentBounds = { count: 5_000, weight: 10_000_000 }

/** The weight of a text with its values: so much, and so much for each character. */
const leastWeight = 1_000
const bytesPerValueCharacter = 30

export function createSharedDocuments(
  schema: GraphQLSchema,
  options: DocumentOptions,
  bounds: RecentBounds,
): SharedDocuments {
  const shapes = createRecent<string, Known>(bounds, cacheBudget)
  const texts = createRecent<string, Recalled>(textBounds, cacheBudget)
  const seen = createSeen()
  const keep = (key: string, known: Known, planned: number): void =>
    shapes.set(key, known, bytesPerCharacter * key.length + planned)
  const share = (key: string, known: Known): Shared | null => {
    const shape = shapeOf(schema, known.pieces)
    if (!shape) return null
    const operations = createOperations(schema, shape.document, options)
    return { shape, operations, planned: () => keep(key, known, operations.weight()) }
  }
  const sharedOf = (key: string): Shared | null => {
    const known = shapes.get(key)
    if (!known) return null
    if (known.shared === undefined) known.shared = share(key, known)
    return known.shared
  }
  const ask = ({ shape, operations, planned }: Shared, values: Values): KnownDocument => ({
    document: shape.document,
    errors: [],
    operation: (name) => withValues(operations.prepare(name), values),
    planned,
    isShared: true,
  })
  return {
    recall(text) {
      const known = texts.get(text)
      if (!known || known.times >= often) return undefined
      known.times += 1
      const shared = sharedOf(known.key)
      return shared ? ask(shared, known.values) : undefined
    },
    find(text, { key, literals }) {
      const known = texts.get(text)
      if (known && known.times >= often) {
        known.times = 0
        return undefined
      }
      const shared = literals.length > 0 ? sharedOf(key) : null
      const values = shared?.shape.read(literals)
      if (!shared || !values) return undefined
      if (seen(text))
        texts.set(text, { key, values, times: 0 }, leastWeight + bytesPerValueCharacter * text.length)
      return ask(shared, values)
    },
    note({ key, pieces, literals }) {
      if (literals.length > 0 && !shapes.get(key) && seen(key)) keep(key, { pieces }, 0)
    },
    get count() {
      return shapes.count + texts.count
    },
    get weight() {
      return shapes.weight + texts.weight
    },
  }
}
