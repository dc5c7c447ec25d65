// A log of what might have become of a service's records, made up: values that others have had, people and transitions;
// and the statements that put it where a service keeps it.
import type { Random } from "../../examples/storefront/random.ts"
import type { Model } from "../../src/model/model.ts"
import type { Value } from "../../src/plan/read-plan.ts"
import type { Dialect } from "../../src/sql/dialect.ts"
import { logTable, systemTables, systemTablesOf } from "../../src/sql/schema/system-tables.ts"
import type { Command } from "../../src/sql/write/insert.ts"
import type { Declared, Entry, Store } from "../support/naive-access.ts"
import { withoutComputed } from "../support/naive-computed.ts"
import type { LogEntry } from "../support/naive-history.ts"
import { isKept, transitionsIn } from "../support/naive-states.ts"

interface Told {
  readonly declared: Declared
  readonly store: Store
}

/** In the order in which it happened; changes of different records stand between each other. */
export function madeUpLog(told: Told, random: Random): readonly LogEntry[] {
  const lives = Object.entries(told.store.records)
    .filter(([resource]) => isKept(told.declared.resources[resource]))
    .flatMap(([resource, rows]) => rows.map((row) => [...lifeOf(told, random, resource, row)]))
  const log: LogEntry[] = []
  while (lives.some(({ length }) => length > 0)) {
    const next = random
      .pick(lives.filter(({ length }) => length > 0) as [LogEntry[], ...LogEntry[][]])
      .shift()
    if (next) log.push({ ...next, at: momentOf(log.length) })
  }
  return log
}

const momentOf = (count: number): string =>
  new Date(Date.UTC(2026, 0, 1) + count * 1_000).toISOString().replace(".000", "")

function lifeOf(told: Told, random: Random, resource: string, row: Entry): readonly LogEntry[] {
  const created = (): LogEntry => changeOf(told, random, { resource, row, number: 1, type: "created" })
  const natural = Array.isArray(told.declared.resources[resource]?.key)
  const earlier: readonly LogEntry[] =
    natural && random.oneIn(3)
      ? [
          created(),
          {
            ...changeOf(told, random, { resource, row, number: 2, type: "deleted" }),
            new: null,
            old: withoutComputed(told.declared, resource, row),
          },
        ]
      : []
  const count = random.between(0, 3)
  const changes = Array.from({ length: count }, (_, index) =>
    changeOf(told, random, { resource, row, number: index + 2, type: "updated" }),
  )
  return [...earlier, created(), ...changes]
}

export function changeOf(
  { declared, store }: Told,
  random: Random,
  { resource, row, number, type }: { resource: string; row: Entry; number: number; type: string },
): LogEntry {
  const rows = store.records[resource] ?? []
  const members = Object.keys(withoutComputed(declared, resource, row)).filter((name) => name !== "id")
  const other = (member: string): unknown =>
    random.pick([row, ...rows] as [Entry, ...Entry[]])[member] ?? null
  const values = (names: readonly string[]): Entry =>
    Object.fromEntries(names.map((name) => [name, other(name)]))
  const transitions = type === "updated" ? transitionsIn(declared, resource) : []
  const [transition] = random.oneIn(2) ? random.shuffle(transitions) : []
  const set = new Set([...(transition ? [transition.machine, ...Object.keys(transition.set)] : [])])
  const some = type === "created" ? members : members.filter((name) => set.has(name) || random.oneIn(3))
  const changed = transition ? members.filter((name) => set.has(name)) : some
  const actor = random.pick(["a key", "somebody", null])
  const given = transition && Object.keys(transition.input)
  return {
    resource,
    record: String(row["id"]),
    number,
    type: `${resource}.${transition?.to ?? type}`,
    actor,
    at: momentOf(0),
    transition: transition?.name ?? null,
    from: transition?.from[0] ?? null,
    to: transition?.to ?? null,
    input:
      given && given.length > 0
        ? Object.fromEntries(given.map((name) => [name, random.pick(["soon", "later", "never"])]))
        : null,
    old: type === "created" ? null : values(changed),
    new: values(changed),
  }
}

/** Empties the log, which is made where it is not there, and puts these entries there. */
export function logCommands(model: Model, dialect: Dialect, log: readonly LogEntry[]): readonly Command[] {
  if (!systemTablesOf(model).includes("log")) return []
  const tables = systemTables(dialect, ["log"]).map((text) => ({ text, parameters: [] }))
  const { columns } = logTable
  const commands = log.map((entry): Command => {
    const values: readonly (readonly [string, Value, "text" | "int64" | "timestamp" | "json"])[] = [
      [columns.resource, entry.resource, "text"],
      [columns.record, entry.record, "text"],
      [columns.version, String(entry.number), "text"],
      [columns.number, BigInt(entry.number), "int64"],
      [columns.type, entry.type, "text"],
      [columns.actor, entry.actor, "text"],
      [columns.at, entry.at, "timestamp"],
      [columns.transition, entry.transition, "text"],
      [columns.from, entry.from, "text"],
      [columns.to, entry.to, "text"],
      [columns.input, jsonText(entry.input), "json"],
      [columns.old, jsonText(entry.old), "json"],
      [columns.new, jsonText(entry.new), "json"],
    ]
    const names = values.map(([name]) => `"${name}"`).join()
    const places = values.map((_, index) => dialect.placeholder(index)).join()
    return {
      text: `INSERT INTO "${logTable.name}" (${names}) VALUES (${places})`,
      parameters: values.map(([, value, scalar]) =>
        dialect.encode(value, { scalar, list: false, stored: "plain" }),
      ),
    }
  })
  return [...tables, { text: `DELETE FROM "${logTable.name}"`, parameters: [] }, ...commands]
}

const jsonText = (value: Entry | null): string | null => (value === null ? null : JSON.stringify(value))
