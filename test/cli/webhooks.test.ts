// Events and webhooks by the command line beside a server, as processes, on both databases.
import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { after, describe, it, type TestContext } from "node:test"
import { until } from "../feed/open.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { startReceiver, status, verify } from "../webhooks/receiver.ts"
import { bifold, main, serving } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
writeFileSync(
  join(cwd, "shop.ts"),
  `import { anyone, f, resource, service } from "bifold"
export default service({
  name: "shop",
  webhooks: { manage: anyone, networks: ["127.0.0.0/8"] },
  resources: {
    order: resource({
      id: "ord",
      fields: { number: f.text() },
      states: { initial: "open", transitions: { pay: { from: "open", to: "paid", allow: anyone } } },
      allow: { read: anyone, create: anyone },
    }),
  },
})
`,
)
const secret = "a secret of these tests"

const send = async (url: string, body: object = {}): Promise<Readonly<Record<string, unknown>>> => {
  const headers = { "content-type": "application/json" }
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
  assert.ok(response.ok, await response.clone().text())
  return (await response.json()) as Readonly<Record<string, unknown>>
}

interface Running {
  readonly lines: readonly string[]
  /** Resolves with the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** A command that goes on, with what it prints. */
function running(t: TestContext, given: readonly string[]): Running {
  const child: ChildProcess = spawn(process.execPath, [main, ...given], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const closed = once(child, "close")
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface({ input: stream }).on("line", (line) => lines.push(line))
  const end = async (signal?: NodeJS.Signals): Promise<number | null> => {
    if (signal) child.kill(signal)
    await closed
    return child.exitCode
  }
  t.after(() => child.exitCode ?? end("SIGKILL"))
  return { lines, end }
}

for (const [name, database] of [
  ["SQLite", join(cwd, "shop.db")],
  ["PostgreSQL", await temporaryPostgres(hooks)],
] as const)
  describe(`on ${name}`, () => {
    const on = ["shop.ts", "--database", database, "--accept-data-loss"]

    it("events are shown and forwarded as they happen, endpoints tried and sent what they had", async (t) => {
      const applied = await bifold(["migrate", "apply", "shop.ts", "--database", database], { cwd })
      assert.equal(applied.code, 0, applied.stderr)
      const server = await serving([...on, "--secret", secret], { cwd })
      t.after(async () => void (await server.end()))
      const receiver = await startReceiver(t)
      const tail = running(t, [
        "events",
        "tail",
        ...on,
        "--types",
        "order.paid",
        "--json",
        "--secret",
        secret,
      ])
      const listen = running(t, ["webhooks", "listen", receiver.url, ...on, "--secret", secret])
      await until(() => listen.lines.some((line) => line.includes("Signing secret: whsec_")))
      const signing = /whsec_\S+/.exec(listen.lines.join("\n"))?.[0] ?? ""
      // Both begin at the end of the log, a moment after they have said so.
      const seen = async () => {
        const { id } = await send(`${server.url}/orders`, { number: "1" })
        await send(`${server.url}/orders/${id}/transitions/pay`)
        await new Promise((resolve) => setTimeout(resolve, 300))
        return tail.lines.length > 0 && receiver.received.length > 0
      }
      await until(seen)
      const { id } = await send(`${server.url}/orders`, { number: "2" })
      await send(`${server.url}/orders/${id}/transitions/pay`)
      await until(() =>
        receiver.received.some(({ body }) => body.data["recordId"] === id && body.type === "order.paid"),
      )
      const paid = receiver.received.at(-1)
      assert.ok(paid && verify(signing, paid))
      assert.deepEqual((paid.body.data["record"] as Readonly<Record<string, unknown>>)["number"], "2")
      await until(() => tail.lines.some((line) => line.includes(String(id))))
      const shown = tail.lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
      assert.ok(shown.every(({ type }) => type === "order.paid"))
      assert.equal(shown.at(-1)?.["id"], paid.id)
      await until(() => listen.lines.some((line) => line.includes(String(id)) && line.includes("→ 204")))
      for (const line of listen.lines.filter((one) => one.includes("→")))
        assert.match(line, /→ 204 {2}\d+ ms$/)
      assert.deepEqual([await tail.end("SIGINT"), await listen.end("SIGTERM")], [0, 0])

      const past = await bifold(["events", "tail", ...on, "--after", "start", "--count", "2"], { cwd })
      assert.match(past.stdout, /^\S+ {2}order\.created {2}ord_\w+.*\n\S+ {2}order\.paid {2}ord_/)

      const own = await startReceiver(t)
      const endpoint = String((await send(`${server.url}/webhook-endpoints`, { url: own.url })).id)
      const tried = await bifold(["webhooks", "test", endpoint, ...on], { cwd })
      assert.equal(tried.code, 0, tried.stderr)
      assert.match(tried.stdout, /✓ http:\S+ answered 204 in \d+ ms\./)
      const before = own.received.length
      const replayed = await bifold(["events", "replay", endpoint, ...on], { cwd })
      assert.equal(replayed.code, 0, replayed.stderr)
      assert.match(replayed.stdout, /✓ All events were sent again/)
      const again = await bifold(["events", "replay", endpoint, ...on, "--json"], { cwd })
      assert.match(again.stdout, /^\{"endpoint":"whe_\w+","milliseconds":\d+\}\n$/, again.stderr)
      assert.ok(own.received.length >= before + 4, `${own.received.length} of ${before}`)
      own.answer(status(500))
      const refused = await bifold(["webhooks", "test", endpoint, ...on], { cwd })
      assert.deepEqual([refused.code, /did not take it: 500/.test(refused.stderr)], [1, true], refused.stderr)
    })

    it("what cannot be is said", async () => {
      const refused = async (...given: readonly string[]) => {
        const { code, stderr } = await bifold(given, { cwd })
        return `${code} ${stderr}`
      }
      assert.match(await refused("webhooks", "test", "whe_1", ...on), /^1 .*There is no endpoint "whe_1"/s)
      assert.match(await refused("events", "replay", "whe_1", ...on), /^1 .*There is no endpoint/s)
      assert.match(await refused("serve", ...on), /^2 .*Set BIFOLD_SECRET/s)
      const sent = ["--database", "unmade.db", "--dev", "--nats", "nats://127.0.0.1:4222"]
      assert.match(await refused("serve", "shop.ts", ...sent), /^2 .*sent to NATS.*Set BIFOLD_SECRET/s)
      assert.equal(existsSync(join(cwd, "unmade.db")), false, "a database is made for what cannot be served")
      assert.match(await refused("webhooks", "listen", "localhost:3000", ...on), /^2 .*is no address/s)
      assert.match(await refused("events", "tail", ...on, "--types", "paid"), /^2 .*order\.paid/s)
      assert.match(
        await refused("webhooks", "listen", "http://localhost:3000", ...on, "--types", "order.payed"),
        /^1 .*no events of the type "order\.payed".*Did you mean "order\.paid"/s,
      )
      assert.match(await refused("events", "tail", ...on, "--after", "evt_1"), /^[12] .*evt_1/s)
    })
  })
