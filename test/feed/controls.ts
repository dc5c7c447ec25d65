// Feeds that are broken on purpose, in ways that feeds are often broken: the proofs have to reject each of them.
import pg from "pg"
import { createFeed, type Feed } from "../../src/events/log/feed.ts"
import type { Model } from "../../src/model/model.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"
import { createFaces } from "../../src/server/service.ts"
import { logStart } from "../../src/sql/log/epochs.ts"
import type { Log, LogRow } from "../../src/storage/log-types.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Hooks } from "../support/database.ts"

interface Broken {
  readonly model: Model
  readonly url: string
}

/** Reads by the numbers that PostgreSQL makes, which are given before a transaction is committed. */
export async function feedByBareSequence(hooks: Hooks, of: Broken): Promise<Feed> {
  const pool = new pg.Pool({ connectionString: of.url, max: 2 })
  pool.on("error", () => {})
  hooks.after(() => pool.end())
  const read = async (after: bigint, most: number): Promise<readonly LogRow[]> => {
    const { rows } = await pool.query<Omit<LogRow, "position" | "seq"> & { readonly seq: string }>(
      `SELECT * FROM bifold_log WHERE seq > $1 ORDER BY seq LIMIT ${most}`,
      [String(after)],
    )
    return rows.map((row) => ({
      ...row,
      epoch: logStart.epoch,
      version: String(row.version),
      seq: BigInt(row.seq),
      position: BigInt(row.seq),
    }))
  }
  const latest = async (): Promise<bigint> => {
    const { rows } = await pool.query<{ readonly last: string }>(
      "SELECT coalesce(max(seq), 0) AS last FROM bifold_log",
    )
    return BigInt(rows[0]?.last ?? 0)
  }
  return brokenFeed(hooks, of, (log) => ({
    ...log,
    read,
    async follow(after, most) {
      const rows = await read(after.position, most)
      return { rows, through: rows.at(-1) ?? after, size: 0 }
    },
    end: async () => ({ end: { ...logStart, position: await latest() }, isKnown: true }),
  }))
}

/** Asks for the rules when somebody subscribes, and for none of them when an event is shown. */
export async function feedWithRulesOnce(hooks: Hooks, of: Broken): Promise<Pick<Feed, "page" | "idOf">> {
  const feed = await brokenFeed(hooks, of, (log) => log)
  const open = openModel(of.model)
  return {
    idOf: feed.idOf,
    page(subscription, after, most) {
      feed.check(subscription)
      return feed.page({ ...subscription, actor: { ...subscription.actor, model: open } }, after, most)
    },
  }
}

async function brokenFeed(hooks: Hooks, { model, url }: Broken, logOf: (log: Log) => Log): Promise<Feed> {
  const storage = await openStorage(url, { writes: "unsafe" })
  hooks.after(() => storage.close())
  const secret = "a secret of the tests"
  const { answer } = createFaces({ model, storage, secret, base: "" })
  const { log } = storage
  if (!log) throw new Error("a storage that writes has a log")
  const feed = createFeed({ model, log: logOf(log), answer, secret, look: 5 })
  hooks.after(() => feed.close())
  return feed
}
