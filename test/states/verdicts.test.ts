// What whoever fires a transition is told, on either database: in the order in which it is asked.
import assert from "node:assert/strict"
import { after, before, describe, it } from "node:test"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { type Desk, openDesk, ticket } from "./open-desk.ts"

for (const database of dialects)
  describe(`firing on ${database}`, () => {
    const hooks = cleanUp(after)
    let desk: Desk
    before(async () => {
      desk = await openDesk(hooks, database, {
        records: {
          person: ["ann", "bob", "max"].map((id) => ({ id, name: id })),
          ticket: [
            ticket("start"),
            ticket("solve"),
            ticket("bare"),
            ticket("kept", { answer: "old", effort: 3 }),
            ticket("cleared", { answer: "old", effort: 3 }),
            ticket("closed", { state: "closed" }),
            ticket("dear", { cost: "12.50" }),
            ticket("cheap"),
            ticket("bobs", { reporterId: "bob" }),
            ticket("stale"),
            ticket("twice"),
            ticket("again", { state: "solved", answer: "so" }),
          ],
          note: ["solve", "kept", "cleared"].map((id) => ({ id: `n-${id}`, text: "how", ticketId: id })),
        },
      })
    })

    it("sets the state, and what is set with it", async () => {
      const { etag: before } = await desk.as("agent").read("ticket", "start")
      const fired = await desk.as("agent+max").fire("start", "start")
      assert.deepEqual(
        [fired["state"], fired["assigneeId"], fired["billing"], fired["title"]],
        ["working", "per_max", "unbilled", "start"],
      )
      assert.equal(Number(fired["etag"]), Number(before) + 1)
    })

    it("sets the moment, and what was given", async () => {
      const { id, state, answer, effort } = await desk
        .as("agent")
        .fire("solve", "solve", { input: { answer: "restart it", effort: 4 } })
      assert.deepEqual([id, state, answer, effort], ["tic_solve", "solved", "restart it", 4])
      const closed = await desk.as("boss").fire("solve", "close")
      assert.equal(closed["state"], "closed")
      assert.ok(Math.abs(Date.parse(String(closed["closedAt"])) - Date.now()) < 60_000)
    })

    it("leaves what was not given, and clears what is null", async () => {
      const kept = await desk.as("agent").fire("kept", "solve", { input: { answer: "new" } })
      assert.deepEqual([kept["answer"], kept["effort"]], ["new", 3])
      const input = { answer: "new", effort: null }
      const cleared = await desk.as("agent").fire("cleared", "solve", { input })
      assert.deepEqual([cleared["answer"], cleared["effort"]], ["new", null])
      // A constant null.
      assert.equal((await desk.as("agent").fire("again", "reopen"))["answer"], null)
    })

    it("refuses input that does not fit, all of it at once", async () => {
      const { code, message, place, more } = await desk
        .as("agent")
        .fire("bare", "solve", { input: { answer: "", effort: -1, efort: 1 } })
      assert.deepEqual(
        { code, message, place, more },
        {
          code: "invalid_value",
          message: "`answer` must be 1 to 500 characters long, not 0.",
          place: "input.answer",
          more: 2,
        },
      )
      const refused = async (input: unknown, name = "solve") => {
        const outcome = await desk.as("agent").fire("bare", name, { input })
        return `${outcome["code"]} ${outcome["place"]}: ${outcome["message"]}`
      }
      assert.equal(await refused(undefined), "missing_field input.answer: `answer` must be given.")
      assert.equal(
        await refused({ answer: null }),
        "invalid_value input.answer: `answer` must not be null: there always is one.",
      )
      assert.equal(
        await refused("x"),
        'invalid_value input: The input of `solve` of a ticket must be an object, not "x".',
      )
      assert.equal(
        await refused({ state: "open" }, "reopen"),
        'unknown_field input.state: `reopen` of a ticket takes no "state".',
      )
      assert.equal((await desk.as("agent").read("ticket", "bare"))["etag"], "1")
    })

    it("does not say that there is a record which somebody does not see", async () => {
      assert.deepEqual(await desk.as("ann").fire("bobs", "reopen"), {
        code: "not_found",
        message: "Ticket tic_bobs not found.",
        place: "input",
        more: 0,
      })
      const missing = await desk.as("agent").fire("nothing", "reopen")
      assert.equal(missing["code"], "not_found")
    })

    it("is refused to whoever may not, before anything is said of the record", async () => {
      assert.deepEqual(await desk.as("ann").fire("dear", "close", { match: ["99"] }), {
        code: "forbidden",
        message: "You may not close this ticket.",
        place: "input",
        more: 0,
      })
      assert.equal((await desk.as("ann").fire("cheap", "close"))["state"], "closed")
    })

    it("is refused for another version, before the state is looked at", async () => {
      const { code } = await desk.as("agent+max").fire("closed", "start", { match: ["99"] })
      assert.equal(code, "stale_version")
      const fresh = await desk.as("agent+max").fire("stale", "start", { match: ["7", "1"] })
      assert.equal(fresh["state"], "working")
    })

    it("is refused in another state, with the one that it is in", async () => {
      assert.deepEqual(await desk.as("agent+max").fire("closed", "start"), {
        code: "illegal_transition",
        message: "`start` is possible only where `state` is open; here it is closed.",
        place: "input",
        more: 0,
      })
      // Final.
      assert.equal((await desk.as("boss").fire("closed", "close"))["code"], "illegal_transition")
    })

    it("is refused where its condition does not hold, with its reason, whoever asks", async () => {
      const input = { answer: "so" }
      for (const who of ["agent", "open"])
        assert.deepEqual(await desk.as(who).fire("bare", "solve", { input }), {
          code: "condition_not_met",
          message: "A ticket is solved with a note that says how.",
          place: "input",
          more: 0,
        })
      assert.equal(
        (await desk.as("boss").fire("bare", "bill"))["message"],
        "This ticket does not meet the condition of `bill`.",
      )
      assert.equal((await desk.as("boss").fire("dear", "bill"))["billing"], "billed")
    })

    it("happens once in one request, or not at all", async () => {
      const steps = [
        ["twice", "start"],
        ["twice", "start"],
      ] as const
      const outcome = await desk.as("agent+max").fireAll(steps)
      assert.deepEqual([outcome["code"], outcome["place"]], ["illegal_transition", "1"])
      assert.equal((await desk.as("agent").read("ticket", "twice"))["state"], "open")
      const chain = await desk.as("agent+max").fireAll([
        ["twice", "start"],
        ["twice", "close"],
      ])
      assert.equal(chain["code"], "forbidden")
      const boss = await desk.as("agent+boss+max").fireAll([
        ["twice", "start"],
        ["twice", "close"],
      ])
      assert.equal(boss["state"], "working")
      assert.equal((await desk.as("agent").read("ticket", "twice"))["state"], "closed")
    })
  })
