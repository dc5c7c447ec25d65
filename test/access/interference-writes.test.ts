// Non-interference of writes: two databases that are equal but for what somebody may not see give them byte-identical
// answers to whatever they write, and show them the same afterwards.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { isDeepStrictEqual } from "node:util"
import { seeded } from "../../examples/storefront/random.ts"
import { present } from "../../src/base/invariant.ts"
import { cleanUp, type Hooks } from "../support/database.ts"
import { type Entry, interpret, type Store } from "../support/naive-access.ts"
import { type Database, dialects } from "../support/open-service.ts"
import type { TextResponse } from "../support/text-face.ts"
import { brokenBuilds } from "./broken.ts"
import { type Doors, type House, openHouse } from "./doors.ts"
import { type Guarded, type Person, servedRecords } from "./guarded.ts"
import { noon, transact } from "./naive-writes.ts"
import { drawWrite, keysOfOne, type RandomWrite } from "./random-writes.ts"
import { full, guardedServices, tenantServices } from "./services.ts"
import { twinOf } from "./twin.ts"
import { newKey } from "./writes.ts"

/** Requests of each person to each pair of databases. */
const perPerson = Number(process.env["BIFOLD_WRITES"] ?? (full ? 1_500 : 40))
/** The tests take one person in so many. */
const every = full ? 1 : 3
const attempts = full ? 100 : 25
/** Writes that were done, after which the records are as at first again. */
const mostDone = 12

for (const service of [...guardedServices(), ...tenantServices()])
  for (const database of dialects)
    describe(`writes to what is not seen in ${service.name} on ${database}`, () => {
      const hooks = cleanUp(after)

      test("are answered alike", async (context) => {
        const clock = { next: 0 }
        const counts: Counts = { asked: 0, done: 0, ruled: 0, shown: 0 }
        const all = service.people.filter((_, index) => index % every === 1 % every)
        // In the tests each person writes to one of the databases.
        const people = full ? all : all.filter((_, index) => database === dialects[index % dialects.length])
        for (const [index, person] of people.entries()) {
          // Both as new as each other: what was planned before takes other new ids.
          const first = await openClocked(hooks, service, { database, clock })
          const trying = await openTrying(hooks, { service, person, database, seed: index + 1, first, clock })
          await compare(trying, counts, (house) => house.as(person))
        }
        context.diagnostic(
          `${counts.asked} pairs, ${counts.done} done, ${counts.ruled} told apart by a rule, ${counts.shown} that show more`,
        )
        assert.equal(counts.asked, people.length * perPerson)
        // Rules that look at what is hidden tell of it: that stays the exception.
        assert.ok(counts.ruled + counts.shown < counts.asked / 10, JSON.stringify(counts))
      })
    })

describe("writes of builds that are broken on purpose", () => {
  const hooks = cleanUp(after)

  test("let somebody tell two databases apart", async (context) => {
    let found = 0
    let tried = 0
    const service = guardedServices()[0]
    assert.ok(service)
    const clock = { next: 0 }
    const first = await openClocked(hooks, service, { database: "sqlite", clock })
    // Somebody who may write, without the rule of what they refer to.
    const builds = brokenBuilds(service).filter(
      ({ person, resource, field }) =>
        field === undefined && person.name === "a customer" && ["address", "order"].includes(resource),
    )
    for (const build of builds) {
      const { person } = build
      const trying = await openTrying(hooks, { service, person, database: "sqlite", seed: 3, first, clock })
      tried += 1
      const counts: Counts = { asked: 0, done: 0, ruled: 0, shown: 0 }
      const failed = await compare(trying, counts, (house) => house.asActor(build.actor), 600).then(
        () => false,
        (error: unknown) => error instanceof assert.AssertionError,
      )
      await first.refill()
      found += Number(failed)
    }
    context.diagnostic(`${found} of ${tried} broken builds found`)
    assert.ok(tried > 0 && found === tried, `${found} of ${tried}`)
  })
})

interface Counts {
  asked: number
  done: number
  ruled: number
  shown: number
}

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
}

/** A house whose keys of new records are told by the number of the request: both of a pair make the same. */
function openClocked(
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

async function openTrying(
  hooks: Hooks,
  given: {
    readonly service: Guarded
    readonly person: Person
    readonly database: Database
    readonly seed: number
    readonly first: House
    readonly clock: Clock
  },
): Promise<Trying> {
  const { service, person, database, seed, first, clock } = given
  const twin = twinOf({ service, person, seed, attempts })
  const second = await openClocked(hooks, { ...service, ...twin }, { database, clock })
  const other = servedRecords(service, twin.stored).store
  return {
    service,
    person,
    seed,
    clock,
    houses: [first, second],
    stores: [service.store, other],
    changes: twin.changes,
  }
}

/** Throws an AssertionError at the first request that tells the two apart. */
async function compare(
  { service, person, houses, stores: first, changes, clock, seed }: Trying,
  counts: Counts,
  doorsOf: (house: House) => Doors,
  most = perPerson,
): Promise<void> {
  const random = seeded(seed)
  const { declared } = service
  const pair = houses.map(doorsOf) as [Doors, Doors]
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
    const write = drawWrite({
      ...{ service, own: pair[0].own, store: pool, random },
      ...{ number: clock.next, viewer: person.viewer },
    })
    const answers = [await write.ask(pair[0], pair[0]), await write.ask(pair[1], pair[1])]
    counts.asked += 1
    const [one, other] = answers.map(({ fault: _, ...answer }) => answer)
    for (const answer of answers) assert.ok(answer.status < 500, `${write.what}\n${answer.body}`)
    const isDone = answers.some(succeeded)
    const isEqual = isDeepStrictEqual(one, other)
    if (isEqual && !isDone) continue
    const outcomes = stores.map((store) => transact(declared, store, person, write.changes(store)))
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
      [...of, ...verdictsOf(service, person, present(stores[world], "a store each"), write)].sort().join(),
    )
    const views = outcomes.map(({ store }) => JSON.stringify(viewOf(service, person, store)))
    // So it does of what is written: of several records another one may be the first that is forbidden.
    if (reasons !== others || (isForbidden(one) && isForbidden(other))) counts.ruled += 1
    // What PUT clears besides is not among its changes, so that the interpreter does not know what is seen then.
    else if (isDone && (views[0] !== views[1] || (isEqual && write.what.startsWith("PUT "))))
      counts.shown += 1
    else
      assert.fail(
        [
          `${person.name}: ${write.what}`,
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

/** What the rules say of each record that is changed, as it is: which of two refusals comes first follows from it. */
function verdictsOf(
  { declared }: Guarded,
  person: Person,
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

/** The records of both worlds, to draw from. */
function union([one, other]: readonly [Store, Store]): Store {
  const records = Object.entries(one.records).map(([name, rows]): [string, readonly Entry[]] => {
    const known = new Set(rows.map(({ id }) => id))
    return [name, [...rows, ...(other.records[name] ?? []).filter(({ id }) => !known.has(id))]]
  })
  return { records: Object.fromEntries(records), links: one.links }
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
