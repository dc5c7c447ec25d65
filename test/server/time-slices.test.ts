// Requests that are begun in time slices: all of them, in their order, and none is held once it has begun.
import assert from "node:assert/strict"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { test } from "node:test"
import { setImmediate as turn } from "node:timers/promises"
import v8 from "node:v8"
import { runInNewContext } from "node:vm"
import { TimeSlices } from "../../src/server/time-slices.ts"

/** Longer than a slice, so that what follows has to wait. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test("what waited for its slice is let go when it has begun", async () => {
  v8.setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  const slices = new TimeSlices()
  const begun: number[] = []
  const held: WeakRef<object>[] = []
  const begin = (index: number): void => {
    const request = { index }
    held.push(new WeakRef(request))
    slices.begin("a", () => begun.push(request.index))
  }
  slices.begin("a", () => work(10))
  for (let index = 0; index < 20; index += 1) begin(index)
  assert.deepEqual(begun, [], "all of them wait")
  while (begun.length < 20) await turn()
  await turn()
  collect()
  assert.deepEqual(begun, [...held.keys()])
  assert.deepEqual(
    held.filter((one) => one.deref() !== undefined),
    [],
  )
})

/** Requests of a millisecond each that are begun in one turn, while all else of each turn takes 40 milliseconds. */
async function begunInTurns(looked: (slices: TimeSlices) => void): Promise<readonly number[]> {
  let time = 0
  let count = 0
  const slices = new TimeSlices(() => time)
  const work = (): void => {
    time += 1
    count += 1
  }
  slices.begin("a", () => {
    time += 10
  })
  for (let index = 0; index < 600; index += 1) slices.begin("a", work)
  const turns: number[] = []
  while (count < 600) {
    const before = count
    await turn()
    if (count === before) continue
    turns.push(count - before)
    time += 40
    looked(slices)
  }
  return turns.slice(1, -1)
}

test("what arrives waits for few others, but where refusals would leave them no time", async () => {
  const usual = await begunInTurns(() => {})
  assert.ok(Math.max(...usual) <= 20, usual.join())
  const refusing = await begunInTurns((slices) => slices.refused())
  assert.ok(Math.min(...refusing) >= 100, refusing.join())
})

test("a request is begun for four connections, while each turn takes one", async () => {
  const slices = new TimeSlices(() => 0)
  const begun: number[] = []
  for (let taken = 1; taken <= 100; taken += 1) {
    slices.connected()
    slices.begin("a", () => begun.push(taken))
    await turn()
  }
  assert.ok(begun.length >= 16 && begun.length <= 25, begun.join())
  for (let turns = 0; turns < 4; turns += 1) await turn()
  assert.deepEqual(
    begun,
    Array.from({ length: 100 }, (_, at) => at + 1),
    "the others are begun once no connection is taken",
  )
})

test("a client of which nothing waits need not wait while another's connections are taken", async () => {
  const slices = new TimeSlices(() => 0)
  const begun: string[] = []
  for (let taken = 1; taken <= 2; taken += 1) {
    slices.connected()
    slices.begin("a", () => begun.push("a"))
    await turn()
  }
  slices.connected()
  slices.begin("a", () => begun.push("a"))
  slices.begin("b", () => begun.push("b"))
  assert.deepEqual(begun, ["b"])
})

test("connections that come all the time leave time for requests", async () => {
  let time = 0
  const slices = new TimeSlices(() => time)
  let begun = 0
  for (let taken = 1; taken <= 100; taken += 1) {
    slices.connected()
    slices.begin("a", () => {
      begun += 1
    })
    await turn()
    time += 60
  }
  assert.ok(begun >= 50, String(begun))
})

test("a new connection waits for few requests of another client whose connections came before", async (t) => {
  const crowd = 300
  const slices = new TimeSlices(() => 0)
  const begun: string[] = []
  const server = createServer(({ url = "", socket: { remoteAddress = "" } }, to) =>
    slices.begin(remoteAddress, () => {
      begun.push(url)
      to.end()
    }),
  )
  server.on("connection", () => slices.connected())
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const ask = (path: string, localAddress: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const asked = request({ port, path, localAddress, host: "127.0.0.1", agent: false }, (answer) => {
        answer.resume().on("end", resolve)
      })
      asked.on("error", reject)
      asked.end()
    })
  const others = Array.from({ length: crowd }, (_, at) => ask(`/${at}`, "127.0.0.1"))
  await Promise.all([...others, ask("/last", "127.0.0.2")])
  const place = begun.indexOf("/last")
  assert.ok(place >= 0 && place < crowd / 2, `begun after ${place} of ${begun.length}`)
})
