// Requests that are begun in time slices: all of them, in their order, and none is held once it has begun.
import assert from "node:assert/strict"
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
