// Many who write at once: changes by themselves, several in a transaction, and transactions that take their time to commit.
import { setTimeout as sleep } from "node:timers/promises"
import { action, anyone, f, resource, role, service, withCode } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import type { Database } from "../support/open-service.ts"
import type { FeedServer } from "./open.ts"

const staff = role("staff")
const counting = service({
  name: "counting",
  roles: ["staff"],
  resources: {
    counter: resource({
      id: "cou",
      fields: { count: f.integer({ default: 0 }) },
      history: true,
      allow: { read: anyone, create: staff, update: staff },
    }),
  },
})

export const counters = load(
  withCode(counting, {
    actions: {
      counter: {
        /** The event is written long before it is committed. */
        raise: action({
          input: { wait: f.integer() },
          allow: staff,
          async run({ input: { wait }, record, db }) {
            await db.counter.update(record.id, { count: record.count + 1 })
            await sleep(wait)
          },
        }),
      },
    },
  }),
)

export interface Writing {
  /** Calls go to each in turn. */
  readonly servers: readonly FeedServer[]
  readonly database: Database
  readonly records: number
  readonly writers: number
  /** Changes, at the least, that are written together. */
  readonly changes: number
}

/** Writes, and gives how often records were changed by what was answered with success. */
export async function write({ servers, database, records, writers, changes }: Writing): Promise<number> {
  const [first] = servers
  if (!first) throw new Error("There is a server.")
  const ids: string[] = []
  for (let index = 0; index < records; index += 1)
    ids.push((await first.send("POST", "/counters", "role:staff", {})).body.id)
  // In one order, or they would wait for each other for ever.
  ids.sort()
  let done = 0
  /** Only one writes at a time on SQLite: a transaction that lasts stops all others. */
  const slow = database === "sqlite" ? 0.01 : 0.15
  const one = async (server: FeedServer): Promise<number> => {
    const count = done
    const some = ids.filter(() => Math.random() < 4 / records)
    const [id = ids[Math.floor(Math.random() * records)], ...more] = some
    if (Math.random() < slow)
      return succeeded(
        await server.send("POST", `/counters/${id}/raise`, "role:staff", {
          wait: Math.floor(Math.random() * 8),
        }),
      )
    if (more.length === 0)
      return succeeded(await server.send("PATCH", `/counters/${id}`, "role:staff", { count }))
    const requests = some.map((of) => ({ method: "PATCH", path: `/counters/${of}`, body: { count } }))
    return succeeded(await server.send("POST", "/batch", "role:staff", { requests })) * some.length
  }
  await Promise.all(
    Array.from({ length: writers }, async (_, index) => {
      while (done < changes) {
        const changed = await one(servers[index % servers.length] ?? first)
        done += changed
        if (Math.random() < 0.3) await sleep(Math.random() * 4)
      }
    }),
  )
  return done
}

const succeeded = ({ status }: { readonly status: number }): number => (status < 300 ? 1 : 0)

/** What is known of a change. */
export interface Seen {
  readonly recordId: string
  readonly version: string
}

/**
 * Of each record: changes that are missing, that came twice, or before an earlier one. Each record was made while it was
 * followed, and its versions have no gap.
 * @param last versions by record
 */
export function mistakesIn(seen: readonly Seen[], last: ReadonlyMap<string, string>): readonly string[] {
  const reached = new Map<string, bigint>()
  const mistakes: string[] = []
  for (const { recordId, version } of seen) {
    const before = reached.get(recordId)
    if (before !== undefined && BigInt(version) !== before + 1n)
      mistakes.push(`${recordId}: ${version} after ${before}`)
    reached.set(recordId, BigInt(version))
  }
  for (const [recordId, version] of last)
    if (String(reached.get(recordId)) !== version)
      mistakes.push(`${recordId}: ended at ${reached.get(recordId)} of ${version}`)
  return mistakes
}

/** Versions by record, as they are stored. */
export async function lastVersions(server: FeedServer): Promise<ReadonlyMap<string, string>> {
  const { body } = await server.send("GET", "/counters?fields=etag&limit=100", "role:staff")
  const rows = body["data"] as readonly { readonly id: string; readonly etag: string }[]
  return new Map(rows.map(({ id, etag }) => [id, etag]))
}
