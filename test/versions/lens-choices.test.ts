// Choices (`if`) in the writes and reads of changes: boolean and enumeration, in each form of a write, in conditions and in
// histories; and what cannot be decided, which `check` says.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { withVersions } from "../../src/access/identity/identify.ts"
import { anyone, f, many, one, resource, role, service } from "../../src/index.ts"
import { examine, load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"

const allow = { read: anyone, create: anyone, update: anyone, delete: anyone }
const [newest, middle, oldest] = ["2026-09-01", "2026-06-01", "2026-01-01"] as const

type Versions = NonNullable<Parameters<typeof service>[0]["versions"]>

const things = (versions: unknown, more: object = {}) =>
  service({
    name: "things",
    roles: ["staff"],
    versions: versions as Versions,
    resources: {
      thing: resource({
        id: "thg",
        history: true,
        fields: {
          code: f.text({ unique: true }),
          status: f.oneOf(["running", "off", "gone"]),
          open: f.boolean({ default: false }),
          hidden: f.oneOf(["a", "b"], { read: role("staff"), default: "a" }),
          size: f.integer({ default: 1 }),
          price: f.decimal({ precision: 9, scale: 2, default: "0.00" }),
          ...more,
        },
        relations: { lines: many("line", { by: "thing" }) },
        allow,
      }),
      line: resource({
        id: "lin",
        fields: { count: f.integer() },
        relations: { thing: one("thing") },
        allow,
      }),
    },
  } as Parameters<typeof service>[0])

const when = (condition: object, give: unknown, other?: unknown) => ({
  if: { when: condition, give, ...(other !== undefined && { else: other }) },
})
const value = (of: string) => ({ value: of })

const changes = {
  [newest]: [
    { renamed: "thing.state", to: "status" },
    { renamed: "thing.status.on", to: "running" },
  ],
  [middle]: [
    {
      changed: "thing.state",
      was: { active: f.boolean({ optional: true, default: true }) },
      reads: {
        active: when({ state: { eq: "on" } }, true, when({ not: { state: { in: ["on", "gone"] } } }, false)),
      },
      writes: {
        state: when(
          { active: { isNull: true } },
          value("gone"),
          when({ active: { eq: true } }, value("on"), value("off")),
        ),
      },
    },
    {
      changed: "thing.open",
      was: { door: f.oneOf(["open", "closed"]) },
      reads: { door: when({ open: { eq: true } }, value("open"), value("closed")) },
      writes: { open: when({ door: { eq: "open" } }, true, false) },
    },
    {
      changed: "thing.size",
      was: { scale: f.oneOf(["S", "M", "L"], { default: "S" }) },
      reads: {
        scale: when({ size: { lt: 10 } }, value("S"), when({ size: { lte: 20 } }, value("M"), value("L"))),
      },
      writes: { size: when({ scale: { in: ["S"] } }, 1, when({ scale: { ne: "L" } }, 10, 30)) },
    },
    {
      changed: "thing.price",
      was: { cents: f.int64({ default: "0" }) },
      reads: { cents: { multiply: ["price", 100] } },
      writes: {
        price: when(
          { or: [{ cents: { gte: "0" } }, { and: [{ cents: { lt: "-1000" } }] }] },
          { multiply: ["cents", 0.01] },
          0,
        ),
      },
    },
    {
      removed: "thing.secret",
      was: f.boolean(),
      reads: when({ hidden: { eq: "b" } }, true, false),
      writes: "ignored",
    },
  ],
  [oldest]: [],
}

type Json = Readonly<Record<string, unknown>>

/** What the oldest version gives, and what the newest has of it. */
const writes: readonly (readonly [input: Json, now: Json, back?: Json])[] = [
  [{ active: true }, { status: "running" }],
  [{ active: false }, { status: "off" }],
  [{ active: null }, { status: "gone" }],
  [{ door: "open" }, { open: true }],
  [{ door: "closed" }, { open: false }],
  [{ scale: "M" }, { size: 10 }],
  [{ scale: "L" }, { size: 30 }],
  [{ scale: "S" }, { size: 1 }],
  [{ cents: "1250" }, { price: "12.50" }],
  [{ cents: "-5000" }, { price: "-50.00" }],
  [{ cents: "-1" }, { price: "0.00" }, { cents: "0" }],
]

for (const database of ["sqlite", "postgres"] as const)
  describe(`choices in changes on ${database}`, async () => {
    const hooks = cleanUp(after)
    const model = load(withSystem(things(changes)))
    const url = await openDatabase(hooks, database, model)
    const identify = withVersions(() => strangerTo(model), model)
    const server = await openServer(hooks, url, model, {}, { identify })
    const send = async (version: string, method: string, path: string, body?: unknown) => {
      const answered = await fetch(`${server.url}${path}`, {
        method,
        headers: { "content-type": "application/json", "api-version": version },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answered.text()
      return { status: answered.status, body: (text === "" ? {} : JSON.parse(text)) as Json }
    }
    const has = (record: Json, wanted: Json) => {
      for (const [name, one] of Object.entries(wanted)) assert.deepEqual([name, record[name]], [name, one])
    }
    let count = 0
    const given = { active: true, door: "closed" }

    const ways = {
      POST: async (input: Json) => {
        const made = await send(oldest, "POST", "/things", { code: `c${++count}`, ...given, ...input })
        assert.equal(made.status, 201, JSON.stringify(made.body))
        return made.body
      },
      PATCH: async (input: Json) => {
        const { body } = await ways.POST({})
        return (await send(oldest, "PATCH", `/things/${body?.["id"] ?? ""}`, input)).body
      },
      "PUT by a unique key": async (input: Json) => {
        const code = `c${++count}`
        await ways.POST({ code })
        const put = await send(oldest, "PUT", `/things/code=${code}`, { ...given, ...input })
        assert.equal(put.status, 200, JSON.stringify(put.body))
        return put.body
      },
      GraphQL: async (input: Json) => {
        const { body } = await send(oldest, "POST", "/graphql", {
          query:
            "mutation ($input: ThingCreateInput!) { createThing(input: $input) { thing { id active door scale cents } } }",
          variables: { input: { code: `c${++count}`, ...given, ...input } },
        })
        assert.equal(body["errors"], undefined, JSON.stringify(body))
        return (body["data"] as { createThing: { thing: Json } }).createThing.thing
      },
    } as unknown as Readonly<Record<string, (input: Json) => Promise<Json>>> & {
      readonly POST: (input: Json) => Promise<Json & { readonly body?: Json }>
    }
    for (const way of ["POST", "PUT by a unique key", "GraphQL"])
      test(`${way} by the oldest version gives the newest what it chooses`, async () => {
        for (const [input, now, back = input] of writes) {
          const made = await ways[way]?.(input)
          assert.ok(made)
          has(made, back)
          has((await send(newest, "GET", `/things/${made["id"]}`)).body, now)
          has((await send(oldest, "GET", `/things/${made["id"]}`)).body, back)
        }
      })

    test("PATCH and JSON Patch write one choice and leave the others", async () => {
      const { body: made } = await send(oldest, "POST", "/things", { code: `c${++count}`, ...given })
      const path = `/things/${made["id"]}`
      for (const [input, now, back = input] of writes) {
        const patched = await send(oldest, "PATCH", path, input)
        assert.equal(patched.status, 200, JSON.stringify(patched.body))
        has(patched.body, back)
        has((await send(newest, "GET", path)).body, now)
      }
      has((await send(newest, "GET", path)).body, { status: "gone", open: false, size: 1, price: "0.00" })
    })

    test("the version's default is chosen by, and conditions and groups are by what is read", async () => {
      const made = await send(oldest, "POST", "/things", { code: `c${++count}`, door: "open" })
      has((await send(newest, "GET", `/things/${made.body["id"]}`)).body, { status: "running", open: true })
      const totals = async (version: string, filter: object) => {
        const asked = `/things?total=true&limit=1&filter=${encodeURIComponent(JSON.stringify(filter))}`
        const { status, body } = await send(version, "GET", asked)
        assert.equal(status, 200, JSON.stringify(body))
        return (body["page"] as { total: number }).total
      }
      for (const [then, now] of [
        [{ active: { eq: true } }, { status: { eq: "running" } }],
        [{ active: { ne: true } }, { status: { ne: "running" } }],
        [{ active: { isNull: true } }, { status: { eq: "gone" } }],
        [{ door: { eq: "open" } }, { open: { eq: true } }],
        [{ scale: { in: ["S", "L"] } }, { or: [{ size: { lt: 10 } }, { size: { gt: 20 } }] }],
      ] as const)
        assert.equal(await totals(oldest, then), await totals(newest, now), JSON.stringify(then))
    })

    test("a field by a condition on what a caller does not see is not shown", async () => {
      const { body } = await send(oldest, "POST", "/things", { code: `c${++count}`, ...given })
      assert.equal(body["door"], "closed")
      assert.ok(!("secret" in body))
    })

    test("histories of older versions tell changes by what is read", async () => {
      const { body: made } = await send(newest, "POST", "/things", {
        code: `c${++count}`,
        status: "running",
        size: 15,
      })
      const path = `/things/${made["id"]}`
      await send(newest, "PATCH", path, { status: "off", size: 16, open: true })
      await send(oldest, "PATCH", path, { active: null, scale: "L" })
      const { body } = await send(oldest, "GET", `${path}?include=history&fields=id`)
      const entries = (body["history"] as { data: readonly Json[] }).data.map((entry) =>
        Object.fromEntries(
          (entry["changes"] as readonly { field: string; from: unknown; to: unknown }[]).map(
            ({ field, from, to }) => [field, [from, to]],
          ),
        ),
      )
      assert.deepEqual(
        entries.map(({ code: _, cents: _1, ...rest }) => rest),
        [
          { active: [null, true], door: [null, "closed"], scale: [null, "M"] },
          { active: [true, false], door: ["closed", "open"] },
          { active: [false, null], scale: ["M", "L"] },
        ],
      )
    })

    test("nothing went wrong inside", () => {
      assert.deepEqual(server.observed, [])
    })
  })

test("what cannot be decided on an input is an error of check", () => {
  const wrong = (was: object, writes: unknown, reads: unknown = "status") => {
    const of = {
      changed: "thing.status",
      was: { before: was },
      reads: { before: reads },
      writes: { status: writes },
    }
    let text = ""
    try {
      load(things({ [newest]: [of], [oldest]: [] }))
    } catch (error) {
      text = JSON.stringify((error as { problems?: unknown }).problems ?? String(error))
    }
    return text
  }
  const text = f.text()
  const choice = (condition: object) => when(condition, value("running"), value("off"))
  assert.equal(wrong(text, choice({ before: { eq: "x" } })), "")
  for (const [was, writes, said] of [
    [
      text,
      choice({ before: { contains: "x" } }),
      /cannot ask `contains` of \\"before\\" \(text\).*It takes eq, ne, in, notIn/,
    ],
    [text, choice({ before: { lt: "x" } }), /cannot ask `lt`/],
    [
      f.date(),
      choice({ before: { eq: "2026-01-01" } }),
      /cannot ask `eq` of \\"before\\" \(date\).*read-only/,
    ],
    [f.float(), choice({ before: { gt: 1 } }), /cannot ask `gt` of \\"before\\" \(float\)/],
    [f.list(f.text()), choice({ before: { has: "x" } }), /cannot ask `has`/],
    [text, choice({ other: { eq: "x" } }), /There is no field \\"other\\" for the condition/],
    [text, choice({ status: { eq: "off" } }), /There is no field \\"status\\" for the condition/],
    [text, choice({ before: { is: "x" } }), /has no operator \\"is\\"/],
    [text, choice({ before: { isNull: true } }), /has no operator \\"isNull\\"/],
    [text, choice({ before: "x" }), /takes an object of operators/],
    [text, choice({ or: { before: { eq: "x" } } }), /`or` takes a list of conditions/],
    [f.boolean(), choice({ before: { eq: "yes" } }), /`before.eq` must be true or false/],
    [f.oneOf(["a"]), choice({ before: { in: ["b"] } }), /`before.in` must be one of \\"a\\"/],
    [f.integer(), { count: "lines" }, /cannot follow \\"lines\\" \(`count`\)/],
    [f.integer(), { sum: ["lines", "count"] }, /cannot follow \\"lines\\" \(`sum`\)/],
    [text, { field: ["lines", "count"] }, /cannot follow \\"lines\\" \(`field`\)/],
  ] as const)
    assert.match(
      wrong(was, writes, was.scalar === "oneOf" ? value("a") : "status"),
      said,
      JSON.stringify(writes),
    )
  const reads = (condition: object) => wrong(text, choice({ before: { eq: "x" } }), choice(condition))
  assert.equal(reads({ code: { contains: "x" } }), "")
  assert.match(reads({ nothing: { eq: 1 } }), /There is no field \\"nothing\\" for the condition/)
  assert.match(reads({ size: { eq: "many" } }), /`size.eq` must be a whole number of 32 bits/)
})

test("what new records of an older version have is checked when the service is loaded", () => {
  const wrong = (field: unknown, writes: unknown) => {
    try {
      load(things({ [newest]: [{ added: "thing.more", writes }], [oldest]: [] }, { more: field }))
      return ""
    } catch (error) {
      return JSON.stringify((error as { problems?: unknown }).problems ?? String(error))
    }
  }
  assert.equal(wrong(f.text({ max: 3 }), "abc"), "")
  for (const [field, writes, said] of [
    [f.text({ max: 3 }), "abcd", /have \\"abcd\\" as \\"more\\", which must be text of at most 3 characters/],
    [f.oneOf(["a"]), "b", /must be one of \\"a\\"/],
    [f.integer(), "many", /must be a value, as each record needs one/],
  ] as const)
    assert.match(wrong(field, writes), said)
})

test("a field that each of many changes names twice is an error of check", () => {
  const chain = (count: number) => {
    const dates = Array.from({ length: count + 1 }, (_, index) => `${2010 + index}-01-01`).reverse()
    const change = {
      changed: "thing.code",
      was: { code: f.text() },
      reads: { code: when({ code: { eq: "new" } }, value("old"), "code") },
      writes: { code: when({ code: { eq: "old" } }, value("new"), "code") },
    }
    const versions = Object.fromEntries(dates.map((date, index) => [date, index < count ? [change] : []]))
    const { problems } = examine(things(versions, { code: f.text() }))
    return problems.found.map(({ place, message }) => `${place?.join(".")}: ${message}`)
  }
  assert.deepEqual(chain(8), [])
  const [first, ...more] = chain(20)
  assert.equal(
    first,
    'versions.2022-01-01.0: "code" comes to an expression of 1278 parts with the changes since; at most 1000 are served.',
  )
  for (const one of more) assert.match(one, /at most 1000 are served/)
})
