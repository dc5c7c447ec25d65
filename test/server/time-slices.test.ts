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
