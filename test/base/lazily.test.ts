import assert from "node:assert/strict"
import { test } from "node:test"
import { lazily } from "../../src/base/lazily.ts"

test("concurrent callers share one load, and a failed one is tried again", async () => {
  let loads = 0
  const load = lazily(async () => {
    loads += 1
    if (loads === 1) throw new Error("no open files are left")
    return loads
  })
  const failed = await Promise.allSettled([load(), load()])
  assert.deepEqual(
    failed.map(({ status }) => status),
    ["rejected", "rejected"],
  )
  assert.equal(loads, 1)
  assert.deepEqual(await Promise.all([load(), load(), load()]), [2, 2, 2])
})
