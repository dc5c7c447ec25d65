// A field that one version added and a later one joined with others: writes of those who never had it keep what records have of it.
import assert from "node:assert/strict"
import { test } from "node:test"
import { withVersions } from "../../src/access/identity/identify.ts"
import { anyone, f, resource, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"

type Json = Record<string, unknown>

const [newest, middle, oldest] = ["2026-09-01", "2026-06-01", "2026-01-01"] as const

const people = service({
  name: "people",
  versions: {
    [newest]: [
      {
        changed: ["person.full"],
        was: { first: f.text(), last: f.text({ default: "-" }) },
        reads: { first: { before: ["full", " "] }, last: { after: ["full", " "] } },
        writes: { full: { concat: ["first", { value: " " }, "last"] } },
      },
      {
        changed: ["person.mail", "person.phone"],
        was: { home: f.text({ optional: true }), away: f.text({ optional: true }) },
        reads: { home: "mail", away: "phone" },
        writes: { mail: "home", phone: "away" },
      },
    ],
    [middle]: [{ added: "person.last" }, { added: "person.away" }],
    [oldest]: [],
  },
  resources: {
    person: resource({
      id: "per",
      fields: {
        full: f.text(),
        mail: f.text({ optional: true }),
        phone: f.text({ optional: true }),
      },
      allow: { read: anyone, create: anyone, update: anyone },
    }),
  },
})

for (const database of ["sqlite", "postgres"] as const)
  test(`a write that never knew an added field keeps it (${database})`, async (context) => {
    const model = load(people)
    const hooks = cleanUp((end) => context.after(end))
    const url = await openDatabase(hooks, database, model)
    const identify = withVersions(() => strangerTo(model), model)
    const server = await openServer(hooks, url, model, {}, { identify })
    const send = async (version: string, method: string, path: string, body?: Json) => {
      const answered = await fetch(`${server.url}${path}`, {
        method,
        headers: { "content-type": "application/json", "api-version": version },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: answered.status, body: (await answered.json()) as Json }
    }
    const made = await send(oldest, "POST", "/people", { first: "Ann", home: "a" })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const path = `/people/${made.body["id"]}`
    const now = async () => {
      const { full, mail, phone } = (await send(newest, "GET", path)).body
      return [full, mail, phone]
    }
    assert.deepEqual(await now(), ["Ann -", "a", null])
    await send(middle, "PATCH", path, { first: "Ann", last: "Lee", home: "a", away: "b" })
    assert.deepEqual(await now(), ["Ann Lee", "a", "b"])
    // Two fields of today: each of its own.
    assert.equal((await send(oldest, "PATCH", path, { home: "c" })).status, 200)
    assert.deepEqual(await now(), ["Ann Lee", "c", "b"])
    // One field of today has both: the last name would be lost.
    for (const [method, input] of [
      ["PATCH", { first: "Bob" }],
      ["PUT", { first: "Bob", home: "c" }],
    ] as const) {
      const { status, body } = await send(oldest, method, path, input)
      assert.equal(status, 400, JSON.stringify(body))
      assert.match(JSON.stringify(body), /readonly_field.*first/)
    }
    assert.deepEqual(await now(), ["Ann Lee", "c", "b"])
  })
