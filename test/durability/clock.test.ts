// A calendar that an operator or NTP sets back or forward by an hour while a server runs: what is under way is answered, what
// is endless ends, and what is tried again comes after its pause.
import assert from "node:assert/strict"
import { existsSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, type TestContext, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { type Serving, serving } from "../cli/run.ts"
import { until } from "../feed/open.ts"
import { openStream } from "../feed/stream.ts"
import { temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { startReceiver, status } from "../webhooks/receiver.ts"

const hour = 3_600_000

const source = `import { appendFileSync, existsSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { anyone, f, handler, many, one, operation, resource, service, withCode } from "bifold"

const plain = service({
  name: "timed",
  webhooks: { manage: anyone, networks: ["127.0.0.0/8"] },
  limits: { cost: { perRequest: 2_000_000_000, records: 2_000_000_000, bytes: 2_000_000_000 } },
  resources: {
    group: resource({
      id: "grp",
      fields: { name: f.text() },
      relations: { items: many("item", { by: "group" }) },
      allow: { read: anyone, create: anyone },
    }),
    item: resource({
      id: "itm",
      history: true,
      fields: { name: f.text() },
      relations: { group: one("group", { optional: true }) },
      allow: { read: anyone, create: anyone, update: anyone },
    }),
  },
})

export default withCode(plain, {
  operations: {
    linger: operation({
      allow: anyone,
      deadline: 30_000,
      input: { name: f.text() },
      output: { made: f.text() },
      async run({ input: { name }, db }) {
        appendFileSync("lingers", "x")
        while (!existsSync("go-on")) await sleep(20)
        const { id } = await db.item.create({ name })
        return { made: id }
      },
    }),
  },
  on: {
    "item.created": handler({
      retries: 5,
      run({ record }) {
        if (record?.name !== "retried") return
        appendFileSync("tries", "x")
        if (!existsSync("go-on")) throw new Error("not yet")
        appendFileSync("handled", "x")
      },
    }),
  },
})
`

/** Lists in lists over the same items: no database turns them into a join. */
const nested = (levels: number, first: number): string =>
  levels === 0 ? "totalCount" : `nodes { group { items(first: ${first}) { ${nested(levels - 1, first)} } } }`
const query = (levels: number, first: number): string =>
  `{ groups(first: 1) { nodes { items(first: ${first}) { ${nested(levels, first)} } } } }`
const endless = query(3, 100)

interface Open {
  readonly url: string
  readonly folder: string
  send(path: string, body: object): Promise<Answered>
  ask(text: string): Promise<Answered>
  set(by: number): void
}

interface Answered {
  readonly status: number
  readonly code: string | undefined
}

async function sent(to: string, body: object): Promise<Answered> {
  const headers = { "content-type": "application/json" }
  const response = await fetch(to, { method: "POST", headers, body: JSON.stringify(body) })
  const { code, errors } = (await response.json()) as {
    code?: string
    errors?: readonly { readonly extensions: { readonly code: string } }[]
  }
  return { status: response.status, code: code ?? errors?.[0]?.extensions.code }
}

async function open(t: TestContext, database: "sqlite" | "postgres"): Promise<Open> {
  // Ends first: a database in use cannot be removed.
  let running: Serving | undefined
  t.after(async () => void (await running?.end("SIGKILL")))
  const folder = await temporaryFolder(t)
  const clock = join(folder, "clock")
  const set = (by: number): void => {
    writeFileSync(`${clock}-next`, String(by))
    renameSync(`${clock}-next`, clock)
  }
  set(0)
  writeFileSync(join(folder, "timed.ts"), source)
  const url = database === "sqlite" ? "timed.db" : await temporaryPostgres(t)
  const begin = () =>
    serving(["timed.ts", "--database", url, "--dev", "--accept-data-loss", "--deadline", "10"], {
      cwd: folder,
      environment: {
        JUMPING_CLOCK: clock,
        NODE_OPTIONS: `--import ${new URL("./jumping-clock.mjs", import.meta.url).href}`,
      },
    })
  const filled = await begin()
  running = filled
  const items = Array.from({ length: 900 }, (_, number) => ({ name: String(number) }))
  assert.deepEqual(await sent(`${filled.url}/groups`, { name: "all", items: { create: items } }), done(201))
  await filled.end()
  // It begins with statistics of what is there.
  const server = await begin()
  running = server
  const send = (path: string, body: object): Promise<Answered> => sent(server.url + path, body)
  return { url: server.url, folder, send, set, ask: (text) => send("/graphql", { query: text }) }
}

const done = (status: number): Answered => ({ status, code: undefined })

/** In the tests each database has one direction. */
const full = process.env["BIFOLD_PROOF"] === "full"

for (const database of dialects)
  for (const [name, by] of [
    ["back", -hour],
    ["forward", hour],
  ] as const)
    if (full || (name === "back") === (database === "sqlite"))
      describe(`a clock that is set ${name} by an hour, ${database}`, () => {
        test("refuses nothing, keeps nothing from its end, and retries come after their pauses", async (t) => {
          const { url, folder, send, ask, set } = await open(t, database)
          const receiver = await startReceiver(t)
          receiver.answer(status(500))
          assert.deepEqual(await send("/webhook-endpoints", { url: receiver.url }), done(201))
          const stream = await openStream(`${url}/events/stream`, "")
          t.after(() => stream.cut())
          assert.deepEqual(await send("/items", { name: "retried" }), done(201))
          await until(() => receiver.received.length === 1)
          await until(() => existsSync(join(folder, "tries")))
          const long = send("/actions/linger", { name: "lingered" })
          await until(() => existsSync(join(folder, "lingers")))
          const [slow, never] = [ask(query(2, 30)), ask(endless)]
          await sleep(50)

          set(by)
          receiver.answer(status(204))
          writeFileSync(join(folder, "go-on"), "")
          assert.deepEqual(await long, done(200))
          assert.deepEqual(await slow, done(200))
          assert.deepEqual(await send("/items", { name: "after" }), done(201))
          assert.deepEqual(await never, { status: 503, code: "deadline_exceeded" })
          assert.deepEqual(await ask(endless), { status: 503, code: "deadline_exceeded" })
          assert.deepEqual(await ask(query(0, 1)), done(200))
          await until(() => existsSync(join(folder, "handled")))
          const ids = () => new Set(receiver.received.map(({ id }) => id))
          await until(() => ids().size === 3 && receiver.received.length === 4)
          await until(() => stream.frames.filter(({ data }) => data["type"] === "item.created").length === 3)
        })
      })
