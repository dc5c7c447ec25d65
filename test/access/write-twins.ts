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
import type { Hooked } from "./changes.ts"
import { type Doors, type House, openHouse } from "./doors.ts"
import { type Guarded, type Person, servedRecords } from "./guarded.ts"
import { noon, transact } from "./naive-writes.ts"
import { keysOfOne, plainWrites, type RandomWrite, type Writes } from "./random-writes.ts"
import { full } from "./services.ts"
import { draw } from "./small-service.ts"
import type { StepDrawing } from "./step-nodes.ts"
import { twinOf } from "./twin.ts"
import { older } from "./versioned.ts"
import { newKey } from "./writes.ts"

/** Requests of each person to each pair of databases. */
export const perPerson = Number(process.env["BIFOLD_WRITES"] ?? (full ? 1_500 : 40))
const attempts = full ? 100 : 25
/** Writes that were done, after which the records are as at first again. */
const mostDone = 12

interface Counts {
  asked: number
  done: number
  ruled: number
  shown: number
  /** How often each form was asked, and how often it told the two apart. */
  readonly forms: Map<string, { asked: number; told: number }>
}

export const newCounts = (): Counts => ({ asked: 0, done: 0, ruled: 0, shown: 0, forms: new Map() })

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
  const { service, person, houses, stores: first, changes, clock, seed, hooked } = trying
  const random = seeded(seed)
  const { declared } = service
  const pair = houses.map((house) => house.asActor(actor)) as [Doors, Doors]
  const then = { ...actor, model: modelAt(actor.model, older) }
  const olderPair = houses.map((house) => house.asActor(then)) as [Doors, Doors]
  const pool = union(first)
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
      ...{ service, own: pair[0].own, store: pool, random },
      ...{ number: clock.next, viewer: person.viewer },
    })
    const { who = person } = write
    const [here, there] = write.older ? olderPair : pair
    const answers = [await write.ask(here, here), await write.ask(there, there)]
    counts.asked += 1
    const form = counts.forms.get(write.form) ?? { asked: 0, told: 0 }
    counts.forms.set(write.form, form)
    form.asked += 1
    const [one, other] = answers.map(({ fault: _, ...answer }) => answer)
    for (const answer of answers) assert.ok(answer.status < 500, `${write.what}\n${answer.body}`)
    const isDone = answers.some(succeeded)
    const isEqual = isDeepStrictEqual(one, other)
    if (isEqual && !isDone) continue
    const outcomes = stores.map((store) => transact(declared, store, who, write.changes(store), { hooked }))
    const seen = isDone && isEqual ? [await lookAt(pair[0]), await lookAt(pair[1])] : []
    if (isEqual && isDeepStrictEqual(seen[0], seen[1])) {
      counts.done += 1
      done += 1
      stores = outcomes.map(({ store }) => store) as [Store, Store]
      if (done >= mostDone) await refill()
      continue
    }
    // Where a rule itself looks at what is hidden, the interpreter says so as well.
    const [reasons, others] = outcomes.map(({ refusals: of }, world) =>
      [...of, ...verdictsOf(service, who, present(stores[world], "a store each"), write)].sort().join(),
    )
    const views = outcomes.map(({ store }) => JSON.stringify(viewOf(service, person, store)))
    // So it does of what is written: of several records another one may be the first that is forbidden.
    if (reasons !== others || (isForbidden(one) && isForbidden(other))) counts.ruled += 1
    else if (isDone && views[0] !== views[1]) counts.shown += 1
    else if (counting) form.told += 1
    else
      assert.fail(
        [
          `${person.name}, ${write.form}: ${write.what}`,
          ...differenceOf([one, other]),
          ...differenceOf(seen),
          `${reasons}`,
          JSON.stringify(write.changes(stores[0])),
          changes.join(", "),
        ].join("\n"),
      )
    await refill()
  }
  if (done > 0) await refill()
}

const onlyForm = process.env["BIFOLD_WRITE_FORM"]
/** Writes that are drawn for one that tells. */
const mostDrawn = 40

/** Mostly one that would tell the two apart if references might lead to what is not seen. */
function drawTelling(
  { service: { declared }, person, writes }: Trying,
  stores: readonly [Store, Store],
  drawing: StepDrawing,
): RandomWrite {
  const { random } = drawing
  const forms = writes.forms.filter((one) => onlyForm === undefined || one === onlyForm)
  const form = draw(random, forms)
  let write = writes.draw(drawing, form)
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

/** What the rules say of each record that is changed, as it is: which of two refusals comes first follows from it. */
function verdictsOf(
  { declared }: Guarded,
  person: Who,
  store: Store,
  { changes }: RandomWrite,
): readonly string[] {
  const rules = interpret(declared, store, person)
  return changes(store).flatMap((change) => {
    if (change.kind !== "update" && change.kind !== "delete") return []
    const row = store.records[change.resource]?.find(({ id }) => id === change.id)
    return row && rules.sees(change.resource, row)
      ? [`${change.kind} ${change.resource} ${change.id} ${rules.may(change.kind, change.resource, row)}`]
      : []
  })
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

const isForbidden = (answer: Omit<TextResponse, "fault"> | undefined): boolean =>
  answer?.body.includes('"code":"forbidden"') === true

/** All that they see by lists. */
async function lookAt(doors: Doors): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for (const { path } of doors.own.resources.values()) {
    const { status, body } = await doors.rest({ path: `/${path}`, query: "limit=100" })
    found.push([path, status, body])
  }
  return found
}

/** What the interpreter says that they see. */
function viewOf({ declared }: Guarded, person: Person, store: Store): unknown {
  const rules = interpret(declared, store, person)
  return Object.entries(store.records).map(([name, rows]) => [
    name,
    rows
      .filter((row) => rules.sees(name, row))
      .map((row) =>
        Object.entries(row).map(([member, value]) => [
          member,
          rules.seesValue(name, row, member) ? value : null,
        ]),
      )
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  ])
}
