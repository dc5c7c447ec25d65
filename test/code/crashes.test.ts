// Own code that would end the process: it ends its thread, and fails the call that it was; everything else is answered.
import assert from "node:assert/strict"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { bifold, type Serving, serving } from "../cli/run.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { waitingRecords } from "../support/waiting-records.ts"

const hooks = cleanUp(after)
/** By the name of the package, so that a thread loads nothing that the server's own files have. */
const source = readFileSync(new URL("./fragile.ts", import.meta.url), "utf8").replace(
  '"../../src/index.ts"',
  '"bifold"',
)

interface Answered {
  readonly status: number
  readonly body: {
    readonly id: string
    readonly code: string
    readonly note: string | null
    readonly said?: string
    readonly loud?: string
  }
}

interface Waiting {
  readonly record: string
  readonly attempts: number
  readonly due: string | null
  readonly error: string | null
}

async function ask(url: string, body?: object): Promise<Answered> {
  const headers = { "content-type": "application/json" }
  const response = await fetch(url, body && { method: "POST", headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as Answered["body"] }
}

async function until<Found>(what: string, find: () => Found | Promise<Found>): Promise<NonNullable<Found>> {
  for (let tries = 0; tries < 1_500; tries += 1) {
    const found = await find()
    if (found) return found
    await sleep(100)
  }
  throw new Error(`It does not come to that: ${what}`)
}

/** What a handler's crash is told as, by how the code went wrong. */
const told = {
  timer: "The handler ended its thread: Error: of a timer",
  emitter: "The handler ended its thread: Error: of an emitter",
  floating: "The handler ended its thread: Error: of a promise",
  exit: "The handler ended its thread: process.exit(3)",
  late: "The handler ended its thread: Error: when all was done",
  loop: "The handler took longer than 4000 ms.",
} as const

const places = [
  ["SQLite", async (cwd: string) => join(cwd, "shop.db"), "1"],
  ["PostgreSQL, by two processes", () => temporaryPostgres(hooks), "2"],
] as const

/** By a handler of its own, which has little time. */
const spins = (how: string): boolean => ["loop", "handed"].includes(how)

const full = process.env["BIFOLD_PROOF"] === "full"
/** Each in the proof, and where a crash is of the process that is asked; else the first. */
const triedBy = (workers: string, ways: readonly string[]): readonly string[] =>
  full || workers === "1" ? ways : ways.slice(0, 1)

for (const [place, makeDatabase, workers] of places)
  describe(`own code that goes wrong, on ${place}`, { concurrency: 1 }, async () => {
    const cwd = await temporaryFolder(hooks)
    writeFileSync(join(cwd, "service.ts"), `${source}\nexport default fragile\n`)
    const database = await makeDatabase(cwd)
    const on = ["service.ts", "--database", database, "--accept-data-loss"]
    const stored = waitingRecords(hooks, database)
    const start = async (environment = {}): Promise<Serving> => {
      const server = await serving([...on, "--dev", "--workers", workers], { cwd, environment })
      hooks.after(async () => void (await server.end()))
      return server
    }
    const server = await start()
    const order = async (number: string, { url } = server): Promise<string> => {
      const made = await ask(`${url}/${spins(number) ? "spins" : "orders"}`, { number })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      return made.body.id
    }
    const wreck = (id: string, how: string, { url } = server) =>
      ask(`${url}/orders/${id}/actions/${how === "loop" ? "spin" : "wreck"}`, { how })
    const linesOf = (file: string): readonly string[] =>
      existsSync(join(cwd, file)) ? readFileSync(join(cwd, file), "utf8").trim().split("\n") : []
    const printed = () => linesOf("printed")
    const skip = async (handler: string, record: string): Promise<void> => {
      const skipped = await bifold(["handlers", "skip", handler, "--record", record, ...on], { cwd })
      assert.equal(skipped.code, 0, skipped.stderr)
    }
    const waiting = async (): Promise<readonly Waiting[]> => {
      const { stdout, stderr, code } = await bifold(["handlers", ...on, "--json"], { cwd })
      assert.equal(code, 0, stderr)
      const { handlers } = JSON.parse(stdout) as {
        readonly handlers: readonly { readonly waiting: Waiting[] }[]
      }
      return handlers.flatMap((handler) => handler.waiting)
    }

    it("a handler's crash is its attempt, its record waits, and the others go on", async () => {
      const bad: [string, string][] = []
      const { late, ...early } = told
      const allWait = () =>
        until("all that went wrong wait for somebody", async () => {
          const found = await stored()
          return found.length === bad.length && found.every(({ due }) => due === null)
        })
      const ways = triedBy(workers, Object.keys(early)) as (keyof typeof early)[]
      for (const how of ways) bad.push([await order(how), early[how]])
      await order("good")
      await until("the good one is printed", () => printed().includes("good"))
      await allWait()
      // By itself: its timer would be gone with the thread that another one ends, after it has returned in order.
      bad.push([await order("late"), late])
      await allWait()
      const all = await waiting()
      assert.ok(all.every(({ due }) => due === null))
      const sorted = (of: readonly (readonly unknown[])[]) =>
        of.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))
      assert.deepEqual(
        sorted(all.map(({ record, attempts, error }) => [record, error, attempts])),
        sorted(bad.map(([id, error]) => [id, error, 2])),
      )
      for (const [id, error] of bad) await skip(error === told.loop ? "spin" : "print", id)
      await until("nothing waits any more", async () => (await stored()).length === 0)
      assert.deepEqual(await waiting(), [])
      await order("better")
      await until("what comes then is printed", () => printed().includes("better"))
    })

    for (const how of triedBy(workers, ["exit", "timer", "loop", "handed"]))
      it(`handlers beside one that ends its thread go on or begin again, which is no attempt (${how})`, async () => {
        const names = [1, 2, 3].map((count) => `slow ${how} ${count}`)
        const begun = (name: string) => linesOf(`${name}-begun`)
        for (const name of names) await order(name)
        await until("all of them have begun", () => names.every((name) => begun(name).length > 0))
        const seen = linesOf("prints").length
        const bad = await order(how)
        await until("the bad one waits for somebody", async () =>
          (await stored()).some(({ record, due }) => record === bad && due === null),
        )
        // A process ends only the threads of its own.
        const ended = linesOf("prints")
          .slice(seen)
          .map((line) => line.split(" ")[1])
        assert.ok(ended.length > 0)
        const times = (name: string) => (how !== "timer" && ended.includes(begun(name)[0]) ? 2 : 1)
        await until("each has begun as often as it has to", () =>
          names.every((name) => begun(name).length === times(name)),
        )
        for (const name of names) writeFileSync(join(cwd, `${name}-end`), "")
        await until("all of them are printed", () => names.every((name) => printed().includes(name)))
        // They have no second attempt.
        assert.deepEqual(
          (await waiting()).map(({ record }) => record),
          [bad],
        )
        await skip(spins(how) ? "spin" : "print", bad)
        await until("nothing waits any more", async () => (await stored()).length === 0)
        assert.deepEqual(await waiting(), [])
      })

    for (const how of triedBy(workers, ["timer", "emitter", "floating", "exit"]))
      it(`nothing is left of an action that ends its thread (${how})`, async () => {
        const id = await order("A-1")
        const { status, body } = await wreck(id, how)
        assert.deepEqual([status, body.code], [500, "internal"])
        assert.equal((await ask(`${server.url}/orders/${id}`)).body.note, null)
        assert.equal((await wreck(id, "not at all")).body.said, "not at all")
      })

    it("an action in a loop is out of time, and others are answered before", async () => {
      const id = await order("A-2")
      let isOver = false
      rmSync(join(cwd, "looping"), { force: true })
      const loop = wreck(id, "loop").finally(() => {
        isOver = true
      })
      await until("it is in its loop", () => existsSync(join(cwd, "looping")))
      const other = await ask(`${server.url}/orders/${id}?fields=number,loud`)
      assert.deepEqual([other.status, other.body.loud, isOver], [200, "A-2", false])
      const { status, body } = await loop
      assert.deepEqual([status, body.code], [503, "action_timeout"])
      assert.equal((await wreck(id, "not at all")).body.said, "not at all")
    })

    for (const how of triedBy(workers, ["timer", "floating"]))
      it(`a hook and a computed field that end their thread fail what they are of (${how})`, async () => {
        const id = await order(`bad ${how}`)
        const response = await fetch(`${server.url}/orders/${id}`, {
          method: "PATCH",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ note: how }),
        })
        assert.deepEqual(
          [response.status, ((await response.json()) as { code: string }).code],
          [500, "internal"],
        )
        const { status, body } = await ask(`${server.url}/orders/${id}?fields=number,loud`)
        assert.deepEqual([status, body.code], [500, "computed_failed"])
        assert.equal((await ask(`${server.url}/orders/${id}`)).body.note, null)
      })

    it("what runs beside a crash goes on; beside the end of the thread it may be tried again", async () => {
      // By several processes nobody knows which of them is asked.
      if (workers !== "1") return
      for (const [how, status, said] of [
        ["timer", 200, "It went well."],
        ["exit", 503, undefined],
      ] as const) {
        const id = await order(`bad ${how}`)
        const beside = ask(`${server.url}/actions/linger`, { name: how })
        await until("it has begun", () => existsSync(join(cwd, `${how}-begun`)))
        const crashed = await ask(`${server.url}/orders/${id}?fields=number,loud`)
        assert.equal(crashed.body.code, "computed_failed")
        writeFileSync(join(cwd, `${how}-end`), "")
        const { status: told, body } = await beside
        assert.deepEqual([told, body.said], [status, said])
        if (status === 503) assert.equal(body.code, "action_interrupted")
      }
    })

    it("a service file that cannot be run in a thread fails its calls, until it can", async () => {
      writeFileSync(join(cwd, "spoilt"), "")
      const own = await start()
      const id = await order("A-4", own)
      const { status, body } = await wreck(id, "not at all", own)
      assert.deepEqual([status, body.code], [500, "internal"])
      rmSync(join(cwd, "spoilt"))
      await until("it can", async () => (await wreck(id, "not at all", own)).status === 200)
      const { stderr } = await own.end()
      assert.match(stderr, /The module is spoilt/)
    })

    it("code that uses up the memory of its thread is told so", async () => {
      const own = await start({ NODE_OPTIONS: "--max-old-space-size=96" })
      const id = await order("A-5", own)
      const { status, body } = await wreck(id, "memory", own)
      assert.deepEqual([status, body.code], [500, "internal"])
      assert.equal((await wreck(id, "not at all", own)).body.said, "not at all")
      const { stderr } = await own.end()
      assert.match(stderr, /it used all the memory that a thread may have/)
    })

    it("the process that served has served all the time, and says what happened", async () => {
      const { code, stderr } = await server.end()
      assert.equal(code, 0, stderr)
      assert.doesNotMatch(stderr, /is being replaced|fault of Bifold/)
      assert.match(
        stderr,
        /Handler print failed with evt_\w+ of ord_\w+.*ended its thread: Error: of a timer/,
      )
    })
  })
