// Streams and sockets of a service: with two workers, what one writes, followers at the other see, and a key that is revoked ends
// both; and they last longer than a request may take.
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { openStream, until } from "../feed/stream.ts"
import { openSubscription } from "../feed/subscriber.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { bifold, type Serving, serving } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
const skip = process.platform === "win32" ? "processes are listed by ps" : false

writeFileSync(
  join(cwd, "notes.ts"),
  `import { f, resource, role, service } from "bifold"
const staff = role("staff")
export default service({
  name: "notes",
  roles: ["staff"],
  identity: { keys: true },
  resources: {
    note: resource({ fields: { text: f.text() }, history: true, allow: { read: staff, create: staff } }),
  },
})
`,
)

const workersOf = ({ pid }: Serving): readonly number[] => {
  const { stdout } = spawnSync("ps", ["-A", "-o", "ppid=,pid="], { encoding: "utf8" })
  const pairs = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.flatMap(([parent, child]) => (parent === pid && child !== undefined ? [child] : []))
}

const run = async (...given: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await bifold(given, { cwd })
  assert.equal(code, 0, stderr)
  return stdout
}
const makeKeyOn = async (on: readonly string[]) =>
  JSON.parse(await run("key", "create", ...on, "--role", "staff", "--json")) as {
    readonly id: string
    readonly secret: string
  }

/** On a connection of its own: workers take turns. */
const post = async (url: string, secret: string, text: string): Promise<number> => {
  const { status } = await fetch(`${url}/notes`, {
    method: "POST",
    headers: {
      ...{ authorization: `Bearer ${secret}`, connection: "close" },
      "content-type": "application/json",
    },
    body: JSON.stringify({ text }),
  })
  return status
}

for (const [name, database] of [
  ["SQLite", join(cwd, "notes.db")],
  ["PostgreSQL", await temporaryPostgres(hooks)],
] as const)
  describe(`followers of two workers, on ${name}`, { skip }, () => {
    const on = ["notes.ts", "--database", database, "--accept-data-loss"]
    const makeKey = () => makeKeyOn(on)

    it("see what any of them writes, go on after one is killed, and end with their key", async () => {
      await run("migrate", "apply", "notes.ts", "--database", database)
      const [writer, follower] = [await makeKey(), await makeKey()]
      const server = await serving([...on, "--workers", "2"], { cwd })
      hooks.after(async () => void (await server.end("SIGKILL")))
      await until(() => workersOf(server).length === 2)
      const written: string[] = []
      const write = async (): Promise<void> => {
        const text = String(written.length)
        assert.equal(await post(server.url, writer.secret, text), 201)
        written.push(text)
      }
      const streams = await Promise.all(
        Array.from({ length: 4 }, () => openStream(`${server.url}/events/stream`, follower.secret)),
      )
      for (const { status } of streams) assert.equal(status, 200)
      // From where the streams begin: a subscription says nothing when it has begun, and the other worker may write before.
      await until(() => streams[0]?.lastId !== undefined)
      const sockets = Array.from({ length: 4 }, () =>
        openSubscription(server.url, follower.secret, "noteChanges", {
          members: "note { text }",
          after: streams[0]?.lastId ?? "",
        }),
      )
      for (let count = 0; count < 4; count += 1) await write()
      const counts = () => [
        ...streams.map(({ frames }) => frames.length),
        ...sockets.map(({ cursors }) => cursors.length),
      ]
      await until(() => counts().every((count) => count === 4))
      const [first] = streams
      for (const { frames } of streams) assert.deepEqual(frames, first?.frames)
      for (const { cursors } of sockets)
        assert.deepEqual(
          cursors,
          first?.frames.map(({ id }) => id),
        )
      const ended = new Set<object>()
      for (const one of [...streams, ...sockets]) void one.ended.then(() => ended.add(one))
      const [killed = 0] = workersOf(server)
      process.kill(killed, "SIGKILL")
      // Both have had some of the followers.
      await until(() => ended.size > 0)
      assert.ok(ended.size < 8, "one worker had all of them")
      await until(() => workersOf(server).filter((pid) => pid !== killed).length === 2)
      await write()
      const staying = streams.filter((one) => !ended.has(one))
      await until(() => staying.every(({ frames }) => frames.length === 5))
      const again = await openStream(`${server.url}/events/stream`, follower.secret, {
        "last-event-id": first?.frames[3]?.id ?? "",
      })
      const resumed = openSubscription(server.url, follower.secret, "noteChanges", {
        after: first?.frames[3]?.id ?? "",
      })
      await until(() => again.frames.length === 1 && resumed.cursors.length === 1)
      assert.deepEqual(resumed.cursors, [again.frames[0]?.id])
      const open = [again, resumed, ...[...streams, ...sockets].filter((one) => !ended.has(one))]
      for (const one of open) void one.ended.then(() => ended.add(one))
      await run("key", "revoke", follower.id, ...on)
      await until(() => open.every((one) => ended.has(one)))
      const refused = await openStream(`${server.url}/events/stream`, follower.secret)
      assert.equal(refused.status, 401)
      await write()
    })
  })

const lasting = [
  ["SQLite", join(cwd, "lasting.db")],
  ["PostgreSQL", await temporaryPostgres(hooks)],
] as const

describe("what lasts longer than a request may take", { concurrency: true }, () => {
  for (const [name, database] of lasting)
    it(`goes on while its key stands, on ${name}`, async () => {
      const on = ["notes.ts", "--database", database, "--accept-data-loss"]
      await run("migrate", "apply", "notes.ts", "--database", database)
      const { secret } = await makeKeyOn(on)
      const server = await serving([...on, "--deadline", "3"], { cwd })
      hooks.after(async () => void (await server.end("SIGKILL")))
      const query = encodeURIComponent("query @live(interval: 0.1) { notes { totalCount } }")
      const streams = await Promise.all(
        ["/events/stream", "/notes?live=true&interval=0.1", `/graphql?query=${query}`].map((path) =>
          openStream(`${server.url}${path}`, secret),
        ),
      )
      assert.deepEqual(
        streams.map(({ status }) => status),
        [200, 200, 200],
      )
      await Promise.all(streams.slice(1).map((live) => live.until(1)))
      const before = streams.map(({ frames }) => frames.length)
      // Longer than a key is remembered, too: then it is looked up again.
      await sleep(5_500)
      await until(async () => (await post(server.url, secret, "late")) === 201)
      await until(() => streams.every(({ frames }, index) => frames.length > (before[index] ?? 0)))
      for (const { cut } of streams) cut()
    })
})
