// A number that became a text, and a text that became a number: what older versions write and read.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { withVersions } from "../../src/access/identity/identify.ts"
import { anyone, f, resource, service, withCode } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"

const [newest, older] = ["2026-06-01", "2026-01-01"] as const

const declared = withCode(
  service({
    name: "numbers",
    versions: {
      [newest]: [
        {
          changed: "thing.number",
          was: f.integer(),
          code: true,
          writes: { concat: [{ value: "N-" }, { textOf: "number" }] },
        },
        { changed: "thing.body", was: { text: f.text() }, reads: { text: "body" }, writes: { body: "text" } },
        {
          changed: "thing.great",
          was: { word: f.text(), next: f.text({ optional: true }) },
          reads: { word: { textOf: "great" }, next: { textOf: { add: ["great", 1] } } },
        },
        {
          changed: "thing.mark",
          was: { digit: f.int64() },
          reads: { digit: "great" },
          writes: { textOf: "digit" },
        },
      ],
      [older]: [],
    },
    resources: {
      thing: resource({
        id: "thg",
        fields: {
          number: f.text(),
          body: f.text(),
          great: f.int64({ default: "0" }),
          mark: f.text(),
          shown: f.text({ computed: { textOf: { multiply: ["great", 1] } } }),
        },
        allow: { read: anyone, create: anyone, update: anyone },
      }),
    },
  }),
  {
    versions: {
      [newest]: {
        "thing.number": {
          reads: (things: readonly { readonly number: string }[]) =>
            things.map(({ number }) => ({ number: Number(number.slice(2)) })),
        },
      },
    },
  } as never,
)

type Json = Readonly<Record<string, unknown>>

for (const database of ["sqlite", "postgres"] as const)
  describe(`texts of numbers on ${database}`, async () => {
    const hooks = cleanUp(after)
    const model = load(withSystem(declared))
    const url = await openDatabase(hooks, database, model)
    const server = await openServer(
      hooks,
      url,
      model,
      {},
      { identify: withVersions(() => strangerTo(model), model) },
    )
    const send = async (version: string, method: string, path: string, body?: unknown): Promise<Json> => {
      const answered = await fetch(`${server.url}${path}`, {
        method,
        headers: { "content-type": "application/json", "api-version": version },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const found = (await answered.json()) as Json
      assert.ok(answered.status < 300, JSON.stringify(found))
      return found
    }

    test("are made of what an older version writes, and read by it", async () => {
      const given = { number: -7, text: "a", digit: "-9223372036854775808" }
      const { id } = await send(older, "POST", "/things", given)
      const { number, body, mark } = await send(newest, "GET", `/things/${id}`)
      assert.deepEqual({ number, body, mark }, { number: "N--7", body: "a", mark: "-9223372036854775808" })
      const query = `mutation { updateThing(id: "${id}", input: { number: 12, digit: "5", text: "b" }) { thing { number text word } } }`
      assert.deepEqual((await send(older, "POST", "/graphql", { query }))["data"], {
        updateThing: { thing: { number: 12, text: "b", word: "0" } },
      })
      const now = await send(newest, "GET", `/things/${id}`)
      assert.deepEqual([now["number"], now["body"], now["mark"]], ["N-12", "b", "5"])
    })

    test("are filtered and sorted by, and missing beyond 64 bits", async () => {
      for (const great of ["-31", "9223372036854775807"])
        await send(newest, "POST", "/things", { number: "N-1", body: "a", mark: "1", great })
      const filter = encodeURIComponent(JSON.stringify({ word: { in: ["-31", "9223372036854775807"] } }))
      const { data } = await send(older, "GET", `/things?sort=-word&fields=word,next&filter=${filter}`)
      assert.deepEqual(
        (data as readonly Json[]).map(({ word, next }) => [word, next]),
        [
          ["9223372036854775807", null],
          ["-31", "-30"],
        ],
      )
      const shown = encodeURIComponent(JSON.stringify({ shown: { eq: "-31" } }))
      const found = await send(newest, "GET", `/things?fields=great&filter=${shown}`)
      assert.deepEqual(
        (found["data"] as readonly Json[]).map(({ great }) => great),
        ["-31"],
      )
    })
  })
