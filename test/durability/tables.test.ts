// The line of writes for a table.
import assert from "node:assert/strict"
import { test } from "node:test"
import { elapsed } from "../../src/base/clock.ts"
import { Refusal } from "../../src/base/problem.ts"
import { Tables } from "../../src/storage/postgres/locked-tables.ts"

test("whose turn does not come in time is refused meanwhile, and never done; those behind are", async () => {
  const tables = new Tables()
  const first = Promise.withResolvers<string>()
  const soon = elapsed() + 20
  const later = elapsed() + 600_000
  const done: string[] = []
  const write = (name: string, until: number) =>
    tables.inLine(["book"], { client: "a", until }, async () => {
      done.push(name)
      return name === "first" ? first.promise : name
    })
  const outcomes = [write("first", later), write("second", soon), write("third", later)]
  await assert.rejects(
    async () => outcomes[1],
    (fault) => fault instanceof Refusal && fault.problems[0].code === "deadline_exceeded",
  )
  assert.deepEqual(done, ["first"])
  first.resolve("first")
  assert.deepEqual([await outcomes[0], await outcomes[2]], ["first", "third"])
  assert.deepEqual(done, ["first", "third"])
})

test("clients take turns in the line, and what waits for two tables is not passed by what needs one of them", async () => {
  const tables = new Tables()
  const until = elapsed() + 600_000
  const done: string[] = []
  const write = (client: string, names: readonly string[]) =>
    tables.inLine(names, { client, until }, async () => void done.push(`${client} ${names}`))
  const greedy = Array.from({ length: 100 }, () => write("a", ["x"]))
  await Promise.all([...greedy, write("b", ["x", "y"]), write("c", ["y"]), write("d", ["z"])])
  assert.deepEqual(done.slice(0, 5), ["a x", "d z", "a x", "b x,y", "c y"])
  assert.equal(done.length, 103)
})
