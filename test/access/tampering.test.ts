// Cursors and ids that were tampered with, taken from others or made up: no answer has a record, or a value, that the
// rules do not let whoever asks see.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { type Random, seeded } from "../../examples/storefront/random.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import type { World } from "../properties/evaluate.ts"
import { cleanUp } from "../support/database.ts"
import type { Entry } from "../support/naive-access.ts"
import { dialects } from "../support/open-service.ts"
import type { TextResponse } from "../support/text-face.ts"
import { brokenBuilds } from "./broken.ts"
import { type Doors, type House, openHouse } from "./doors.ts"
import { type Guarded, interpreterOf, resourceOf, seenWorld } from "./guarded.ts"
import { full, guardedServices } from "./services.ts"

/** Of each person, to each database. */
const perPerson = full ? 170 : 6

for (const service of guardedServices())
  describe(`tampering with ${service.name}`, () => {
    const hooks = cleanUp(after)
    const houses = new Map<string, House>()
    before(async () => {
      for (const database of dialects) houses.set(database, await openHouse(hooks, { ...service, database }))
    })

    test("shows nothing that is not seen anyway", async (context) => {
      let asked = 0
      let answered = 0
      for (const [index, person] of service.people.entries())
        for (const [database, house] of houses) {
          const random = seeded(full ? Math.floor(Math.random() * 2 ** 31) : index + 1)
          const cursors = await cursorsOf(service, house)
          const widened: string[] = []
          const seen = seenWorld(service, interpreterOf(service, person))
          const tampering = { service, random, cursors, doors: house.as(person) }
          for (let turn = 0; turn < perPerson; turn += 1) {
            const { what, response } = await tamper(tampering, turn)
            asked += 1
            assert.ok(response.status < 500, `${person.name}, ${database}: ${what}\n${response.body}`)
            const wider = widening(seen, response)
            answered += Number(wider.records > 0)
            if (wider.found)
              widened.push(`${person.name}, ${database}: ${what}\n${wider.found}\n${response.body}`)
          }
          assert.deepEqual(widened, [])
        }
      context.diagnostic(`${asked} requests, ${answered} answered with records`)
      assert.ok(
        asked >= service.people.length * perPerson * 2 && answered > asked / 20,
        `${answered} of ${asked}`,
      )
    })

    test("of a build without a rule shows what is not seen", async () => {
      const house = houses.get("sqlite")
      assert.ok(house)
      const random = seeded(7)
      const cursors = await cursorsOf(service, house)
      for (const { name, person, actor, field } of brokenBuilds(service)
        .filter((build) => build.field === undefined)
        .filter((_, index) => full || index % 5 === 0)) {
        assert.equal(field, undefined)
        const seen = seenWorld(service, interpreterOf(service, person))
        const tampering = { service, random, cursors, doors: house.asActor(actor) }
        let found = 0
        for (let turn = 0; turn < 3_000 && found === 0; turn += 1)
          found += Number(widening(seen, (await tamper(tampering, turn)).response).found !== undefined)
        assert.ok(found > 0, `${name} was not found`)
      }
    })
  })

interface Cursor {
  readonly resource: string
  readonly sort: string
  readonly text: string
}

/** Positions in lists that others see, in orders by every member. */
async function cursorsOf(service: Guarded, house: House): Promise<readonly Cursor[]> {
  const found: Cursor[] = []
  for (const resource of service.whole.resources.values())
    for (const sort of ["id", ...resource.fields.keys()])
      for (const direction of ["", "-"]) {
        const query = `sort=${direction}${sort}&limit=2&fields=id`
        const { status, body } = await house.everybody.rest({ path: `/${resource.path}`, query })
        const next = status === 200 ? JSON.parse(body).page.next : null
        if (next) found.push({ resource: resource.name, sort: `${direction}${sort}`, text: next })
      }
  return found
}

interface Tampering {
  readonly service: Guarded
  readonly random: Random
  readonly cursors: readonly Cursor[]
  readonly doors: Doors
}

interface Tampered {
  readonly what: string
  readonly response: TextResponse
}

const tamper = (tampering: Tampering, turn: number): Promise<Tampered> =>
  turn % 2 === 0 ? tamperWithCursor(tampering) : tamperWithId(tampering)

function draw<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[random.between(0, items.length - 1)]
  if (item === undefined) throw new Error("nothing to choose from")
  return item
}

/** A cursor is its tag and the base64url of its values. */
const tagLength = 22

async function tamperWithCursor({ service, random, cursors, doors }: Tampering): Promise<Tampered> {
  const { resource: name, sort, text: given } = draw(random, cursors)
  const other = draw(random, cursors)
  const [tag, kept] = [given.slice(0, tagLength), given.slice(tagLength)]
  const payload = Buffer.from(kept, "base64url").toString()
  const position = random.between(0, Math.max(0, given.length - 1))
  const swapped = (letter: string) => given.slice(0, position) + letter + given.slice(position + 1)
  const text = draw(random, [
    given,
    given,
    other.text,
    swapped(draw(random, [..."AZaz09-_=+/ "])),
    given.slice(0, position),
    `${given}${other.text}`,
    `${given}=`,
    createCursors("another secret").seal(`${name} ${sort}`, payload),
    tag + other.text.slice(tagLength),
    tag + Buffer.from("[]").toString("base64url"),
    tag + payload,
    `${kept}${tag}`,
    Buffer.from(payload).toString("base64url"),
    payload,
    "",
  ])
  const resource = resourceOf(service.whole, random.oneIn(4) ? other.resource : name)
  const order = random.oneIn(4) ? other.sort : sort
  const side = draw(random, ["after", "before"])
  const query = new URLSearchParams({ sort: order, limit: "100", [side]: text }).toString()
  if (random.oneIn(3)) {
    const direction = order.startsWith("-") ? "DESC" : "ASC"
    const field = order.replace("-", "")
    const known = [...(doors.own.resources.get(resource.name)?.fields.keys() ?? [])].join(" ")
    const page = side === "after" ? "first: 100" : "last: 100"
    const asked = `{ ${resource.collection}(${page}, ${side}: ${JSON.stringify(text)}, orderBy: [{ field: ${field}, direction: ${direction} }]) { nodes { id ${known} } totalCount } }`
    return { what: asked, response: await doors.graphql(asked) }
  }
  const path = `/${resource.path}`
  return { what: `${path}?${decodeURIComponent(query)}`, response: await doors.rest({ path, query }) }
}

async function tamperWithId({ service, random, doors }: Tampering): Promise<Tampered> {
  const rows = [...service.world.rows].flatMap(([name, all]) =>
    all.map((row) => ({ name, id: String(row["id"]) })),
  )
  const { name, id } = draw(random, rows)
  const other = draw(random, rows)
  const resource = resourceOf(service.whole, name)
  const bare = id.slice(id.indexOf("_") + 1)
  const text = draw(random, [
    id,
    id,
    bare,
    other.id,
    `${resource.prefix}_${other.id.slice(other.id.indexOf("_") + 1)}`,
    `${other.id.split("_")[0]}_${bare}`,
    id.toUpperCase(),
    `${id} `,
    ` ${id}`,
    `${id}~1`,
    id.split("~")[0] ?? id,
    `${bare}~${draw(random, ["0", "1", "2", "-1", "1e0", "01"])}`,
    `${id}\u0000`,
    `${id}' OR '1'='1`,
    `${id}%`,
    `${resource.prefix}_%25`,
    `${resource.prefix}_`,
    `id=${id}`,
    `${id},${other.id}`,
  ])
  const relation = draw(random, ["", ...resource.relations.keys()])
  const path = draw(random, [
    `/${resource.path}/${encodeURIComponent(text)}`,
    `/nodes/${encodeURIComponent(text)}`,
    `/${resource.path}/${encodeURIComponent(text)}/${relation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  ])
  if (random.oneIn(3)) {
    const known = [...(doors.own.resources.get(name)?.fields.keys() ?? [])].join(" ")
    const asked = draw(random, [
      `query ($id: ID!) { ${name}(id: $id) { id ${known} } }`,
      `query ($id: ID!) { node(id: $id) { id ... on ${resource.type} { ${known} } } }`,
      `query ($id: ID!) { nodes(ids: [$id, $id]) { id } }`,
      `query ($id: ID!) { ${resource.collection}(where: { id: { in: [$id] } }) { nodes { id ${known} } totalCount } }`,
    ])
    return { what: `${asked} ${text}`, response: await doors.graphql(asked, { id: text }) }
  }
  const query = random.oneIn(4) ? `ids=${encodeURIComponent(`${text},${other.id}`)}` : ""
  const at = query ? "/nodes" : path
  return { what: `${at}?${query}`, response: await doors.rest({ path: at, query }) }
}

/** The first record, or value, of an answer that is not among those that are seen. */
function widening(seen: World, { status, body }: TextResponse): { records: number; found?: string } {
  let records = 0
  let found: string | undefined
  const masks = new Map([...seen.rows.values()].flat().map((row) => [row["id"], row]))
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    if (!Array.isArray(value) && typeof (value as Entry)["id"] === "string") {
      records += 1
      found ??= wider(masks, value as Entry)
    }
    for (const inner of Object.values(value)) look(inner)
  }
  if (status === 200) look(JSON.parse(body).data ?? JSON.parse(body))
  return { records, ...(found !== undefined && { found }) }
}

function wider(masks: ReadonlyMap<unknown, Entry>, record: Entry): string | undefined {
  const mask = masks.get(record["id"])
  if (!mask) return `${record["id"]} is not seen`
  for (const [name, value] of Object.entries(record))
    if (name in mask && value !== null && JSON.stringify(value) !== JSON.stringify(mask[name]))
      return `${name} of ${record["id"]} is not seen`
  return undefined
}
