// What is possible with a record, for each that asks: allowed exactly where firing succeeds, with the reasons why not.
import assert from "node:assert/strict"
import { after, before, describe, it } from "node:test"
import { anyone, f, many, one, resource, role, service, viewer } from "../../src/index.ts"
import { startDraft } from "../../src/plan/draft/draft.ts"
import { resourceNamed } from "../../src/plan/lookup.ts"
import type { Row } from "../../src/sql/write/insert.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { type Desk, openDesk, type Possible, ticket, transitionsMember } from "./open-desk.ts"

const short = (list: readonly Possible[] | null): Readonly<Record<string, string>> | null =>
  list &&
  Object.fromEntries(
    list.map(({ name, allowed, reasons }) => [
      name,
      [String(allowed), ...reasons.map(({ code }) => code)].join(" "),
    ]),
  )

const people = ["ann", "bob", "max"].map((id) => ({ id, name: id }))
const tickets = [
  ticket("open"),
  ticket("noted"),
  ticket("solved", { state: "solved" }),
  ticket("closed", { state: "closed", billing: "billed" }),
  ticket("dear", { cost: "9.00" }),
  ticket("bobs", { reporterId: "bob" }),
]

/** What services/desk.ts declares, in as many words. */
function byHand(who: string, { id, state, billing, cost, reporterId }: Row) {
  const words = who.split("+")
  const [agent, boss] = [words.includes("agent"), words.includes("boss")]
  const person = words.find((word) => word !== "agent" && word !== "boss")
  const own = person === reporterId
  if (!agent && !boss && !own) return null
  const free = cost === "0.00"
  return {
    ...(agent && person && { start: state === "open" }),
    ...(agent && { solve: (state === "open" || state === "working") && id === "noted" }),
    ...((agent || person) && { reopen: state === "solved" && (agent || own) }),
    ...((boss || person) && { close: state !== "closed" && (boss || (own && free)) }),
    ...(boss && { bill: billing === "unbilled" && !free, settle: billing === "billed" }),
  }
}

for (const database of dialects)
  describe(`what is possible, on ${database},`, () => {
    const hooks = cleanUp(after)
    let desk: Desk
    before(async () => {
      desk = await openDesk(hooks, database, {
        records: {
          person: people,
          ticket: tickets,
          note: [{ id: "n", text: "how", ticketId: "noted" }],
        },
      })
    })

    it("is what is left for each, with the reasons in their order", async () => {
      assert.deepEqual(short(await desk.as("agent+max").possible("open")), {
        start: "true",
        solve: "false condition_not_met",
        reopen: "false illegal_transition",
        close: "false forbidden",
      })
      assert.deepEqual(short(await desk.as("ann").possible("dear")), {
        reopen: "false illegal_transition",
        close: "false forbidden",
      })
      assert.deepEqual(short(await desk.as("agent+boss+ann").possible("closed")), {
        start: "false illegal_transition",
        solve: "false illegal_transition condition_not_met",
        reopen: "false illegal_transition",
        close: "false illegal_transition",
        bill: "false illegal_transition condition_not_met",
        settle: "true",
      })
      assert.equal(await desk.as("ann").possible("bobs"), null)
      // Nobody is there whom it could be assigned to.
      assert.deepEqual(Object.keys(short(await desk.as("agent").possible("open")) ?? {}), ["solve", "reopen"])
    })

    it("says why not in the words of an error", async () => {
      const [, solve, reopen] = (await desk.as("agent+max").possible("open")) ?? []
      assert.deepEqual(solve?.reasons, [
        { code: "condition_not_met", message: "A ticket is solved with a note that says how." },
      ])
      assert.deepEqual(reopen?.reasons, [
        { code: "illegal_transition", message: "`reopen` is possible only where `state` is solved." },
      ])
    })

    it("is the same in lists and behind relations", async () => {
      for (const who of ["agent+boss+max", "ann", "bob"]) {
        const { actor } = desk.as(who)
        const of = resourceNamed(actor.model, "ticket")
        const draft = startDraft({ model: actor.model, cursors: { seal: () => "", open: () => undefined } })
        const row = [{ kind: "id", key: "id" } as const, transitionsMember(of)]
        const page = { direction: "forward", limit: draft.bind(10), atMost: 10 } as const
        const order = [{ path: [], subject: { kind: "id" }, descending: false }] as const
        const list = { order, page, members: [{ kind: "rows", key: "rows", members: row }] } as const
        const many = {
          kind: "many",
          key: "tickets",
          relation: "tickets",
          list: { ...list, page: { direction: "backward", limit: draft.bind(10), atMost: 10 } },
        } as const
        const people = {
          ...list,
          members: [{ kind: "rows", key: "rows", members: [many] }],
        } as const
        const back = {
          kind: "one",
          key: "ticket",
          relation: "ticket",
          members: row,
        } as const
        const notes = { ...list, members: [{ kind: "rows", key: "rows", members: [back] }] } as const
        const plan = draft.finish([
          { kind: "list", key: "tickets", resource: "ticket", list },
          { kind: "list", key: "people", resource: "person", list: people },
          { kind: "list", key: "notes", resource: "note", list: notes },
        ])
        const { roots } = await desk.engine.answer(plan, actor)
        const [plain, through, noted] = roots.map((root) => JSON.parse(String(root)))
        const alone = await Promise.all(
          tickets.map(async ({ id }) => ({
            id: `tic_${id}`,
            transitions: await desk.as(who).possible(String(id)),
          })),
        )
        const seen = alone
          .filter(({ transitions }) => transitions !== null)
          .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        assert.deepEqual(plain.rows, seen)
        const behind = through.rows.flatMap((person: { tickets: { rows: object[] } }) => person.tickets.rows)
        assert.deepEqual(new Set(behind.map(JSON.stringify)), new Set(seen.map((one) => JSON.stringify(one))))
        assert.deepEqual(
          noted.rows,
          seen.filter(({ id }) => id === "tic_noted").map((one) => ({ ticket: one })),
        )
      }
    })

    it("is what the declaration says, told by hand", async () => {
      for (const who of ["agent", "agent+max", "boss", "ann", "bob", "agent+boss+ann"])
        for (const one of tickets) {
          const possible = await desk.as(who).possible(String(one["id"]))
          const told = possible && Object.fromEntries(possible.map(({ name, allowed }) => [name, allowed]))
          assert.deepEqual(told, byHand(who, one), `${who} ${one["id"]}`)
        }
    })

    it("is what firing comes to, for everybody and every record", async () => {
      let fired = 0
      for (const who of ["agent", "agent+max", "boss", "ann", "bob", "agent+boss+ann", "open"])
        for (const { id } of tickets)
          for (const { name, allowed, reasons } of (await desk.as(who).possible(String(id))) ?? []) {
            const input = name === "solve" ? { input: { answer: "so" } } : {}
            // Undone by a second step that cannot be done.
            const steps = [
              [String(id), name, input.input],
              [String(id), name, input.input],
            ] as const
            const outcome = await desk.as(who).fireAll(steps)
            const told = `${who} ${name} ${id}: ${JSON.stringify(outcome)}`
            assert.equal(outcome["place"] === "1", allowed, told)
            const codes = reasons.map(({ code }) => code)
            if (allowed) assert.deepEqual(codes, [], told)
            else assert.ok(codes.includes(String(outcome["code"])), told)
            fired += allowed ? 1 : 0
          }
      assert.ok(fired > 20, String(fired))
    })
  })

/** Whose state, and whose members that conditions look at, not everybody sees. */
const hidden = service({
  name: "hidden",
  roles: ["clerk"],
  viewer: "person",
  resources: {
    person: resource({
      id: "per",
      fields: { name: f.text() },
      relations: { cases: many("case", { by: "owner" }) },
      allow: { read: anyone },
    }),
    case: resource({
      id: "cas",
      fields: {
        weight: f.integer({ read: role("clerk") }),
        state: f.text({ read: [role("clerk"), { owner: { id: { eq: viewer.id } }, shown: { eq: true } }] }),
        shown: f.boolean(),
      },
      relations: { owner: one("person") },
      states: {
        initial: "new",
        final: "done",
        transitions: {
          finish: {
            from: "new",
            to: "done",
            when: { weight: { lt: 10 } },
            allow: { owner: { id: { eq: viewer.id } } },
          },
        },
      },
      allow: { read: anyone },
    }),
  },
})

for (const database of dialects)
  describe(`what is told of a state that not everybody sees, on ${database},`, () => {
    const hooks = cleanUp(after)
    let desk: Desk
    before(async () => {
      const one = (id: string, members: object) => ({
        id,
        weight: 1,
        state: "new",
        shown: false,
        ownerId: "ann",
        ...members,
      })
      desk = await openDesk(hooks, database, {
        declaration: hidden,
        resource: "case",
        records: {
          person: people,
          case: [
            one("new", {}),
            one("done", { state: "done" }),
            one("shown", { state: "done", shown: true }),
            one("heavy", { weight: 50 }),
            one("bobs", { state: "done", weight: 50, ownerId: "bob" }),
          ],
        },
      })
    })

    it("is no more than they see, where they may not fire it", async () => {
      assert.deepEqual(short(await desk.as("ann").possible("bobs")), { finish: "false forbidden" })
      assert.equal((await desk.as("ann").fire("bobs", "finish"))["code"], "forbidden")
      // A clerk who owns none sees the state; what it is asked to be is not told.
      assert.deepEqual(short(await desk.as("clerk+ann").possible("bobs")), {
        finish: "false illegal_transition forbidden",
      })
    })

    it("is that it is not possible, where they may, and not which state it is in", async () => {
      assert.deepEqual(short(await desk.as("ann").possible("done")), { finish: "false illegal_transition" })
      const { message } = await desk.as("ann").fire("done", "finish")
      assert.equal(message, "`finish` is possible only where `state` is new.")
      const seen = await desk.as("ann").fire("shown", "finish")
      assert.equal(seen["message"], "`finish` is possible only where `state` is new; here it is done.")
    })

    it("is judged by what is stored, and not by what they see", async () => {
      assert.deepEqual(short(await desk.as("ann").possible("heavy")), { finish: "false condition_not_met" })
      assert.equal((await desk.as("ann").fire("heavy", "finish"))["code"], "condition_not_met")
      // In a list as well, of which a subquery has cut out a page.
      const { actor } = desk.as("ann")
      const of = resourceNamed(actor.model, "case")
      const draft = startDraft({ model: actor.model, cursors: { seal: () => "", open: () => undefined } })
      const plan = draft.finish([
        {
          kind: "list",
          key: "cases",
          resource: "case",
          list: {
            order: [{ path: [], subject: { kind: "id" }, descending: false }],
            page: { direction: "backward", limit: draft.bind(3), atMost: 20 },
            members: [
              {
                kind: "rows",
                key: "rows",
                members: [
                  { kind: "id", key: "id" },
                  { kind: "field", key: "state", field: "state" },
                  transitionsMember(of),
                ],
              },
              { kind: "total", key: "total" },
            ],
          },
        },
      ])
      const { roots } = await desk.engine.answer(plan, actor)
      const { rows } = JSON.parse(String(roots[0]))
      assert.deepEqual(
        rows.map(({ id, state, transitions }: { id: string; state: unknown; transitions: Possible[] }) => [
          id,
          state,
          short(transitions)?.["finish"],
        ]),
        [
          ["cas_heavy", null, "false condition_not_met"],
          ["cas_new", null, "true"],
          ["cas_shown", "done", "false illegal_transition"],
        ],
      )
      assert.equal((await desk.as("ann").fire("new", "finish"))["state"], null)
    })
  })
