// Increments by both faces and by own code: however many clients ask at once, the sum is exact, and rules and hooks see it.
import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import {
  anyone,
  f,
  hook,
  increment,
  many,
  one,
  operation,
  resource,
  role,
  service,
  withCode,
} from "../../src/index.ts"
import { startService } from "../../src/tools/testing/start-service.ts"
import { temporaryPostgres } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { openCode } from "./open.ts"

const clients = 24

const plain = service({
  name: "shop",
  roles: ["clerk"],
  resources: {
    item: resource({
      id: "itm",
      fields: {
        stock: f.integer({ min: 0 }),
        price: f.decimal({ precision: 6, scale: 2, default: "1.00" }),
        sold: f.int64({ default: 0, write: role("clerk") }),
        margin: f.decimal({ precision: 6, scale: 2, default: "0.10", read: role("clerk") }),
        hint: f.text({ optional: true, readonly: true }),
      },
      allow: { read: anyone, create: anyone, update: { price: { lte: "2.00" } } },
    }),
  },
})

const seen: unknown[] = []
const hooked = withCode(plain, {
  before: {
    item: {
      update: ({ old, input, new: next }) => {
        seen.push({ old: old.price, input, new: next.price, stock: next.stock })
        return { hint: `${next.price} for ${next.stock}` }
      },
    },
  },
  operations: {
    sell: operation({
      allow: anyone,
      input: { of: f.text() },
      async run({ db, input }) {
        await db.item.update(input.of, { stock: increment(-1), price: increment("0.01") })
      },
    }),
  },
})

interface Item {
  readonly stock: number
  readonly price: string
  readonly sold: string
  readonly hint: string | null
}

const mutation = `mutation ($id: ID!, $input: ItemUpdateInput!) { updateItem(id: $id, input: $input) { item { stock } } }`

for (const database of dialects) {
  for (const [name, declared, serializable] of [
    ["without own code", plain, false],
    ["with hooks", hooked, true],
  ] as const)
    test(`increments of many clients add up, ${name} (${database})`, async (context) => {
      const opened = await openCode(context, declared, database, { serializable })
      const client = opened.as("role:clerk")
      const { item: [id = ""] = [] } = await opened.add({ item: [{ stock: 1_000 }] })
      const one = { stock: -1, price: "0.01", sold: 1 }
      const answers = await Promise.all(
        Array.from({ length: clients }, async (_, at) => {
          if (at % 2 === 0) return (await client.rest("PATCH", `/items/${id}`, { increment: one })).status
          return (await client.graphql(mutation, { id, input: { increment: one } })).errors.length || 200
        }),
      )
      assert.deepEqual(answers, Array<number>(clients).fill(200))
      const { body } = await client.rest<Item>("GET", `/items/${id}`)
      assert.deepEqual([body.stock, body.price, body.sold], [1_000 - clients, "1.24", "24"])
    })

  test(`of increments that do not all fit, those that fit are done (${database})`, async (context) => {
    const opened = await openCode(context, plain, database, { serializable: false })
    const client = opened.as("anyone")
    const { item: [id = ""] = [] } = await opened.add({ item: [{ stock: 9 }] })
    const taken = Array.from({ length: clients }, () =>
      client.rest("PATCH", `/items/${id}`, { increment: { stock: -1 } }),
    )
    const counts = Map.groupBy(await Promise.all(taken), ({ status }) => status)
    assert.deepEqual([counts.get(200)?.length, counts.get(400)?.length], [9, clients - 9])
    assert.equal((await client.rest<Item>("GET", `/items/${id}`)).body.stock, 0)
  })

  test(`rules and hooks see the sum, and nobody adds to what they do not read or write (${database})`, async (context) => {
    const opened = await openCode(context, hooked, database)
    const client = opened.as("anyone")
    const { item: [id = ""] = [] } = await opened.add({ item: [{ stock: 5 }] })
    const add = async (given: object) => {
      const { status, body } = await client.rest<{ code?: string }>("PATCH", `/items/${id}`, {
        increment: given,
      })
      return body.code ?? status
    }
    seen.length = 0
    assert.equal(await add({ price: "1.00", stock: 2 }), 200)
    assert.deepEqual(seen, [{ old: "1.00", input: { price: "2.00", stock: 7 }, new: "2.00", stock: 7 }])
    assert.equal((await client.rest<Item>("GET", `/items/${id}`)).body.hint, "2.00 for 7")
    // The rule holds of the record as it is, and not as it would be.
    assert.equal(await add({ price: "0.01" }), "forbidden")
    assert.equal(await add({ price: "-0.50" }), 200)
    assert.equal(await add({ sold: 1 }), "unknown_field")
    assert.equal(await add({ margin: "0.01" }), "forbidden")
    assert.equal(
      (await opened.as("role:clerk").rest("PATCH", `/items/${id}`, { increment: { margin: "0.01" } })).status,
      200,
    )
    const sold = await client.rest("POST", "/actions/sell", { of: id })
    assert.equal(sold.status, 204)
    assert.deepEqual(seen.at(-1), {
      old: "1.50",
      input: { stock: 6, price: "1.51" },
      new: "1.51",
      stock: 6,
    })
    assert.deepEqual(opened.faults, [])
  })
}

const versioned = service({
  name: "shop",
  resources: {
    item: resource({
      id: "itm",
      fields: { left: f.integer({ min: 0 }), increment: f.integer({ default: 0 }) },
      allow: { read: anyone, create: anyone, update: anyone },
    }),
    part: resource({
      id: "par",
      fields: { left: f.integer({ min: 0 }) },
      allow: { read: anyone, create: anyone, update: anyone },
    }),
  },
  versions: { "2026-11-01": [{ renamed: "part.stock", to: "left" }], "2026-06-01": [] },
})

/** The hook takes five of a part that would have eleven. */
const taking = withCode(versioned, {
  before: {
    part: {
      async update({ old, input, db }) {
        if (input.left === 11) await db.part.update(old.id, { left: increment(-5) })
      },
    },
  },
})

for (const database of dialects)
  test(`a field is incremented by its name in each version, and may be called so itself (${database})`, async (context) => {
    const url = database === "postgres" ? await temporaryPostgres(context) : undefined
    await using shop = await startService(taking, {
      records: { item: [{ left: 3 }], part: [{ left: 12 }] },
      ...(url !== undefined && { database: url }),
    })
    const own = async (path: string) =>
      (await shop.anyone.rest<{ data: readonly { id: string }[] }>("GET", path)).body.data[0]?.id ?? ""
    const [item, part] = [await own("/items"), await own("/parts")]
    const older = await shop.anyone.rest(
      "PATCH",
      `/parts/${part}`,
      { increment: { stock: -1 } },
      { "api-version": "2026-06-01" },
    )
    assert.deepEqual([older.status, older.body], [200, { id: part, stock: 6 }])
    const newer = await shop.anyone.rest("PATCH", `/parts/${part}`, { increment: { left: -7 } })
    assert.equal(newer.status, 400)
    const named = await shop.anyone.rest<object>("PATCH", `/items/${item}`, { increment: 7 })
    assert.deepEqual([named.status, named.body], [200, { id: item, left: 3, increment: 7 }])
  })

test("what another program adds meanwhile is kept (postgres)", async (context) => {
  const opened = await openCode(context, plain, "postgres", { serializable: false })
  const client = opened.as("anyone")
  const { item: [id = ""] = [] } = await opened.add({ item: [{ stock: 5 }] })
  const other = new pg.Client({ connectionString: opened.url })
  other.on("error", () => {}) // its database is dropped when the test ends
  await other.connect()
  context.after(() => other.end())
  await other.query("BEGIN; UPDATE item SET stock = stock + 100")
  const waits = client.rest<Item>("PATCH", `/items/${id}`, { increment: { stock: -1 } })
  const blocked =
    "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
  while ((await other.query(blocked)).rows.length === 0) await sleep(10)
  await other.query("COMMIT")
  const { status, body } = await waits
  assert.deepEqual([status, body.stock], [200, 104])
})

const counted = service({
  name: "shop",
  resources: {
    item: resource({
      id: "itm",
      fields: {
        stock: f.integer({ min: 0, max: 100 }),
        price: f.decimal({ precision: 4, scale: 2, default: "1.00" }),
        sold: f.int64({ default: 0 }),
        changes: f.integer({ default: 0 }),
        all: f.integer({ computed: { add: ["stock", { sum: ["parts", "amount"] }] } }),
      },
      relations: {
        label: one("label", { optional: true }),
        parts: many("part", { by: "item", owned: true }),
      },
      history: true,
      allow: { read: anyone, create: anyone, update: { all: { ne: 77 } } },
    }),
    part: resource({
      id: "par",
      fields: { amount: f.integer() },
      relations: { item: one("item") },
      allow: { read: anyone, create: anyone },
    }),
    label: resource({
      id: "lab",
      fields: { of: f.text(), takes: f.integer() },
      allow: { read: anyone, create: anyone, update: anyone },
    }),
  },
})

/** A record that is made with an item changes it. */
const labelling = withCode(counted, {
  before: {
    label: {
      create: async ({ new: label, db }) =>
        void (await db.item.update(label.of, { stock: increment(-label.takes) })),
    },
  },
})

/** The write of an item runs a hook that changes the same item. */
const selfWriting = withCode(counted, {
  before: {
    item: {
      async update({ old, input, db }) {
        if (input.changes !== undefined) return
        const added = { stock: increment(-3), price: increment("0.25"), sold: increment(2) }
        await db.item.update(old.id, { ...added, changes: increment(1) })
      },
    },
  },
  operations: {
    add: operation({
      allow: anyone,
      input: { to: f.text(), stock: f.integer() },
      run: async ({ db, input }) => void (await db.item.update(input.to, { stock: increment(input.stock) })),
    }),
  },
})

for (const database of dialects) {
  test(`an increment adds to what the hook of its own write has added (${database})`, async (context) => {
    const opened = await openCode(context, selfWriting, database)
    const client = opened.as("anyone")
    const { item: [id = ""] = [] } = await opened.add({ item: [{ stock: 50 }] })
    const add = async (given: object, rest: object = {}) => {
      const input = { increment: given, ...rest }
      const { status, body } = await client.rest<Item & { code?: string }>("PATCH", `/items/${id}`, input)
      return body.code ?? [status, body.stock, body.price, body.sold]
    }
    assert.deepEqual(await add({ stock: 10, price: "0.50", sold: 1 }), [200, 57, "1.75", "3"])
    const { data } = await client.graphql<{ updateItem: { item: { stock: number } } }>(mutation, {
      id,
      input: { increment: { stock: -2 } },
    })
    assert.equal(data?.updateItem.item.stock, 52)
    assert.equal((await client.rest("POST", "/actions/add", { to: id, stock: 3 })).status, 204)
    // Bounds and rules are asked of the sum that is written, and so is a rule that looks at what is made with it.
    assert.equal(await add({ stock: -51 }), "invalid_value")
    assert.equal(await add({ price: "97.60" }), "invalid_value")
    assert.equal(await add({ stock: 28 }), "forbidden")
    const parts = { create: [{ amount: 1 }] }
    assert.equal(await add({ stock: 28 }, { parts }), "forbidden")
    assert.deepEqual(await add({ stock: 27 }, { parts }), [200, 76, "2.50", "9"])
    const { body } = await client.rest<{ data: readonly { changes: readonly { field: string }[] }[] }>(
      "GET",
      `/items/${id}/history`,
    )
    const last = body.data.at(-1)?.changes.filter(({ field }) => field === "stock")
    assert.deepEqual(last, [{ field: "stock", from: 49, to: 76 }])
    assert.deepEqual(opened.faults, [])
  })

  test(`an increment adds to what hooks of records that are made with it have added (${database})`, async (context) => {
    const opened = await openCode(context, labelling, database)
    const client = opened.as("anyone")
    const { item: [id = ""] = [] } = await opened.add({ item: [{ stock: 50 }] })
    const { status, body } = await client.rest<Item>("PATCH", `/items/${id}`, {
      increment: { stock: 5 },
      label: { create: { of: id, takes: 7 } },
    })
    assert.deepEqual([status, body.stock], [200, 48])
    assert.deepEqual(opened.faults, [])
  })
}

/** The hook hides the record from the caller. */
const hiding = withCode(
  service({
    name: "shop",
    roles: ["staff"],
    resources: {
      item: resource({
        id: "itm",
        fields: { stock: f.integer(), isHidden: f.boolean({ default: false }) },
        allow: { read: [role("staff"), { isHidden: { eq: false } }], create: anyone, update: anyone },
      }),
    },
  }),
  {
    before: {
      item: {
        update: hook({
          as: { roles: ["staff"] },
          async run({ old, input, db }) {
            if (input.isHidden === false)
              await db.item.update(old.id, { isHidden: true, stock: increment(-3) })
          },
        }),
      },
    },
  },
)

for (const database of dialects)
  test(`nothing is added to a record that a hook has hidden from the caller meanwhile (${database})`, async (context) => {
    const opened = await openCode(context, hiding, database)
    const { item: [id = ""] = [] } = await opened.add({ item: [{ stock: 50 }] })
    const input = { isHidden: false, increment: { stock: 5 } }
    const { status, body } = await opened.as("anyone").rest<{ code: string }>("PATCH", `/items/${id}`, input)
    assert.deepEqual([status, body.code], [404, "not_found"])
    assert.equal((await opened.as("anyone").rest<Item>("GET", `/items/${id}`)).body.stock, 50)
    assert.deepEqual(opened.faults, [])
  })
