// A process that goes on after another version has renamed a resource: it leaves the events to processes that know the new name.
import assert from "node:assert/strict"
import { test } from "node:test"
import { watchDatabase } from "../../src/cli/database-check.ts"
import { anyone, f, resource, role, service, withCode } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { migrate } from "../../src/storage/migration/migrate.ts"
import { withSystem } from "../../src/system/with-system.ts"
import { openDatabase, openServer, until } from "../feed/open.ts"
import type { Hooks } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { startReceiver } from "../webhooks/receiver.ts"

interface Called {
  readonly event: { readonly recordId: string }
}
type Handle = (called: Called) => void | Promise<void>

const parts = {
  roles: ["staff"],
  webhooks: { manage: role("staff"), networks: ["127.0.0.0/8"] },
} as const
const note = {
  id: "nte",
  history: true,
  fields: { text: f.text() },
  allow: { read: anyone, create: anyone },
} as const

const before = (run: Handle) =>
  withCode(
    service({
      name: "board",
      ...parts,
      versions: { "2026-01-01": [] },
      resources: { note: resource({ ...note }) },
    }),
    { on: { "note.created": run } },
  )
const renamed = (run: Handle) =>
  withCode(
    service({
      name: "board",
      ...parts,
      versions: { "2026-06-01": [{ renamed: "note", to: "memo" }], "2026-01-01": [] } as never,
      resources: { memo: resource({ ...note, was: "note" }) },
    }),
    { on: { "memo.created": run } as never },
  )

type Declared = ReturnType<typeof before> | ReturnType<typeof renamed>

async function serve(hooks: Hooks, database: string, declared: Declared) {
  const quiet = { say: () => {}, observe: () => {}, err: {} as never }
  const { model, drift } = watchDatabase(quiet, { model: load(withSystem(declared)), database })
  return openServer(hooks, database, model, { drift })
}

for (const dialect of dialects)
  test(`a process of before a renaming passes over no event (${dialect})`, async (t) => {
    const handled = new Set<string>()
    let gate: Promise<unknown> = Promise.resolve()
    const run: Handle = async ({ event: { recordId } }) => {
      await gate
      handled.add(recordId)
    }
    const first = before(run)
    const url = await openDatabase(t, dialect, load(withSystem(first)))
    const old = await serve(t, url, first)
    const receiver = await startReceiver(t)
    receiver.answer(async (response) => {
      await gate
      response.writeHead(204).end()
    })
    const input = { url: receiver.url }
    assert.equal((await old.send("POST", "/webhook-endpoints", "role:staff", input)).status, 201)
    const made: string[] = []
    const make = async (server: typeof old, path: string, count: number): Promise<void> => {
      for (let at = 0; at < count; at += 1) {
        const { status, body } = await server.send("POST", path, "anyone", { text: String(at) })
        assert.equal(status, 201, JSON.stringify(body))
        made.push(body.id)
      }
    }
    const sent = () => new Set(receiver.received.map(({ body }) => String(body.data["recordId"])))
    const all = (): boolean => made.every((id) => handled.has(id) && sent().has(id))
    await make(old, "/notes", 4)
    await until(all)
    // Some are under way when the table is renamed, and others wait for them.
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    await make(old, "/notes", 40)
    const second = renamed(run)
    await migrate(url, load(withSystem(second)), { allow: [] })
    resolve()
    const server = await serve(t, url, second)
    await make(server, "/memos", 20)
    await until(all)
    const types = new Set(receiver.received.map(({ body }) => body.type))
    assert.deepEqual([...types], ["note.created"], "the endpoint is pinned to the version of before")
  })
