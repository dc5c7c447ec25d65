// Versions that bearers of tokens are pinned to: the newest when each was answered first.
import { createHash } from "node:crypto"
import { createRecent } from "../base/caches.ts"
import { type AnswerAsBifold, createSystemPlans, readSystemRecord } from "../engine/own-records.ts"
import type { Model } from "../model/model.ts"
import { versionPin } from "../system/version-use.ts"

export interface PinsOptions {
  /** As it was declared. */
  readonly model: Model
  readonly answer: AnswerAsBifold
  /** Whether the database can be written to. */
  readonly writes: boolean
}

/** The version that the caller of this name is pinned to. Rejects when the database does not answer. */
export type FindPin = (name: string) => Promise<string | undefined>

const mostKnown = 100_000

/** Undefined where callers are not pinned. */
export function createPins({ model, answer, writes }: PinsOptions): FindPin | undefined {
  const [newest] = model.versions ?? []
  if (!newest || !model.resources.has(versionPin)) return undefined
  const plans = createSystemPlans(model, {
    resource: versionPin,
    unique: "caller",
    noun: "pin",
    members: () => [{ kind: "field", key: "version", field: "version" }],
    mostListed: 1,
  })
  // A pin does not change while it is served.
  const known = createRecent<string, string>({ count: mostKnown, weight: mostKnown })
  const read = async (caller: string): Promise<string | undefined> => {
    const found = readSystemRecord<{ readonly version: string }>(
      await answer(plans.find(caller), plans.actor),
    )
    return found?.version
  }
  const write = async (caller: string): Promise<string> => {
    try {
      await answer(plans.create({ caller, version: newest.name }), plans.actor)
    } catch {
      // Another request of the caller was first, or the database cannot be written for now.
      return (await read(caller)) ?? newest.name
    }
    return newest.name
  }
  return async (name) => {
    const caller = createHash("sha256").update(name).digest("base64url")
    const pinned = known.get(caller) ?? (await read(caller))
    const version = pinned ?? (writes ? await write(caller) : undefined)
    if (version !== undefined) known.set(caller, version, 1)
    return version
  }
}
