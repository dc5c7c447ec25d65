// Fields of each type that are gone, as `bifold versions cut` writes them: older versions are served with the values that stand there.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { withVersions } from "../../src/access/identity/identify.ts"
import { anyone, f, resource, service } from "../../src/index.ts"
import type { VersionChange } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { changesBetween } from "../../src/model/versions/cut.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"

const digits = { precision: 9, scale: 2 }

/** With the value that older versions read. */
const gone = {
  text: [f.text(), ""],
  email: [f.email(), "nobody@example.com"],
  url: [f.url(), "https://example.com/"],
  slug: [f.slug(), "none"],
  integer: [f.integer(), 0],
  atLeast: [f.integer({ min: 3 }), 3],
  int64: [f.int64(), "0"],
  float: [f.float(), 0],
  decimal: [f.decimal(digits), "0.00"],
  boolean: [f.boolean(), false],
  date: [f.date(), "1970-01-01"],
  time: [f.time(), "00:00:00"],
  timestamp: [f.timestamp(), "1970-01-01T00:00:00Z"],
  uuid: [f.uuid(), "00000000-0000-0000-0000-000000000000"],
  json: [f.json(), {}],
  bytes: [f.bytes(), ""],
  choice: [f.oneOf(["large", "small"]), "large"],
  usual: [f.oneOf(["large", "small"], { default: "small" }), "small"],
  list: [f.list(f.text()), []],
  ...Object.fromEntries(
    Object.entries({
      noText: f.text({ optional: true }),
      noNumber: f.integer({ optional: true }),
      noDecimal: f.decimal({ ...digits, optional: true }),
      noFloat: f.float({ optional: true }),
      noBoolean: f.boolean({ optional: true }),
      noDate: f.date({ optional: true }),
      noTime: f.timestamp({ optional: true }),
      noChoice: f.oneOf(["large", "small"], { optional: true }),
      noJson: f.json({ optional: true }),
      noBytes: f.bytes({ optional: true }),
      noUuid: f.uuid({ optional: true }),
      noList: f.list(f.text(), { optional: true }),
    }).map(([name, field]) => [name, [field, null] as const]),
  ),
} as const

const shop = (fields: object, versions: Readonly<Record<string, readonly VersionChange[]>>) =>
  service({
    name: "shop",
    versions,
    resources: {
      item: resource({
        id: "itm",
        fields: { name: f.text(), ...fields },
        allow: { read: anyone, create: anyone, update: anyone },
      }),
    },
  } as never)

const known = Object.entries(gone)
const was = shop(Object.fromEntries(known.map(([name, [field]]) => [name, field])), { "2026-01-01": [] })
const now = shop({}, { "2026-01-01": [] })
const { changes } = changesBetween(
  { declaration: was, model: load(was) },
  { declaration: now, model: load(now) },
)

for (const database of ["sqlite", "postgres"] as const)
  describe(`fields that are gone, on ${database}`, async () => {
    const hooks = cleanUp(after)
    const model = load(withSystem(shop({}, { "2026-06-01": changes, "2026-01-01": [] })))
    const identify = withVersions(() => strangerTo(model), model)
    const url = await openDatabase(hooks, database, model)
    const server = await openServer(hooks, url, model, {}, { identify })
    const send = async (path: string, body?: unknown) => {
      const answered = await fetch(`${server.url}${path}`, {
        headers: { "content-type": "application/json", "api-version": "2026-01-01" },
        ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      })
      const text = await answered.text()
      assert.ok(answered.status < 300, text)
      return JSON.parse(text)
    }
    const values = Object.fromEntries(known.map(([name, [, value]]) => [name, value]))
    const own = ({ id: _, name: _1, ...others }: Record<string, unknown>) => others

    test("are read with a value of their type, or none", async () => {
      const made = await send("/items", { name: "first", ...values, list: ["a"], noText: "given" })
      assert.deepEqual(own(made), values)
      const { data } = await send("/items")
      assert.deepEqual(data.map(own), [values])
    })

    test("have null in conditions, orders and answers of GraphQL", async () => {
      for (const name of ["noText", "noNumber", "noDecimal", "noDate", "noChoice", "noBoolean"]) {
        const { data } = await send(`/items?filter[${name}][isNull]=true&sort=${name}&fields=${name}`)
        assert.deepEqual(data.map(own), [{ [name]: null }], name)
      }
      const query = `{ items(first: 1) { nodes { ${known.map(([name]) => name).join(" ")} } } }`
      const { data, errors } = await send("/graphql", { query })
      assert.deepEqual(errors, undefined)
      assert.deepEqual(data.items.nodes, [values])
    })
  })
