// Words of refusals: each names the mistake that was made, on both databases.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { anyone, f, many, one, resource, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"

const allow = { read: anyone, create: anyone, update: anyone, delete: anyone }

const declared = service({
  name: "things",
  webhooks: { manage: anyone },
  resources: {
    label: resource({
      id: "lab",
      fields: { name: f.text() },
      relations: { box: one("box") },
      allow: { ...allow, read: { box: { open: { eq: true } } } },
    } as never),
    box: resource({ id: "box", fields: { open: f.boolean({ default: true }) }, allow } as never),
    note: resource({
      id: "note",
      fields: { points: f.integer({ min: 0, default: 0 }), title: f.text({ default: "" }) },
      relations: { labels: many("label", { through: "note_label" }) },
      states: { initial: "open", transitions: { close: { from: "open", to: "closed", allow: anyone } } },
      allow,
    } as never),
  },
} as never)

for (const database of ["sqlite", "postgres"] as const)
  describe(`mistakes on ${database}`, async () => {
    const hooks = cleanUp(after)
    const model = load(withSystem(declared))
    const url = await openDatabase(hooks, database, model)
    const server = await openServer(hooks, url, model)
    const send = async (method: string, path: string, body?: unknown, headers: object = {}) => {
      const answered = await fetch(`${server.url}${path}`, {
        method,
        headers: { "content-type": "application/json", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: answered.status, body: (await answered.json()) as Record<string, unknown> }
    }
    const mistakes = async (...request: Parameters<typeof send>) => {
      const { body } = await send(...request)
      return (body["errors"] as Record<string, string>[]).map(({ code, detail, hint }) => [
        code,
        detail,
        ...(hint === undefined ? [] : [hint]),
      ])
    }
    const made = async () => String((await send("POST", "/notes", {})).body["id"])

    test("a label that is absent is no label to link, and neither is a hidden one", async () => {
      const box = String((await send("POST", "/boxes", {})).body["id"])
      const { body } = await send("POST", "/labels", { name: "x", boxId: box })
      const absent = `lab_${"0".repeat(25)}8`
      assert.equal((await send("PATCH", `/boxes/${box}`, { open: false })).status, 200)
      for (const id of [String(body["id"]), absent])
        assert.deepEqual(await mistakes("PATCH", `/notes/${await made()}`, { labels: { link: [id] } }), [
          ["missing_reference", `Label ${id} not found.`],
        ])
    })

    test("bounds are those of the field, where a value of it is wrong", async () => {
      const wrong = (what: string) => [["invalid_value", `\`${what}`]]
      const whole = "must be a whole number from 0 to 2147483647, not"
      assert.deepEqual(await mistakes("POST", "/notes", { points: "3" }), wrong(`points\` ${whole} "3".`))
      assert.deepEqual(await mistakes("POST", "/notes", { points: 1.5 }), wrong(`points\` ${whole} 1.5.`))
      assert.deepEqual(
        await mistakes("GET", "/notes?filter[points][lt]=x"),
        wrong('points.lt` must be a whole number from -2147483648 to 2147483647, not "x".'),
      )
      assert.equal((await send("GET", "/notes?filter[points][gt]=-1")).status, 200)
    })

    test("a transition of several records needs their ids, or a condition", async () => {
      assert.deepEqual(await mistakes("POST", "/notes/transitions/close", {}), [
        [
          "missing_field",
          "A list of ids must name the records.",
          "Or by a condition, with how many records may be affected.",
        ],
      ])
    })

    test("of several ids, the first in the order of the list that refuses is told", async () => {
      const closed = await made()
      assert.equal((await send("POST", `/notes/${closed}/transitions/close`)).status, 200)
      const absent = `note_${"0".repeat(25)}8`
      const statusOf = async (ids: readonly string[]) =>
        (await send("POST", `/notes/transitions/close?ids=${ids}`)).status
      assert.deepEqual([await statusOf([closed, absent]), await statusOf([absent, closed])], [409, 404])
    })

    test("weak entity tags, large bodies and addresses of webhooks", async () => {
      const path = `/notes/${await made()}`
      assert.deepEqual(await mistakes("PATCH", path, { points: 1 }, { "if-match": 'W/"1"' }), [
        [
          "stale_version",
          "If-Match names weak entity tags alone, which no record has.",
          "Send the ETag of an answer as it is, without W/.",
        ],
      ])
      assert.deepEqual(await mistakes("POST", "/notes", { title: "x".repeat(2 ** 20) }), [
        ["too_large", "The request's body is larger than 1000000 bytes.", "Send less at a time."],
      ])
      assert.deepEqual(await mistakes("POST", "/webhook-endpoints", { url: "ftp://x" }), [
        ["invalid_value", '`url` must be an https address without blanks and @, not "ftp://x".'],
      ])
    })
  })
