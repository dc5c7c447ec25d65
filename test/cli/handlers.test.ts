// Handlers of a service that the command line serves, and what it says and does about them: as processes, on both databases.
import assert from "node:assert/strict"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { createCheckpoints } from "../../src/events/handlers/checkpoints.ts"
import { openStorage } from "../../src/storage/open.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { freePort } from "../support/free-port.ts"
import { waitingRecords } from "../support/waiting-records.ts"
import { startReceiver, status } from "../webhooks/receiver.ts"
import { bifold, type Serving, serving } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
/** Ends what it is told to, as the file `broken` says. */
writeFileSync(
  join(cwd, "shop.ts"),
  `import { appendFileSync, existsSync } from "node:fs"
import { anyone, f, handler, resource, service, withCode } from "bifold"
const shop = service({
  name: "shop",
  resources: {
    order: resource({
      id: "ord",
      fields: { number: f.text() },
      states: { initial: "open", transitions: { pay: { from: "open", to: "paid", allow: anyone } } },
      allow: { read: anyone, create: anyone, update: anyone },
    }),
  },
})
export default withCode(shop, {
  on: {
    "order.paid": handler({
      retries: 0,
      run({ record }) {
        if (record?.number === "bad" && existsSync("broken")) throw new Error("The printer is out of paper.")
        appendFileSync("printed", record?.number + "\\n")
      },
    }),
  },
})
`,
)
writeFileSync(
  join(cwd, "bare.ts"),
  `import { f, resource, service } from "bifold"
export default service({ name: "bare", resources: { item: resource({ fields: { name: f.text() } }) } })
`,
)

const open = async (given: readonly string[]): Promise<Serving> => {
  const server = await serving(given, { cwd })
  hooks.after(async () => void (await server.end()))
  return server
}

const printed = (): readonly string[] =>
  existsSync(join(cwd, "printed")) ? readFileSync(join(cwd, "printed"), "utf8").trim().split("\n") : []

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await holds()) return
    await sleep(50)
  }
  throw new Error("It does not come to that.")
}

const post = async (url: string, body: object = {}): Promise<string> => {
  const headers = { "content-type": "application/json" }
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
  assert.ok(response.ok, await response.clone().text())
  return ((await response.json()) as { id: string }).id
}

const databases = [
  ["SQLite", join(cwd, "shop.db"), "2"],
  ["PostgreSQL", await temporaryPostgres(hooks), "1"],
] as const

for (const [name, database, workers] of databases)
  describe(`on ${name}`, () => {
    const on = ["shop.ts", "--database", database, "--accept-data-loss"]
    const handlers = (...given: readonly string[]) => bifold(["handlers", ...given], { cwd })
    const stored = waitingRecords(hooks, database)
    const waits = async (id: string) => (await stored()).find(({ record }) => record === id)

    it("handlers are run, listed, and told what to do with what failed", async () => {
      for (const left of ["printed", "broken"]) rmSync(join(cwd, left), { force: true })
      const applied = await bifold(["migrate", "apply", "shop.ts", "--database", database], { cwd })
      assert.equal(applied.code, 0, applied.stderr)
      const before = await handlers("list", ...on)
      assert.equal(before.code, 0, before.stderr)
      assert.match(before.stdout, /order\.paid +order\.paid +not served yet +0 +0 +0 s +not served yet/)

      writeFileSync(join(cwd, "broken"), "")
      const server = await open([...on, "--workers", workers])
      const bad = await post(`${server.url}/orders`, { number: "bad" })
      const good = await post(`${server.url}/orders`, { number: "good" })
      for (const id of [bad, good]) await post(`${server.url}/orders/${id}/transitions/pay`)
      await until(() => printed().includes("good"))
      await until(async () => (await waits(bad))?.error?.includes("paper") === true)
      // Positions are kept a moment after the events are done.
      await until(async () => / 0 +1 +\d+ s +failing\n/.test((await handlers(...on)).stdout))
      const listed = await handlers(...on)
      assert.match(listed.stdout, /order\.paid +order\.paid +\d+ +0 +1/)
      assert.match(
        listed.stdout,
        new RegExp(
          `order\\.paid +${bad} +evt_[0-9a-f]+_\\d+ +1 time +when you say so +The printer is out of paper\\.`,
        ),
      )
      const { handlers: told } = JSON.parse((await handlers(...on, "--json")).stdout)
      assert.equal(told.length, 1)
      assert.deepEqual([told[0].name, told[0].behind, told[0].waiting[0].due], ["order.paid", 0, null])

      const again = await handlers("retry", "order.paid", ...on)
      assert.equal(again.code, 0, again.stderr)
      assert.match(again.stdout, new RegExp(`✓ The event of ${bad} is tried again`))
      await until(async () => (await waits(bad))?.asked === null)
      const { handlers: retried } = JSON.parse((await handlers(...on, "--json")).stdout)
      assert.equal(retried[0].waiting[0].asked, null)
      rmSync(join(cwd, "broken"))
      await handlers("retry", "order.paid", ...on, "--record", bad)
      await until(() => printed().includes("bad"))
      assert.deepEqual(printed(), ["good", "bad"])

      writeFileSync(join(cwd, "broken"), "")
      const worse = await post(`${server.url}/orders`, { number: "bad" })
      await post(`${server.url}/orders/${worse}/transitions/pay`)
      await until(async () => (await waits(worse)) !== undefined)
      assert.ok((await handlers(...on)).stdout.includes(worse))
      const skipped = await handlers("skip", "order.paid", ...on, "--record", worse, "--json")
      assert.deepEqual(JSON.parse(skipped.stdout), {
        ok: true,
        asked: "skip",
        handler: "order.paid",
        records: [worse],
        left: [],
      })
      await until(async () => (await waits(worse)) === undefined)
      assert.ok(!(await handlers(...on)).stdout.includes(worse))
      const { code, stderr } = await server.end()
      assert.equal(code, 0)
      assert.match(
        stderr,
        new RegExp(`Handler order\\.paid failed with evt_[0-9a-f]+_\\d+ of ${bad}, for the 1st time`),
      )
      assert.match(stderr, new RegExp(`bifold handlers retry order\\.paid --record ${bad}`))
      assert.deepEqual(printed(), ["good", "bad"])
    })

    it("what is to be left out stays so when all else is tried again", async () => {
      writeFileSync(join(cwd, "broken"), "")
      const server = await open([...on, "--workers", workers])
      const ids: string[] = []
      for (const _ of [1, 2]) {
        const id = await post(`${server.url}/orders`, { number: "bad" })
        await post(`${server.url}/orders/${id}/transitions/pay`)
        await until(async () => (await waits(id)) !== undefined)
        assert.ok((await handlers(...on)).stdout.includes(id))
        ids.push(id)
      }
      const [out = "", again = ""] = ids
      await server.end()
      await handlers("skip", "order.paid", ...on, "--record", out)
      const asked = async (): Promise<ReadonlyMap<string, string | null>> => {
        const { handlers: told } = JSON.parse((await handlers(...on, "--json")).stdout)
        const { waiting } = told[0] as { waiting: readonly { record: string; asked: string | null }[] }
        return new Map(waiting.map((one) => [one.record, one.asked]))
      }
      const { stdout, stderr } = await handlers("retry", "order.paid", ...on)
      assert.equal(stdout, `✓ The event of ${again} is tried again as soon as the service runs.\n`)
      assert.equal(
        stderr,
        `The event of ${out} is left out, as was asked before: --record <id> has one tried again all the same.\n`,
      )
      assert.deepEqual([(await asked()).get(out), (await asked()).get(again)], ["skip", "retry"])
      const told = JSON.parse((await handlers("retry", "order.paid", ...on, "--json")).stdout)
      assert.deepEqual([told.records, told.left], [[again], [out]])
      await handlers("retry", "order.paid", ...on, "--record", out)
      assert.equal((await asked()).get(out), "retry")
    })

    it("what cannot be meant is refused, with what can", async () => {
      const wrong = async (...given: readonly string[]): Promise<string> => {
        const { code, stderr } = await handlers(...given)
        assert.notEqual(code, 0)
        return stderr
      }
      assert.match(
        await wrong("retry", "order.payd", ...on),
        /There is no handler "order\.payd"[\s\S]*order\.paid/,
      )
      assert.match(await wrong("skip", "order.paid", ...on), /--record <id>/)
      assert.match(await wrong("retry", "order.paid", ...on, "--record", "ord_1"), /Nothing of ord_1 waits/)
      assert.match(await wrong("bare.ts", "--database", database), /bare\.ts has no handlers/)
      assert.match(await wrong("shop.ts"), /--database shop\.db/)
    })
  })

it("webhooks and the sink are listed with what they have not come to", async (t) => {
  writeFileSync(
    join(cwd, "followed.ts"),
    `import { anyone, f, resource, service } from "bifold"
export default service({
  name: "followed",
  webhooks: { manage: anyone, networks: ["127.0.0.0/8"] },
  resources: {
    order: resource({ id: "ord", fields: { number: f.text() }, history: true, allow: { read: anyone, create: anyone } }),
  },
})
`,
  )
  const on = ["followed.ts", "--database", join(cwd, "followed.db")]
  assert.equal((await bifold(["migrate", "apply", ...on], { cwd })).code, 0)
  const receiver = await startReceiver(t)
  receiver.answer(status(500))
  const away = `nats://127.0.0.1:${await freePort()}`
  const server = await open([...on, "--nats", away, "--secret", "a secret of these tests"])
  const endpoint = await post(`${server.url}/webhook-endpoints`, {
    url: receiver.url,
    types: ["order.created"],
  })
  const other = await post(`${server.url}/webhook-endpoints`, { url: receiver.url, types: ["order.created"] })
  await post(`${server.url}/webhook-endpoints/${other}/transitions/pause`)
  await post(`${server.url}/orders`, { number: "1" })
  interface Told {
    readonly kind: string
    readonly name: string
    readonly state: string
    readonly behind: number
    readonly lag: number
    readonly waiting: readonly object[]
  }
  const list = async (): Promise<ReadonlyMap<string, Told>> => {
    const { stdout, stderr } = await bifold(["handlers", ...on, "--json"], { cwd })
    assert.equal(stderr, "")
    const { handlers } = JSON.parse(stdout) as { readonly handlers: readonly Told[] }
    return new Map(handlers.map((one) => [one.name, one]))
  }
  await until(async () => {
    const listed = await list()
    return (
      listed.get(`webhook:${endpoint}`)?.state === "failing" && (listed.get("nats:followed")?.behind ?? 0) > 0
    )
  })
  const listed = await list()
  const sink = listed.get("nats:followed")
  assert.deepEqual([sink?.kind, sink?.state], ["sink", "behind"])
  assert.ok(Number(sink?.lag) > 0)
  assert.equal(listed.get(`webhook:${endpoint}`)?.waiting.length, 1)
  assert.equal(listed.get(`webhook:${other}`)?.state ?? "paused", "paused")
  assert.match(
    (await bifold(["handlers", ...on], { cwd })).stdout,
    /nats:followed +\* +\d+ +\d+ +0 +\d+ s +behind/,
  )
})

it("handlers of a log that was emptied or replaced are named by the list and the doctor", async () => {
  const database = join(cwd, "lost.db")
  const on = ["shop.ts", "--database", database]
  assert.equal((await bifold(["migrate", "apply", ...on], { cwd })).code, 0)
  const storage = await openStorage(database, { writes: "unsafe" })
  for (const name of ["order.paid", "sink:one", "sink:three", "sink:two"])
    await createCheckpoints(storage).add(name, 3n)
  await storage.close()
  assert.match((await bifold(["handlers", "list", ...on], { cwd })).stdout, /order\.paid .* log replaced\n/)
  const { stdout } = await bifold(["doctor", ...on], { cwd })
  assert.match(
    stdout,
    /The log was emptied or replaced: it lacks the places of order\.paid, sink:one, sink:three, …\./,
  )
  assert.match(stdout, /They go back to its start when the service runs; events may be handled again\./)
})
