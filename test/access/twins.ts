// Two databases that are equal but for what somebody may not see, and every kind of question to both.
import assert from "node:assert/strict"
import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import type { World } from "../properties/evaluate.ts"
import { questions } from "../properties/generate.ts"
import type { Question } from "../properties/question.ts"
import { spellGraphql } from "../properties/spell-graphql.ts"
import { spellRest } from "../properties/spell-rest.ts"
import type { Hooks } from "../support/database.ts"
import type { Database } from "../support/open-service.ts"
import type { TextResponse } from "../support/text-face.ts"
import { type Doors, type House, openHouse } from "./doors.ts"
import { type Guarded, type Person, resourceOf } from "./guarded.ts"
import { lifeQuestions } from "./life-questions.ts"
import { full } from "./services.ts"
import { type Twin, twinOf } from "./twin.ts"
import { type Use, usesOf } from "./uses.ts"

/** Requests of each person to each database; a question is several of them. */
export const perPerson = full ? 500 : 4
/** Questions about what differs, of each person to each database. */
const mostProbes = full ? 60 : 6
/** Records of each resource that are asked for what became of them. */
const mostLives = full ? 6 : 1
/** Changes of what is not seen that are tried. */
const mostAttempts = full ? 100 : 25
/** The same, where a build that is broken has to be found. */
export const manyAttempts = full ? 100 : 50

export interface Twins {
  readonly service: Guarded
  readonly person: Person
  readonly twin: Twin
  readonly houses: readonly [House, House]
}

export async function openTwins(
  hooks: Hooks,
  given: {
    readonly service: Guarded
    readonly person: Person
    readonly database: Database
    readonly seed: number
    readonly first: House
    readonly attempts?: number
  },
): Promise<Twins> {
  const { service, person, database, seed, first, attempts = mostAttempts } = given
  const twin = twinOf({ service, person, seed, attempts })
  const second = await openHouse(hooks, {
    whole: service.whole,
    stored: twin.stored,
    log: twin.log,
    database,
  })
  return { service, person, twin, houses: [first, second] }
}

/** How many requests got equal answers. Throws an AssertionError at the first that did not. */
export async function compare(
  { service, person, twin, houses }: Twins,
  doorsOf: (house: House) => Doors,
  about?: string,
): Promise<number> {
  const [one, other] = houses.map(doorsOf) as [Doors, Doors]
  let count = 0
  const same = async (ask: (doors: Doors) => Promise<TextResponse>, what: string): Promise<TextResponse> => {
    const [a, b] = [await ask(one), await ask(other)]
    count += 1
    const { fault: _, ...first } = a
    const { fault: __, ...second } = b
    if (!isDeepStrictEqual(first, second)) {
      const both = [first, second].map((answer) => JSON.stringify(answer).slice(0, 2_000))
      assert.fail(`${person.name}: ${what}\n${both.join("\n")}\n${twin.changes.join(", ")}`)
    }
    assert.ok(a.status < 500, `${what}\n${a.body}`)
    return a
  }
  // Values and ids of both worlds, seen or not, and now and then names that they do not know.
  const drawn = [service.world, twin.world].flatMap((world) =>
    [one.own, service.whole].flatMap((model, index) =>
      drawQuestions({ ...world, model }, index === 0 ? perPerson / 14 : perPerson / 40, about),
    ),
  )
  const probes = probesOf(service, twin).filter(({ root }) => about === undefined || root === about)
  const few =
    fc.sample(fc.shuffledSubarray(probes, { maxLength: Math.min(mostProbes, probes.length) }), 1)[0] ?? []
  const asked = [...drawn, ...few.map(({ root, list }) => ({ resource: root, list }))]
  for (const { resource: name, list } of asked) {
    const resource = resourceOf(service.whole, name)
    const { after: _, before: __, ...page } = list.page
    const plain = { ...list, page }
    const { query, variables } = spellGraphql(service.whole, resource, plain, {})
    await same((doors) => doors.graphql(query, variables), `${query} ${JSON.stringify(variables)}`)
    const asRest = async (address: string): Promise<TextResponse> => {
      const [path = "", search = ""] = address.split("?")
      const found = await same((doors) => doors.rest({ path, query: search }), decodeURIComponent(address))
      const tag = found.headers["etag"]
      if (tag !== undefined)
        await same(
          (doors) => doors.rest({ path, query: search, headers: { "if-none-match": tag } }),
          `again: ${address}`,
        )
      return found
    }
    const found = await asRest(spellRest(resource, plain, {}))
    const next = found.status === 200 ? JSON.parse(found.body).page?.next : undefined
    if (next) await asRest(spellRest(resource, { ...plain, page }, { after: next }))
    const rows = [...(service.world.rows.get(name) ?? []), ...(twin.world.rows.get(name) ?? [])]
    const row = rows[(count * 7) % rows.length]
    const id = String(row?.["id"])
    await asRest(`/${resource.path}/${encodeURIComponent(id)}`)
    await same((doors) => doors.graphql("query ($id: ID!) { node(id: $id) { id } }", { id }), `node ${id}`)
    for (const [unique] of resource.uniques.map(({ members }) => members))
      if (unique?.kind === "field")
        await asRest(`/${resource.path}/${unique.field}=${encodeURIComponent(String(row?.[unique.field]))}`)
    await same(
      (doors) =>
        doors.rest({ path: `/${resource.path}`, query: "limit=100", headers: { accept: "text/csv" } }),
      `CSV of ${name}`,
    )
  }
  for (const { what, next, ask } of lifeQuestions(service, twin, { most: mostLives, about })) {
    const found = await same(ask, what)
    const page = next?.(found)
    if (page) await same(page.ask, page.what)
  }
  return count
}

/** Every use of what differs, with values of both databases. */
function probesOf(service: Guarded, twin: Twin): readonly Use[] {
  const differs = (use: Use): boolean =>
    twin.changes.includes(`value of ${use.member} of ${use.resource}`) ||
    (use.member === "id" &&
      twin.changes.some((change) => change.startsWith("record") && change.endsWith(` of ${use.resource}`)))
  return [service.world, twin.world].flatMap((world) => usesOf(service.whole, world).filter(differs))
}

/** So many of any resource; of the one that a build is broken at, as many as are there among a hundred. */
function drawQuestions(world: World, count: number, about: string | undefined): readonly Question[] {
  if (world.model.resources.size === 0) return []
  if (about === undefined) return fc.sample(questions(world), Math.ceil(count))
  return fc.sample(questions(world), 100).filter(({ resource }) => resource === about)
}
