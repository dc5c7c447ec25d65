// Many who fire the same transition at once: one of them does, and all others are told which state it is in by now.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { type Desk, type Outcome, openDesk } from "../states/open-desk.ts"
import type { Hooks } from "../support/database.ts"
import { type Database, dialects } from "../support/open-service.ts"

const rounds = process.env["BIFOLD_PROOF"] === "full" ? 1_000 : 15
const clients = 50
const people = Array.from({ length: 10 }, (_, index) => `p${index}`)

const opened = (hooks: Hooks, database: Database): Promise<Desk> =>
  openDesk(hooks, database, { records: { person: people.map((id) => ({ id, name: id })) } })

const createTicket = async (desk: Desk): Promise<string> => {
  const made = await desk.as("agent").create("ticket", { title: "race", reporterId: "per_p0" })
  assert.equal(made["state"], "open", JSON.stringify(made))
  return String(made["id"])
}

const failed = (outcome: Outcome): boolean => outcome["code"] !== undefined

describe("a transition that many fire at once", () => {
  for (const database of dialects) {
    it(`is fired by one of them on ${database}`, async (test) => {
      const desk = await opened(test, database)
      for (let round = 0; round < rounds; round += 1) {
        const id = await createTicket(desk)
        const asked = Array.from({ length: clients }, (_, client) => people[client % people.length] ?? "")
        const told = await Promise.all(
          asked.map(async (person) => ({
            person,
            outcome: await desk.as(`agent+${person}`).fire(id, "start"),
          })),
        )
        const [winner, ...others] = told.filter(({ outcome }) => !failed(outcome))
        assert.ok(winner && others.length === 0, `${others.length + 1} have fired it`)
        for (const { outcome } of told)
          if (failed(outcome))
            assert.deepEqual(outcome, {
              code: "illegal_transition",
              message: "`start` is possible only where `state` is open; here it is working.",
              place: "input",
              more: 0,
            })
        const now = await desk.as("agent").read("ticket", id)
        assert.deepEqual(
          [now["state"], now["assigneeId"], now["etag"]],
          ["working", `per_${winner.person}`, "2"],
        )
      }
      test.diagnostic(`${rounds} rounds of ${clients}, one winner each`)
    })

    it(`of several records is fired on all of them or on none, on ${database}`, async (test) => {
      const desk = await opened(test, database)
      for (let round = 0; round < Math.ceil(rounds / 4); round += 1) {
        const ids = [await createTicket(desk), await createTicket(desk), await createTicket(desk)]
        const told = await Promise.all(
          Array.from({ length: 12 }, (_, client) => {
            const person = desk.as(`agent+${people[client % people.length]}`)
            // By ids in either order, and by a condition.
            return client % 3 === 0
              ? person.fireWhere("start", { id: { in: ids } })
              : person.fireIds("start", client % 3 === 1 ? ids : ids.toReversed())
          }),
        )
        assert.equal(told.filter((outcome) => !failed(outcome)).length, 1, JSON.stringify(told))
        const codes = new Set(told.flatMap(({ code }) => code ?? []))
        assert.deepEqual([...codes], ["illegal_transition"])
        const now = await Promise.all(ids.map((id) => desk.as("agent").read("ticket", id)))
        assert.equal(new Set(now.map(({ assigneeId }) => assigneeId)).size, 1)
        assert.deepEqual(
          now.map(({ state, etag }) => [state, etag]),
          ids.map(() => ["working", "2"]),
        )
      }
    })
  }
})
