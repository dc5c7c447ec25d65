// A process that goes on after another version has renamed a resource: it leaves the events to processes that know the new name.
import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { anyone, f, resource, role, service, withCode } from "../../src/index.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { watchDatabase } from "../../src/service/database-check.ts"
import { migrate } from "../../src/storage/migration/migrate.ts"
import { type FeedServer, openDatabase, openServer, until } from "../feed/open.ts"
import type { Hooks } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { startReceiver } from "../webhooks/receiver.ts"

interface Called {
  readonly event: { readonly recordId: string }
}
type Handle = (called: Called) => void | Promise<void>

const names = ["note", "memo", "sheet"] as const
const versions = [
  ["2026-09-01", [{ renamed: "memo", to: "sheet" }]],
  ["2026-06-01", [{ renamed: "note", to: "memo" }]],
  ["2026-01-01", []],
] as const

/** The service when the resource had the name. */
function declared(name: (typeof names)[number], run: Handle) {
  const at = names.indexOf(name)
  const board = {
    name: "board",
    roles: ["staff"],
    webhooks: { manage: role("staff"), networks: ["127.0.0.0/8"] },
    versions: Object.fromEntries(versions.slice(2 - at)),
    resources: {
      [name]: resource({
        id: "nte",
        history: true,
        ...(at > 0 && { was: names.slice(0, at) as never }),
        fields: { text: f.text() },
        allow: { read: anyone, create: anyone },
      }),
    },
  }
  return withCode(service(board as never), { on: { [`${name}.created`]: run } as never })
}

async function serve(hooks: Hooks, database: string, service: ServiceDeclaration) {
  const quiet = { say: () => {}, observe: () => {}, err: {} as never }
  const { model, drift } = watchDatabase(quiet, { model: load(withSystem(service)), database })
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
    const url = await openDatabase(t, dialect, load(withSystem(declared("note", run))))
    const rename = async (name: (typeof names)[number]) => {
      const next = declared(name, run)
      await migrate(url, load(withSystem(next)), { allow: [] })
      return () => serve(t, url, next)
    }
    const first = await serve(t, url, declared("note", run))
    const receiver = await startReceiver(t)
    receiver.answer(async (response) => {
      await gate
      response.writeHead(204).end()
    })
    const input = { url: receiver.url }
    assert.equal((await first.send("POST", "/webhook-endpoints", "role:staff", input)).status, 201)
    const made: string[] = []
    const make = async (server: FeedServer, path: string, count: number): Promise<void> => {
      for (let at = 0; at < count; at += 1) {
        const { status, body } = await server.send("POST", path, "anyone", { text: String(at) })
        assert.equal(status, 201, JSON.stringify(body))
        made.push(body.id)
      }
    }
    const all = (): boolean => {
      const sent = new Set(receiver.received.map(({ body }) => body.data["recordId"]))
      return made.every((id) => handled.has(id) && sent.has(id))
    }
    await make(first, "/notes", 4)
    await until(all)
    // The first process has nothing to do when the table is renamed, and is asked nothing.
    const second = await (await rename("memo"))()
    for (let round = 0; round < 3; round += 1) {
      await make(second, "/memos", 10)
      await until(all)
      // Partitions are divided again each second.
      await sleep(1_100)
    }
    // Some events are under way, and others wait for them.
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    await make(second, "/memos", 40)
    const start = await rename("sheet")
    resolve()
    await make(await start(), "/sheets", 10)
    await until(all)
    const types = new Set(receiver.received.map(({ body }) => body.type))
    assert.deepEqual([...types], ["note.created"], "the endpoint is pinned to the oldest version")
  })
