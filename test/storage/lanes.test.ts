// The places for what may be slow: one client has half of them and of the queue at most, whoever else asks is served beside it.
import assert from "node:assert/strict"
import { test } from "node:test"
import { elapsed } from "../../src/base/clock.ts"
import { Refusal } from "../../src/base/problem.ts"
import { Lanes } from "../../src/storage/fair-slots.ts"

const asker = (client: string) => ({ client, since: elapsed() })
const codeOf = (fault: unknown): string => (fault instanceof Refusal ? fault.problems[0].code : String(fault))

test("one client with thirty requests leaves a place to others, and of the queue", async () => {
  const lanes = new Lanes({ lanes: 2, waiting: 10 })
  const soon = elapsed() + 60_000
  const outcomes: string[] = []
  const greedy = Array.from({ length: 30 }, () =>
    lanes.take(asker("greedy"), soon).then(
      (leave) => {
        outcomes.push("served")
        return leave
      },
      (fault: unknown) => {
        outcomes.push(codeOf(fault))
        return () => {}
      },
    ),
  )
  const leave = await lanes.take(asker("other"), soon)
  assert.deepEqual(outcomes, ["served", ...Array(24).fill("overloaded")])
  leave()
  await new Promise(setImmediate)
  assert.equal(outcomes.length, 25, "the place of another is not for who has half of them")
  for (const one of greedy) (await one)()
  assert.equal(outcomes.filter((outcome) => outcome === "served").length, 6)
})

test("what waits for longer than it may is told so", async () => {
  const lanes = new Lanes({ lanes: 1, waiting: 10 })
  await lanes.take(undefined, elapsed() + 60_000)
  await assert.rejects(lanes.take(undefined, elapsed() + 1), (fault) => codeOf(fault) === "deadline_exceeded")
})

test("clients take turns, in each of which those before had their share", async () => {
  const lanes = new Lanes({ lanes: 2, waiting: 1_000 })
  const order: string[] = []
  const soon = elapsed() + 60_000
  const use = async (client: string): Promise<void> => {
    const leave = await lanes.take(asker(client), soon)
    order.push(client)
    await new Promise(setImmediate)
    leave()
  }
  const many = Array.from({ length: 200 }, (_, at) => use(at % 2 === 0 ? "a" : "c"))
  await Promise.all([...many, use("b")])
  assert.ok(order.indexOf("b") < 6, `as number ${order.indexOf("b")} of ${order.length}`)
})
