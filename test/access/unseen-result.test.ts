// A create is refused that leaves a record which its maker would not see: the hint says so where the record's own members decide.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, one, resource, role, service, viewer } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { openDatabase, openServer } from "../feed/open.ts"

const staff = role("staff")
const clerk = role("clerk")
const own = { owner: { id: { eq: viewer.id } } }
const model = load(
  withSystem(
    service({
      name: "desk",
      roles: ["staff", "clerk"],
      viewer: "person",
      resources: {
        person: resource({
          id: "per",
          fields: { name: f.text() },
          allow: { read: [staff, clerk], create: staff },
        }),
        folder: resource({
          id: "fol",
          fields: { shown: f.boolean() },
          allow: { read: [staff, clerk], create: staff },
        }),
        note: resource({
          id: "not",
          fields: { text: f.text(), shown: f.boolean({ default: false }), code: f.text({ unique: true }) },
          relations: { owner: one("person") },
          allow: {
            read: [staff, { shown: { eq: true } }, own],
            create: [staff, { text: { ne: "no" } }],
            update: [staff, own],
          },
        }),
        page: resource({
          id: "pag",
          fields: { text: f.text() },
          relations: { folder: one("folder") },
          allow: { read: [staff, { folder: { shown: { eq: true } } }], create: [staff, clerk] },
        }),
      },
    }),
  ),
)

const hint = "The record must be visible to you after the write: give it values that keep it visible."

for (const database of ["sqlite", "postgres"] as const)
  test(`the hint of a create whose result its maker would not see, on ${database}`, async (t) => {
    const server = await openServer(t, await openDatabase(t, database, model), model)
    const make = async (path: string, body: object): Promise<string> => {
      const made = await server.send("POST", path, "role:staff", body)
      assert.equal(made.status, 201, JSON.stringify(made.body))
      return String(made.body["id"])
    }
    const ownerId = await make("/people", { name: "Ada" })
    const ada = `person:${ownerId}+role:clerk`
    const otherId = await make("/people", { name: "Bob" })
    const closed = await make("/folders", { shown: false })
    let made = 0
    const answer = async (path: string, given: object, name: string) => {
      const input = name === "Note" ? { code: `c${made++}`, ...given } : given
      const rest = await server.send("POST", path, ada, input)
      const query = `mutation($input: ${name}CreateInput!) { create${name}(input: $input) { ${name.toLowerCase()} { id } } }`
      const { body } = await server.send("POST", "/graphql", ada, { query, variables: { input } })
      return JSON.stringify([rest.status, rest.body, body["errors"]])
    }
    const refused = async (input: object, hints: number, [path, name] = ["/notes", "Note"]) => {
      const said = await answer(path, input, name)
      assert.match(said, /403/, said)
      assert.equal(said.split(hint).length - 1, hints, said)
    }
    assert.match(await answer("/notes", { text: "a", ownerId }, "Note"), /^\[201/)
    await refused({ text: "a", ownerId: otherId }, 2)
    await refused({ text: "no", ownerId: otherId }, 2)
    // The rule of the action alone.
    await refused({ text: "no", ownerId }, 0)
    // Sight depends on another record.
    await refused({ text: "a", folderId: closed }, 0, ["/pages", "Page"])
    const shown = await make("/folders", { shown: true })
    assert.match(await answer("/pages", { text: "a", folderId: shown }, "Page"), /^\[201/)
    // A hidden record has the key, or none has it.
    await make("/notes", { text: "a", ownerId: otherId, code: "taken" })
    const refusals = async (code: string, input: object): Promise<string> => {
      const upsert = `mutation($input: NoteUpsertByCodeInput!) { upsertNoteByCode(code: "${code}", input: $input) { note { id } } }`
      const made = await answer("/notes", { ...input, code }, "Note")
      const put = await server.send("PUT", `/notes/code=${code}`, ada, input)
      const { body } = await server.send("POST", "/graphql", ada, { query: upsert, variables: { input } })
      return JSON.stringify([made, put.status, put.body, body])
        .replaceAll(code, "…")
        .replaceAll(/\\*"requestId\\*":\\*"[^"]*"/g, "")
    }
    for (const input of [
      { text: "a", ownerId: otherId },
      { text: "no", ownerId: otherId },
      { text: "no", ownerId },
    ])
      assert.equal(await refusals("taken", input), await refusals("spare", input))
  })
