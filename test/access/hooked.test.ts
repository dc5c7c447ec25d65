// Parity of writes of which hooks are run: each is told of what is about to be written, of the records as they are, and of
// nothing that whoever asks may not write; what it refuses, sets besides and asks for becomes what it should, by every door.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { isDeepStrictEqual } from "node:util"
import { cleanUp } from "../support/database.ts"
import { transitionsIn } from "../support/naive-states.ts"
import { dialects } from "../support/open-service.ts"
import type { Told } from "./changes.ts"
import { type House, openHouse } from "./doors.ts"
import { fireDoors } from "./fire-doors.ts"
import { type Person, resourceOf } from "./guarded.ts"
import { createJudge, type Judge } from "./judged.ts"
import { noon, transact } from "./naive-writes.ts"
import { databasesEach, full, housesFor, otherSeeds } from "./services.ts"
import { smallWithHooks, type WithHooks } from "./small-hooks.ts"
import { smallModel } from "./small-models.ts"
import { tryDoor, tryDoors } from "./tried.ts"
import { type Attempt, attemptsAt, newKey } from "./writes.ts"

/** One door in so many of each person. */
const every = full ? 5 : 61
const next = { number: 0 }
const fresh = {
  id: () => newKey(next.number),
  uuid: () => `00000000-0000-4000-8000-${String(next.number).padStart(12, "0")}`,
  now: () => noon,
}

for (const seed of otherSeeds) {
  const service = smallWithHooks(smallModel(seed), seed)
  describe(`writes to ${service.name}`, () => {
    const hooks = cleanUp(after)
    const houses = new Map<string, House>()
    before(async () => {
      for (const database of dialects)
        houses.set(database, await openHouse(hooks, { ...service, log: [], database, fresh }))
    })

    test("are what their hooks make of them, and told to them where they may be written", async (context) => {
      const judge = createJudge()
      let told = 0
      for (const [index, person] of service.people.entries())
        for (const [label, house] of housesFor(houses, index))
          told += await tryAll({ service, person, house, judge, label, seed: index + 1 })
      context.diagnostic(`${judge.judged} tuples, ${judge.refused} of them refused, ${told} hooks were run`)
      judge.settle()
      assert.ok(
        judge.judged >= (attemptsAt(service.whole).length * service.people.length * databasesEach) / every,
      )
      assert.ok(told > service.people.length, `${told} hooks were run`)
    })
  })
}

interface Trying {
  readonly service: WithHooks
  readonly person: Person
  readonly house: House
  readonly judge: Judge
  readonly label: string
}

/** How many hooks were run. */
async function tryAll({ seed, ...trying }: Trying & { readonly seed: number }): Promise<number> {
  const { service, house, person } = trying
  let told = 0
  await tryDoors(trying, { next, every, seed }, attemptsOf(service), async ({ what, door, store }) => {
    const expected = transact(service.declared, store, person, door.changes, {
      hooked: service.hooked,
    })
    if (expected.unsure) return store
    service.told.length = 0
    const then = await tryDoor({ ...trying, doors: house.as(person) }, { what, door, store, expected })
    const of = { what: `${what} by ${door.name}`, told: service.told, expected: expected.told }
    judgeTold(trying, of, then !== store)
    told += service.told.length
    return then
  })
  return told
}

/** Transitions of every item as well. */
function attemptsOf({ whole, declared, store }: WithHooks): readonly Attempt[] {
  const item = resourceOf(whole, "item")
  const items = store.records["item"] ?? []
  const fired = items.flatMap((row, index) =>
    transitionsIn(declared, "item").map(
      (transition): Attempt => ({
        action: `fire ${transition.name}`,
        resource: "item",
        member: transition.machine,
        doors: () =>
          fireDoors(item, {
            id: String(row["id"]),
            other: String(items[(index + 1) % items.length]?.["id"]),
            transition,
            input: Object.fromEntries(Object.keys(transition.input).map((name) => [name, "said"])),
          }),
      }),
    ),
  )
  return [...attemptsAt(whole), ...fired]
}

/** All of what is done; of what is refused, nothing but what they should have been told of it. */
function judgeTold(
  { judge, person, label }: Trying,
  {
    what,
    told,
    expected,
  }: { readonly what: string; readonly told: readonly Told[]; readonly expected: readonly Told[] },
  done: boolean,
): void {
  const left = [...expected]
  const beyond = told.filter((one) => {
    const at = left.findIndex((other) => isDeepStrictEqual(one, other))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  const more = done ? left : []
  judge.judge(`${person.name}, ${label}: what is told of ${what}`, { beyond, more }, { beyond: [], more: [] })
}
