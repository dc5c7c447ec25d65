// Handlers of a resource that is renamed go on where they were, with what waits.
import assert from "node:assert/strict"
import { after, test } from "node:test"
import { anyone, f, handler, resource, service, withCode } from "../../src/index.ts"
import { emptyDatabase, openVersion } from "../log/versions.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"

const hooks = cleanUp(after)
const allow = { read: anyone, create: anyone, update: anyone, delete: anyone }

interface Called {
  readonly event: { readonly type: string; readonly changes: object }
  readonly record: { readonly id: string } | undefined
}

for (const database of dialects)
  test(`handlers of a resource that is renamed go on where they were (${database})`, async () => {
    const url = await emptyDatabase(hooks, database)
    const seen: string[] = []
    const say =
      (name: string) =>
      ({ event, record }: Called): void =>
        void seen.push(
          `${name} ${event.type} ${JSON.stringify(event.changes)} of ${record?.id.replace(/_.*/, "")}`,
        )
    let broken = true
    const fail = (): void => {
      if (broken) throw new Error("not yet")
    }
    const note = service({
      name: "board",
      resources: { note: resource({ fields: { text: f.text() }, allow }) },
    })
    const first = await openVersion(
      url,
      withCode(note, {
        on: {
          "note.created": handler({ run: fail }),
          "note.updated": say("updated"),
          "note.*": handler({ name: "named", run: fail }),
        },
      }),
    )
    const handled = await first.start()
    const { body } = await first.client.rest<{ id: string }>("POST", "/notes", { text: "a" })
    assert.equal((await handled.settled()).length, 2)
    await handled.close()
    // Nobody has handled this.
    await first.client.rest("PATCH", `/notes/${body.id}`, { text: "b" })
    await first.close()
    assert.deepEqual(seen, [])

    broken = false
    const memo = service({
      name: "board",
      resources: { memo: resource({ was: "note", fields: { body: f.text({ was: "text" }) }, allow }) },
    })
    const second = await openVersion(
      url,
      withCode(memo, {
        on: {
          "memo.created": say("created"),
          "memo.updated": say("updated"),
          "memo.*": handler({ name: "named", run: say("named") }),
        },
      }),
    )
    const later = Date.now() + 3_600_000
    const again = await second.start(() => later)
    assert.deepEqual(await again.settled(), [])
    await second.close()
    const [created, updated] = ['{"body":{"from":null,"to":"a"}}', '{"body":{"from":"a","to":"b"}}']
    assert.deepEqual(seen.toSorted(), [
      `created memo.created ${created} of memo`,
      `named memo.created ${created} of memo`,
      `named memo.updated ${updated} of memo`,
      `updated memo.updated ${updated} of memo`,
    ])
  })

for (const database of dialects)
  test(`handlers of a resource whose ids begin otherwise go on where they were (${database})`, async () => {
    const url = await emptyDatabase(hooks, database)
    const seen: string[] = []
    let broken = true
    const version = (id: string) =>
      withCode(
        service({
          name: "board",
          resources: {
            note: resource({ id, fields: { text: f.text() }, allow }),
            town: resource({ id: "twn", fields: { name: f.text() }, allow }),
          },
        }),
        {
          on: {
            "note.*": ({ event, record }) => {
              if (broken) throw new Error("not yet")
              seen.push(`${event.type} ${event.version} ${record?.id.replace(/_.*/, "")}`)
            },
            "town.*": () => {
              if (broken) throw new Error("not yet")
              seen.push("town")
            },
          },
        },
      )
    const first = await openVersion(url, version("note"))
    const handled = await first.start()
    const { body } = await first.client.rest<{ id: string }>("POST", "/notes", { text: "a" })
    await first.client.rest("POST", "/towns", { name: "a" })
    assert.equal((await handled.settled()).length, 2)
    await first.client.rest("PATCH", `/notes/${body.id}`, { text: "b" })
    await first.close()

    broken = false
    const second = await openVersion(url, version("nt"))
    assert.deepEqual(second.steps, ["ids:note"])
    const later = Date.now() + 3_600_000
    const again = await second.start(() => later)
    assert.deepEqual(await again.settled(), [])
    await second.close()
    assert.deepEqual(seen.toSorted(), ["note.created 1 nt", "note.updated 2 nt", "town"])
  })
