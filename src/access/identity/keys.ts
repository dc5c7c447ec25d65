// API keys that a service has made: who one stands for, by the digest that is kept of it.
import { timingSafeEqual } from "node:crypto"
import { createRecent } from "../../base/caches.ts"
import type { AnswerAsBifold } from "../../engine/own-records.ts"
import type { Model } from "../../model/model.ts"
import { canonicalDateTime } from "../../model/values/datetime.ts"
import { pinOfKey } from "../../model/versions/served.ts"
import type { Credentials } from "../../plan/access/actor.ts"
import { createKeyPlans, readKey, type StoredKey } from "./key-plans.ts"

export interface KeysOptions {
  /** As it was declared, with its resource of keys. */
  readonly model: Model
  readonly answer: AnswerAsBifold
  readonly now: () => number
  /** Whether it is written down when a key was used. */
  readonly notesUse: boolean
}

interface FoundKey {
  readonly credentials: Credentials
  /** Milliseconds since 1970; undefined for one that does not expire. */
  readonly expires: number | undefined
}

/** Undefined when there is no such key. Rejects when the database does not answer. */
export type FindKeyOwner = (digest: string) => Promise<FoundKey | undefined>

/** Milliseconds. */
const notedEach = 60_000
const mostNoted = 10_000

export function createKeyFinder({ model, answer, now, notesUse }: KeysOptions): FindKeyOwner {
  const plans = createKeyPlans(model)
  const noted = createRecent<string, number>({ count: mostNoted, weight: mostNoted })
  const [newest] = model.versions ?? []
  /** In the background. A failure is retried a minute later, if the key is still used. The first use pins the key to a version. */
  const note = (key: StoredKey): void => {
    const { id, lastUsedAt } = key
    const at = now()
    const pinned =
      key.version === null && newest ? { version: pinOfKey(model, key) ?? newest.name } : undefined
    const before = lastUsedAt === null || pinned ? 0 : Date.parse(lastUsedAt)
    const last = Math.max(noted.get(id) ?? 0, before)
    if (last <= at && at - last < notedEach) return
    noted.set(id, at, 1)
    const used = plans.update(id, { lastUsedAt: canonicalDateTime(at), ...pinned })
    answer(used, plans.actor).catch(() => {})
  }
  return async (digest) => {
    const key = readKey(await answer(plans.find(digest), plans.actor))
    if (!key || !timingSafeEqual(Buffer.from(key.digest), Buffer.from(digest))) return undefined
    const { id, owner, roles, scopes, tier } = key
    const version = pinOfKey(model, key)
    const expires = key.expiresAt === null ? undefined : Date.parse(key.expiresAt)
    if (notesUse && (expires === undefined || now() < expires)) note(key)
    return {
      credentials: {
        name: `key:${id}`,
        ...(owner !== null && { viewer: owner }),
        ...(tier !== null && { tier }),
        ...(version !== undefined && { version }),
        roles,
        scopes,
      },
      expires,
    }
  }
}
