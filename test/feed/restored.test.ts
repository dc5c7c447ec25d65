// After a restore, and after a failover that lost writes, positions of the log are given again. Those who keep ids of events,
// or a cursor, get everything that is written from then on all the same.
import assert from "node:assert/strict"
import { cpSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, type TestContext, test } from "node:test"
import pg from "pg"
import { bifold, type Serving, serving } from "../cli/run.ts"
import { missing, readStream, startNats } from "../sinks/nats-server.ts"
import { temporaryFolder } from "../support/database.ts"
import { ownPostgres } from "../support/own-postgres.ts"
import { startReceiver } from "../webhooks/receiver.ts"
import {
  type Consumer,
  followPages,
  followStream,
  followSubscription,
  handledIn,
  receivedBy,
  shop,
} from "./restored.ts"
import { until } from "./stream.ts"

/** A database that goes back in time. */
interface Rewound {
  readonly database: string
  save(): Promise<void>
  /** To what was saved. */
  rewind(): Promise<void>
  /** The service goes on meanwhile. */
  readonly running: boolean
}

const count = 12

async function proveAll(t: TestContext, cwd: string, { database, running, ...rewound }: Rewound) {
  writeFileSync(join(cwd, "shop.ts"), shop)
  const given = ["shop.ts", "--database", database]
  const applied = await bifold(["migrate", "apply", ...given], { cwd })
  assert.equal(applied.code, 0, applied.stderr)
  const nats = missing ? undefined : await startNats(t)
  const environment = {
    BIFOLD_SECRET: "a secret of the tests, which is long enough",
    ...(nats && { BIFOLD_NATS: nats.url }),
  }
  let server: Serving | undefined
  const start = async (): Promise<void> => {
    server = await serving(given, { cwd, environment })
  }
  t.after(async () => void (await server?.end()))
  const base = (): string => server?.url ?? ""
  await start()
  const receiver = await startReceiver(t)
  await made(base, "/webhook-endpoints", { url: receiver.url })
  const messages = new Set<string>()
  const connection = await nats?.connect()
  const consumers: Readonly<Record<string, Consumer>> = {
    pages: followPages(t, base),
    stream: followStream(t, base),
    subscription: followSubscription(t, base),
    webhook: receivedBy(receiver),
    handler: handledIn(cwd),
    ...(connection && { nats: { seen: messages, gaps: 0 } }),
  }
  const lacking = async (ids: readonly string[]): Promise<Readonly<Record<string, number>>> => {
    if (connection)
      for (const { body } of await readStream(connection, "shop")) messages.add(String(body["recordId"]))
    return Object.fromEntries(
      Object.entries(consumers).map(([name, { seen }]) => [name, ids.filter((id) => !seen.has(id)).length]),
    )
  }
  const orders = async (prefix: string): Promise<readonly string[]> => {
    const ids: string[] = []
    for (let at = 0; at < count; at += 1) ids.push(await made(base, "/orders", { number: `${prefix} ${at}` }))
    return ids
  }
  const arrive = async (ids: readonly string[]): Promise<void> => {
    let left = {}
    await until(async () => {
      left = await lacking(ids)
      return Object.values(left).every((one) => one === 0)
    }).catch(() => assert.deepEqual(left, {}, "of these each lacks so many"))
  }
  // A subscription begins with what is written from then on.
  await until(async () => {
    await made(base, "/orders", { number: "first" })
    return (consumers["subscription"]?.seen.size ?? 0) > 0
  })
  await arrive(await orders("kept"))
  if (!running) await server?.end()
  await rewound.save()
  if (!running) await start()
  const lost = await orders("lost")
  await arrive(lost)
  if (!running) await server?.end()
  await rewound.rewind()
  if (!running) await start()
  assert.deepEqual(await there(base, lost), [], "they are lost")
  await arrive(await orders("new"))
  for (const name of ["pages", "stream", "subscription"])
    assert.equal(consumers[name]?.gaps, 1, `${name} were told once`)
}

/** The id of a record; asked for again while the database is away. */
async function made(base: () => string, path: string, body: object): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    const answer = await fetch(`${base()}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (answer.status === 201) return JSON.parse(text).id
    if (answer.status !== 503 || tries > 300) throw new Error(`${answer.status} ${text}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Those that are there; asked for again while the database is away. */
async function there(base: () => string, ids: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const id of ids) {
    const { status } = await fetch(`${base()}/orders/${id}`)
    assert.ok([200, 404].includes(status), String(status))
    if (status === 200) found.push(id)
  }
  return found
}

async function administer(url: string, ...commands: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const command of commands) await client.query(command)
  await client.end()
}

describe("everybody gets every event", () => {
  const copies = {
    "a copy of a SQLite file was put back": {
      async save(file: string, copy: string) {
        const { code, stderr } = await bifold(["backup", file, copy], { cwd: dirname(file) })
        assert.equal(code, 0, stderr)
      },
      rewound: ["", "-wal", "-shm"],
    },
    "the copy took the place of a SQLite file, byte for byte": {
      save: async (file: string, copy: string) => cpSync(file, copy),
      // The file itself stays, and is written over.
      rewound: ["-wal", "-shm"],
    },
  } as const
  for (const [what, { save, rewound }] of Object.entries(copies))
    test(`after ${what}`, async (t) => {
      const cwd = await temporaryFolder(t)
      const [file, copy] = [join(cwd, "shop.db"), join(cwd, "copy.db")]
      writeFileSync(file, "")
      await proveAll(t, cwd, {
        database: file,
        running: false,
        save: () => save(file, copy),
        async rewind() {
          for (const end of rewound) rmSync(file + end, { force: true })
          cpSync(copy, file)
        },
      })
    })

  test("after the data folder of a PostgreSQL was put back", async (t) => {
    const server = await ownPostgres(t)
    await proveAll(t, await temporaryFolder(t), {
      database: server.url,
      running: false,
      save: () => server.save(),
      rewind: () => server.restore(),
    })
  })

  test("after a standby of a PostgreSQL was promoted that lacked writes, and the service went on", async (t) => {
    const server = await ownPostgres(t)
    await proveAll(t, await temporaryFolder(t), {
      database: server.url,
      running: true,
      save: () => server.save(),
      rewind: () => server.promote(),
    })
  })

  test("after a database of a PostgreSQL was made anew from its copy", async (t) => {
    const server = await ownPostgres(t)
    const at = new URL(server.url)
    at.pathname = "/shop"
    await administer(server.url, "CREATE DATABASE shop TEMPLATE template0 ENCODING 'UTF8'")
    await proveAll(t, await temporaryFolder(t), {
      database: at.href,
      running: false,
      save: () => administer(server.url, "CREATE DATABASE copy TEMPLATE shop"),
      rewind: () =>
        administer(server.url, "DROP DATABASE shop WITH (FORCE)", "CREATE DATABASE shop TEMPLATE copy"),
    })
  })
})
