// Counted use of versions, with the clients pinned to one: API keys, endpoints of webhooks, bearers of tokens.
import { present } from "../../base/invariant.ts"
import { systemModel } from "../../engine/own-records.ts"
import type { Model } from "../../model/model.ts"
import { apiKey } from "../../model/system/api-key.ts"
import { versionPin, versionUse } from "../../model/system/version-use.ts"
import { webhookEndpoint } from "../../model/system/webhooks.ts"
import { everybodyOf } from "../../plan/access/actor.ts"
import type { HandleFor } from "./usage.ts"

/** A client's use of a version, over days and processes. */
export interface ClientUse {
  readonly version: string
  /** `key:` and a key's id, `client:` and the client of a token, `tokens`, `anonymous`, or `others`. */
  readonly client: string
  readonly requests: number
  /** The last day on which there was one. */
  readonly last: string
  /** Uses of members that newer versions changed, by their names in the version. */
  readonly members: Readonly<Record<string, number>>
}

export interface PinnedKey {
  readonly id: string
  readonly name: string
  readonly version: string | null
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
}

interface PinnedEndpoint {
  readonly id: string
  readonly url: string
  readonly version: string | null
  readonly state: string
}

export interface UsageRecords {
  /** @param since a day: `2026-11-01` */
  uses(since: string): Promise<readonly ClientUse[]>
  keys(): Promise<readonly PinnedKey[]>
  endpoints(): Promise<readonly PinnedEndpoint[]>
  /** Bearers of tokens that are pinned to the version; at most so many are counted. */
  pins(version: string, most: number): Promise<number>
}

interface StoredUse {
  readonly id: string
  readonly version: string
  readonly client: string
  readonly day: string
  readonly requests: number
  readonly members: Readonly<Record<string, number>>
}

interface Listing {
  list(asked: object): Promise<{ readonly data: readonly { readonly id: string }[] }>
}

const page = 500

/** @param declared the service with its resources of Bifold's own */
export function readUsage(declared: Model, handleFor: HandleFor): UsageRecords {
  const names = [versionUse, versionPin, apiKey, webhookEndpoint].filter((name) =>
    declared.resources.has(name),
  )
  const model = systemModel(declared, names, page)
  const { db } = handleFor({ ...everybodyOf(model), name: "bifold usage" })
  async function* all<Row extends { readonly id: string }>(name: string, where: object): AsyncGenerator<Row> {
    if (!names.includes(name)) return
    const listing = present((db as Readonly<Record<string, Listing>>)[name], `there is a resource ${name}`)
    for (let last: string | undefined; ; ) {
      const after = last === undefined ? {} : { id: { gt: last } }
      const { data } = await listing.list({ where: { ...where, ...after }, orderBy: "id", first: page })
      yield* data as readonly Row[]
      last = data.at(-1)?.id
      if (data.length < page) return
    }
  }
  return {
    uses: async (since) => summed(await Array.fromAsync(all<StoredUse>(versionUse, { day: { gte: since } }))),
    keys: () => Array.fromAsync(all<PinnedKey>(apiKey, {})),
    endpoints: () => Array.fromAsync(all<PinnedEndpoint>(webhookEndpoint, {})),
    async pins(version, most) {
      let count = 0
      for await (const _ of all(versionPin, { version: { eq: version } })) if (++count >= most) break
      return count
    },
  }
}

/** The newest version first, and of each those with most requests. */
function summed(stored: readonly StoredUse[]): readonly ClientUse[] {
  const sums = new Map<string, ClientUse>()
  for (const { version, client, day, requests, members } of stored) {
    const key = `${version} ${client}`
    const before = sums.get(key) ?? { version, client, requests: 0, last: day, members: {} }
    const together = { ...before.members }
    for (const [name, count] of Object.entries(members)) together[name] = (together[name] ?? 0) + count
    sums.set(key, {
      version,
      client,
      requests: before.requests + requests,
      last: [day, before.last].toSorted().at(-1) ?? day,
      members: together,
    })
  }
  return [...sums.values()].toSorted(
    (one, other) => other.version.localeCompare(one.version) || other.requests - one.requests,
  )
}
