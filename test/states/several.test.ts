// A transition of several records: of those that meet a condition, or of those with these ids. All of them, or none.
import assert from "node:assert/strict"
import { after, before, describe, it } from "node:test"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { type Desk, openDesk, ticket } from "./open-desk.ts"

for (const database of dialects)
  describe(`firing on several records, on ${database},`, () => {
    const hooks = cleanUp(after)
    let desk: Desk
    before(async () => {
      desk = await openDesk(hooks, database, {
        records: {
          person: ["ann", "bob", "max"].map((id) => ({ id, name: id })),
          ticket: [
            ...["a1", "a2", "a3"].map((id) => ticket(id, { title: "a" })),
            ...["b1", "b2"].map((id) => ticket(id, { title: "b" })),
            ticket("b3", { title: "b", state: "solved" }),
            ...["c1", "c2"].map((id) => ticket(id, { title: "c" })),
            ticket("c3", { title: "c", cost: "1.00" }),
            ...["d1", "d2"].map((id) => ticket(id, { title: "d" })),
            ticket("d3", { title: "d", reporterId: "bob" }),
            ticket("d4", { title: "d", cost: "1.00" }),
            ...["e1", "e2", "e3"].map((id) => ticket(id, { title: "e" })),
          ],
          note: ["e1", "e2"].map((id) => ({ id: `n-${id}`, text: "how", ticketId: id })),
        },
      })
    })
    const states = async (...ids: readonly string[]) =>
      Promise.all(ids.map(async (id) => (await desk.as("agent+boss").read("ticket", id))["state"]))

    it("moves all that meet the condition", async () => {
      const answer = await desk.as("agent+max").fireWhere("start", { title: { eq: "a" } })
      assert.deepEqual(
        answer["rows"],
        ["a1", "a2", "a3"].map((id) => ({ id: `tic_${id}`, state: "working" })),
      )
      const none = await desk.as("agent+max").fireWhere("start", { title: { eq: "nothing" } })
      assert.deepEqual(none["rows"], [])
    })

    it("moves none where one is in another state, and says which", async () => {
      assert.deepEqual(await desk.as("agent+max").fireWhere("start", { title: { eq: "b" } }), {
        code: "illegal_transition",
        message: "`start` is possible only where `state` is open; of tic_b3 it is solved.",
        place: "input",
        more: 0,
      })
      assert.deepEqual(await states("b1", "b2", "b3"), ["open", "open", "solved"])
    })

    it("moves none where one does not meet what is asked of it", async () => {
      const input = { answer: "so" }
      assert.deepEqual(await desk.as("agent").fireWhere("solve", { title: { eq: "e" } }, { input }), {
        code: "condition_not_met",
        message: "tic_e3: A ticket is solved with a note that says how.",
        place: "input",
        more: 0,
      })
      assert.deepEqual(await states("e1", "e2", "e3"), ["open", "open", "open"])
      const two = { and: [{ title: { eq: "e" } }, { id: { ne: "e3" } }] }
      await desk.as("agent").fireWhere("solve", two, { input })
      assert.deepEqual(await states("e1", "e2", "e3"), ["solved", "solved", "open"])
    })

    it("moves none where one is not theirs to move", async () => {
      const { code, message } = await desk.as("ann").fireWhere("close", { title: { eq: "c" } })
      assert.deepEqual([code, message], ["forbidden", "You may not close this ticket."])
      assert.deepEqual(await states("c1", "c2", "c3"), ["open", "open", "open"])
    })

    it("moves none where there are more than were allowed", async () => {
      const { code } = await desk.as("agent+max").fireWhere("start", { title: { eq: "c" } }, { most: 2 })
      assert.equal(code, "too_many_affected")
      const all = await desk.as("agent+max").fireWhere("start", {})
      assert.equal(all["code"], "invalid_value")
    })

    it("moves those with the ids, and answers with them", async () => {
      const answer = await desk.as("agent+max").fireIds("start", ["tic_c1", "c2"])
      assert.deepEqual(answer["rows"], [
        { id: "tic_c1", state: "working" },
        { id: "tic_c2", state: "working" },
      ])
    })

    it("moves none where one of the ids cannot be moved, and says which", async () => {
      const fire = async (ids: unknown, who = "agent+max", name = "start") => {
        const { code, place, message } = await desk.as(who).fireIds(name, ids)
        return `${code} ${place}: ${message}`
      }
      assert.equal(
        await fire(["d1", "a1"]),
        "illegal_transition ids.1: `start` is possible only where `state` is open; here it is working.",
      )
      assert.equal(await fire(["d1", "gone", "d2"]), "not_found ids.1: Ticket tic_gone not found.")
      assert.equal(await fire(["d1", "d3"], "ann", "close"), "not_found ids.1: Ticket tic_d3 not found.")
      assert.equal(
        await fire(["d1", "d4"], "ann", "close"),
        "forbidden ids.1: You may not close this ticket.",
      )
      assert.equal(await fire(["d1", "d2", "d1"]), 'invalid_value ids.2: "d1" stands in the list twice.')
      assert.match(await fire([]), /^invalid_value ids: /)
      assert.match(await fire("d1"), /^invalid_value ids: /)
      assert.match(await fire([7.5]), /^invalid_value ids.0: /)
      assert.deepEqual(await states("d1", "d2", "d3", "d4"), ["open", "open", "open", "open"])
    })
  })
