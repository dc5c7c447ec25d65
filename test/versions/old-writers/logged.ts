// Entries of the log as earlier declarations of the service have written them.
import { DatabaseSync } from "node:sqlite"
import pg from "pg"
import type { Random } from "../../../examples/storefront/random.ts"
import { plural, type Stored } from "./asking.ts"
import type { Item } from "./naive.ts"
import type { Evolved, Names } from "./services.ts"

/** One row of the log: members before and after. */
export interface Logged {
  readonly resource: string
  readonly record: string
  readonly old: Item | null
  readonly new: Item | null
}

/** Gives how many were rewritten. @param now the entry in place of another one */
export async function rewriteLog(url: string, now: (entry: Logged) => Logged): Promise<number> {
  const select = `SELECT seq, resource, record, "old", "new" FROM bifold_log`
  const changed = (rows: readonly unknown[]) =>
    (rows as readonly Record<string, unknown>[]).flatMap((row) => {
      const [old, fresh] = [row["old"], row["new"]].map((text) =>
        typeof text === "string" ? JSON.parse(text) : text,
      )
      const before = { resource: row["resource"], record: row["record"], old, new: fresh } as Logged
      const after = now(before)
      return after === before
        ? []
        : [[...[after.old, after.new].map((one) => one && JSON.stringify(one)), Number(row["seq"])]]
    })
  if (!url.startsWith("postgres")) {
    const other = new DatabaseSync(url, { timeout: 10_000 })
    const update = other.prepare(`UPDATE bifold_log SET "old" = ?, "new" = ? WHERE seq = ?`)
    const all = changed(other.prepare(select).all())
    for (const row of all) update.run(...row)
    other.close()
    return all.length
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(select)
  const all = changed(rows)
  for (const row of all)
    await client.query(`UPDATE bifold_log SET "old" = $1, "new" = $2 WHERE seq = $3`, [...row])
  await client.end()
  return all.length
}

/** The same with former names of values: one in two. */
export function withFormerValues({ versions }: Evolved, random: Random): (entry: Logged) => Logged {
  const members = (versions.at(-1)?.members ?? []).filter(({ formerly }) => formerly)
  const before = (item: Item | null): Item | null => {
    const renamed = members.flatMap(({ name, formerly }) => {
      const value = item?.[name]
      const former = typeof value === "string" ? (formerly?.[value] ?? []) : []
      return random.oneIn(2)
        ? random
            .shuffle(former)
            .slice(0, 1)
            .map((one) => [name, one] as const)
        : []
    })
    return renamed.length > 0 ? { ...item, ...Object.fromEntries(renamed) } : item
  }
  return (entry) => {
    const [old, now] = [before(entry.old), before(entry.new)]
    return old === entry.old && now === entry.new ? entry : { ...entry, old, new: now }
  }
}

/** What every version reads of the log: histories, all events, and those with a value that was renamed. */
export async function readLog(
  { versions, names }: Evolved,
  records: readonly Stored[],
  ask: (at: number, path: string) => Promise<unknown>,
): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>()
  for (const [at, { name: version, members }] of versions.entries()) {
    const own = names[at] as Names
    const renamed = (versions.at(-1)?.members ?? [])
      .filter(({ formerly }) => formerly)
      .map(({ name }) => name)
    const paths = [
      ...records.map(({ resource, code, id }) =>
        resource === "slot" ? `/slots/${code}/history` : `/${plural(own)}/${id}/history`,
      ),
      "/events?limit=100",
      ...members
        .flatMap(({ name, values = [] }) =>
          renamed.includes(name) ? values.slice(0, 1).map((one) => [name, one]) : [],
        )
        .map(([name, value]) => `/events?limit=100&resource=${own.item}&filter[${name}]=${value}`),
    ]
    for (const path of paths) found.set(`${version} ${path}`, await ask(at, path))
  }
  return found
}
