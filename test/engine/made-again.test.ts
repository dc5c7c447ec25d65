// A record that is made in the place of one that was deleted has none of its versions: who has seen that one changes and
// deletes nothing of this one unseen, at any door by which the place is named.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, resource, service, signedIn } from "../../src/index.ts"
import { createVersions } from "../../src/plan/values/typeid.ts"
import { openCode } from "../code/open.ts"
import { dialects } from "../support/open-service.ts"

const all = { read: signedIn, create: signedIn, update: signedIn, delete: signedIn }

const desk = service({
  name: "desk",
  resources: {
    memo: resource({
      id: "mem",
      versioned: "required",
      fields: { text: f.text(), slug: f.slug({ unique: true }) },
      allow: all,
    }),
    team: resource({
      key: ["code"],
      fields: { code: f.slug({ immutable: true }), text: f.text() },
      allow: all,
    }),
  },
})

const places = [
  { of: "a unique key", path: "/memos/slug=inbox", make: ["POST", "/memos", { slug: "inbox" }] },
  { of: "a natural key", path: "/teams/inbox", make: ["POST", "/teams", { code: "inbox" }] },
  { of: "a natural key, by PUT", path: "/teams/inbox", make: ["PUT", "/teams/inbox", {}] },
] as const

for (const database of dialects) {
  for (const { of, path, make } of places)
    test(`what was seen of a record is no version of the next one in its place, by ${of} (${database})`, async (t) => {
      const somebody = (await openCode(t, desk, database)).as("signedIn")
      const [method, to, input] = make
      const versions: string[] = []
      for (const text of ["Ann's", "Bob's"]) {
        const { status, headers } = await somebody.rest(method, to, { ...input, text })
        assert.equal(status, 201)
        versions.push(headers["etag"] ?? "")
        const [old] = versions
        if (versions.length === 1)
          assert.equal((await somebody.rest("DELETE", path, undefined, { "if-match": `${old}` })).status, 204)
      }
      const [seen, current] = versions.map((version) => ({ "if-match": version }))
      const ways = [
        ["PATCH", { text: "unseen" }],
        ["DELETE", undefined],
      ] as const
      for (const [way, body] of ways) {
        assert.equal((await somebody.rest(way, path, body, seen)).status, 412)
        assert.deepEqual((await somebody.rest<{ text: string }>("GET", path)).body.text, "Bob's")
      }
      assert.equal((await somebody.rest("PATCH", path, { text: "seen" }, current)).status, 200)
    })

  test(`neither it is by GraphQL (${database})`, async (t) => {
    const somebody = (await openCode(t, desk, database)).as("signedIn")
    const made = async () => {
      const document = `mutation { createTeam(input: { code: "inbox", text: "one" }) { team { etag } } }`
      return (await somebody.graphql<Made>(document)).data?.createTeam.team.etag
    }
    const change = async (version: unknown) => {
      const given = `id: "inbox", ifMatch: "${version}", input: { text: "x" }`
      const { errors } = await somebody.graphql(`mutation { updateTeam(${given}) { team { text } } }`)
      return errors?.map(({ extensions }) => extensions?.["code"])
    }
    const first = await made()
    await somebody.graphql(`mutation { deleteTeam(id: "inbox") { deletedId } }`)
    const second = await made()
    assert.deepEqual(await change(first), ["stale_version"])
    assert.deepEqual(await change(second), [])
  })
}

interface Made {
  readonly createTeam: { readonly team: { readonly etag: string } }
}

test("versions begin above all that were given before, whatever the clock says", () => {
  const moments = [5, 5, 5.0005, 3, 9]
  const next = createVersions(() => moments.shift() ?? 0)
  assert.deepEqual([next(), next(), next(), next(), next()], [5_000, 5_001, 5_002, 5_003, 9_000])
})
