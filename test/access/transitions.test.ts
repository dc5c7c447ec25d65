// Parity of transitions: each transition of each record by each kind of person, by every door, has the verdict that the
// naive interpreter gives and leaves the records that it says; and what is told to be possible is what is.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { seeded } from "../../examples/storefront/random.ts"
import { cleanUp } from "../support/database.ts"
import type { Entry, Store } from "../support/naive-access.ts"
import { withComputed, withoutComputed } from "../support/naive-computed.ts"
import { type LogEntry, type ShownEntry, shownHistory } from "../support/naive-history.ts"
import { type DeclaredTransition, firing, transitionsIn } from "../support/naive-states.ts"
import { dialects } from "../support/open-service.ts"
import { brokenTransitions } from "./broken.ts"
import { type Doors, type House, openHouse } from "./doors.ts"
import { fireDoors } from "./fire-doors.ts"
import { type Guarded, guarded, type Person, person, resourceOf } from "./guarded.ts"
import { createJudge, type Judge, sample } from "./judged.ts"
import { noon } from "./naive-writes.ts"
import { databasesEach, full, guardedServices, housesFor } from "./services.ts"
import { type Trying, tryDoor } from "./tried.ts"

/** The tests take one door in so many of each person, and one record to be told of. */
const every = full ? 1 : 61
const everyTold = full ? 1 : 5
/** Transitions that were done, after which the records are as at first again. */
const mostDone = 2

const fresh = { id: () => "", uuid: () => "", now: () => noon }

for (const service of guardedServices())
  describe(`transitions of ${service.name}`, () => {
    const hooks = cleanUp(after)
    const houses = new Map<string, House>()
    before(async () => {
      for (const database of dialects)
        houses.set(database, await openHouse(hooks, { ...service, log: [], database, fresh }))
    })

    test("are as the rules and the states say, of every record by every door", async (context) => {
      const judge = createJudge()
      let done = 0
      for (const [index, person] of service.people.entries())
        for (const [label, house] of housesFor(houses, index)) {
          const trying = { service, person, house, doors: house.as(person), judge, label }
          done += await tryAll(trying, index + 1, every)
        }
      context.diagnostic(`${judge.judged} tuples, ${judge.refused} of them refused, ${done} transitions done`)
      judge.settle()
      assert.ok(
        judge.judged >= (service.people.length * databasesEach * movesOf(service).length * 11) / every / 1.3,
      )
      // Rules that are drawn may keep everybody from any of them.
      assert.ok(!full || service.name !== "storefront" || done > service.people.length, `${done} were done`)
    })

    test("are told to be possible where they are", async (context) => {
      const judge = createJudge()
      for (const [index, person] of service.people.entries())
        for (const [label, house] of housesFor(houses, index))
          await judgeTold(judge, {
            service,
            person,
            doors: house.as(person),
            label: `${person.name}, ${label}`,
            step: everyTold,
            from: index,
          })
      context.diagnostic(`${judge.judged} records told of, ${judge.refused} of them not seen`)
      judge.settle()
      assert.ok(judge.judged > service.people.length * 2 * databasesEach)
    })

    test("that a build without the rule of one would do are found", async (context) => {
      const house = houses.get("sqlite")
      assert.ok(house)
      const builds = sample(brokenTransitions(service), full ? 1 : 4)
      // Rules that are drawn may keep nobody who sees a record from any of its transitions.
      if (!full || service.name === "storefront") assert.ok(builds.length > 0)
      let fired = 0
      for (const { name, person, actor, resource, transition } of builds) {
        const doors = house.asActor(actor)
        const judge = createJudge()
        await judgeTold(judge, { service, person, doors, label: name, step: 1, from: 0 })
        assert.ok(judge.differences.length > 0, `${name} was not found by what it tells`)
        // With the rule, these would be refused for nothing else.
        const moves = movesOf(service).filter(
          (move) =>
            move.resource === resource &&
            move.transition.name === transition &&
            verdictOf(service, person, move) === "forbidden" &&
            lawful(service, person, move),
        )
        if (moves.length === 0) continue
        const firing = createJudge()
        for (const move of sample(moves, Math.ceil(moves.length / 3)))
          for (const door of doorsOf(service, move, move.row).filter(({ changes }) => changes.length === 1))
            await tryDoor(
              { service, person, house, doors, judge: firing, label: name },
              { what: "broken", door, store: service.store },
            )
        assert.ok(firing.differences.length > 0, `${name} was not found by what it does`)
        fired += 1
      }
      context.diagnostic(`${builds.length} broken builds found, ${fired} of them by what they did`)
    })
  })

for (const database of dialects)
  test(`what would not be seen afterwards is not done, by any door, on ${database}`, async (hooks) => {
    const anyone = { anyone: true }
    const row = (name: string, state: string) => ({ name, state })
    const rows = [row("cellar", "open"), row("garden", "open"), row("attic", "ajar")]
    const service = guarded("doors", {
      declaration: {
        name: "doors",
        resources: {
          door: {
            key: ["name"],
            fields: { name: { scalar: "slug", immutable: true } },
            states: {
              initial: "open",
              final: "shut",
              transitions: {
                shut: { from: "any", to: "shut", allow: anyone },
                lean: { from: "open", to: "ajar", allow: anyone },
              },
            },
            allow: { read: { state: { in: ["open", "ajar"] } } },
          },
        },
      },
      records: { records: new Map([["door", rows]]), links: [] },
      people: [person("anonymous", { signedIn: false })],
    })
    const house = await openHouse(hooks, { ...service, log: [], database, fresh })
    const judge = createJudge()
    for (const somebody of service.people) {
      const trying = { service, person: somebody, house, doors: house.as(somebody), judge, label: database }
      assert.ok((await tryAll(trying, 1, 1)) > 0)
    }
    judge.settle()
  })

interface Move {
  readonly resource: string
  readonly transition: DeclaredTransition
  readonly row: Entry
}

/** Every transition of every record. */
const movesOf = ({ declared, store }: Pick<Guarded, "declared" | "store">): readonly Move[] =>
  Object.entries(store.records).flatMap(([resource, rows]) =>
    transitionsIn(declared, resource).flatMap((transition) =>
      rows.map((row): Move => ({ resource, transition, row })),
    ),
  )

const verdictOf = ({ declared, store }: Guarded, person: Person, { resource, transition, row }: Move) =>
  firing(declared, store, person).hindrance(resource, transition, { row })

/** It starts here and meets the condition, and whoever fires it goes on seeing it. */
function lawful(service: Guarded, person: Person, { resource, transition, row }: Move): boolean {
  const allowed = { ...transition, allow: { anyone: true } }
  const laws = firing(service.declared, service.store, person)
  if (laws.hindrance(resource, allowed, { row }) !== undefined) return false
  const next = laws.fired(
    { resource, id: String(row["id"]), transition, given: inputOf(transition) },
    row,
    noon,
  )
  const rows = service.store.records[resource] ?? []
  const records = {
    ...service.store.records,
    [resource]: rows.map((one) => (one === row ? next : one)),
  }
  const after = withComputed(service.declared, { ...service.store, records })
  const seen = firing(service.declared, after, person)
  const then = after.records[resource]?.find(({ id }) => id === row["id"])
  return seen.hindrance(resource, allowed, { row: then }) !== "absent"
}

const inputOf = ({ input }: DeclaredTransition): Entry =>
  Object.fromEntries(Object.keys(input).map((name) => [name, "given"]))

const doorsOf = (service: Guarded, { resource, transition, row }: Move, other: Entry) =>
  fireDoors(resourceOf(service.whole, resource), {
    id: String(row["id"]),
    other: String(other["id"]),
    transition,
    input: inputOf(transition),
  })

/** How many were done. Ends with the records as they were at first. */
async function tryAll(trying: Trying, seed: number, step: number): Promise<number> {
  const { service, house } = trying
  const random = seeded(seed)
  let store: Store = service.store
  let done = 0
  let turn = seed * 13
  for (const { resource, transition, row } of movesOf(service)) {
    const rows = store.records[resource] ?? []
    const now = rows.find(({ id }) => id === row["id"]) ?? row
    const all = rows.filter(({ id }) => id !== row["id"])
    const alike = all.filter((one) => one[transition.machine] === now[transition.machine])
    const others = random.oneIn(2) && alike.length > 0 ? alike : all
    const other = others[random.between(0, others.length - 1)] ?? row
    for (const door of doorsOf(service, { resource, transition, row: now }, other)) {
      turn += 1
      if (turn % step !== 0) continue
      const after = await tryDoor(trying, { what: `${transition.name} ${resource}`, door, store })
      if (after === store) continue
      done += 1
      await judgeKept(trying, { move: { resource, transition, row: now }, was: store, store: after })
      store = after
      if (done % mostDone > 0) continue
      await house.refill()
      store = service.store
    }
  }
  if (store !== service.store) await house.refill()
  return done
}

/** The newest entry of the record's history is the transition, as far as it is shown to whoever fired it. */
async function judgeKept(
  { service, person, doors, judge, label }: Trying,
  { move, was, store }: { readonly move: Move; readonly was: Store; readonly store: Store },
): Promise<void> {
  const { resource, transition } = move
  const id = String(move.row["id"])
  const find = ({ records }: Store): Entry | undefined => records[resource]?.find((row) => row["id"] === id)
  const [old, now] = [find(was), find(store)]
  if (!old || !now || old === now) return
  const takes = Object.keys(transition.input).length > 0
  const { viewer, roles, scopes, signedIn } = person
  const entry: LogEntry = {
    resource,
    record: id,
    number: 1,
    type: `${resource}.${transition.to}`,
    actor: viewer ?? (signedIn ? JSON.stringify([null, roles, scopes]) : null),
    at: noon,
    transition: transition.name,
    from: String(old[transition.machine]),
    to: transition.to,
    input: takes ? inputOf(transition) : null,
    old: withoutComputed(service.declared, resource, old),
    new: withoutComputed(service.declared, resource, now),
  }
  const [expected] = shownHistory({ declared: service.declared, store, log: [entry] }, person)(resource, now)
  const path = `/${resourceOf(service.whole, resource).path}/${encodeURIComponent(id)}/history`
  const { status, body } = await doors.rest({ path, query: "from=end&limit=1" })
  const [told] = status === 200 ? JSON.parse(body).data : []
  judge.judge(
    `${person.name}, ${label}: what is kept of ${transition.name} ${id}`,
    plain(told),
    plain(expected),
  )
}

/** Without the version, which is not known beforehand, and with changes in the order of their names. */
const plain = (entry: ShownEntry | undefined) =>
  entry && {
    ...entry,
    version: "",
    changes: [...entry.changes].sort((a, b) => (a.field < b.field ? -1 : 1)),
  }

interface Telling {
  readonly service: Guarded
  readonly person: Person
  readonly doors: Doors
  readonly label: string
  readonly step: number
  readonly from: number
}

/** Names, whether they are allowed, and the codes of why not, of single records and of lists by both faces. */
async function judgeTold(judge: Judge, telling: Telling): Promise<void> {
  const { service, person, doors, label, step, from } = telling
  const { declared, store, whole } = service
  for (const [name, rows] of Object.entries(store.records)) {
    if (transitionsIn(declared, name).length === 0) continue
    const resource = resourceOf(whole, name)
    const laws = firing(declared, store, person)
    for (const row of sample(rows, step, from)) {
      const id = String(row["id"])
      const expected = laws.sees(name, row) ? laws.possible(name, row) : "missing"
      const text = `{ it: ${resource.name}(id: ${JSON.stringify(id)}) { transitions { name allowed reasons { code } } } }`
      const graphql = JSON.parse((await doors.graphql(text)).body)
      judge.judge(
        `${label}, graphql: transitions of ${id}`,
        graphql.data?.it ? codesOf(graphql.data.it.transitions) : "missing",
        expected,
      )
      const rest = await doors.rest({ path: `/${resource.path}/${encodeURIComponent(id)}/transitions` })
      judge.judge(
        `${label}, rest: transitions of ${id}`,
        rest.status === 200 ? codesOf(JSON.parse(rest.body).data) : "missing",
        expected,
      )
    }
  }
}

interface ToldTransition {
  readonly name: string
  readonly allowed: boolean
  readonly reasons: readonly { readonly code: string }[]
}

const codesOf = (told: readonly ToldTransition[]) =>
  told.map(({ name, allowed, reasons }) => ({ name, allowed, reasons: reasons.map(({ code }) => code) }))
