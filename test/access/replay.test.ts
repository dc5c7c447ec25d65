// An answer that is given again is given to who may do the same as when it was given: a credential that has lost its roles,
// or is somebody else's by now, is not shown what it was shown then.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, operation, resource, role, scope, service, signedIn, viewer, withCode } from "../../src/index.ts"
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
