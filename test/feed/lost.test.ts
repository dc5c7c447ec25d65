// A record that another record hides: its followers are told at its next change, once, and those who never saw it are not.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { openDatabase, openServer, openStream, until } from "./open.ts"
import { openSubscription } from "./subscriber.ts"

const hooks = cleanUp(after)
const staff = "role:staff"

for (const database of dialects)
  describe(`a record that another one hides, on ${database}`, () => {
    test("leaves at its next change, once, for those who were shown it", async () => {
      const server = await openServer(hooks, await openDatabase(hooks, database))
      const made = async (path: string, body: object): Promise<string> =>
        (await server.send("POST", path, staff, body)).body.id
      const [annId, benId] = [await made("/people", { name: "Ann" }), await made("/people", { name: "Ben" })]
      const open = await made("/folders", { title: "open", ownerId: benId, open: true })
      const shut = await made("/folders", { title: "shut", ownerId: benId })
      const stream = await openStream(`${server.url}/events/stream?resource=note`, `person:${annId}`)
      await until(() => stream.lastId !== undefined)
      const subscription = openSubscription(server.url, `person:${annId}`, "noteChanges", {
        members: "kind recordId",
        after: String(stream.lastId),
      })
      await subscription.begun
      const seen = await made("/notes", { text: "seen", ownerId: benId, folderId: open })
      await stream.until(1)
      await until(() => subscription.changes.length === 1)
      const unseen = await made("/notes", { text: "unseen", ownerId: benId, folderId: shut })
      await server.send("PATCH", `/folders/${open}`, staff, { open: false })
      for (const text of ["one", "two"])
        for (const id of [seen, unseen]) await server.send("PATCH", `/notes/${id}`, staff, { text })
      await server.send("DELETE", `/notes/${seen}`, staff)
      const last = await made("/notes", { text: "own", ownerId: annId })
      await until(
        () =>
          stream.frames.at(-1)?.data["recordId"] === last &&
          subscription.changes.at(-1)?.["recordId"] === last,
      )
      const told = [
        ["CREATED", seen],
        ["LEFT", seen],
        ["CREATED", last],
      ]
      assert.deepEqual(
        stream.frames.map(({ data }) => [data["kind"], data["recordId"]]),
        told,
      )
      assert.deepEqual(
        subscription.changes.map(({ kind, recordId }) => [kind, recordId]),
        told,
      )
      const { id: _, at: __, ...left } = stream.frames[1]?.data ?? {}
      assert.deepEqual(left, { kind: "LEFT", type: "note.left", resource: "note", recordId: seen })
      stream.cut()
      subscription.cut()
    })
  })
