// What an event says to a handler that may not see everything: no more than the record's history would.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import {
  anyone,
  f,
  type HandledEvent,
  handler,
  one,
  only,
  resource,
  role,
  service,
  signedIn,
  viewer,
  withCode,
} from "../../src/index.ts"
import { startService } from "../../src/tools/testing/start-service.ts"

const staff = role("staff")
const servers = { sqlite: "sqlite", postgres: process.env["BIFOLD_TEST_POSTGRES"] ?? "" } as const

const shop = service({
  name: "shop",
  roles: ["staff"],
  viewer: "person",
  resources: {
    person: resource({ id: "per", fields: { name: f.text() }, allow: { read: anyone, create: staff } }),
    order: resource({
      id: "ord",
      fields: { diary: f.text(), open: f.boolean({ default: false }), done: f.boolean({ default: false }) },
      relations: { owner: one("person", { optional: true }) },
      states: {
        initial: "new",
        transitions: {
          pay: { from: "new", to: "paid", allow: staff, input: { why: f.text() } },
          keep: { from: "new", to: "kept", allow: signedIn, input: { why: f.text() } },
        },
      },
      allow: {
        read: [staff, { owner: { id: { eq: viewer.id } } }, { open: { eq: true } }],
        create: staff,
        update: staff,
        delete: staff,
      },
    }),
    invoice: resource({
      id: "inv",
      fields: {
        title: f.text(),
        stage: f.text({ read: [staff, { open: { eq: true } }] }),
        open: f.boolean(),
      },
      states: { stage: { initial: "new", transitions: { pay: { from: "new", to: "paid", allow: staff } } } },
      allow: { read: [staff, only(["title", "stage", "open"], signedIn)], create: staff },
    }),
    bill: resource({
      id: "bil",
      fields: { title: f.text() },
      states: { initial: "new", transitions: { pay: { from: "new", to: "paid", allow: staff } } },
      allow: { read: [staff, only(["title"], signedIn)], create: staff },
    }),
    /** Whose ids come again. */
    page: resource({
      key: ["slug"],
      fields: { slug: f.text(), text: f.text(), open: f.boolean({ default: false }) },
      history: true,
      allow: { read: [staff, { open: { eq: true } }], create: staff, update: staff, delete: staff },
    }),
    /** The same, and everybody sees all of them, but not what state they are in. */
    badge: resource({
      key: ["slug"],
      fields: { slug: f.text(), open: f.boolean(), stage: f.text({ read: [staff, { open: { eq: true } }] }) },
      states: {
        stage: {
          initial: "new",
          transitions: { lose: { from: "new", to: "lost", input: { why: f.text() }, allow: staff } },
        },
      },
      allow: { read: signedIn, create: staff, delete: staff },
    }),
  },
})

interface Told {
  readonly event: Pick<
    HandledEvent<typeof shop, "order">,
    "type" | "transition" | "from" | "to" | "input" | "version"
  > & { readonly changes: object }
  readonly record: object | undefined
}

const statesOf = ({ event: { type, transition, from, to } }: Told): readonly unknown[] => [
  type,
  transition,
  from,
  to,
]

for (const [name, database] of Object.entries(servers))
  describe(`what an event says, on ${name}`, () => {
    test("of a record that the handler does not see is that it was written", async () => {
      const [plain, lent]: [Told[], Told[]] = [[], []]
      const handled = withCode(shop, {
        on: {
          "order.*": [
            handler({ name: "plain", run: (call) => void plain.push(call) }),
            handler({ name: "lent", as: { roles: ["staff"] }, run: (call) => void lent.push(call) }),
          ],
        },
      })
      await using started = await startService(handled, { database })
      const { person: [owner] = [] } = await started.add({ person: [{ name: "A" }] })
      const asked = started.as("role:staff")
      const { body } = await asked.rest<{ id: string }>("POST", "/orders", {
        diary: "dear diary",
        ownerId: owner,
      })
      await asked.rest("POST", `/orders/${body.id}/transitions/pay`, { why: "because" })
      await asked.rest("DELETE", `/orders/${body.id}`)
      assert.deepEqual(await started.settled(), [])
      assert.deepEqual(
        plain.map(({ event, record }) => [event.changes, event.input, record]),
        [
          [{}, null, undefined],
          [{}, null, undefined],
          [{}, null, undefined],
        ],
      )
      assert.deepEqual(plain.map(statesOf), [
        ["order.created", null, null, null],
        ["order.updated", null, null, null],
        ["order.deleted", null, null, null],
      ])
      assert.deepEqual(lent.map(statesOf)[1], ["order.paid", "pay", "new", "paid"])
      assert.deepEqual(lent[1]?.event.input, { why: "because" })
      assert.ok(Object.keys(lent[2]?.event.changes ?? {}).includes("diary"))
    })

    test("of one that it sees is all of it, but for what is given to those who may fire", async () => {
      const told: Told[] = []
      const handled = withCode(shop, { on: { "order.*": (call) => void told.push(call) } })
      await using started = await startService(handled, { database })
      const { order: [id, other] = [] } = await started.add({
        order: [
          { diary: "a", open: true },
          { diary: "b", open: true },
        ],
      })
      const asked = started.as("role:staff")
      await asked.rest("POST", `/orders/${id}/transitions/pay`, { why: "because" })
      await asked.rest("POST", `/orders/${other}/transitions/keep`, { why: "because" })
      await started.settled()
      assert.deepEqual(
        told
          .filter(({ event }) => event.type !== "order.created")
          .map(({ event }) => [event.type, event.changes, event.input])
          .toSorted(),
        [
          ["order.kept", { state: { from: "new", to: "kept" } }, { why: "because" }],
          ["order.paid", { state: { from: "new", to: "paid" } }, {}],
        ],
      )
    })

    test("has of what was set only what is not as it was", async () => {
      const told: Told[] = []
      const handled = withCode(shop, {
        on: { "order.*": handler({ as: { roles: ["staff"] }, run: (call) => void told.push(call) }) },
      })
      await using started = await startService(handled, { database })
      const { order: [id] = [] } = await started.add({ order: [{ diary: "a" }] })
      await started.as("role:staff").rest("PATCH", `/orders/${id}`, { diary: "a", open: true })
      assert.deepEqual(await started.settled(), [])
      assert.deepEqual(
        told.map(({ event }) => Object.keys(event.changes).toSorted()),
        [["diary", "done", "open", "state"], ["open"]],
      )
    })

    test("names no state that it does not see, and is no event of that state to it", async () => {
      const [all, exact]: [Told[], Told[]] = [[], []]
      const handled = withCode(shop, {
        on: {
          "bill.*": handler({ name: "all", run: (call) => void all.push(call) }),
          "bill.paid": handler({ name: "exact", run: (call) => void exact.push(call) }),
          "invoice.paid": handler({ name: "open", run: (call) => void exact.push(call) }),
        },
      })
      await using started = await startService(handled, { database })
      const { bill: [bill] = [], invoice: [shown, hidden] = [] } = await started.add({
        bill: [{ title: "a" }],
        invoice: [
          { title: "shown", open: true },
          { title: "hidden", open: false },
        ],
      })
      const asked = started.as("role:staff")
      await asked.rest("POST", `/bills/${bill}/transitions/pay`)
      await asked.rest("POST", `/invoices/${hidden}/transitions/pay`)
      await asked.rest("POST", `/invoices/${shown}/transitions/pay`)
      assert.deepEqual(await started.settled(), [])
      assert.deepEqual(all.map(statesOf), [
        ["bill.created", null, null, null],
        ["bill.updated", null, null, null],
      ])
      assert.deepEqual(
        all.map(({ event }) => event.changes),
        [{ title: { from: null, to: "a" } }, {}],
      )
      assert.deepEqual(exact.map(statesOf), [["invoice.paid", "pay", "new", "paid"]])
    })

    test("of a record that is gone is nothing of another that has its id now", async () => {
      const told: Told[] = []
      let broken = true
      const handled = withCode(shop, {
        on: {
          "page.*": (call) => {
            if (broken) throw new Error("not yet")
            told.push(call)
          },
        },
      })
      await using started = await startService(handled, { database })
      const asked = started.as("role:staff")
      const made = await asked.rest("POST", "/pages", { slug: "a", text: "hush" })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      await asked.rest("PATCH", "/pages/a", { text: "hush, too" })
      await asked.rest("DELETE", "/pages/a")
      await asked.rest("POST", "/pages", { slug: "a", text: "read me", open: true })
      await started.settled()
      broken = false
      started.clock.advance({ seconds: 2 })
      assert.deepEqual(await started.settled(), [])
      assert.deepEqual(
        told.map(({ event }) => [event.type, Object.keys(event.changes)]),
        [
          ["page.created", []],
          ["page.updated", []],
          ["page.deleted", []],
          ["page.created", ["slug", "text", "open"]],
        ],
      )
    })

    test("of the state of one that is gone is nothing because another that has its id shows its own", async () => {
      const [all, exact]: [Told[], Told[]] = [[], []]
      let broken = true
      const keep = (told: Told[]) => (call: Told) => {
        if (broken) throw new Error("not yet")
        told.push(call)
      }
      const handled = withCode(shop, {
        on: {
          "badge.*": handler({ name: "all", run: keep(all) }),
          "badge.lost": handler({ name: "exact", run: keep(exact) }),
        },
      })
      await using started = await startService(handled, { database })
      const asked = started.as("role:staff")
      await asked.rest("POST", "/badges", { slug: "a", open: false })
      const fired = await asked.rest("POST", "/badges/a/transitions/lose", { why: "because" })
      assert.equal(fired.status, 200, JSON.stringify(fired.body))
      await asked.rest("DELETE", "/badges/a")
      await asked.rest("POST", "/badges", { slug: "a", open: true })
      await started.settled()
      broken = false
      started.clock.advance({ seconds: 2 })
      assert.deepEqual(await started.settled(), [])
      assert.deepEqual(
        all.map(({ event }) => [event.type, event.transition, event.input]),
        [
          ["badge.created", null, null],
          ["badge.updated", null, null],
          ["badge.deleted", null, null],
          ["badge.created", null, null],
        ],
      )
      assert.deepEqual(exact, [])
    })
  })
