// Values at the ends of their types, asked through versions whose fields are computed of them: answers or refusals, no faults.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { withVersions } from "../../src/access/identity/identify.ts"
import { anyone, f, resource, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"

const everybody = { read: anyone, create: anyone, update: anyone, delete: anyone }

const extremes = service({
  name: "extremes",
  versions: {
    "2026-07-01": [
      {
        changed: "item.big",
        was: f.int64(),
        reads: { multiply: ["big", 100] },
        writes: { multiply: ["big", 3] },
      },
      {
        changed: "item.small",
        was: f.integer(),
        reads: { multiply: ["small", 1000] },
        writes: { add: ["small", 2147483000] },
      },
      {
        changed: "item.price",
        was: f.integer(),
        reads: { multiply: ["price", 100] },
        writes: { multiply: ["price", 0.01] },
      },
      { changed: "item.ratio", was: f.float(), reads: "ratio", writes: "ratio" },
      {
        changed: "item.size",
        was: f.oneOf(["1", "2"]),
        reads: { map: ["size", { small: "1", large: "2" }] },
        writes: { map: ["size", { "1": "small", "2": "large" }] },
      },
      {
        changed: ["item.first", "item.last"],
        was: { full: f.text() },
        reads: { full: { concat: ["first", { value: " " }, "last"] } },
        writes: { first: { before: ["full", " "] }, last: { after: ["full", " "] } },
      },
      { removed: "item.sum", was: f.integer({ optional: true }), reads: { add: ["small", "small"] } },
      { removed: "item.product", was: f.int64({ optional: true }), reads: { multiply: ["big", "big"] } },
    ],
    "2026-01-01": [],
  },
  resources: {
    item: resource({
      key: ["slug"],
      history: true,
      fields: {
        slug: f.text(),
        big: f.int64({ default: "0" }),
        small: f.integer({ default: 0 }),
        price: f.decimal({ precision: 12, scale: 2, default: "0.00" }),
        ratio: f.float({ default: 0 }),
        size: f.oneOf(["small", "large"], { default: "small" }),
        first: f.text({ max: 5, default: "" }),
        last: f.text({ max: 5, default: "" }),
      },
      allow: everybody,
    }),
  },
} as never)

const values = {
  big: ["9223372036854775807", "-9223372036854775808", "92233720368547758", "0"],
  small: [2147483647, -2147483648, 2147483, 0],
  price: ["9999999999.99", "-9999999999.99", "21474836.47", "21474836.48", "0.00"],
  ratio: [1.7976931348623157e308, -1.7976931348623157e308, 5e-324, 0.1],
  first: ["\u{1F600}", "", "a b", "é"],
} as const

for (const database of dialects)
  describe(`values at the ends of their types on ${database}`, () => {
    const hooks = cleanUp(after)

    test("are no faults of older versions", async (t) => {
      const model = load(withSystem(extremes))
      const url = await openDatabase(hooks, database, model)
      const identify = withVersions(() => strangerTo(model), model)
      const server = await openServer(hooks, url, model, {}, { identify })
      let count = 0
      const faults: string[] = []
      const send = async (
        version: string,
        method: string,
        path: string,
        body?: unknown,
        headers: object = {},
      ) => {
        const answer = await fetch(`${server.url}${path}`, {
          method,
          headers: { "content-type": "application/json", "api-version": version, ...headers },
          ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
        })
        const text = await answer.text()
        count += 1
        if (answer.status >= 500 || text.includes("internal"))
          faults.push(`${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${text.slice(0, 300)}`)
        return { status: answer.status, text }
      }
      let index = 0
      for (const [field, all] of Object.entries(values))
        for (const value of all) {
          const made = await send("2026-07-01", "POST", "/items", { slug: `s${index++}`, [field]: value })
          assert.equal(made.status, 201, made.text)
        }
      const former = ["big", "small", "price", "ratio", "size", "full", "sum", "product"]
      const operands: Record<string, readonly unknown[]> = {
        big: ["9223372036854775807", "-1", "99999999999999999999", 5],
        product: ["9223372036854775807"],
        small: [2147483647, -2147483648, 1e10, 1],
        sum: [2147483647, 0],
        price: [2147483647, -2147483648, 100, 1.5],
        ratio: [1e308, -1e308, 5e-324, 0],
        size: ["1", "2", "small", "3"],
        full: ["a b", "", " ", "\u{1F600} x", "a".repeat(3000)],
      }
      for (const name of former) {
        for (const query of [
          `sort=${name}`,
          `sort=-${name}&limit=3`,
          `fields=${name}`,
          `aggregate=count,min.${name},max.${name}`,
          `aggregate=sum.${name},avg.${name}`,
          `aggregate=count&groupBy=${name}`,
        ]) {
          const { text } = await send("2026-01-01", "GET", `/items?${query}`)
          const next = /"next": ?"([^"]+)"/.exec(text)?.[1]
          if (next) await send("2026-01-01", "GET", `/items?${query}&after=${encodeURIComponent(next)}`)
        }
        await send("2026-01-01", "POST", "/graphql", {
          query: `{ items(orderBy: [{field: ${name}}], first: 100) { nodes { ${name} history { nodes { changes } } } aggregate { count max { ${name} } } } }`,
        })
        await send("2026-01-01", "GET", `/items?include=history&fields=${name}`)
        await send("2026-01-01", "GET", `/items?fields=${name}`, undefined, { accept: "text/csv" })
        for (const operand of operands[name] ?? [])
          for (const operator of ["eq", "ne", "gt", "lte", "in"]) {
            const given = operator === "in" ? [operand] : operand
            await send(
              "2026-01-01",
              "GET",
              `/items?filter=${encodeURIComponent(JSON.stringify({ [name]: { [operator]: given } }))}`,
            )
            await send("2026-01-01", "POST", "/graphql", {
              query: `query($w: ItemWhere) { items(where: $w) { totalCount } }`,
              variables: { w: { [name]: { [operator]: given } } },
            })
          }
        for (const operand of [...(operands[name] ?? []), null, "", [], {}, true]) {
          await send("2026-01-01", "POST", "/items", { slug: `w${index++}`, [name]: operand })
          await send("2026-01-01", "PATCH", "/items/s1", { [name]: operand })
          await send("2026-01-01", "PUT", "/items/s2", { [name]: operand })
          await send(
            "2026-01-01",
            "PATCH",
            "/items/s3",
            [{ op: "replace", path: `/${name}`, value: operand }],
            { "content-type": "application/json-patch+json" },
          )
          await send("2026-01-01", "POST", "/graphql", {
            query: `mutation($i: ItemUpdateInput!) { updateItem(id: "s1", input: $i) { item { ${name} } } }`,
            variables: { i: { [name]: operand } },
          })
          await send(
            "2026-01-01",
            "PATCH",
            `/items?filter[slug][ne]=zz`,
            { [name]: operand },
            { prefer: "max-affected=100" },
          )
        }
      }
      for (const version of ["2026-01-01", "2026-07-01"]) {
        await send(version, "GET", "/events?limit=100")
        for (let slug = 0; slug < 20; slug += 1) await send(version, "GET", `/items/s${slug}?include=history`)
        await send(version, "GET", "/items?limit=100")
        await send(version, "POST", "/graphql", {
          query:
            "{ items(first: 100) { nodes { id history { nodes { changes from to } } } } events(first: 100) { nodes { changes } } }",
        })
      }
      t.diagnostic(`${count} requests, ${faults.length} faults`)
      const failures = server.observed.filter(({ kind }) => kind === "failed")
      assert.deepEqual([faults.slice(0, 8), failures.slice(0, 3)], [[], []])
    })
  })
