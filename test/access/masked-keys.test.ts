// A unique value that the caller does not see finds no record for them, in an upsert either (docs/guide/permissions.md): otherwise a
// guess would tell which record has it.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, problem, resource, service, signedIn, viewer, withCode } from "../../src/index.ts"

import { startService } from "../../src/tools/testing/start-service.ts"
import { openCode } from "../code/open.ts"
import { temporaryPostgres } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"

const club = service({
  name: "club",
  viewer: "person",
  versions: { "2026-06-01": [{ renamed: "person.mail", to: "email" }], "2026-01-01": [] },
  resources: {
    person: resource({
      id: "per",
      fields: {
        name: f.text(),
        email: f.email({ unique: true, read: { id: { eq: viewer.id } } }),
      },
      allow: { read: signedIn, create: signedIn, update: { name: { ne: "Eve" } } },
    }),
  },
})

const old = { "api-version": "2026-01-01" }

for (const database of dialects)
  test(`an upsert does not find a record by a value that is hidden, ${database}`, async (context) => {
    const url = database === "postgres" ? await temporaryPostgres(context) : undefined
    await using opened = await startService(club, { ...(url !== undefined && { database: url }) })
    const { person: [annId = "", benId = ""] = [] } = await opened.add({
      person: [
        { name: "Ann", email: "ann@x.org" },
        { name: "Ben", email: "ben@x.org" },
      ],
    })
    const asAnn = opened.as({ viewer: annId })
    const ask = async (method: string, path: string, body: object, headers = {}): Promise<string> => {
      const answer = await asAnn.rest<{ code?: string }>(method, path, body, headers)
      return `${answer.status} ${answer.body.code ?? ""}`
    }
    const upsert = async (email: string): Promise<string> => {
      const document = `mutation { upsertPersonByEmail(email: "${email}", input: { name: "New" }) { person { id } } }`
      const { errors } = await asAnn.graphql(document)
      return String(errors?.[0]?.extensions?.["code"] ?? "done")
    }
    const nameOf = async (id: string): Promise<string> =>
      (await asAnn.rest<{ name: string }>("GET", `/people/${id}`)).body.name

    assert.equal(await ask("PUT", "/people/email=ben@x.org", { name: "New" }), "422 rule_violated")
    assert.equal(await upsert("ben@x.org"), "rule_violated")
    assert.equal(await ask("PUT", "/people/mail=ben@x.org", { name: "New" }, old), "422 rule_violated")
    assert.equal(await nameOf(benId), "Ben")

    assert.equal(await ask("PUT", "/people/email=ann@x.org", { name: "Anna" }), "200 ")
    assert.equal(await upsert("ann@x.org"), "done")
    assert.equal(await nameOf(annId), "New")
    assert.equal(await ask("PUT", "/people/email=cyd@x.org", { name: "Cyd" }), "201 ")
    assert.equal(await upsert("dee@x.org"), "done")
    assert.equal(await ask("PUT", "/people/email=ann@x.org", { name: "Eve" }), "403 forbidden")
    assert.equal(await ask("PUT", "/people/mail=ann@x.org", { name: "Eve" }, old), "403 forbidden")
  })

const hooked = withCode(
  service({
    name: "hooked",
    viewer: "person",
    resources: {
      person: resource({
        id: "per",
        fields: {
          name: f.text(),
          email: f.email({ unique: true, read: { id: { eq: viewer.id } } }),
        },
        allow: { read: signedIn, create: { name: { ne: "Eve" } }, update: { name: { ne: "Eve" } } },
      }),
    },
  }),
  {
    before: {
      person: {
        create({ new: { name } }) {
          if (name === "refuse") throw problem("conflict", "Not this name.")
          return name === "spoil" ? { name: "Eve" } : {}
        },
        update() {
          throw problem("conflict", "Never.")
        },
      },
    },
  },
)

for (const database of dialects)
  test(`hooks of an upsert tell no value that is hidden, ${database}`, async (context) => {
    const opened = await openCode(context, hooked, database)
    const { person: [ann = ""] = [] } = await opened.add({
      person: [
        { name: "Ann", email: "ann@x.org" },
        { name: "Ben", email: "ben@x.org" },
        { name: "Eve", email: "eve@x.org" },
      ],
    })
    const asAnn = opened.as(`person:${ann}`)
    const put = async (email: string, name: string): Promise<unknown> => {
      const { status, body } = await asAnn.rest<{ code?: string }>("PUT", `/people/email=${email}`, { name })
      return [status, body]
    }
    const upsert = async (email: string, name: string): Promise<unknown> => {
      const document = `mutation { upsertPersonByEmail(email: "${email}", input: { name: "${name}" }) { person { id } } }`
      return (await asAnn.graphql(document)).errors
    }
    for (const ask of [put, upsert])
      for (const [name, code] of [
        ["refuse", "conflict"],
        ["spoil", "forbidden"],
        ["Eve", "forbidden"],
      ] as const) {
        const free = await ask("dan@x.org", name)
        assert.match(JSON.stringify(free), new RegExp(`"code":"${code}"`))
        assert.deepEqual(await ask("ben@x.org", name), free, name)
        // One whose update would be forbidden as it is.
        assert.deepEqual(await ask("eve@x.org", name), free, name)
      }
    for (const ask of [put, upsert]) {
      assert.match(JSON.stringify(await ask("ben@x.org", "New")), /"code":"rule_violated"/)
      assert.match(JSON.stringify(await ask("ann@x.org", "New")), /"code":"conflict"/)
    }
    assert.deepEqual(opened.faults, [])
  })
