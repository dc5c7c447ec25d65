// A replacement that leaves a member out gives it its default: the rule of the member is asked as of any other value.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { withVersions } from "../../src/access/identity/identify.ts"
import { anyone, f, resource, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"

const isOpen = { open: { eq: true } }
const declared = service({
  name: "things",
  versions: {
    "2026-06-01": [
      {
        changed: "thing.price",
        was: { cents: f.integer({ default: 0 }) },
        reads: { cents: { multiply: ["price", 100] } },
        writes: { price: { multiply: ["cents", 0.01] } },
      },
    ],
    "2026-01-01": [],
  },
  resources: {
    thing: resource({
      id: "thg",
      fields: {
        code: f.text({ unique: true }),
        open: f.boolean({ default: true }),
        rank: f.text({ default: "low", write: isOpen }),
        price: f.decimal({ precision: 8, scale: 2, default: "0.00", write: isOpen }),
      },
      allow: { read: anyone, create: anyone, update: anyone },
    }),
  },
} as Parameters<typeof service>[0])

for (const database of ["sqlite", "postgres"] as const)
  describe(`defaults of replaced records on ${database}`, async () => {
    const hooks = cleanUp(after)
    const model = load(withSystem(declared))
    const url = await openDatabase(hooks, database, model)
    const identify = withVersions(() => strangerTo(model), model)
    const server = await openServer(hooks, url, model, {}, { identify })
    const send = async (version: string, method: string, path: string, body?: unknown) => {
      const answered = await fetch(`${server.url}${path}`, {
        method,
        headers: { "content-type": "application/json", "api-version": version },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: answered.status, body: (await answered.json()) as Readonly<Record<string, unknown>> }
    }
    let count = 0

    for (const [version, member] of [
      ["2026-06-01", "price"],
      ["2026-01-01", "cents"],
    ] as const)
      test(`a replacement by ${version} sets no member that its caller may not set`, async () => {
        const code = `c${++count}`
        const given = { code, rank: "high", [member]: member === "price" ? "1.00" : 100 }
        const made = await send(version, "POST", "/things", given)
        assert.equal(made.status, 201)
        const path = `/things/${made.body["id"]}`
        assert.equal((await send(version, "PATCH", path, { open: false })).status, 200)
        for (const [at, own] of [
          [path, { code }],
          [`/things/code=${code}`, {}],
        ] as const)
          for (const left of [{ rank: "high" }, { [member]: given[member] }, {}]) {
            const replaced = await send(version, "PUT", at, { ...own, open: false, ...left })
            assert.equal(replaced.status, 403, `${at} ${JSON.stringify(left)}`)
          }
        const { rank, price } = (await send("2026-06-01", "GET", path)).body
        assert.deepEqual({ rank, price }, { rank: "high", price: "1.00" })
      })

    test("a new record has the defaults of members that its caller may not set", async () => {
      const made = await send("2026-01-01", "POST", "/things", { code: `c${++count}`, open: false })
      assert.deepEqual([made.status, made.body["rank"], made.body["cents"]], [201, "low", 0])
    })
  })
