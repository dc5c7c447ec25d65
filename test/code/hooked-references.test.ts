// References that a hook sets: what its `db` does not see is answered as what is not there.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, hook, one, resource, role, service, signedIn, withCode } from "../../src/index.ts"
import { dialects } from "../support/open-service.ts"
import { openCode } from "./open.ts"

const note = {
  fields: { code: f.text({ unique: true }), wanted: f.text() },
  relations: { team: one("team", { optional: true }) },
  allow: { read: signedIn, create: signedIn, update: signedIn },
} as const

const declared = service({
  name: "desk",
  roles: ["lead", "porter"],
  resources: {
    team: resource({
      id: "tea",
      fields: { open: f.boolean() },
      allow: { read: [role("lead"), { open: { eq: true } }], create: role("lead") },
    }),
    note: resource({ id: "not", ...note }),
    lent: resource({ id: "len", ...note }),
    // The porter sees none of these, and does not know of those.
    unseen: resource({
      ...{ id: "uns", ...note, plural: "unseenNotes" },
      allow: { ...note.allow, read: [{ not: role("porter") }, { code: { eq: "none" } }] },
    }),
    unknown: resource({
      ...{ id: "unk", ...note, plural: "unknownNotes" },
      allow: { ...note.allow, read: { not: role("porter") } },
    }),
  },
})

const lead = { roles: ["lead"] } as const
const porter = { roles: ["porter"] } as const

const desk = withCode(declared, {
  before: {
    note: {
      create: ({ new: { wanted } }) => ({ teamId: wanted }),
      update: ({ new: { wanted } }) => ({ teamId: wanted }),
    },
    lent: {
      create: hook({ as: lead, run: ({ new: { wanted } }) => ({ teamId: wanted }) }),
      update: hook({ as: lead, run: ({ new: { wanted } }) => ({ teamId: wanted }) }),
    },
    unseen: {
      create: hook({ as: porter, run: ({ new: { wanted } }) => ({ teamId: wanted }) }),
      update: hook({ as: porter, run: ({ new: { wanted } }) => ({ teamId: wanted }) }),
    },
    unknown: {
      create: hook({ as: porter, run: ({ new: { wanted } }) => ({ teamId: wanted }) }),
      update: hook({ as: porter, run: ({ new: { wanted } }) => ({ teamId: wanted }) }),
    },
  },
})

const create = "mutation ($input: NoteCreateInput!) { createNote(input: $input) { note { id } } }"

for (const database of dialects)
  test(`a reference that a hook sets tells no hidden record from an absent one (${database})`, async (context) => {
    const { add, as, faults } = await openCode(context, desk, database)
    const { team: teams = [] } = await add({ team: [{ open: true }, { open: false }] })
    const [open = "", hidden = ""] = teams
    const absent = `tea_${"0".repeat(25)}1`
    const client = as("signedIn")
    const made = await client.rest<{ id: string }>("POST", "/notes", { code: "a", wanted: open })
    assert.equal(made.status, 201)
    const ways: readonly ((
      wanted: string,
    ) => Promise<{ readonly body: unknown; readonly status: number }>)[] = [
      (wanted) => client.rest("POST", "/notes", { code: "b", wanted }),
      (wanted) => client.rest("POST", "/notes", { code: "b", wanted, teamId: open }),
      (wanted) => client.rest("PATCH", `/notes/${made.body.id}`, { wanted }),
      (wanted) => client.rest("PUT", "/notes/code=a", { wanted }),
      (wanted) => client.rest("PUT", "/notes/code=c", { wanted }),
      (wanted) => client.rest("PATCH", "/notes?filter[code]=a", { wanted }, { prefer: "max-affected=5" }),
      async (wanted) => {
        const { errors } = await client.graphql(create, { input: { code: "b", wanted } })
        return { status: 422, body: { code: errors[0]?.extensions["code"], errors } }
      },
    ]
    for (const [at, way] of ways.entries()) {
      const [one, other] = [await way(hidden), await way(absent)]
      assert.deepEqual([one.status, (one.body as { code: string }).code], [422, "missing_reference"], `${at}`)
      assert.deepEqual(one.body, other.body, `${at}`)
    }
    const { body } = await client.rest<{ data: readonly { teamId: string }[] }>("GET", "/notes")
    assert.deepEqual(
      body.data.map(({ teamId }) => teamId),
      [open],
    )
    // The hook's own roles see it, whatever the caller sent.
    for (const teamId of [undefined, open]) {
      const given = { code: `${teamId}`, wanted: hidden, ...(teamId && { teamId }) }
      const lent = await client.rest<{ teamId: string; id: string }>("POST", "/lents", given)
      assert.deepEqual([lent.status, lent.body.teamId], [201, hidden])
      assert.equal((await client.rest("PATCH", `/lents/${lent.body.id}`, { wanted: open })).status, 200)
      assert.equal((await client.rest("PATCH", `/lents/${lent.body.id}`, { wanted: hidden })).status, 200)
    }
    assert.deepEqual(faults, [])
  })

for (const database of dialects)
  test(`a hook's roles see where a reference leads, also of a record that they do not see (${database})`, async (context) => {
    const { add, as, faults } = await openCode(context, desk, database)
    const { team: [open = "", hidden = ""] = [] } = await add({ team: [{ open: true }, { open: false }] })
    const absent = `tea_${"0".repeat(25)}1`
    const client = as("signedIn")
    for (const name of ["unseen", "unknown"]) {
      const path = `/${name}-notes`
      const made = await client.rest<{ id: string }>("POST", path, { code: "a", wanted: open })
      assert.equal(made.status, 201)
      const ways = [
        (wanted: string) => client.rest("PATCH", `${path}/${made.body.id}`, { wanted }),
        (wanted: string) => client.rest("PUT", `${path}/code=a`, { wanted }),
        (wanted: string) =>
          client.rest("PATCH", `${path}?filter[code]=a`, { wanted }, { prefer: "max-affected=5" }),
      ]
      for (const way of ways) {
        const [one, other] = [await way(hidden), await way(absent)]
        assert.deepEqual([one.status, one.body], [422, other.body])
        // It stays as it is.
        assert.equal((await way(open)).status, 200)
      }
      // A reference that the caller has set, to a team of which the hook's roles do not know, stays too.
      const { [name]: [its = ""] = [] } = await add({
        [name]: [{ code: "b", wanted: hidden, teamId: hidden }],
      })
      assert.equal((await client.rest("PATCH", `${path}/${its}`, { wanted: hidden })).status, 200)
      assert.equal((await client.rest("PUT", `${path}/code=b`, { wanted: hidden })).status, 200)
    }
    assert.deepEqual(faults, [])
  })
