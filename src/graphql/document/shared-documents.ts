// Documents by their shape: a text that differs from earlier ones in literals only uses their document, with its literals as
// values. Such a text is neither parsed nor validated, and planned once for all of them.
import type { GraphQLSchema } from "graphql"
import type { RequestCache } from "../../base/caches.ts"
import type { DocumentOptions } from "./document.ts"
import { type DocumentShape, shapeOf, withValues } from "./document-shape.ts"
import { bytesPerCharacter, createOperations, type KnownDocument } from "./known-document.ts"
import type { Scan } from "./scan.ts"

export interface SharedDocuments {
  /** The document of a text that was found before. */
  recall(text: string): KnownDocument | undefined
  /** Undefined where the text needs a document of its own. */
  find(text: string, scan: Scan): KnownDocument | undefined
  /** Notes a document that is valid and has been planned. */
  note(scan: Scan): void
}

/** A shape that documents have had. */
interface Known {
  readonly pieces: Scan["pieces"]
  /** Made when a third text needs it; null where there can be none. */
  shared?: Shared | null
}

interface Shared {
  readonly shape: DocumentShape
  readonly operation: KnownDocument["operation"]
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

/** Bytes of a text with its values: so many, and so many for each character. */
const leastWeight = 1_000
const bytesPerValueCharacter = 30

export function createSharedDocuments(
  schema: GraphQLSchema,
  options: DocumentOptions,
  cache: RequestCache,
): SharedDocuments {
  const shapes = cache.open<string, Known>()
  const texts = cache.open<string, Recalled>()
  const share = (known: Known): Shared | null => {
    const shape = shapeOf(schema, known.pieces)
    return shape ? { shape, operation: createOperations(schema, shape.document, options) } : null
  }
  const sharedOf = (key: string): Shared | null => {
    const known = shapes.get(key)
    if (!known) return null
    if (known.shared === undefined) known.shared = share(known)
    return known.shared
  }
  const ask = ({ shape, operation }: Shared, values: Values): KnownDocument => ({
    document: shape.document,
    errors: [],
    operation: (name) => withValues(operation(name), values),
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
      if (cache.seen(text))
        texts.set(text, { key, values, times: 0 }, leastWeight + bytesPerValueCharacter * text.length)
      return ask(shared, values)
    },
    note({ key, pieces, literals }) {
      if (literals.length > 0 && !shapes.get(key) && cache.seen(key))
        shapes.set(key, { pieces }, bytesPerCharacter * key.length)
    },
  }
}
