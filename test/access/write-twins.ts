// Two databases that are equal but for what somebody may not see, and random writes to both: each is answered alike, and what
// is seen afterwards is the same.
import assert from "node:assert/strict"
import { isDeepStrictEqual } from "node:util"
import { seeded } from "../../examples/storefront/random.ts"
import { present } from "../../src/base/invariant.ts"
import { modelAt } from "../../src/model/versions/model-at.ts"
import type { Actor } from "../../src/plan/access/actor.ts"
import type { Hooks } from "../support/database.ts"
import { type Entry, interpret, type Store, type Who } from "../support/naive-access.ts"
import type { Database } from "../support/open-service.ts"
import type { TextResponse } from "../support/text-face.ts"
import type { Change, Hooked, Outcome } from "./changes.ts"
import { type Doors, type House, openHouse } from "./doors.ts"
import { type Guarded, type Person, resourceOf, servedRecords } from "./guarded.ts"
import { noon, transact } from "./naive-writes.ts"
import { keysOfOne, plainWrites, type RandomWrite, type Writes } from "./random-writes.ts"
import { full } from "./services.ts"
import { draw } from "./small-service.ts"
import type { StepDrawing } from "./step-nodes.ts"
import { twinOf } from "./twin.ts"
import { older } from "./versioned.ts"
import { isOutcome, reasonIn } from "./write-doors.ts"
import { newKey } from "./writes.ts"

/** Requests of each person to each pair of databases. */
export const perPerson = Number(process.env["BIFOLD_WRITES"] ?? (full ? 1_500 : 20))
const attempts = full ? 100 : 25
/** Writes that were done, after which the records are as at first again. */
const mostDone = 12

interface Counts {
  asked: number
  done: number
  ruled: number
  /** Told apart by what cannot be hidden: a unique value is taken, or a record is referred to. */
  taken: number
  shown: number
  /** How often each form was asked, and how often it told the two apart. */
  readonly forms: Map<string, { asked: number; told: number }>
}

export const newCounts = (): Counts => ({ asked: 0, done: 0, ruled: 0, taken: 0, shown: 0, forms: new Map() })

/** A control counts the differences of each form, and goes on after one. */
const counting = process.env["BIFOLD_WRITE_COUNT"] !== undefined

export const formsOf = ({ forms }: Counts): string =>
  [...forms]
    .map(([form, { asked, told }]) => `${asked} ${form}${told > 0 ? ` (${told} told apart)` : ""}`)
    .sort()
    .join(", ")

interface Clock {
  next: number
}

interface Trying {
  readonly service: Guarded
  readonly person: Person
  readonly houses: readonly [House, House]
  readonly stores: readonly [Store, Store]
  readonly changes: readonly string[]
  readonly clock: Clock
  readonly seed: number
  readonly writes: Writes
  /** There are no hooks when absent. */
  readonly hooked?: Hooked
}

/** A house whose keys of new records are told by the number of the request: both of a pair make the same. */
export function openClocked(
  hooks: Hooks,
  { whole, stored, log }: Pick<Guarded, "whole" | "stored" | "log">,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): Promise<House> {
  let request = 0
  let made = 0
  const next = (): number => {
    if (request !== clock.next) made = 0
    request = clock.next
    return clock.next + made++
  }
  const fresh = {
    id: () => newKey(next()),
    uuid: () => `00000000-0000-4000-8000-${String(next()).padStart(12, "0")}`,
    now: () => noon,
  }
  return openHouse(hooks, { whole, stored, log, database, fresh })
}

export async function openTrying(
  hooks: Hooks,
  given: {
    readonly service: Guarded
    readonly person: Person
    readonly database: Database
    readonly seed: number
    readonly first: House
    readonly clock: Clock
    /** Those who must not see what differs, beside the person. */
    readonly others?: readonly Who[]
    readonly writes?: Writes
    readonly hooked?: Hooked
  },
): Promise<Trying> {
  const { service, person, database, seed, first, clock, others = [], writes = plainWrites, hooked } = given
  const twin = twinOf({ service, person, seed, attempts, others })
  const second = await openClocked(hooks, { ...service, ...twin }, { database, clock })
  const other = servedRecords(service, twin.stored).store
  return {
    service,
    person,
    seed,
    clock,
    writes,
    ...(hooked && { hooked }),
    houses: [first, second],
    stores: [service.store, other],
    changes: twin.changes,
  }
}

/** Throws an AssertionError at the first request that tells the two apart. */
export async function compare(trying: Trying, counts: Counts, actor: Actor, most = perPerson): Promise<void> {
  const { service, person, houses, stores: first, changes, clock, seed } = trying
  const random = seeded(seed)
  const pair = houses.map((house) => house.asActor(actor)) as [Doors, Doors]
  const then = { ...actor, model: modelAt(actor.model, older) }
  const olderPair = houses.map((house) => house.asActor(then)) as [Doors, Doors]
  const pool = union(first)
  const taken = { values: valuesOfOne(first), given: [] }
  let stores = first
  let done = 0
  const refill = async (): Promise<void> => {
    for (const house of houses) await house.refill()
    stores = first
    done = 0
  }
  for (let turn = 0; turn < most; turn += 1) {
    clock.next += keysOfOne
    const write = drawTelling(trying, stores, {
      ...{ service, own: pair[0].own, store: pool, taken, random },
      ...{ number: clock.next, viewer: person.viewer },
    })
    const [here, there] = write.older ? olderPair : pair
    const answers = [await write.ask(here, here), await write.ask(there, there)]
    counts.asked += 1
    const form = counts.forms.get(write.form) ?? { asked: 0, told: 0 }
    counts.forms.set(write.form, form)
    form.asked += 1
    const [one, other] = answers.map(({ fault: _, ...answer }) => answer)
    for (const answer of answers)
      assert.ok(answer.status < 500, `${write.what}\n${answer.body}\n${answer.fault}`)
    const isDone = answers.some(succeeded)
    const isEqual = isDeepStrictEqual(one, other)
    if (isEqual && !isDone) continue
    const outcomes = stores.map((store) => outcomeIn(trying, store, write))
    const seen = isDone && isEqual ? [await lookAt(pair[0]), await lookAt(pair[1])] : []
    if (isEqual && isDeepStrictEqual(seen[0], seen[1])) {
      counts.done += 1
      done += 1
      stores = outcomes.map(({ store }) => store) as [Store, Store]
      if (done >= mostDone) await refill()
      continue
    }
    const excuse = await excuseOf(trying, pair, { write, stores, answers, outcomes })
    if (excuse) counts[excuse] += 1
    else if (counting) form.told += 1
    else
      assert.fail(
        [
          `${person.name}, ${write.form}: ${write.what}`,
          ...differenceOf([one, other]),
          ...differenceOf(seen),
          ...outcomes.map(({ refusals }) => refusals.join()),
          JSON.stringify(write.changes(stores[0])),
          changes.join(", "),
        ].join("\n"),
      )
    await refill()
  }
  if (done > 0) await refill()
}

interface Asked {
  readonly write: RandomWrite
  readonly stores: readonly [Store, Store]
  readonly answers: readonly TextResponse[]
  readonly outcomes: readonly Outcome[]
}

/** Why answers, or what is seen then, may differ: each is what the interpreter says of its world. */
async function excuseOf(
  { service, person }: Trying,
  pair: readonly Doors[],
  { write, stores, answers, outcomes }: Asked,
): Promise<"taken" | "ruled" | "shown" | undefined> {
  const said = answers.map(reasonIn)
  const isSaid = outcomes.every((outcome, world) =>
    isOutcome(present(said[world], "an answer each"), outcome),
  )
  if (!isSaid || namesHidden(stores, { write, answers })) return undefined
  const isOther = (told: (outcome: Outcome, world: number) => readonly unknown[]): boolean => {
    const [here, there] = outcomes.map((outcome, world) => JSON.stringify(told(outcome, world)))
    return here !== there
  }
  // Where both are refused for the same, it is of other records.
  const about = ({ refusals }: Outcome, world: number): readonly unknown[] => [
    said[world],
    refusals.filter((one) => one.endsWith(` ${said[world]}`)),
  ]
  if (isOther(({ refusals }) => refusals) && isOther(about))
    return outcomes.some(({ reasons }) => reasons.has("violated")) ? "taken" : "ruled"
  if (said.some((one) => one !== "done")) return undefined
  const views = outcomes.map(({ store }) => viewOf(service, person, store))
  if (isDeepStrictEqual(views[0], views[1])) return undefined
  for (const [world, doors] of pair.entries())
    if (!isDeepStrictEqual(idsOf(await shownTo(doors)), idsOf(present(views[world], "a view each"))))
      return undefined
  return "shown"
}

/** What the interpreter says; of a unique value that a record has already, where no rule refuses what is left. */
function outcomeIn({ service, person, hooked }: Trying, store: Store, write: RandomWrite): Outcome {
  const { declared } = service
  const { who = person } = write
  const changes = write.changes(store)
  const without = withoutHolders(service, { store, who, changes })
  const outcome = transact(declared, without ?? store, who, changes, { hooked })
  if (!without) return outcome
  const isFree = outcome.reasons.size === 0
  return { ...outcome, store, ...(isFree && { reasons: new Set(["violated"]), refusals: ["0 violated"] }) }
}

/**
 * The records without those that have the key of one that is made, and with another value where they have a unique value of it;
 * undefined where none has.
 */
function withoutHolders(
  { declared, whole }: Guarded,
  { store, who, changes }: { readonly store: Store; readonly who: Who; readonly changes: readonly Change[] },
): Store | undefined {
  const rules = interpret(declared, store, who)
  const holds = (name: string, row: Entry, change: Change): "key" | readonly string[] => {
    if (!("given" in change) || change.kind === "fire" || change.resource !== name) return []
    const uniques = [...resourceOf(whole, name).fields.values()].filter(({ unique }) => unique)
    const same = uniques
      .map(({ name: of }) => of)
      .filter((of) => row[of] !== null && row[of] === change.given[of])
    if (change.kind === "create") return row["id"] === change.id ? "key" : same
    if (change.kind === "update") return row["id"] === change.id ? [] : same
    const isIt =
      change.kind === "put" ? row["id"] === change.id : row[change.unique] === change.given[change.unique]
    const isFound =
      rules.sees(name, row) && (change.kind === "put" || rules.seesValue(name, row, change.unique))
    return isIt ? (isFound ? [] : "key") : same
  }
  const gone = new Set<unknown>()
  let isHeld = false
  const others = Object.entries(store.records).map(([name, rows]) => {
    const kept = rows.flatMap((row) => {
      const held = changes.map((change) => holds(name, row, change))
      isHeld ||= held.some((one) => one.length > 0)
      if (!held.includes("key"))
        return [{ ...row, ...Object.fromEntries(held.flat().map((of) => [of, null])) }]
      gone.add(row["id"])
      return []
    })
    return [name, kept] as const
  })
  if (!isHeld) return undefined
  const left = (row: Entry): Entry =>
    Object.fromEntries(Object.entries(row).map(([member, value]) => [member, gone.has(value) ? null : value]))
  const records = others.map(([name, rows]) => [name, rows.map(left)])
  const links = Object.entries(store.links).map(([name, pairs]) => [
    name,
    pairs.filter((pair) => !Object.values(pair).some((id) => gone.has(id))),
  ])
  return { records: Object.fromEntries(records), links: Object.fromEntries(links) }
}

/** Whether a refusal names a record of one of the worlds that the request does not name. */
function namesHidden(
  stores: readonly [Store, Store],
  { write, answers }: { readonly write: RandomWrite; readonly answers: readonly TextResponse[] },
): boolean {
  const asked = JSON.stringify([write.what, write.changes(stores[0])])
  const hidden = aloneIn(stores).filter(({ id }) => !asked.includes(String(id)))
  return answers.some(
    (answer) => !succeeded(answer) && hidden.some(({ id }) => answer.body.includes(`"${id}"`)),
  )
}

/** Mostly one that is refused by the sight of the new record alone, which is the last reason to be found. */
function drawTaken(trying: Trying, stores: readonly [Store, Store], next: () => RandomWrite): RandomWrite {
  let best = next()
  for (let drawn = 1; drawn < mostTaken; drawn += 1) {
    const write = next()
    const reasons = reasonsWithout(trying, stores, write)
    if (!reasons.every(({ own }) => own === "forbidden")) continue
    best = write
    if (reasons.every(({ shown }) => shown === "")) break
  }
  return best
}

/** What refuses a write if no record had its unique value: by the rules, and where each record of that resource is shown. */
function reasonsWithout(
  { service, person }: Trying,
  stores: readonly [Store, Store],
  write: RandomWrite,
): readonly { readonly own?: string; readonly shown?: string }[] {
  const { declared } = service
  const [taken] = write.takes ?? []
  const resource = taken && declared.resources[taken.resource]
  const changes = write.changes(stores[0])
  // What it nests tells rules and sight best.
  if (!resource || changes.length === 1) return [{}]
  const open = { ...resource, allow: { ...resource.allow, read: { anyone: true } } } as const
  const shown = { ...declared, resources: { ...declared.resources, [taken.resource]: open } }
  return stores.map((store) => {
    const without = withoutHolders(service, { store, who: person, changes }) ?? store
    const [own, other] = [declared, shown].map((rules) =>
      [...transact(rules, without, person, changes).reasons].join(),
    )
    return { own: own ?? "", shown: other ?? "" }
  })
}

const onlyForm = process.env["BIFOLD_WRITE_FORM"]
/** Writes that are drawn for one that tells. */
const mostDrawn = 40
const mostTaken = 30

/** Mostly one that would tell the two apart if references might lead to what is not seen. */
function drawTelling(trying: Trying, stores: readonly [Store, Store], drawing: StepDrawing): RandomWrite {
  const {
    service: { declared },
    person,
    writes,
  } = trying
  const { random } = drawing
  const forms = writes.forms.filter((one) => onlyForm === undefined || one === onlyForm)
  const form = draw(random, forms)
  let write = writes.draw(drawing, form)
  if (write.takes) return drawTaken(trying, stores, () => writes.draw(drawing, form))
  if (random.oneIn(2)) return write
  const alone = aloneIn(stores).map(({ id }) => `"${id}"`)
  const isTelling = ({ who = person, changes, refers = changes }: RandomWrite): boolean => {
    const text = JSON.stringify(refers(stores[0]))
    if (!alone.some((id) => text.includes(id))) return false
    const outcomes = (misread?: "unasked") =>
      stores.map((store) => {
        const { reasons } = transact(declared, store, who, refers(store), misread && { misread })
        return [...reasons].sort().join()
      })
    const [one, other] = outcomes("unasked")
    if (one === other) return false
    const [is, was] = outcomes()
    return is === was
  }
  for (let drawn = 1; drawn < mostDrawn && !isTelling(write); drawn += 1) write = writes.draw(drawing, form)
  return write
}

/** Each from a little before where they begin to differ. */
function differenceOf(answers: readonly unknown[]): readonly string[] {
  const [one = "", other = ""] = answers.map((answer) => JSON.stringify(answer))
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return [one, other].map((text) => text.slice(Math.max(0, at - 300), at + 300))
}

/** Records of one of the worlds, of all resources or of one. */
function aloneIn(stores: readonly [Store, Store], names = Object.keys(stores[0].records)): readonly Entry[] {
  const [one, other] = stores.map(({ records }) => names.flatMap((name) => records[name] ?? []))
  const without = (rows: readonly Entry[] = [], others: readonly Entry[] = []): readonly Entry[] => {
    const ids = new Set(others.map(({ id }) => id))
    return rows.filter(({ id }) => !ids.has(id))
  }
  return [...without(one, other), ...without(other, one)]
}

/** Of the values of a member, those that one of the worlds has alone. */
const valuesOfOne =
  (stores: readonly [Store, Store]) =>
  (resource: string, member: string): readonly unknown[] => {
    const [one = new Set(), other = new Set()] = stores.map(
      ({ records }) => new Set(records[resource]?.map((row) => row[member])),
    )
    return [...one.symmetricDifference(other)].filter((value) => value !== null)
  }

/** The records of both worlds, to draw from: those of one of them more often. */
function union(stores: readonly [Store, Store]): Store {
  const records = Object.entries(stores[0].records).map(([name, rows]): [string, readonly Entry[]] => {
    const alone = aloneIn(stores, [name])
    return [name, [...rows, ...alone, ...alone, ...alone]]
  })
  return { records: Object.fromEntries(records), links: stores[0].links }
}

function succeeded({ status, body }: TextResponse): boolean {
  if (status >= 300) return false
  return body === "" || !(JSON.parse(body) as { errors?: unknown }).errors
}

/** All that they see by lists. */
async function lookAt(
  doors: Doors,
): Promise<readonly (readonly [name: string, status: number, body: string])[]> {
  const found: (readonly [string, number, string])[] = []
  for (const { name, path } of doors.own.resources.values()) {
    const { status, body } = await doors.rest({ path: `/${path}`, query: "limit=100" })
    found.push([name, status, body])
  }
  return found
}

type View = readonly (readonly [name: string, rows: readonly Entry[]])[]

async function shownTo(doors: Doors): Promise<View> {
  const rowsIn = (body: string): readonly Entry[] =>
    (JSON.parse(body) as { readonly data?: readonly Entry[] }).data ?? []
  return (await lookAt(doors)).map(([name, , body]) => [name, rowsIn(body)])
}

/** The order in which a request takes new ids is its own. The interpreter knows no key below a record that has none yet. */
const idsOf = (view: View): readonly unknown[] =>
  view
    .flatMap(([name, rows]) =>
      rows.map(({ id }) => `${name} ${String(id).replace(/_(0{8}|undefined~).*$/, "_new")}`),
    )
    .sort()

/** What the interpreter says that they see. */
function viewOf({ declared }: Guarded, person: Person, store: Store): View {
  const rules = interpret(declared, store, person)
  const seen = (name: string, row: Entry): Entry =>
    Object.fromEntries(
      Object.entries(row).map(([member, value]) => [
        member,
        rules.seesValue(name, row, member) ? value : null,
      ]),
    )
  return Object.entries(store.records).map(([name, rows]) => [
    name,
    rows
      .filter((row) => rules.sees(name, row))
      .map((row) => seen(name, row))
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  ])
}
