// Services whose API has changed at random: a record that is written by any version reads, by any other, as plain functions say.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { seeded } from "../../examples/storefront/random.ts"
import { createIdentify } from "../../src/access/identity/identify.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"
import { type Evolved, evolve, type Item, type Person } from "./random-versions.ts"

const full = process.env["BIFOLD_PROOF"] === "full"
const services = full ? 200 : 2
const records = full ? 12 : 6

type Json = Readonly<Record<string, unknown>> & { readonly id: string }
type Send = (version: string, method: string, path: string, body?: object) => Promise<Json>

describe("random services of five versions", () => {
  const hooks = cleanUp(after)
  for (const database of ["sqlite", "postgres"] as const)
    for (let seed = 1; seed <= services; seed++)
      test(`service ${seed} on ${database}`, async () => {
        const random = seeded(seed * 7_919)
        const evolved = evolve(random, 5)
        const model = load(withSystem(evolved.service))
        const url = await openDatabase(hooks, database, model)
        const answer = () => Promise.reject(new Error("nobody has a key"))
        const identify = createIdentify({ model, answer, writes: false })
        const server = await openServer(hooks, url, model, {}, { identify })
        const send: Send = async (version, method, path, body) => {
          const answered = await fetch(`${server.url}${path}`, {
            method,
            headers: { "content-type": "application/json", "api-version": version },
            ...(body && { body: JSON.stringify(body) }),
          })
          const text = await answered.text()
          if (!answered.ok) await sleep(20)
          assert.ok(
            answered.ok,
            `${JSON.stringify(server.observed.map((one) => ("error" in one ? String((one.error as Error).stack).slice(0, 700) : one)))} ${version} ${method} ${path} ${JSON.stringify(body)} ${text}`,
          )
          return JSON.parse(text)
        }
        const people: Person[] = []
        for (const [name, rank] of [
          ["b", 2],
          ["a", 2],
          ["d", null],
          ["c", 5],
        ] as const)
          people.push(
            (await send(nameOf(evolved, 4), "POST", "/people", { name, rank })) as unknown as Person,
          )
        for (let made = 0; made < records; made++) {
          const at = random.between(0, 4)
          const isOlder = at < evolved.widenedAt
          const own = random.shuffle(people).slice(0, random.between(0, isOlder ? 1 : 3))
          const given = evolved.made(at)
          const ids = own.map(({ id }) => id)
          const { id, ownerId, ...shown } = await send(nameOf(evolved, at), "POST", "/items", {
            ...given,
            ...(isOlder ? { ownerId: ids[0] ?? null } : { people: { link: ids } }),
          })
          let stored = evolved.stored(at, given, true)
          assert.deepEqual(shown, ordered(evolved, at, stored))
          assert.equal(ownerId, isOlder ? (ids[0] ?? null) : undefined)
          await readByAll(evolved, send, id, stored)
          await readOwners(evolved, send, id, own)
          const by = random.between(0, 4)
          const name = random.pick([...(evolved.versions[by]?.shape.keys() ?? [])] as [string])
          const change = { [name]: evolved.made(by)[name] ?? null }
          await send(nameOf(evolved, by), "PATCH", `/items/${id}`, change)
          stored = { ...stored, ...evolved.stored(by, change, false) }
          await readByAll(evolved, send, id, stored)
        }
        assert.deepEqual(server.observed, [])
        await server.end()
      })
})

const nameOf = ({ versions }: Evolved, at: number): string => versions[at]?.name ?? ""

/** In any order of members. */
function ordered(evolved: Evolved, at: number, stored: Item): Item {
  const shown = evolved.shown(at, stored)
  return Object.fromEntries(Object.entries(shown).filter(([name]) => evolved.versions[at]?.shape.has(name)))
}

async function readByAll(evolved: Evolved, send: Send, id: string, stored: Item): Promise<void> {
  for (const [at, { name: version, shape }] of evolved.versions.entries()) {
    const expected = ordered(evolved, at, stored)
    const { id: _, ownerId: _1, ...shown } = await send(version, "GET", `/items/${id}`)
    assert.deepEqual(shown, expected, `version ${version}`)
    const fields = [...shape.keys()].join(" ")
    const { data } = await send(version, "POST", "/graphql", { query: `{ item(id: "${id}") { ${fields} } }` })
    const { item } = data as unknown as { readonly item: object }
    assert.deepEqual({ ...item }, expected, `version ${version} by GraphQL`)
    const where = Object.fromEntries(
      Object.entries(expected).map(([name, value]) => [
        name,
        value === null ? { isNull: true } : { eq: value },
      ]),
    )
    const listed = await send(version, "GET", `/items?filter=${encodeURIComponent(JSON.stringify(where))}`)
    assert.ok(
      (listed["data"] as unknown as { id: string }[]).some((one) => one.id === id),
      `version ${version} finds it by ${JSON.stringify(where)}`,
    )
    const { history } = (await send(version, "GET", `/items/${id}?include=history&fields=id`)) as unknown as {
      readonly history: {
        readonly data: readonly { readonly changes: readonly { field: string; to: unknown }[] }[]
      }
    }
    const told: Record<string, unknown> = {}
    for (const { changes } of history.data) for (const { field, to } of changes) told[field] = to
    for (const [name, value] of Object.entries(expected))
      assert.deepEqual(told[name] ?? null, value, `version ${version}: the history of ${name}`)
  }
}

async function readOwners(
  evolved: Evolved,
  send: Send,
  id: string,
  people: readonly Person[],
): Promise<void> {
  const owner = evolved.owner(people)
  for (const [at, { name: version }] of evolved.versions.entries()) {
    if (at >= evolved.widenedAt) {
      const { data } = await send(version, "GET", `/items/${id}/people`)
      const found = (data as unknown as readonly Person[]).map((one) => one.id)
      assert.deepEqual(found.toSorted(), people.map((one) => one.id).toSorted(), `version ${version}`)
      continue
    }
    const { ownerId, owner: shown } = await send(version, "GET", `/items/${id}?include=owner`)
    assert.deepEqual([ownerId, shown], [owner?.id ?? null, owner ?? null], `version ${version}`)
    for (const where of [
      { ownerId: owner ? { eq: owner.id } : { isNull: true } },
      owner ? { owner: { name: { eq: owner.name } } } : { not: { owner: {} } },
    ]) {
      const filter = encodeURIComponent(JSON.stringify({ ...where, id: { eq: id } }))
      const { data } = await send(version, "GET", `/items?filter=${filter}`)
      assert.equal((data as unknown as object[]).length, 1, `version ${version} ${JSON.stringify(where)}`)
    }
  }
}
