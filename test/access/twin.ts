// Twins: records that differ from a service's only in what one person may not see.
import { isDeepStrictEqual } from "node:util"
import { type Random, seeded, typeidSuffix } from "../../examples/storefront/random.ts"
import type { Model, Relation, Resource } from "../../src/model/model.ts"
import type { Records, Row } from "../../src/sql/write/insert.ts"
import type { World } from "../properties/evaluate.ts"
import type { Entry, Interpreter, Store, Who } from "../support/naive-access.ts"
import { type LogEntry, shownHistory } from "../support/naive-history.ts"
import { firing, isKept } from "../support/naive-states.ts"
import { type Records as BareRecords, worldOf } from "../support/world.ts"
import { type Guarded, interpreterOf, type Person, resourceOf, seenWorld, servedRecords } from "./guarded.ts"
import { changeOf } from "./log.ts"

export interface Twin {
  readonly stored: Records
  readonly world: World
  readonly log: readonly LogEntry[]
  /** What was changed, such as `value of order.note`: none of it is seen. */
  readonly changes: readonly string[]
}

interface Wanted {
  readonly service: Guarded
  readonly person: Person
  readonly seed: number
  /** Changes that are tried; those that would be seen are left out. */
  readonly attempts: number
  /** They do not see what differs either: those as whom own code asks. */
  readonly others?: readonly Who[]
}

/** By what they are drawn of: both databases, and each build that is broken, are told apart by the same twins. */
const drawn = new WeakMap<Guarded, Map<string, Twin>>()

export function twinOf(wanted: Wanted): Twin {
  const { service, person, seed, attempts, others } = wanted
  const known = drawn.get(service) ?? new Map<string, Twin>()
  drawn.set(service, known)
  const key = JSON.stringify([person, seed, attempts, others])
  const twin = known.get(key) ?? drawTwin(wanted)
  known.set(key, twin)
  return twin
}

function drawTwin({ service, person, seed, attempts, others = [] }: Wanted): Twin {
  const random = seeded(seed)
  const changes: string[] = []
  let { stored } = service
  let eyes = eyesOf(service, person, stored)
  const records = recordsSeen(eyes)
  const histories = historiesSeen(eyes, service.log)
  const seenBy = (who: Who, records: Records): unknown => recordsSeen(eyesOf(service, who, records))
  const known = others.map((who) => [who, seenBy(who, stored)] as const)
  const accepts = (change: Change | undefined): boolean => {
    if (!change || !isWhole(service.whole, change.stored)) return false
    const changed = eyesOf(service, person, change.stored)
    if (!isDeepStrictEqual(recordsSeen(changed), records)) return false
    if (!isDeepStrictEqual(historiesSeen(changed, service.log), histories)) return false
    if (known.some(([who, all]) => !isDeepStrictEqual(seenBy(who, change.stored), all))) return false
    stored = change.stored
    eyes = changed
    changes.push(change.name)
    return true
  }
  // Of each resource that references lead to, a record that only one of them has.
  for (const [at, name] of [...referred(service.whole)].entries())
    random
      .shuffle(hiddenRows(eyes, name))
      .slice(0, mostCopies)
      .some((row, index) =>
        accepts(
          addRow(service.whole, stored, { name, row, random, attempt: attempts + at * mostCopies + index }),
        ),
      )
  for (let attempt = 0; attempt < attempts; attempt += 1)
    accepts(drawChange(service.whole, stored, random, attempt))
  let { log } = service
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const change = drawLogChange(service, log, random)
    // The records are as they were: of what is seen, only histories are of the log.
    if (!change || !isDeepStrictEqual(historiesSeen(eyes, change.log), histories)) continue
    log = change.log
    changes.push(change.name)
  }
  return { stored, log, world: eyes.world, changes }
}

const mostCopies = 4

const referred = ({ resources }: Model): ReadonlySet<string> =>
  new Set(
    [...resources.values()].flatMap(({ relations }) =>
      [...relations.values()].flatMap((one) => (one.kind === "one" && one.reference ? one.target : [])),
    ),
  )

/** The stored records of a resource that they do not see. */
function hiddenRows({ world, interpreter, stored }: Eyes, name: string): readonly Row[] {
  const served = world.rows.get(name) ?? []
  const rows = stored.records.get(name) ?? []
  return rows.filter((_, index) => !interpreter.sees(name, served[index] as Entry))
}

/** Somebody before some records, with what the interpreters say of them. */
interface Eyes {
  readonly service: Guarded
  readonly person: Who
  readonly stored: Records
  readonly world: World
  readonly store: Store
  readonly interpreter: Interpreter
}

function eyesOf(service: Guarded, person: Who, stored: Records): Eyes {
  const { world, store } = servedRecords(service, stored)
  return {
    service,
    person,
    stored,
    world,
    store,
    interpreter: interpreterOf({ declared: service.declared, store }, person),
  }
}

/**
 * What somebody sees: records with their values, and which of them belong together. What may be done with them is part of it,
 * and so is what is computed: both look at all that is stored, whoever asks.
 */
function recordsSeen({ service: { whole, declared }, person, world, store, interpreter }: Eyes): unknown {
  const laws = firing(declared, store, person)
  const seen = seenWorld({ world }, interpreter)
  const byId = (rows: readonly Row[]) =>
    [...rows].sort((a, b) => (String(a["id"]) < String(b["id"]) ? -1 : 1))
  return [...seen.rows].map(([name, rows]) =>
    byId(rows as readonly Row[]).map((row) => [
      row,
      [...resourceOf(whole, name).relations.values()].filter(isDeclared).map((relation) =>
        seen
          .related(name, relation.name, row)
          .map(({ id }) => id)
          .sort(),
      ),
      ...wholesOf(store, name, row["id"]).map((whole) => laws.possible(name, whole)),
    ]),
  )
}

/** What somebody is shown of what became of the records that they see, by record. */
function historiesSeen(
  { service: { declared }, person, world, store, interpreter }: Eyes,
  log: readonly LogEntry[],
): unknown {
  const history = shownHistory({ declared, store, log }, person)
  return [...world.rows].map(([name, rows]) =>
    isKept(declared.resources[name])
      ? new Map(
          rows
            .filter((row) => interpreter.sees(name, row))
            .map((row) => [row["id"], wholesOf(store, name, row["id"]).map((whole) => history(name, whole))]),
        )
      : [],
  )
}

/** The stored records of an id. */
const wholesOf = (store: Store, name: string, id: unknown): readonly Entry[] =>
  store.records[name]?.filter((entry) => entry["id"] === id) ?? []

/** Not the history, which is of no declared resource. */
export const isDeclared = (relation: Relation): boolean => relation.kind === "one" || !relation.history

interface Change {
  readonly name: string
  readonly stored: Records
}

const draw = <Item>(random: Random, items: readonly Item[]): Item | undefined =>
  items[random.between(0, items.length - 1)]

interface Adding {
  readonly name: string
  /** It is like this one. */
  readonly row: Row
  readonly random: Random
  readonly attempt: number
}

function addRow(whole: Model, stored: Records, { name, row, random, attempt }: Adding): Change {
  const rows = stored.records.get(name) ?? []
  const added = anotherRow(resourceOf(whole, name), row, random, attempt)
  return {
    name: `record added of ${name}`,
    stored: { ...stored, records: new Map(stored.records).set(name, [...rows, added]) },
  }
}

function drawChange(whole: Model, stored: Records, random: Random, attempt: number): Change | undefined {
  const name = draw(random, [...stored.records.keys()]) ?? ""
  const resource = resourceOf(whole, name)
  const rows = stored.records.get(name) ?? []
  const row = draw(random, rows)
  if (!row) return undefined
  const put = (changed: readonly Row[], what: string): Change => ({
    name: `${what} of ${name}`,
    stored: { ...stored, records: new Map(stored.records).set(name, changed) },
  })
  const kind = random.between(0, 9)
  if (kind === 0)
    return put(
      rows.filter((one) => one !== row),
      "record removed",
    )
  if (kind <= 2) return addRow(whole, stored, { name, row, random, attempt })
  if (kind === 3 && stored.links.length > 0) return changeLinks(stored, random)
  const names = memberNames(resource, row).filter((member) => !isKey(resource, member))
  // Both have the record then, and another one belongs to it.
  const references = names.filter((name) => !resource.fields.has(name))
  const member = draw(random, kind >= 8 && references.length > 0 ? references : names)
  if (member === undefined) return undefined
  const value = resource.fields.get(member)?.unique
    ? `x${attempt}${row[member]}`
    : (draw(random, rows)?.[member] ?? null)
  return put(
    rows.map((one) => (one === row ? { ...one, [member]: value } : one)),
    `value of ${member}`,
  )
}

/** One entry is removed, copied to another record, or changed. */
function drawLogChange(
  { declared, store, log: made }: Guarded,
  log: readonly LogEntry[],
  random: Random,
): { readonly name: string; readonly log: readonly LogEntry[] } | undefined {
  const entry = draw(random, log)
  const other = draw(random, made)
  const row = entry && store.records[entry.resource]?.find(({ id }) => id === entry.record)
  if (!entry || !other || !row) return undefined
  const put = (what: string, ...entries: readonly LogEntry[]) => ({
    name: `${what} of the history of ${entry.resource}`,
    log: log.flatMap((one) => (one === entry ? entries : [one])),
  })
  const kind = random.between(0, 9)
  if (kind === 0) return put("entry removed")
  // Only a record with a natural key can be there again after its end.
  if (kind <= 2 && isEnd(entry) && !Array.isArray(declared.resources[other.resource]?.key)) return undefined
  if (kind <= 2)
    return put("entry added", entry, {
      ...entry,
      record: other.record,
      resource: other.resource,
      ...(isEnd(entry) && { type: `${other.resource}.deleted` }),
    })
  if (kind === 3) return put("actor", { ...entry, actor: "somebody else" })
  const { input, number, type } = entry
  if (kind <= 5 && input) {
    const name = draw(random, Object.keys(input)) ?? ""
    return put(`input ${name}`, { ...entry, input: { ...input, [name]: "something else" } })
  }
  if (kind === 6) {
    const drawn = changeOf({ declared, store }, random, {
      resource: entry.resource,
      row,
      number,
      type: "updated",
    })
    // A record that is gone is nothing.
    return put("change", { ...drawn, at: entry.at, ...(isEnd(entry) && { type, new: null }) })
  }
  const values = random.oneIn(2) ? "old" : "new"
  const name = draw(random, Object.keys(entry[values] ?? {}))
  const value =
    name === undefined ? null : (draw(random, store.records[entry.resource] ?? [])?.[name] ?? null)
  return name === undefined
    ? undefined
    : put(`value of ${name}`, { ...entry, [values]: { ...entry[values], [name]: value } })
}

const isEnd = ({ resource, type }: LogEntry): boolean => type === `${resource}.deleted`

const memberNames = (resource: Resource, row: Row): readonly string[] =>
  Object.keys(row).filter((name) => {
    const field = resource.fields.get(name)
    return field?.scalar !== "json" && field?.scalar !== "uuid"
  })

const isKey = ({ key, fields, relations }: Resource, member: string): boolean =>
  member === "id" ||
  (key?.origin === "natural" &&
    key.parts.some(
      ({ column }) =>
        fields.get(member)?.column === column ||
        [...relations.values()].some(
          (one) => one.kind === "one" && one.reference === member && one.join[0]?.from === column,
        ),
    ))

/** A record like this one under another key, with other values for unique fields. */
function anotherRow(resource: Resource, row: Row, random: Random, attempt: number): Row {
  const other: Record<string, Row[string]> = { ...row }
  if (resource.key?.origin === "typeid") other["id"] = typeidSuffix(Date.UTC(2026, 5, 1) + attempt, random)
  for (const field of resource.fields.values()) {
    if (field.scalar === "uuid")
      other[field.name] = `00000000-0000-4000-8000-${String(attempt).padStart(12, "0")}`
    else if (field.unique) other[field.name] = `y${attempt}${row[field.name]}`
    else if (isKey(resource, field.name))
      other[field.name] = field.scalar === "integer" ? 100 + attempt : `y${attempt}`
  }
  return other
}

function changeLinks(stored: Records, random: Random): Change {
  const links = stored.links.map((link) => {
    const [one, other] = [draw(random, link.pairs), draw(random, link.pairs)]
    if (!one || !other || random.oneIn(2))
      return { ...link, pairs: link.pairs.filter((pair) => pair !== one) }
    return { ...link, pairs: [...link.pairs, [one[0], other[1]] as const] }
  })
  return { name: "links", stored: { ...stored, links } }
}

/** Whether a database takes it: what is referred to is there, and keys are of one record only. */
function isWhole(whole: Model, { records, links }: Records): boolean {
  const world = worldOf(whole, { records, links: [] } as BareRecords)
  const ids = new Map([...world.rows].map(([name, rows]) => [name, new Set(rows.map(({ id }) => id))]))
  for (const [name, rows] of world.rows) {
    const resource = resourceOf(whole, name)
    if (ids.get(name)?.size !== rows.length) return false
    for (const relation of resource.relations.values()) {
      if (relation.kind !== "one" || !relation.reference) continue
      for (const row of rows) {
        const id = row[relation.reference]
        if (id === null ? !relation.optional : !ids.get(relation.target)?.has(id)) return false
      }
    }
    for (const field of resource.fields.values())
      if (
        !field.optional &&
        !field.computed &&
        rows.some((row) => row[field.name] === null && field.scalar !== "json")
      )
        return false
  }
  return links.every(({ resource, relation, pairs }) => {
    const of = resourceOf(whole, resource)
    const target = resourceOf(whole, of.relations.get(relation)?.target ?? "")
    const known = (one: Resource, bare: unknown) => ids.get(one.name)?.has(`${one.prefix}_${bare}`)
    return (
      new Set(pairs.map(String)).size === pairs.length &&
      pairs.every(([from, to]) => known(of, from) && known(target, to))
    )
  })
}
