// Processes at one PostgreSQL database wake each other: none has to wait for its own look.
import assert from "node:assert/strict"
import { once } from "node:events"
import { type AddressInfo, createServer, connect as dial } from "node:net"
import { after, describe, test } from "node:test"
import pg from "pg"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { openStorage } from "../../src/storage/open.ts"
import { cleanUp, type Hooks } from "../support/database.ts"
import { notes } from "./notes.ts"
import { openDatabase, openServer, openStream, until } from "./open.ts"

const model = load(withSystem(notes))
const staff = "role:staff"
/** Milliseconds: no test waits for it. */
const look = 3_600_000

interface Watch {
  readonly url: string
  /** Backends that listen or tell. */
  backends(): Promise<readonly number[]>
  end(backend: number): Promise<void>
}

async function watchAt(hooks: Hooks, url: string): Promise<Watch> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  hooks.after(() => client.end())
  return {
    url,
    async backends() {
      const { rows } = await client.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'bifold notifications' AND query ~ '^(LISTEN|SELECT pg_notify)'",
      )
      return rows.map(({ pid }) => pid)
    },
    end: async (backend) => void (await client.query("SELECT pg_terminate_backend($1)", [backend])),
  }
}

describe("processes at one PostgreSQL database", () => {
  const hooks = cleanUp(after)

  test("a write by one reaches a subscriber of the other at once, also after their connections were lost", async () => {
    const url = await openDatabase(hooks, "postgres")
    const [writer, reader] = [await openServer(hooks, url), await openServer(hooks, url, model, { look })]
    const watch = await watchAt(hooks, url)
    const ownerId = (await writer.send("POST", "/people", staff, { name: "Ada" })).body.id
    const write = (title: string) => writer.send("POST", "/folders", staff, { title, ownerId })
    const stream = await openStream(`${reader.url}/events/stream`, staff)
    await write("first")
    await stream.until(1)
    await until(async () => (await watch.backends()).length === 2)
    const before = await watch.backends()
    for (const backend of before) await watch.end(backend)
    await until(async () => (await watch.backends()).filter((one) => !before.includes(one)).length === 2)
    await write("second")
    await stream.until(2)
    stream.cut()
  })

  test("many writes in a short while are told once", async () => {
    const url = await openDatabase(hooks, "postgres")
    const [writer, reader] = [
      await openStorage(url, { writes: "unsafe" }),
      await openStorage(url, { writes: "unsafe" }),
    ]
    const watch = await watchAt(hooks, url)
    let heard = 0
    reader.signal?.hear(() => {
      heard += 1
    })
    let itself = 0
    writer.signal?.hear(() => {
      itself += 1
    })
    await until(async () => (await watch.backends()).length === 2)
    const [before, own] = [heard, itself]
    for (let count = 0; count < 1_000; count += 1) writer.signal?.tell()
    await until(() => heard > before)
    await Promise.all([writer, reader].map((one) => one.close()))
    assert.ok(heard - before <= 2, `${heard - before} notifications`)
    assert.equal(itself, own)
    assert.deepEqual(await watch.backends(), [])
  })

  test("behind a pooler they look by themselves", async () => {
    const url = await openDatabase(hooks, "postgres")
    const pooled = new URL(url)
    pooled.port = String(await poolerBefore(hooks, Number(pooled.port)))
    const [writer, reader] = [
      await openServer(hooks, pooled.href),
      await openServer(hooks, pooled.href, model, { look: 20 }),
    ]
    const ownerId = (await writer.send("POST", "/people", staff, { name: "Ada" })).body.id
    const stream = await openStream(`${reader.url}/events/stream`, staff)
    await writer.send("POST", "/folders", staff, { title: "first", ownerId })
    await stream.until(1)
    stream.cut()
    assert.deepEqual(await (await watchAt(hooks, url)).backends(), [])
  })
})

/** Tells clients another number of their backend than it has, as poolers do. */
async function poolerBefore(hooks: Hooks, port: number): Promise<number> {
  const key = Buffer.from([0x4b, 0, 0, 0, 12])
  const server = createServer((client) => {
    const behind = dial(port, "127.0.0.1")
    client.pipe(behind)
    behind.on("data", (bytes: Buffer) => {
      const at = bytes.indexOf(key)
      if (at >= 0) bytes.writeInt32BE(1, at + key.length)
      client.write(bytes)
    })
    for (const [one, other] of [
      [client, behind],
      [behind, client],
    ] as const)
      one.on("close", () => other.destroy()).on("error", () => other.destroy())
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  hooks.after(() => void server.close())
  return (server.address() as AddressInfo).port
}
