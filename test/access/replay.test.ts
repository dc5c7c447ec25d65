// An answer that is given again is given to who may do the same as when it was given: a credential that has lost its roles,
// or is somebody else's by now, is not shown what it was shown then.
import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { test } from "node:test"
import {
  anyone,
  f,
  operation,
  resource,
  role,
  scope,
  service,
  signedIn,
  viewer,
  withCode,
} from "../../src/index.ts"
import { openCode } from "../code/open.ts"
import { dialects } from "../support/open-service.ts"

const declared = service({
  name: "shop",
  roles: ["staff"],
  scopes: ["notes"],
  viewer: "person",
  resources: {
    person: resource({
      id: "per",
      fields: {
        name: f.text(),
        note: f.text({ optional: true, read: [role("staff"), scope("notes")] }),
      },
      allow: { read: signedIn, update: [role("staff"), { id: { eq: viewer.id } }] },
    }),
  },
})
const shop = withCode(declared, {
  operations: {
    noteOf: operation({
      input: { of: f.text() },
      output: { note: f.text({ optional: true }) },
      allow: signedIn,
      run: async ({ db, input }) => ({ note: (await db.person.get(input.of))?.note ?? null }),
    }),
  },
})

const once = { "idempotency-key": "once" }

for (const database of dialects)
  test(`what was answered to more is not answered to less, ${database}`, async (context) => {
    const opened = await openCode(context, shop, database)
    const { person: [ann = "", ben = ""] = [] } = await opened.add({
      person: [
        { name: "Ann", note: "secret" },
        { name: "Ben", note: "another" },
      ],
    })
    const asks = {
      rest: (who: string, key: string) =>
        opened
          .as(who, "key_1")
          .rest("PATCH", `/people/${ann}`, { name: "Anna" }, { "idempotency-key": `rest-${key}` }),
      operation: (who: string, key: string) =>
        opened
          .as(who, "key_1")
          .rest("POST", "/actions/note-of", { of: ann }, { "idempotency-key": `operation-${key}` }),
    }
    for (const [what, ask] of Object.entries(asks))
      for (const [then, now] of [
        [`person:${ann}+role:staff`, `person:${ann}`],
        [`person:${ann}+scope:notes`, `person:${ann}`],
        [`person:${ann}+role:staff`, `person:${ben}+role:staff`],
      ] as const) {
        const key = `${then} ${now}`.replaceAll(" ", "-")
        const first = await ask(then, key)
        assert.equal(first.status, 200, `${what} ${key} ${JSON.stringify(first.body)}`)
        assert.match(JSON.stringify(first.body), /secret/)
        const again = await ask(then, key)
        assert.deepEqual([again.body, again.headers["idempotency-replayed"]], [first.body, "true"])
        const less = await ask(now, key)
        assert.equal(less.status, 422, `${what} ${key}`)
        assert.equal((less.body as { code: string }).code, "idempotency_mismatch")
      }
    const mutation = `mutation { updatePerson(id: "${ann}", input: {name: "Anne"}) { person { name } } }`
    const staff = opened.as(`person:${ann}+role:staff`, "key_1")
    assert.deepEqual((await staff.graphql(mutation, {}, once)).errors, [])
    const [refused] = (await opened.as(`person:${ann}`, "key_1").graphql(mutation, {}, once)).errors
    assert.equal(refused?.extensions.code, "idempotency_mismatch")
  })

const open = service({
  name: "newsletter",
  roles: ["staff"],
  resources: {
    signup: resource({
      id: "sgn",
      fields: { email: f.email(), note: f.text({ optional: true }) },
      allow: { create: anyone, read: anyone },
    }),
  },
})

for (const database of dialects)
  test(`a stranger's key is one that no other stranger has, ${database}`, async (context) => {
    const opened = await openCode(context, withCode(open, {}), database)
    const anybody = opened.as("anyone", "")
    const email = "ada@example.org"
    const mutation = `mutation { createSignup(input: {email: "${email}"}) { signup { id } } }`
    const asks = {
      rest: async (key: string) => {
        const { status, body } = await anybody.rest("POST", "/signups", { email }, { "idempotency-key": key })
        return { status, code: (body as { code?: string }).code, text: JSON.stringify(body) }
      },
      batch: async (key: string) => {
        const requests = [{ method: "POST", path: "/signups", body: { email } }]
        const { status, body } = await anybody.rest(
          "POST",
          "/batch",
          { requests },
          { "idempotency-key": key },
        )
        return { status, code: (body as { code?: string }).code, text: JSON.stringify(body) }
      },
      graphql: async (key: string) => {
        const { status, data, errors } = await anybody.graphql(mutation, {}, { "idempotency-key": key })
        return { status, code: errors[0]?.extensions.code, text: JSON.stringify(data) }
      },
    }
    for (const [face, ask] of Object.entries(asks)) {
      // Keys that two strangers may well send, or that one may guess of another: none is taken, whoever sends it.
      for (const guessable of [
        "1",
        "4f1c9a52",
        "signup-ada@example.org",
        "0".repeat(64),
        "00000000-0000-0000-0000-000000000000",
        "2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d",
        "019c3a5e-8a4f-7000-8000-000000000001",
      ]) {
        const { status, code } = await ask(guessable)
        assert.deepEqual([status, code], [400, "invalid_idempotency_key"], `${face} ${guessable}`)
      }
      const key = randomUUID()
      const first = await ask(key)
      assert.equal(first.code, undefined, `${face} ${first.text}`)
      assert.equal((await ask(key)).text, first.text, `${face}: a retry is safe`)
      assert.notEqual((await ask(randomUUID())).text, first.text, face)
    }
    const { body } = await opened.as("role:staff", "key_1").rest("GET", "/signups?total=true")
    assert.equal((body as { page: { total: number } }).page.total, 6, "what was refused has done nothing")
  })
