// What own code catches: whatever `db` refused has changed nothing, where hooks make many writes of one as well.
import assert from "node:assert/strict"
import { after, test } from "node:test"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { depot } from "./depot.ts"
import { codeAt, places } from "./in-threads.ts"
import { type OpenCode, openCode } from "./open.ts"

interface Called {
  readonly status: number
  readonly body: { readonly errors?: readonly string[]; readonly code?: string }
}

const hooks = cleanUp(after)

for (const [database, where] of dialects.flatMap((one) => places.map((where) => [one, where] as const))) {
  // A thread that has begun serves one test after the other.
  const declaration = codeAt(where, hooks, depot, "depot.ts#depot")
  const it = (name: string, run: (opened: OpenCode) => Promise<void>) =>
    test(`${name} (${database}, ${where})`, async (t) => run(await openCode(t, declaration, database)))
  const call = (opened: OpenCode, tried: object) =>
    opened.as("signedIn").rest<Called["body"]>("POST", "/actions/attempt", tried)
  const stored = async (opened: OpenCode) => {
    const staff = opened.as("role:staff")
    const list = async (path: string): Promise<Readonly<Record<string, unknown>>[]> =>
      (await staff.rest<{ data: Readonly<Record<string, unknown>>[] }>("GET", `${path}?sort=id`)).body.data
    const orders = await list("/orders")
    const lines = await list("/lines")
    const notes = await list("/notes")
    return {
      orders: orders.map(({ name, total, slug }) => [name, total, slug]),
      lines: lines.map(({ text }) => text),
      notes: notes.map(({ text }) => text),
      logged: ((await opened.storage.log?.read(0n, 100)) ?? []).map(({ type }) => type),
    }
  }
  const nothing = { orders: [], lines: [], notes: [], logged: [] }

  it("a creation that its rule refuses is undone", async (opened) => {
    const { status, body } = await call(opened, { create: [{ name: "A", total: 1000 }] })
    assert.deepEqual([status, body.errors], [200, ["forbidden"]])
    assert.deepEqual(await stored(opened), nothing)
  })

  it("a change that its rule refuses is undone, and what was done before it stays", async (opened) => {
    const { body } = await call(opened, {
      create: [{ name: "A", total: 1 }],
      update: { total: 1000 },
    })
    assert.deepEqual(body.errors, ["done", "forbidden"])
    const orders = [["A", 1, "a"]]
    assert.deepEqual(await stored(opened), { ...nothing, orders, logged: ["order.created"] })
  })

  it("a parent goes with the child that a hook refuses", async (opened) => {
    const lines = { create: [{ text: "fine" }, { text: "bad" }] }
    const { body } = await call(opened, { create: [{ name: "A", lines }, { name: "B" }] })
    assert.deepEqual(body.errors, ["conflict", "done"])
    const orders = [["B", 0, "b"]]
    assert.deepEqual(await stored(opened), { ...nothing, orders, logged: ["order.created"] })
  })

  it("what a hook had written goes with what it refuses, and what it caught itself before", async (opened) => {
    const { body } = await call(opened, { create: [{ name: "Refused" }, { name: "Catching" }] })
    assert.deepEqual(body.errors, ["conflict", "done"])
    assert.deepEqual(await stored(opened), {
      orders: [["Catching", 0, "catching"]],
      lines: [],
      notes: ["caught conflict"],
      logged: ["order.created"],
    })
  })

  it("a deletion that its hook refuses leaves nothing of what the hook had done", async (opened) => {
    const { body } = await call(opened, { create: [{ name: "Kept" }], delete: true })
    assert.deepEqual(body.errors, ["done", "conflict"])
    const orders = [["Kept", 0, "kept"]]
    assert.deepEqual(await stored(opened), { ...nothing, orders, logged: ["order.created"] })
  })

  it("what a hook did not wait for is undone with its write", async (opened) => {
    const { body } = await call(opened, { create: [{ name: "Careless" }, { name: "Careless deep" }] })
    assert.deepEqual(body.errors, ["internal", "internal"])
    assert.deepEqual(await stored(opened), nothing)
  })

  it("an operation that does not wait for what it asked has done nothing", async (opened) => {
    const { status, body } = await call(opened, { create: [{ name: "A" }], careless: true })
    assert.deepEqual([status, body.code], [500, "internal"])
    assert.match(
      String((opened.faults[0] as Error | undefined)?.cause),
      /before its requests to `db` were done/,
    )
    assert.deepEqual(await stored(opened), nothing)
  })

  it("those that are asked side by side are done one after the other, and each by itself", async (opened) => {
    const names = ["A", "Refused", "B", "Side by side", "Refused", "C"]
    const create = names.map((name, index) => ({ name, total: index === 2 ? 1000 : index }))
    const { body } = await call(opened, { create, together: true })
    assert.deepEqual(body.errors, ["done", "conflict", "forbidden", "done", "conflict", "done"])
    assert.deepEqual(await stored(opened), {
      orders: [
        ["A", 0, "a"],
        ["Side by side", 3, "side by side"],
        ["C", 5, "c"],
      ],
      lines: [],
      notes: ["one", "three"],
      logged: ["order.created", "order.created", "order.created"],
    })
  })
}
