// Parity of fields that own code computes: by every door that selects them, what comes is what the naive interpreter says,
// and the code is given each record once, and none of which something that it needs is hidden.

import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { isDeepStrictEqual } from "node:util"
import { seeded } from "../../examples/storefront/random.ts"
import type { Actor } from "../../src/plan/access/actor.ts"
import { cleanUp } from "../support/database.ts"
import type { Entry } from "../support/naive-access.ts"
import { dialects } from "../support/open-service.ts"
import { isNameRefused } from "./ask.ts"
import { type Computing, plainOf, telling, textsIn, withComputedFields } from "./computing.ts"
import { actorFor, type Doors, type House, openHouse } from "./doors.ts"
import { type Person, resourceOf } from "./guarded.ts"
import { createJudge, type Judge, sample } from "./judged.ts"
import { movesOf } from "./moves.ts"
import { noon, transact } from "./naive-writes.ts"
import { full, housesFor, seeds } from "./services.ts"
import { smallModel } from "./small-models.ts"

/** The tests take one record in so many of each person. */
const every = full ? 1 : 19
/** Changes of each kind that each person makes of each resource. */
const changes = full ? 6 : 1

const fresh = { id: () => newId, uuid: () => "", now: () => noon }
let newId = ""
let foundInAll = 0

for (const seed of seeds) {
  const service = withComputedFields(smallModel(seed), seed)
  describe(`fields that own code computes in ${service.name}`, () => {
    const hooks = cleanUp(after)
    const houses = new Map<string, House>()
    before(async () => {
      for (const database of dialects)
        houses.set(database, await openHouse(hooks, { ...service, log: [], database, fresh }))
    })

    test("are what the rules say by every door that reads", async (context) => {
      const judge = createJudge()
      let given = 0
      // The tests ask each person at one of the databases.
      for (const [index, person] of service.people.entries())
        for (const [label, house] of housesFor(houses, index)) {
          const asking = { service, person, doors: house.as(person), judge, label, store: service.store }
          for (const name of Object.keys(service.needs)) given += await askLists(asking, name)
          for (const name of Object.keys(service.needs))
            for (const row of sample(service.store.records[name] ?? [], every, index))
              given += await askRecord(asking, name, row)
        }
      context.diagnostic(`${judge.judged} tuples, ${judge.refused} refused, ${given} records given to code`)
      judge.settle()
      assert.ok(judge.judged >= service.people.length * 20 && given > service.people.length)
    })

    test("are what the rules say in what mutations answer", async (context) => {
      const judge = createJudge()
      let done = 0
      for (const [index, person] of service.people.entries())
        for (const [label, house] of housesFor(houses, index)) {
          const asking = { service, person, doors: house.as(person), judge, label, store: service.store }
          done += await askMutations(asking, house, index)
        }
      context.diagnostic(`${judge.judged} tuples, ${done} changes`)
      judge.settle()
      assert.ok(!full || done > 0)
    })

    test("that a build without a mask would compute are found", async (context) => {
      const house = houses.get("sqlite")
      assert.ok(house)
      let found = 0
      for (const person of service.people)
        for (const name of Object.keys(service.needs)) {
          const tells = telling(service, service.store, person)
          const isHidden = (row: Entry): boolean => tells.tellOf(name, row, 0)["told"] === null
          if (!tells.isKnown(name) || !tells.seen(name).some(isHidden)) continue
          const judge = createJudge()
          const doors = house.asActor(withoutMask(service, actorFor(service.whole, person), name))
          await askLists({ service, person, doors, judge, label: "broken", store: service.store }, name)
          assert.ok(judge.differences.length > 0, `${person.name} without the mask of ${name} was not found`)
          found += 1
        }
      context.diagnostic(`${found} broken builds found`)
      foundInAll += found
    })
  })
}

test("in some of them there is a mask that a build can be without", () => assert.ok(foundInAll > 0))

/** What own code computes of each record that they see, whether they see what it needs or not. */
function withoutMask({ whole }: Computing, actor: Actor, name: string): Actor {
  const { model } = actor
  const { computed } = resourceOf(whole, name)
  const open = { ...resourceOf(model, name), ...(computed && { computed }) }
  return { ...actor, model: { ...model, resources: new Map(model.resources).set(name, open) } }
}

interface Asking {
  readonly service: Computing
  readonly person: Person
  readonly doors: Doors
  readonly judge: Judge
  readonly label: string
  readonly store: Computing["store"]
}

/** What was answered, and what the code was given for it: all that is told in the answer, in one call of each field. */
async function judgeAnswer(
  { service, judge, person, label }: Asking,
  what: string,
  { ask, expected }: { readonly ask: () => Promise<unknown>; readonly expected: unknown },
): Promise<number> {
  service.calls.length = 0
  const answered = await ask()
  const calls = service.calls.splice(0)
  const named = `${person.name}, ${label}: ${what}`
  judge.judge(named, answered, expected)
  const given = calls.flatMap(({ records }) => records.map((record) => JSON.stringify(record)))
  const asked = calls.map(({ resource }) => resource)
  const whose = calls.every(({ roles, scopes, id }) =>
    isDeepStrictEqual([roles, scopes, id], [person.roles, person.scopes, person.viewer ?? null]),
  )
  judge.judge(
    `${named}: what the code is given`,
    { given: given.toSorted(), once: asked.length === new Set(asked).size, whose },
    { given: textsIn(expected), once: true, whose: true },
  )
  return given.length
}

/** All records of a resource, in every form. */
async function askLists(asking: Asking, name: string): Promise<number> {
  const { service, doors, person, store } = asking
  const tells = telling(service, store, person)
  const { path, collection } = resourceOf(service.whole, name)
  const rows = tells.seen(name)
  const known = tells.rules.knows(name)
  if (!tells.isKnown(name)) {
    const ask = (query: string) => async () => {
      const { status } = await doors.rest({ path: `/${path}`, query })
      return status >= 400 && status < 500 ? "refused" : status
    }
    const graphql = () => graphqlAnswer(doors, `{ found: ${collection} { nodes { told } } }`)
    await judgeAnswer(asking, `${name} by REST`, { ask: ask("fields=told"), expected: "refused" })
    await judgeAnswer(asking, `${name} by GraphQL`, { ask: graphql, expected: "refused" })
    if (!known) return 0
  }
  const listed = plainOf(rows.map((row) => tells.tellOf(name, row, 1)))
  // What is asked for again is not computed again.
  const again = `again: ${collection}(first: 3) { nodes ${tells.selectOf(name, 0)} }`
  const query = `{ found: ${collection}(first: 100) { nodes ${tells.selectOf(name, 1)} } ${again} }`
  let given = await judgeAnswer(asking, `all ${name} by GraphQL`, {
    ask: async () => plainOf(await graphqlAnswer(doors, query)),
    expected: listed,
  })
  given += await judgeAnswer(asking, `all ${name} by REST`, {
    ask: () => restAnswer(doors, `/${path}`, `${tells.query(name)}&limit=100`),
    expected: listed,
  })
  if (!tells.isKnown(name)) return given
  const own = plainOf(rows.map((row) => tells.tellOf(name, row, 0))) as readonly Entry[]
  given += await judgeAnswer(asking, `${name} by a query`, {
    async ask() {
      const body = { fields: ["id", "told"], limit: 100 }
      return plainOf(JSON.parse((await doors.rest({ method: "POST", path: `/${path}/query`, body })).body))
    },
    expected: own,
  })
  const form = (accept: string) => async () => {
    const fields = { path: `/${path}`, query: "fields=id,told&sort=id&limit=100", headers: { accept } }
    return (await doors.rest(fields)).body.split(/\r?\n/).filter(Boolean).toSorted()
  }
  const lines = own.map((row) => `${row["id"]},${cellOf(row["told"])}`)
  given += await judgeForm(asking, `${name} as CSV`, form("text/csv"), [own, ["id,told", ...lines]])
  const rowsOf = own.map((row) => JSON.stringify(row))
  return given + (await judgeForm(asking, `${name} as NDJSON`, form("application/x-ndjson"), [own, rowsOf]))
}

const cellOf = (told: unknown): string => (typeof told === "string" ? `"${told.replaceAll('"', '""')}"` : "")

/** Of text: what is told is taken from what is expected. */
const judgeForm = (
  asking: Asking,
  what: string,
  ask: () => Promise<readonly string[]>,
  [told, lines]: readonly [readonly Entry[], readonly string[]],
): Promise<number> =>
  judgeAnswer(asking, what, {
    ask: async () => {
      const answered = await ask()
      return JSON.stringify(answered) === JSON.stringify([...lines].sort()) ? told : answered
    },
    expected: told,
  })

/** One record by its id, by an address of its own, with what is related to it, two relations far by GraphQL. */
async function askRecord(asking: Asking, name: string, row: Entry): Promise<number> {
  const { service, doors, person, store } = asking
  const tells = telling(service, store, person)
  if (!tells.rules.knows(name)) return 0
  const { path, type } = resourceOf(service.whole, name)
  const id = String(row["id"])
  const isSeen = tells.rules.sees(name, row)
  const expected = (depth: number) => (isSeen ? plainOf(tells.tellOf(name, row, depth)) : "missing")
  const graphql = (root: string, depth: number) => async () =>
    plainOf(await graphqlAnswer(doors, `{ found: ${root.replace("%", tells.selectOf(name, depth))} }`))
  const key = JSON.stringify(id)
  const address = `/${path}/${encodeURIComponent(id)}`
  let given = await judgeAnswer(asking, `${id} by GraphQL`, {
    ask: graphql(`${name}(id: ${key}) %`, 2),
    expected: expected(2),
  })
  given += await judgeAnswer(asking, `${id} as a node`, {
    ask: graphql(`node(id: ${key}) { ... on ${type} % }`, 1),
    expected: expected(1),
  })
  given += await judgeAnswer(asking, `${id} by REST`, {
    ask: () => restAnswer(doors, address, tells.query(name)),
    expected: expected(1),
  })
  given += await judgeAnswer(asking, `${id} as a node by REST`, {
    ask: () => restAnswer(doors, `/nodes/${encodeURIComponent(id)}`, tells.query(name)),
    expected: expected(1),
  })
  for (const { relation, target, path: below } of tells.below(name)) {
    const { rules } = tells
    const found = rules.related(name, relation, row).filter((one) => rules.sees(target, one))
    given += await judgeAnswer(asking, `${relation} of ${id}`, {
      ask: () => restAnswer(doors, `${address}/${below}`, "fields=id,told&limit=100"),
      expected: isSeen ? plainOf(found.map((one) => tells.tellOf(target, one, 0))) : "missing",
    })
  }
  return given
}

async function restAnswer(doors: Doors, path: string, query: string): Promise<unknown> {
  const { status, body } = await doors.rest({ path, query })
  if (status === 404) return "missing"
  return status === 200 ? plainOf(JSON.parse(body)) : body
}

async function graphqlAnswer(doors: Doors, query: string, variables: Entry = {}): Promise<unknown> {
  const { data, errors } = JSON.parse((await doors.graphql(query, variables)).body)
  if (errors) return isNameRefused(errors[0].extensions.code) ? "refused" : errors
  return data.found ?? "missing"
}

/** Creates, updates and transitions that are allowed: what is answered is the record as it is then. How many. */
async function askMutations(asking: Asking, house: House, index: number): Promise<number> {
  const { service, person, doors } = asking
  const random = seeded(index + 1)
  let done = 0
  for (const name of Object.keys(service.needs)) {
    if (!telling(service, service.store, person).isKnown(name)) continue
    for (const { change, root, variables } of sample(
      movesOf(service, name, { random, times: changes }),
      full ? 1 : 4,
      index,
    )) {
      const { reasons, store: after } = transact(service.declared, service.store, person, [change])
      if (reasons.size > 0) continue
      // What is deleted is told as it was.
      const store = change.kind === "delete" ? service.store : after
      const tells = telling(service, store, person)
      const id = "id" in change ? change.id : change.kind === "fire" ? change.ids[0] : undefined
      const row = store.records[name]?.find((one) => one["id"] === id)
      assert.ok(row)
      newId = id?.slice(id.indexOf("_") + 1) ?? ""
      const query = `mutation ${root.head} { found: ${root.call} { ${name} ${tells.selectOf(name, 1)} } }`
      await judgeAnswer({ ...asking, store }, `${root.call} with ${JSON.stringify(variables)}`, {
        ask: async () => {
          const found = await graphqlAnswer(doors, query, variables)
          return plainOf((found as Entry)[name] ?? found)
        },
        expected: plainOf(tells.tellOf(name, row, 1)),
      })
      await house.refill()
      done += 1
    }
  }
  return done
}
