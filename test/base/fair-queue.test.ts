// The queue in which clients take turns, by a clock of the test.
import assert from "node:assert/strict"
import { test } from "node:test"
import { FairQueue } from "../../src/base/fair-queue.ts"

/** A queue, and a clock that goes on when the test says so. */
function open() {
  let time = 0
  const queue = new FairQueue<string>(() => time)
  return {
    queue,
    pass(milliseconds: number) {
      time += milliseconds
    },
    /** Takes one in each millisecond, while the client has one more behind each. */
    serve(count: number, each = 1) {
      for (let at = 0; at < count; at += 1) {
        time += each
        queue.shift()
      }
    },
  }
}

test("clients take turns, and each client's items keep their order", () => {
  const { queue } = open()
  for (const item of ["a1", "a2", "a3", "a4", "b1", "c1", "c2"]) queue.push(item[0] ?? "", item)
  const taken = Array.from({ length: 8 }, () => queue.shift())
  assert.deepEqual(taken, ["a1", "b1", "c1", "a2", "c2", "a3", "a4", undefined])
})

test("the first item of a line that is taken is looked at, and none behind it", () => {
  const { queue } = open()
  for (const item of ["a1", "a2", "b1", "b2"]) queue.push(item[0] ?? "", item)
  const seen: string[] = []
  const taken = queue.shift((item) => {
    seen.push(item)
    return item.startsWith("b")
  })
  assert.deepEqual([taken, seen, queue.length], ["b1", ["a1", "b1"], 3])
  queue.remove("a", "a1")
  assert.deepEqual([...queue], ["a2", "b2"])
  assert.deepEqual([queue.clear(), queue.length, queue.shift()], [["a2", "b2"], 0, undefined])
})

test("a wait is told once it was measured, by whom it is caused, and never where nothing waits", () => {
  const { queue, serve, pass } = open()
  for (let at = 0; at < 2_000; at += 1) queue.push("greedy", `${at}`)
  assert.deepEqual(queue.waitOf("greedy"), { whole: 0, others: 0 }, "nothing is known yet")
  serve(1_000)
  assert.deepEqual(queue.waitOf("greedy"), { whole: 1_000, others: 0 }, "it waits behind itself")
  assert.deepEqual(queue.waitOf("modest"), { whole: 1, others: 1 }, "it has the next turn")
  queue.push("modest", "one")
  assert.deepEqual(queue.waitOf("modest"), { whole: 4, others: 3 })
  serve(1_001)
  assert.deepEqual(queue.waitOf("greedy"), { whole: 0, others: 0 }, "nothing waits")
  pass(1_001)
  for (let at = 0; at < 5_000; at += 1) queue.push("greedy", `${at}`)
  assert.deepEqual(queue.waitOf("modest"), { whole: 0, others: 0 }, "after a rest nothing is known")
})

test("a stop is no measure, and a queue that goes faster again is believed at once", () => {
  const { queue, serve, pass } = open()
  for (let at = 0; at < 10_000; at += 1) queue.push("a", `${at}`)
  pass(5_000)
  serve(10)
  assert.equal(queue.waitOf("a").whole, 0, "a few items after a stop say nothing")
  serve(2_000)
  serve(1_000, 0.1)
  serve(1_000, 1)
  assert.ok(queue.waitOf("a").whole <= queue.length)
})
