// One write by one door, held against the naive interpreter: its verdict, the records afterwards, what came back.
import { isDeepStrictEqual } from "node:util"
import { seeded } from "../../examples/storefront/random.ts"
import { type Entry, interpret, type Store } from "../support/naive-access.ts"
import { transitionsIn } from "../support/naive-states.ts"
import type { Outcome } from "./changes.ts"
import type { Doors, House } from "./doors.ts"
import type { Guarded, Person } from "./guarded.ts"
import type { Judge } from "./judged.ts"
import { transact } from "./naive-writes.ts"
import { canonical, dump } from "./stored.ts"
import { type Door, isOutcome, type Result } from "./write-doors.ts"
import type { Attempt } from "./writes.ts"

export interface Trying {
  readonly service: Guarded
  readonly person: Person
  readonly house: House
  readonly doors: Doors
  readonly judge: Judge
  readonly label: string
}

interface Tried {
  /** What is tried, such as `update order.note`. */
  readonly what: string
  readonly door: Door
  readonly store: Store
  /** What the changes of the door come to, when absent. */
  readonly expected?: Outcome
}

interface Pace {
  /** Counts what is tried, for keys of new records. */
  readonly next: { number: number }
  /** One door in so many. */
  readonly every: number
  readonly seed: number
}

/** Writes that were done, after which the records are as at first again. */
const mostDone = 8

/** Steps are trees of three levels, with references to what they make. */
const mostReferences = 5

/**
 * By one door in so many of each attempt. Ends with the records as they were at first, and gives how many were done.
 * @param tryOne gives the records as they are then
 */
export async function tryDoors(
  { service, house }: Pick<Trying, "service" | "house">,
  { next, every, seed }: Pace,
  attempts: readonly Attempt[],
  tryOne: (tried: Pick<Tried, "what" | "door" | "store">) => Promise<Store>,
): Promise<number> {
  const random = seeded(seed)
  let store = service.store
  let done = 0
  let turn = seed * 13
  for (const { action, resource, member, doors: doorsAt } of attempts)
    for (let door = 0, count = 1; door < count; door += 1) {
      next.number += 1
      const doors = doorsAt({ store, random, number: next.number })
      count = doors.length
      turn += 1
      const chosen = doors[door]
      if (!chosen || turn % every !== 0) continue
      const then = await tryOne({ what: `${action} ${resource}.${member}`, door: chosen, store })
      if (then === store) continue
      done += 1
      store = then
      const isThin = Object.values(store.records).some((rows) => rows.length < 2)
      if (done % mostDone > 0 && !isThin) continue
      await house.refill()
      store = service.store
    }
  if (store !== service.store) await house.refill()
  return done
}

/** The records as they are then. */
export async function tryDoor(trying: Trying, { what: tried, door, store, ...given }: Tried): Promise<Store> {
  const { service, person, house, doors, judge, label } = trying
  const { declared } = service
  const expected = given.expected ?? transact(declared, store, person, door.changes)
  const result = await door.ask(doors, house.everybody)
  const what = `${person.name}, ${label}: ${tried} by ${door.name} ${JSON.stringify(door.changes)}`
  const reasons = [...expected.reasons]
  if (result.reason !== "done") {
    const isExpected = isOutcome(result.reason, expected)
    judge.judge(what, result.reason, isExpected ? result.reason : reasons.length > 0 ? reasons : "done")
    if (result.reason === "illegal") judgeNamed(trying, { what, door, store }, result)
    return store
  }
  judge.judge(what, result.reason, reasons.length > 0 ? reasons : "done")
  if (reasons.length > 0) {
    await house.refill()
    return service.store
  }
  const stored = await dump(house, service.whole)
  const after = renumbered(expected.store, store, stored)
  judge.judge(`${what}: the records`, differences(stored, canonical(after)), [])
  judge.judge(`${what}: the answer`, answered(result, trying, after, store), [])
  if (expected.output) judge.judge(`${what}: what it gave`, result.output, expected.output)
  if (isDeepStrictEqual(stored, canonical(after))) return after
  await house.refill()
  return service.store
}

/** With the ids that new records were given: the order in which a request takes them is its own. */
function renumbered(expected: Store, before: Store, { records }: ReturnType<typeof canonical>): Store {
  const known = new Set(Object.values(before.records).flatMap((rows) => rows.map(({ id }) => id)))
  const [should, is] = [orderOfNew(expected.records, known), orderOfNew(records, known)]
  const ids = new Map<string, string>()
  for (const [name, all] of should) {
    const stored = is.get(name) ?? []
    if (all.length !== stored.length) continue
    for (const [index, id] of all.entries()) ids.set(id, stored[index] ?? id)
  }
  if ([...ids].every(([id, other]) => id === other)) return expected
  const renumber = (_: string, value: unknown): unknown =>
    typeof value === "string" ? (ids.get(value) ?? value) : value
  return JSON.parse(JSON.stringify(expected), renumber) as Store
}

/** The ids of new records of each resource, in the order of their members, and of those of the new records that they refer to. */
function orderOfNew(records: Store["records"], known: ReadonlySet<unknown>): Map<string, readonly string[]> {
  const added = Object.entries(records).map(
    ([name, rows]) => [name, rows.filter(({ id }) => !known.has(id))] as const,
  )
  let texts = new Map<string, string>(
    added.flatMap(([, rows]) => rows.map(({ id }) => [String(id), "new"] as const)),
  )
  const textOf = ({ id: _, ...members }: Entry): string =>
    JSON.stringify(
      Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)),
      (_, value: unknown) => (typeof value === "string" ? (texts.get(value) ?? value) : value),
    )
  // References among new records are at most so long.
  for (let turn = 0; turn < mostReferences; turn += 1)
    texts = new Map(added.flatMap(([, rows]) => rows.map((row) => [String(row["id"]), textOf(row)] as const)))
  const textAt = (id: string): string => `${texts.get(id)} ${id}`
  return new Map(
    added.map(([name, rows]) => [
      name,
      rows.map(({ id }) => String(id)).sort((a, b) => (textAt(a) < textAt(b) ? -1 : 1)),
    ]),
  )
}

/** The records that differ. */
function differences(
  stored: ReturnType<typeof canonical>,
  expected: ReturnType<typeof canonical>,
): readonly unknown[] {
  const names = Object.keys(expected.records)
  return [
    ...names.flatMap((name) => {
      const [is, should] = [stored.records[name] ?? [], expected.records[name] ?? []]
      return isDeepStrictEqual(is, should)
        ? []
        : [
            name,
            is.filter((row) => !should.some((one) => isDeepStrictEqual(one, row))),
            should.filter((row) => !is.some((one) => isDeepStrictEqual(one, row))),
          ]
    }),
    ...(isDeepStrictEqual(stored.links, expected.links) ? [] : [stored.links, expected.links]),
  ]
}

/** Members of the answer that are not what is seen of the record as it is then, or was before it went. */
function answered(
  { record }: Result,
  { service, person }: Trying,
  now: Store,
  was: Store,
): readonly string[] {
  if (!record) return []
  for (const store of [now, was]) {
    const rules = interpret(service.declared, store, person)
    for (const [name, rows] of Object.entries(store.records)) {
      const row = rows.find(({ id }) => id === record["id"])
      if (!row) continue
      return Object.entries(record).flatMap(([member, value]) => {
        if (!(member in row)) return []
        const seen = rules.seesValue(name, row, member) ? row[member] : null
        return isDeepStrictEqual(value, seen)
          ? []
          : [`${member} is ${JSON.stringify(value)}, not ${JSON.stringify(seen)}`]
      })
    }
  }
  return [`there is no ${record["id"]}`]
}

/** The state that it is in is told to whoever sees it, and to nobody else. */
function judgeNamed(
  { service, person, judge }: Trying,
  { what, door, store }: Tried,
  { text = "" }: Result,
): void {
  const [change, ...more] = door.changes
  if (change?.kind !== "fire" || more.length > 0 || change.ids.length > 1) return
  const { declared } = service
  const { resource, ids } = change
  const machine = transitionsIn(declared, resource).find(({ name }) => name === change.transition)?.machine
  const row = store.records[resource]?.find(({ id }) => id === ids[0])
  if (!row || machine === undefined) return
  const seen = interpret(declared, store, person).seesValue(resource, row, machine)
  const state = door.older ? stateThen(service, resource, row[machine]) : row[machine]
  judge.judge(
    `${what}: the state that is named`,
    /; here it is (\w+)/.exec(text)?.[1],
    seen ? state : undefined,
  )
}

/** A state by its name in the older version. */
function stateThen({ whole }: Guarded, resource: string, state: unknown): unknown {
  const changes = whole.versions?.flatMap((version) => version.changes) ?? []
  const renamed = changes.find(
    (change) => change.kind === "renamedValue" && change.resource === resource && change.now === state,
  )
  return renamed?.kind === "renamedValue" ? renamed.before : state
}
