// Functions of changes and writes that rules refuse: none is called where the caller may not write at all, and otherwise they
// are given what the client sent, and nothing that is stored.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { anyone, f, many, one, resource, role, service, withCode } from "../../src/index.ts"
import { startService } from "../../src/tools/testing/start-service.ts"

const version = "2026-01-01"
const staff = role("staff")
const clerk = role("clerk")

const plain = service({
  name: "shop",
  roles: ["staff", "clerk"],
  versions: {
    "2026-05-01": [
      { changed: "order.number", was: f.integer(), code: true },
      { changed: "order.secret", was: f.integer({ optional: true }), code: true },
    ],
    [version]: [],
  },
  resources: {
    box: resource({
      id: "box",
      fields: { name: f.text() },
      relations: { orders: many("order", { by: "box" }) },
      allow: { read: anyone, create: anyone, update: anyone },
    }),
    order: resource({
      id: "ord",
      fields: {
        code: f.text({ unique: true }),
        number: f.text({ default: "0" }),
        secret: f.text({ optional: true, read: staff, write: staff }),
        shown: f.boolean({ default: true }),
        locked: f.boolean({ default: false }),
      },
      relations: { box: one("box", { optional: true }) },
      allow: {
        read: [staff, { shown: { eq: true } }],
        create: [staff, { and: [clerk, { locked: { eq: false } }] }],
        update: [staff, { and: [clerk, { locked: { eq: false } }] }],
      },
    }),
  },
} as unknown as Parameters<typeof service>[0])

/** What each function was given, by its name. */
const given: (readonly [string, Readonly<Record<string, unknown>>])[] = []

const both = (name: string) => ({
  reads(all: readonly Readonly<Record<string, string | null>>[]) {
    for (const one of all) given.push([`reads ${name}`, one])
    return all.map((one) => ({ [name]: one[name] === null ? null : Number(one[name]) }))
  },
  writes(all: readonly Readonly<Record<string, number | null>>[]) {
    for (const one of all) given.push([`writes ${name}`, one])
    return all.map((one) => ({ [name]: one[name] === null ? null : String(one[name]) }))
  },
})

const coded = withCode(plain, {
  versions: { "2026-05-01": { "order.number": both("number"), "order.secret": both("secret") } },
} as never)

const records = [
  { id: "ord_hidden", code: "hidden", number: "901", secret: "902", shown: false, boxId: "box_1" },
  { id: "ord_locked", code: "locked", number: "903", secret: "904", locked: true, boxId: "box_1" },
]

type Request = readonly [
  method: string,
  path: string,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
]

/** Writes that rules refuse to everyone but staff, by each face. */
const rest: Readonly<Record<string, Request>> = {
  "PATCH of a hidden record": ["PATCH", "/orders/ord_hidden", { number: 5 }],
  "PATCH by a hidden key": ["PATCH", "/orders/code=hidden", { number: 5 }],
  "JSON Patch of a hidden record": [
    "PATCH",
    "/orders/ord_hidden",
    [{ op: "replace", path: "/number", value: 5 }],
    { "content-type": "application/json-patch+json" },
  ],
  "PUT by a hidden key": ["PUT", "/orders/code=hidden", { number: 5 }],
  "PUT of a hidden record": ["PUT", "/orders/ord_hidden", { code: "hidden", number: 5 }],
  "PATCH of a locked record": ["PATCH", "/orders/ord_locked", { number: 5 }],
  "PUT of a locked record": ["PUT", "/orders/ord_locked", { code: "locked", number: 5 }],
  "a new locked record": ["POST", "/orders", { code: "new", number: 5, locked: true }],
  "a bulk with a hidden key": ["POST", "/orders/bulk", [{ code: "hidden", number: 5 }]],
  "a batch": [
    "POST",
    "/batch",
    { requests: [{ method: "PATCH", path: "/orders/ord_hidden", body: { number: 5 } }] },
  ],
  "a nested update": ["PATCH", "/boxes/box_1", { orders: { update: [{ id: "ord_hidden", number: 5 }] } }],
}
const graphql: Readonly<Record<string, string>> = {
  update: `updateOrder(id: "ord_hidden", input: { number: 5 }) { order { number } }`,
  "update of a locked one": `updateOrder(id: "ord_locked", input: { number: 5 }) { order { number } }`,
  upsert: `upsertOrderByCode(code: "hidden", input: { number: 5 }) { order { number } }`,
  create: `createOrder(input: { code: "new", number: 5, locked: true }) { order { number } }`,
  "create of several": `createOrders(input: [{ code: "hidden", number: 5 }]) { orders { number } }`,
  nested: `updateBox(id: "box_1", input: { orders: { update: [{ id: "ord_hidden", number: 5 }] } }) { box { name } }`,
}

for (const [title, database] of [
  ["SQLite", "sqlite"],
  ["PostgreSQL", process.env["BIFOLD_TEST_POSTGRES"] ?? ""],
] as const)
  describe(`writes that rules refuse on ${title}`, () => {
    test("no function is given what is stored, and none is called without the right to write", async () => {
      await using world = await startService(coded, {
        database,
        records: { box: [{ id: "box_1", name: "b" }], order: records } as never,
      })
      const old = { "api-version": version }
      const callers = [
        ["anyone", world.anyone, false],
        ["a clerk", world.as({ roles: ["clerk"] } as never), true],
      ] as const
      for (const [who, asked, mayWrite] of callers) {
        const sent = [5, null, undefined]
        const compare = (what: string): void => {
          const told = `${what} by ${who}: ${JSON.stringify(given)}`
          assert.ok(
            given.every(([name, one]) => name === "writes number" && sent.includes(one["number"] as never)),
            told,
          )
          assert.ok(given.length <= (mayWrite ? 1 : 0), told)
        }
        for (const [what, [method, path, body, headers]] of Object.entries(rest)) {
          given.length = 0
          const { status } = await asked.rest(method, path, body, { ...old, ...headers })
          assert.ok(status >= 400 && status < 500, `${what} by ${who}: ${status}`)
          compare(what)
        }
        for (const [what, field] of Object.entries(graphql)) {
          given.length = 0
          const { data } = await asked.graphql(`mutation { done: ${field} }`, {}, old)
          assert.equal(data ?? null, null, `${what} by ${who}`)
          compare(what)
        }
        // A field that the caller may not set is none of its version.
        given.length = 0
        await asked.rest("PATCH", "/orders/ord_locked", { secret: 5 }, old)
        await asked.graphql(
          `mutation { updateOrder(id: "ord_locked", input: { secret: 5 }) { order { code } } }`,
          {},
          old,
        )
        assert.deepEqual(given, [])
      }
      // The same functions are called for who may.
      given.length = 0
      const team = world.as({ roles: ["staff"] } as never)
      assert.equal(
        (await team.rest("PATCH", "/orders/ord_hidden?fields=number", { number: 5 }, old)).status,
        200,
      )
      assert.deepEqual(given, [
        ["writes number", { number: 5 }],
        ["reads number", { number: "5" }],
      ])
    })
  })
