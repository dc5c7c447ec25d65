// Changes by code one after the other, beside expressions and renamings; what callers do not see; other forms of answers.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { withVersions } from "../../src/access/identity/identify.ts"
import { anyone, f, many, one, resource, role, service, withCode } from "../../src/index.ts"
import { examine, load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"

const staff = role("staff")
const everybody = { read: anyone, create: anyone, update: anyone, delete: anyone }
const versions = ["2026-06-01", "2026-05-01", "2026-04-01", "2026-03-01", "2026-02-01", "2026-01-01"] as const
const [newest, v5, v4, v3, v2, v1] = versions

/** Values that `reads` of the private field was given. */
const given: unknown[] = []

const declared = withCode(
  service({
    name: "chain",
    roles: ["staff"],
    versions: {
      // A text such as `x12` was a number, the number was half of it by another name, that was a text again, and that one had parts.
      [newest]: [
        { changed: "thing.code", was: f.integer(), code: true },
        { changed: "thing.private", was: f.integer({ optional: true }), code: true },
        { changed: "thing.kind", was: f.oneOf(["big", "small"]), code: true },
      ],
      [v5]: [
        {
          changed: "thing.code",
          was: { half: f.decimal({ precision: 9, scale: 1 }) },
          reads: { half: { multiply: ["code", 0.5] } },
          writes: { code: { multiply: ["half", 2] } },
        },
        { renamed: "thing.kind.large", to: "big" },
      ],
      [v4]: [{ changed: "thing.half", was: { words: f.text() }, code: true }],
      [v3]: [
        {
          changed: "thing.words",
          was: { left: f.text(), right: f.text() },
          reads: { left: { before: ["words", " "] }, right: { after: ["words", " "] } },
          writes: { words: { concat: ["left", { value: " " }, "right"] } },
        },
      ],
      [v2]: [
        { renamed: "thing.left", to: "right" },
        { renamed: "thing.right", to: "left" },
      ],
      [v1]: [],
    } as const,
    resources: {
      box: resource({
        id: "box",
        fields: { name: f.text() },
        relations: { things: many("thing", { by: "box" }) },
        allow: everybody,
      }),
      thing: resource({
        id: "thi",
        fields: {
          code: f.text(),
          shown: f.boolean({ default: false }),
          private: f.text({ optional: true, read: [staff, { shown: { eq: true } }] }),
          kind: f.text(),
        },
        relations: { box: one("box") },
        allow: { ...everybody, create: { code: { ne: "x666" } }, update: { code: { ne: "x668" } } },
      }),
    },
  }),
  {
    versions: {
      [newest]: {
        "thing.code": {
          reads: async (things) => things.map(({ code }) => ({ code: Number(code.slice(1)) })),
          writes: (inputs) => inputs.map(({ code }) => ({ code: `x${code}` })),
        },
        "thing.private": {
          reads(things) {
            given.push(...things.map((thing) => thing.private))
            return things.map((thing) => ({ private: Number(thing.private) }))
          },
        },
        "thing.kind": {
          reads: (things) =>
            things.map(({ kind }) => ({ kind: kind === "B" ? ("big" as const) : ("small" as const) })),
          writes: (inputs) => inputs.map(({ kind }) => ({ kind: kind === "big" ? "B" : "S" })),
        },
      },
      [v4]: {
        "thing.half": {
          reads: (things) => things.map((thing) => ({ words: `half ${thing.half}` })),
          writes: (inputs) => inputs.map(({ words }) => ({ half: words.split(" ")[1] ?? "" })),
        },
      },
    },
  },
)
const model = load(withSystem(declared))

for (const database of ["sqlite", "postgres"] as const)
  describe(`changes by code, one after the other, on ${database}`, async () => {
    const hooks = cleanUp(after)
    const url = await openDatabase(hooks, database, model)
    const identify = withVersions(
      ({ authorization }) =>
        authorization === undefined ? strangerTo(model) : actorFromText(model, authorization),
      model,
    )
    const server = await openServer(hooks, url, model, {}, { identify })
    const text = async (
      version: string,
      [method, path, body]: readonly [string, string, unknown?],
      more = {},
    ) => {
      const headers = { "content-type": "application/json", "api-version": version, ...more }
      const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
      const answered = await fetch(`${server.url}${path}`, sent)
      const found = await answered.text()
      assert.ok(answered.status < 300, `${version} ${method} ${path} ${found}`)
      return found
    }
    const send = async (version: string, request: readonly [string, string, unknown?], more = {}) =>
      JSON.parse(await text(version, request, more))
    const box = (await send(newest, ["POST", "/boxes", { name: "b" }])).id
    const shown: Readonly<Record<string, (n: number) => object>> = {
      [newest]: (n) => ({ code: `x${n}`, kind: "B" }),
      [v5]: (n) => ({ code: n, kind: "big" }),
      [v4]: (n) => ({ half: (n / 2).toFixed(1), kind: "large" }),
      [v3]: (n) => ({ words: `half ${(n / 2).toFixed(1)}`, kind: "large" }),
      [v2]: (n) => ({ left: "half", right: (n / 2).toFixed(1), kind: "large" }),
      [v1]: (n) => ({ right: "half", left: (n / 2).toFixed(1), kind: "large" }),
    }

    test("what each version writes is read by every other", async () => {
      let n = 10
      for (const writer of versions) {
        n += 2
        const { id } = await send(writer, ["POST", "/things", { ...shown[writer]?.(n), boxId: box }])
        for (const reader of versions) {
          const {
            private: _,
            shown: __,
            boxId: ___,
            id: ____,
            ...own
          } = await send(reader, ["GET", `/things/${id}`])
          assert.deepEqual(own, shown[reader]?.(n), `${writer} ${reader}`)
        }
        n += 2
        await send(writer, ["PATCH", `/things/${id}`, shown[writer]?.(n)])
        assert.equal((await send(newest, ["GET", `/things/${id}`])).code, `x${n}`)
      }
    })

    test("rules judge today's values", async () => {
      const post = (version: string, body: object) =>
        fetch(`${server.url}/things`, {
          method: "POST",
          headers: { "content-type": "application/json", "api-version": version },
          body: JSON.stringify({ boxId: box, ...body }),
        })
      for (const writer of versions) {
        assert.equal((await post(writer, shown[writer]?.(666) ?? {})).status, 403, writer)
        const { id } = JSON.parse(await (await post(writer, shown[writer]?.(667) ?? {})).text())
        const body = JSON.stringify(shown[writer]?.(668))
        const headers = { "content-type": "application/json", "api-version": writer }
        const patched = await fetch(`${server.url}/things/${id}`, { method: "PATCH", headers, body })
        assert.equal(patched.status, 403, writer)
        await text(newest, ["DELETE", `/things/${id}`])
      }
      const asked = await fetch(`${server.url}/things?sort=code`, { headers: { "api-version": v5 } })
      assert.match(await asked.text(), /`code` is given by code, and no list is ordered by it/)
    })

    test("in lists of related records, tables of text, and streams of lines", async () => {
      const { boxes } = (
        await send(v5, [
          "POST",
          "/graphql",
          {
            query:
              "{ boxes(first: 1) { nodes { things(first: 9) { nodes { code box { things(first: 1) { nodes { code } } } } } } } }",
          },
        ])
      ).data
      assert.equal(typeof boxes.nodes[0].things.nodes[0].code, "number")
      assert.equal(typeof boxes.nodes[0].things.nodes[0].box.things.nodes[0].code, "number")
      const included = await send(v5, ["GET", `/boxes/${box}?include=things&include[things][limit]=2`])
      assert.deepEqual(
        included.things.data.map((thing: { code: unknown }) => typeof thing.code),
        ["number", "number"],
      )
      const csv = await text(v5, ["GET", "/things?limit=1&sort=id&fields=code,kind"], { accept: "text/csv" })
      assert.match(csv, /code,kind\r?\n.*14,big/)
      const lines = await text(v5, ["GET", "/things?limit=2&sort=id&fields=code"], {
        accept: "application/x-ndjson",
      })
      assert.deepEqual(
        lines
          .trim()
          .split("\n")
          .map((line) => typeof JSON.parse(line).code),
        ["number", "number"],
      )
    })

    test("code is given no value that its caller does not see", async () => {
      for (const isShown of [true, false])
        await send(newest, [
          "POST",
          "/things",
          { code: "x1", kind: "S", shown: isShown, private: isShown ? "7" : "8", boxId: box },
        ])
      given.length = 0
      const path = "/things?filter[shown][in]=true,false&limit=50&fields=private"
      const asked = (await send(v5, ["GET", "/things?limit=50&fields=private,shown"])).data as readonly {
        shown: boolean
        private: unknown
      }[]
      assert.ok(
        asked.every((thing) => (thing.shown ? thing.private === 7 : thing.private === null)),
        path,
      )
      assert.deepEqual(given, ["7"])
      given.length = 0
      await send(v5, ["GET", "/things?limit=50&fields=private"], { authorization: "role:staff" })
      assert.ok(given.includes("8"))
    })
  })

test("conditions and relations beside code are told by check", () => {
  const { problems } = examine({
    ...declared,
    versions: {
      [newest]: [{ changed: "thing.code", was: f.integer(), code: true }],
      [v5]: [
        {
          changed: "thing.code",
          was: f.integer(),
          reads: { if: { when: { shown: { eq: true } }, give: "code", else: 0 } },
        },
      ],
      [v4]: [],
    },
    code: { versions: { [newest]: { "thing.code": { reads: () => [] } } } },
  } as never)
  assert.deepEqual(
    problems.found.map(({ message }) => message),
    ['"code" comes from what code gives: no condition and no related record can stand beside it in `reads`.'],
  )
})
