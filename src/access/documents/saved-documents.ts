// GraphQL documents that clients name by an id in place of their text. Some are registered; others came from clients with
// their digest ("automatic persisted queries").
import { createRecent, RequestCache } from "../../base/caches.ts"
import type { Request } from "../../base/request.ts"
import type { AnswerAsBifold } from "../../engine/own-records.ts"
import type { Model } from "../../model/model.ts"
import { createDocumentPlans, digestId, readDocument } from "./document-plans.ts"

interface SavedDocuments {
  /** Whether only registered documents are answered. */
  readonly required: boolean
  /** The text; undefined for an id that is unknown. Rejects when the database does not answer. */
  find(id: string, request?: Request): string | undefined | Promise<string | undefined>
  /** Whether the text is registered. */
  isRegistered(text: string, request?: Request): boolean | Promise<boolean>
  /** Keeps a text that clients may name by its digest from then on, in this process. */
  keep(text: string): void
}

export interface SavedDocumentsOptions {
  /** As it was declared, with its resource of documents if it has one. */
  readonly model: Model
  readonly answer: AnswerAsBifold
  /** Milliseconds by a clock that is not set back. */
  readonly now?: () => number
}

/** Bytes. */
const weigh = (text: string): number => 500 + 2 * text.length

/** Milliseconds after which the database is asked again: for a document that was there, and for one that was not. */
const lifetimes = { found: 60_000, missing: 1_000 }

/** Characters of an id. */
const longestId = 200

/** Gives the documents of the cache's audience: documents of other audiences have no effect. */
type SavedDocumentsOf = (cache?: RequestCache) => SavedDocuments

export function createSavedDocuments({
  model,
  answer,
  now = () => performance.now(),
}: SavedDocumentsOptions): SavedDocumentsOf {
  if (model.documents === undefined)
    return (cache) => ({ ...createAutomatic(cache), required: false, isRegistered: () => false })
  const registered = createRegistry({ model, answer, now })
  const isRegistered: SavedDocuments["isRegistered"] = (text, request) => {
    const found = registered(digestId(text), request)
    return found instanceof Promise ? found.then((known) => known === text) : found === text
  }
  if (model.documents === "required")
    return () => ({ required: true, find: registered, isRegistered, keep: () => {} })
  return (cache) => {
    const { find, keep } = createAutomatic(cache)
    return { required: false, find: (id, request) => find(id) ?? registered(id, request), isRegistered, keep }
  }
}

interface Automatic {
  find(id: string): string | undefined
  keep(text: string): void
}

/** A text with quotes may contain personal data, and keeping it would reveal that it was sent. So it is not kept. */
function createAutomatic(cache = new RequestCache()): Automatic {
  const sent = cache.open<string, string>()
  return {
    find: (id) => sent.get(id),
    keep(text) {
      if (!text.includes('"')) sent.set(digestId(text), text, weigh(text))
    },
  }
}

interface Entry {
  readonly text: string
  /** As of `now`. */
  readonly until: number
}

/** Reads registered documents, each from the database now and then: one that is removed ends within a minute. */
function createRegistry({ model, answer, now }: Required<SavedDocumentsOptions>): SavedDocuments["find"] {
  const plans = createDocumentPlans(model)
  const known = new RequestCache().open<string, Entry>()
  const missing = createRecent<string, number>({ count: 1_000, weight: 1_000 })
  const read = async (id: string, request: Request | undefined): Promise<string | undefined> => {
    const found = readDocument(await answer(plans.find(id), plans.actor, request))
    if (found) known.set(id, { text: found.text, until: now() + lifetimes.found }, weigh(found.text))
    else missing.set(id, now() + lifetimes.missing, 1)
    return found?.text
  }
  return (id, request) => {
    if (id.length > longestId) return undefined
    const entry = known.get(id)
    if (entry && now() < entry.until) return entry.text
    if (now() < (missing.get(id) ?? 0)) return undefined
    return read(id, request)
  }
}
