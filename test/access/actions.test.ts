// Parity of own operations: each of each record by each kind of person, by every door, has the verdict that the naive
// interpreter gives; what its code is shown and does is bound by the rules of whoever it asks as; names are shown to those
// who may call.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { seeded } from "../../examples/storefront/random.ts"
import { cleanUp } from "../support/database.ts"
import type { Entry, Store } from "../support/naive-access.ts"
import { calling } from "../support/naive-actions.ts"
import { dialects } from "../support/open-service.ts"
import { type BrokenAction, brokenActions } from "./broken.ts"
import { type CallDoor, callDoors, namesOf } from "./call-doors.ts"
import { outcomeOf } from "./called.ts"
import { type House, openHouse } from "./doors.ts"
import { guarded, type Person, person, resourceOf } from "./guarded.ts"
import { createJudge, type Judge, sample } from "./judged.ts"
import { noon } from "./naive-writes.ts"
import { type OwnAction, storefrontWithActions, type WithActions } from "./own-actions.ts"
import { databasesEach, full, housesFor, seeds } from "./services.ts"
import { smallWithActions } from "./small-actions.ts"
import { smallModel } from "./small-models.ts"
import { type Trying, tryDoor } from "./tried.ts"

/** The tests take one door in so many of each person. */
const everyOf = ({ actions }: WithActions): number => (full ? 1 : actions.length > 1 ? 41 : 13)
/** Calls that changed something, after which the records are as at first again. */
const mostDone = 2
/** Times that each operation of the service is called by each person. */
const times = 6

const fresh = { id: () => "", uuid: () => "", now: () => noon }

const services = [storefrontWithActions(), ...seeds.map((seed) => smallWithActions(smallModel(seed), seed))]

for (const service of services)
  describe(`own operations of ${service.name}`, () => {
    const hooks = cleanUp(after)
    const houses = new Map<string, House>()
    before(async () => {
      for (const database of dialects)
        houses.set(database, await openHouse(hooks, { ...service, log: [], database, fresh }))
    })

    test("are as the rules say, of every record by every door", async (context) => {
      const judge = createJudge()
      let done = 0
      for (const [index, person] of service.people.entries())
        for (const [label, house] of housesFor(houses, index)) {
          const trying = { service, person, house, doors: house.as(person), judge, label }
          done += await tryAll(trying, index + 1)
        }
      context.diagnostic(
        `${judge.judged} tuples, ${judge.refused} of them refused, ${done} calls changed something`,
      )
      judge.settle()
      assert.ok(
        judge.judged >=
          (service.people.length * databasesEach * movesOf(service).length * 5) / everyOf(service) / 1.3,
      )
      assert.ok(!full || done > service.people.length, `${done} changed something`)
    })

    test("are shown to those who may call them, and to nobody else", async (context) => {
      const judge = createJudge()
      const house = houses.get("sqlite")
      assert.ok(house)
      for (const person of service.people) await judgeNames(judge, service, { person, house })
      context.diagnostic(`${judge.judged} names`)
      judge.settle()
      assert.ok(judge.judged >= service.people.length * service.actions.length * 2)
    })

    test("that a build without the rule of one would do are found", async (context) => {
      const house = houses.get("sqlite")
      assert.ok(house)
      let found = 0
      for (const build of sample(brokenActions(service), full ? 1 : 5)) {
        const judge = createJudge()
        if (!(await tryBroken({ service, house, judge }, build))) continue
        assert.ok(judge.differences.length > 0, `${build.name} was not found`)
        found += 1
      }
      context.diagnostic(`${found} broken builds found`)
      assert.ok(found > 0)
    })
  })

for (const database of dialects)
  test(`own code makes nothing of which its caller may not set what is needed, on ${database}`, async (hooks) => {
    const signedIn = { signedIn: true }
    const service = guarded("shelves", {
      declaration: {
        name: "shelves",
        roles: ["chief"],
        resources: {
          shelf: {
            id: "shf",
            fields: { name: { scalar: "text" }, rank: { scalar: "integer", write: { role: "chief" } } },
            allow: { read: signedIn, create: signedIn },
          },
        },
        code: {
          operations: {
            fill: {
              allow: signedIn,
              run: async ({
                db,
              }: {
                readonly db: { readonly shelf: { create(input: object): Promise<unknown> } }
              }) => void (await db.shelf.create({ name: "new", rank: 1 })),
            },
          },
        },
      },
      records: { records: new Map(), links: [] },
      people: [person("signed in", {}), person("chief", { roles: ["chief"] })],
    })
    const house = await openHouse(hooks, { ...service, log: [], database })
    const statuses = await Promise.all(
      service.people.map(async (who) => {
        const { status } = await house.as(who).rest({ method: "POST", path: "/actions/fill" })
        return status
      }),
    )
    assert.deepEqual(statuses, [403, 204])
  })

interface Move {
  readonly action: OwnAction
  /** Of an action. */
  readonly row?: Entry
}

/** Every action of every record, and every operation of the service a few times. */
const movesOf = ({ actions, store }: WithActions): readonly Move[] =>
  actions.flatMap((action): readonly Move[] =>
    action.resource === undefined
      ? Array.from({ length: times }, () => ({ action }))
      : (store.records[action.resource] ?? []).map((row) => ({ action, row })),
  )

interface TryingCalls extends Trying {
  readonly service: WithActions
}

function doorsOf({ whole }: WithActions, { action, row }: Move, input: Entry): readonly CallDoor[] {
  const { resource } = action
  return callDoors({
    action,
    input,
    ...(row &&
      resource !== undefined && { on: { resource: resourceOf(whole, resource), id: String(row["id"]) } }),
  })
}

/** The records as they are then. */
function tryCall(
  trying: TryingCalls,
  { action, row }: Move,
  { door, input, store }: { readonly door: CallDoor; readonly input: Entry; readonly store: Store },
): Promise<Store> {
  const { stale } = door
  const call = { action, input, stale, ...(row && { id: String(row["id"]) }) }
  const what = `${action.name} ${row?.["id"] ?? ""} with ${JSON.stringify(input)}`
  return tryDoor(trying, { what, door, store, expected: outcomeOf({ ...trying, store }, call) })
}

/** How many changed something. Ends with the records as they were at first. */
async function tryAll(trying: TryingCalls, seed: number): Promise<number> {
  const { service, house } = trying
  const random = seeded(seed)
  let { store } = service
  let done = 0
  let turn = seed * 13
  const every = everyOf(service)
  for (const move of movesOf(service)) {
    const input = move.action.inputFor(random, store)
    for (const door of doorsOf(service, move, input)) {
      turn += 1
      if (turn % every !== 0) continue
      const then = await tryCall(trying, move, { door, input, store })
      if (then === store) continue
      done += 1
      store = then
      if (done % mostDone > 0) continue
      await house.refill()
      store = service.store
    }
  }
  if (store !== service.store) await house.refill()
  return done
}

/** Calls that with the rule would be refused for nothing else. Whether there are any. */
async function tryBroken(
  { service, house, judge }: Pick<TryingCalls, "service" | "house" | "judge">,
  { name, person, actor, action }: BrokenAction,
): Promise<boolean> {
  const random = seeded(3)
  const { store } = service
  const open = { ...action, allow: { anyone: true } }
  let tried = 0
  for (const move of movesOf(service).filter((one) => one.action === action)) {
    const input = action.inputFor(random, store)
    const call = { input, ...(move.row && { id: String(move.row["id"]) }) }
    const expected = outcomeOf({ service, person, store }, { ...call, action })
    if (!expected.reasons.has("forbidden") && !expected.reasons.has("closed")) continue
    if (outcomeOf({ service, person, store }, { ...call, action: open }).reasons.size > 0) continue
    const trying = { service, person, house, doors: house.asActor(actor), judge, label: name }
    for (const door of doorsOf(service, move, input).filter(({ stale }) => !stale))
      await tryCall(trying, move, { door, input, store })
    tried += 1
    if (tried === 3) break
  }
  return tried > 0
}

/** The mutation in the schema, and the address in the OpenAPI document. */
async function judgeNames(
  judge: Judge,
  service: WithActions,
  { person, house }: { readonly person: Person; readonly house: House },
): Promise<void> {
  const doors = house.as(person)
  const laws = calling(service.declared, service.store, person)
  const schema = await doors.graphql("{ __schema { mutationType { fields { name } } } }")
  const fields: readonly { readonly name: string }[] =
    JSON.parse(schema.body).data.__schema.mutationType?.fields ?? []
  const { paths } = JSON.parse((await doors.rest({ path: "/openapi.json" })).body)
  for (const action of service.actions) {
    const names = namesOf(
      action,
      action.resource === undefined ? undefined : resourceOf(service.whole, action.resource),
    )
    const expected = laws.knows(action)
    const say = (where: string, shown: boolean) =>
      judge.judge(`${person.name}: ${action.name} in ${where}`, shown, expected)
    say(
      "the schema",
      fields.some(({ name }) => name === names.mutation),
    )
    say("OpenAPI", names.path in paths)
  }
}
