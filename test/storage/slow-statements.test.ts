// What is remembered of statements that held the process, by a clock of the test's own.
import assert from "node:assert/strict"
import { test } from "node:test"
import { createSlowStatements } from "../../src/storage/slow-statements.ts"

function ask() {
  let [now, worked] = [0, 0]
  const slow = createSlowStatements({ now: () => now, worked: () => worked })
  return {
    slow,
    pass(milliseconds: number) {
      now += milliseconds
    },
    /** Takes this long on the wall, of which the thread has worked for so long. */
    run(text: string, wall: number, work = wall): string {
      return slow.timed(text, () => {
        now += wall
        worked += work
        return text
      })
    },
  }
}

test("a statement that held the process twice is slow, others are not", () => {
  const { slow, run } = ask()
  assert.equal(run("long", 200), "long")
  assert.equal(slow.has("long"), false)
  run("short", 1)
  run("long", 200)
  assert.deepEqual([slow.has("long"), slow.has("short")], [true, false])
})

test("a statement that held the process for very long once is slow", () => {
  const { slow, run } = ask()
  run("very long", 251)
  assert.equal(slow.has("very long"), true)
})

test("time in which others worked does not count", () => {
  const { slow, run } = ask()
  for (let times = 0; times < 10; times++) run("disturbed", 200, 1)
  assert.equal(slow.has("disturbed"), false)
})

test("a statement that took long once is let off when it does not again", () => {
  const { slow, run } = ask()
  run("odd", 200)
  for (let times = 0; times < 100; times++) run("odd", 1)
  run("odd", 200)
  assert.equal(slow.has("odd"), false, "as if it were the first time")
  for (let times = 0; times < 99; times++) run("odd", 1)
  run("odd", 200)
  assert.equal(slow.has("odd"), true)
})

test("what fails after long is taken note of as well", () => {
  const { slow, pass } = ask()
  const fail = (): void =>
    assert.throws(() =>
      slow.timed("failing", () => {
        pass(200)
        throw new Error("a fault")
      }),
    )
  fail()
  assert.equal(slow.has("failing"), false)
  fail()
  assert.equal(slow.has("failing"), false, "it waited, it did not work")
})

test("it is tried again after ten minutes", () => {
  const { slow, run, pass } = ask()
  for (let times = 0; times < 2; times++) run("long", 200)
  pass(599_999)
  assert.equal(slow.has("long"), true)
  pass(1)
  assert.equal(slow.has("long"), false)
})

test("five hundred are kept in mind, the oldest go", () => {
  const { slow, run } = ask()
  for (let number = 0; number <= 500; number++) for (let times = 0; times < 2; times++) run(`${number}`, 200)
  assert.deepEqual([slow.has("0"), slow.has("1"), slow.has("500")], [false, true, true])
})
