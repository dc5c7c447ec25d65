// What a handler is given, and what becomes of what it does: by `bifold/testing`, on both databases.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { type HandledEvent, type HandlerCall, handler, withCode } from "../../src/index.ts"
import { startService } from "../../src/tools/testing/start-service.ts"
import { shop } from "./shop.ts"

type Call = HandlerCall<typeof shop, "order">
type Event = HandledEvent<typeof shop, "order">

const servers = { sqlite: "sqlite", postgres: process.env["BIFOLD_TEST_POSTGRES"] ?? "" } as const

for (const [name, database] of Object.entries(servers))
  describe(`handlers on ${name}`, () => {
    test("are given each event with its record as it is now", async () => {
      const calls: Call[] = []
      const handled = withCode(shop, {
        on: { "order.*": handler({ as: { roles: ["staff"] }, run: async (call) => void calls.push(call) }) },
      })
      await using service = await startService(handled, { database })
      const asked = service.as("role:staff")
      const { body } = await asked.rest<{ id: string }>("POST", "/orders", { number: "1", note: "hush" })
      await asked.rest("PATCH", `/orders/${body.id}`, { count: 3 })
      await asked.rest("POST", `/orders/${body.id}/transitions/pay`, { reference: "r", memo: "m" })
      await asked.rest("DELETE", `/orders/${body.id}`)
      assert.deepEqual(await service.settled(), [])
      const events = calls.map(({ event }) => event)
      assert.deepEqual(
        events.map(({ type }) => type),
        ["order.created", "order.updated", "order.paid", "order.deleted"],
      )
      const [created, updated, paid, deleted] = events as [Event, Event, Event, Event]
      assert.equal(created.recordId, body.id)
      assert.deepEqual(created.changes.note, { from: null, to: "hush" })
      assert.deepEqual(updated.changes, { count: { from: 0, to: 3 } })
      assert.deepEqual([paid.transition, paid.from, paid.to], ["pay", "open", "paid"])
      assert.deepEqual(paid.input, { reference: "r", memo: "m" })
      assert.deepEqual(deleted.changes.number, { from: "1", to: null })
      assert.equal(calls[3]?.record, undefined)
      assert.equal(new Set(events.map(({ id }) => id)).size, 4)
      JSON.stringify(events)
    })

    test("see of a record and of its changes what they may see", async () => {
      const calls: Call[] = []
      const handled = withCode(shop, { on: { "order.paid": async (call) => void calls.push(call) } })
      await using service = await startService(handled, { database })
      const [id] = (await service.add({ order: [{ number: "1", note: "hush" }] })).order ?? []
      await service
        .as("signedIn")
        .rest("POST", `/orders/${id}/transitions/pay`, { reference: "r", memo: "m" })
      await service.settled()
      const [{ event, record = { etag: undefined } }] = calls as [Call]
      const { etag, ...shown } = record
      assert.equal(typeof etag, "string")
      assert.deepEqual(shown, { id, number: "1", count: 0, state: "paid", customerId: null })
      assert.deepEqual(event.changes, { state: { from: "open", to: "paid" } })
      assert.deepEqual(event.input, { memo: "m" })
    })

    test("write by themselves, under their own name and within their own rules", async () => {
      const handled = withCode(shop, {
        on: {
          "order.created": handler({
            name: "mail",
            as: { roles: ["staff"] },
            async run({ event, record, db }) {
              const made = await db.letter.create({ about: event.recordId, to: record?.number ?? "" })
              await db.letter.update(made.id, { to: "B" })
            },
          }),
          "order.updated": async ({ db }) => {
            await db.letter.create({ about: "nothing" })
          },
          "letter.updated": handler({
            as: { roles: ["staff"] },
            run: ({ event }) => void told.push(`${event.actor} ${event.changes.to?.from}`),
          }),
        },
      })
      const told: string[] = []
      await using service = await startService(handled, { database })
      const [id] = (await service.add({ order: [{ number: "A" }] })).order ?? []
      assert.deepEqual(await service.settled(), [])
      assert.deepEqual(told, ["handler:mail A"])
      await service.as("signedIn").rest("PATCH", `/orders/${id}`, { count: 1 })
      const failures = await service.settled()
      assert.match(String(failures[0]?.error), /You may not create a letter|not read any letter/)
      const letters = await service.as("role:staff").rest<{ data: object[] }>("GET", "/letters")
      assert.equal(letters.body.data.length, 1)
    })

    test("are tried again when it is due, and hold up their record only", async () => {
      const tried: string[] = []
      let broken = true
      const handled = withCode(shop, {
        on: {
          "order.*": ({ event }) => {
            tried.push(`${event.type} ${event.changes.number?.to ?? ""}`)
            if (event.type === "order.created" && event.changes.number?.to === "1" && broken)
              throw new Error("out of order")
          },
        },
      })
      await using service = await startService(handled, { database, now: "2026-11-22T12:00:00Z" })
      const { order: [first, second] = [] } = await service.add({ order: [{ number: "1" }, { number: "2" }] })
      const staff = service.as("role:staff")
      await staff.rest("PATCH", `/orders/${first}`, { count: 1 })
      await staff.rest("PATCH", `/orders/${second}`, { count: 1 })
      const [failure, ...more] = await service.settled()
      assert.deepEqual(more, [])
      assert.equal(failure?.record, first)
      assert.ok(failure?.error instanceof Error)
      assert.equal(failure.error.message, "out of order")
      assert.deepEqual(tried.toSorted(), ["order.created 1", "order.created 2", "order.updated "])
      service.clock.advance({ seconds: 2 })
      await service.settled()
      assert.equal(tried.filter((one) => one === "order.created 1").length, 2)
      broken = false
      service.clock.advance({ seconds: 1 })
      assert.equal((await service.settled()).length, 1)
      service.clock.advance({ seconds: 2 })
      assert.deepEqual(await service.settled(), [])
      assert.deepEqual(tried.slice(-2), ["order.created 1", "order.updated "])
    })
  })
