// Processes that run handlers are killed at any moment: no event is lost, and each record's are handled in their order.
import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, test } from "node:test"
import { setTimeout as wait } from "node:timers/promises"
import { type Hooks, temporaryFolder } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { openShop } from "./open.ts"

const kills = process.env["BIFOLD_PROOF"] === "full" ? 60 : 3
const node = ["--disable-warning=ExperimentalWarning", "--conditions=bifold-source"]

async function startProcess(hooks: Hooks, args: readonly string[]): Promise<ChildProcess> {
  const program = join(import.meta.dirname, "follower-process.ts")
  const child = spawn(process.execPath, [...node, program, ...args], { stdio: ["pipe", "pipe", "inherit"] })
  hooks.after(() => void child.kill("SIGKILL"))
  if (child.stdout) await once(child.stdout, "data")
  return child
}

const anHour = `${60 * 60 * 1000}`

interface Line {
  readonly by: string
  readonly record: string
  readonly version: number
}

const linesOf = (file: string): readonly Line[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [by = "", record = "", version] = line.split(" ")
      return { by, record, version: Number(version) }
    })

/** What is wrong: a record's version that came before the one before it had been, or never. */
function mistakesIn(lines: readonly Line[], expected: ReadonlyMap<string, number>): readonly string[] {
  const reached = new Map<string, number>()
  const early = lines.flatMap(({ record, version }) => {
    const before = reached.get(record) ?? 0
    reached.set(record, Math.max(before, version))
    return version > before + 1 ? [`${record} ${version} came after ${before}`] : []
  })
  const missing = [...expected].flatMap(([record, versions]) =>
    reached.get(record) === versions ? [] : [`${record} came to ${reached.get(record)} of ${versions}`],
  )
  return [...early, ...missing]
}

describe("processes with handlers that are killed", () => {
  for (const database of dialects)
    test(`lose nothing, and another takes over, on ${database}`, async (context) => {
      const shop = await openShop(context, database)
      const file = join(await temporaryFolder(context), "lines")
      writeFileSync(file, "")
      // Handlers that are new begin with what comes: this one makes them known.
      await (await shop.start({ "order.*": () => {} })).close()
      const records = await Promise.all(Array.from({ length: 10 }, (_, index) => shop.order(`${index}`)))
      const expected = new Map(records.map((id) => [id, 1]))
      let [writing, lives] = [true, 1]
      const writers = records.map(async (id) => {
        while (writing) {
          // Where processes begin slowly, what there is to handle stays within bounds.
          if ((expected.get(id) ?? 0) > lives * 25) await wait(50)
          if ((expected.get(id) ?? 0) > lives * 25) continue
          const count = (expected.get(id) ?? 0) + 1
          const { status } = await shop.client.rest("PATCH", `/orders/${id}`, { count })
          assert.equal(status, 200)
          expected.set(id, count)
          await wait(30 + Math.random() * 40)
        }
      })
      // There are always two: one that runs the handlers, one that waits to take over.
      let standby = await startProcess(context, [shop.url, file, "0"])
      for (let kill = 1; kill <= kills; kill += 1) {
        const running = standby
        standby = await startProcess(context, [shop.url, file, `${kill}`])
        lives += 1
        await wait(200 + Math.random() * 600)
        running.kill("SIGKILL")
        await once(running, "exit")
      }
      writing = false
      await Promise.all(writers)
      const deadline = Date.now() + 30_000
      while (mistakesIn(linesOf(file), expected).length > 0 && Date.now() < deadline) await wait(100)
      const lines = linesOf(file)
      assert.deepEqual(mistakesIn(lines, expected), [])
      const by = new Set(lines.map((line) => line.by))
      assert.ok(by.size > 1, `${by.size} processes ran handlers`)
      standby.stdin?.end()
      await once(standby, "exit")
      const changes = [...expected.values()].reduce((sum, count) => sum + count)
      context.diagnostic(
        `${kills} kills, ${by.size} processes had a turn, ${changes} changes, handled ${lines.length} times`,
      )
    })

  for (const database of dialects)
    test(`leave a lease that nobody waits for, on ${database}`, async (context) => {
      const shop = await openShop(context, database)
      const file = join(await temporaryFolder(context), "lines")
      writeFileSync(file, "")
      await (await shop.start({ "order.*": () => {} })).close()
      const handledBy = async (name: string): Promise<void> => {
        const id = await shop.order(name)
        const isHandled = () => linesOf(file).some(({ by, record }) => by === name && record === id)
        const deadline = Date.now() + 60_000
        while (!isHandled() && Date.now() < deadline) await wait(50)
        assert.ok(isHandled(), `process ${name} runs handlers`)
      }
      for (let life = 1; life <= 2; life += 1) {
        const running = await startProcess(context, [shop.url, file, `${life}`, anHour])
        await handledBy(`${life}`)
        running.kill("SIGKILL")
        await once(running, "exit")
      }
    })
})
