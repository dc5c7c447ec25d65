// States and values of enumerations that have other names in older versions, on both databases and by both faces.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { withVersions } from "../../src/access/identity/identify.ts"
import type { Refusal } from "../../src/base/problem.ts"
import { action, anyone, f, resource, role, service, withCode } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { changelogOf } from "../../src/model/versions/changelog.ts"
import { differencesBetween } from "../../src/model/versions/diff.ts"
import { modelAt } from "../../src/model/versions/model-at.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"
import { startDraft } from "../../src/plan/draft/draft.ts"
import { readList } from "../../src/plan/read/list.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { compile } from "../../src/sql/read/compile.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"

const everybody = { read: anyone, create: anyone, update: anyone, delete: anyone }

const shop = (
  [open, web]: readonly ["open" | "placed", "web" | "online"],
  versions?: NonNullable<Parameters<typeof service>[0]["versions"]>,
) =>
  service({
    name: "shop",
    roles: ["staff"],
    enums: { channel: { values: [web, "shop"] } },
    ...(versions && { versions }),
    resources: {
      order: resource({
        id: "ord",
        history: true,
        fields: { number: f.text({ unique: true }), channel: f.oneOf("channel", { default: web }) },
        states: {
          status: {
            initial: open,
            transitions: {
              pay: { from: [open, "waiting"], to: "paid", allow: anyone },
              reopen: { from: "paid", to: open, allow: anyone, when: { channel: { eq: web } } },
              wait: { from: open, to: "waiting", allow: anyone },
            },
          },
        },
        allow: everybody,
      }),
      visit: resource({
        id: "vis",
        fields: {
          source: f.oneOf("channel", { optional: true }),
          secret: f.oneOf("channel", { default: web, read: role("staff") }),
        },
        allow: everybody,
      }),
    },
  } as Parameters<typeof service>[0])

const changes = {
  "2026-06-01": [
    { renamed: "order.status.placed", to: "open" },
    { renamed: "visit.secret.online", to: "web" },
  ],
  "2026-01-01": [],
}
const declared = shop(["open", "web"], changes)

test("the older version is what it was", () => {
  const before = load(shop(["placed", "online"]))
  const now = modelAt(load(declared), "2026-01-01")
  assert.deepEqual(differencesBetween(before, now), [])
  assert.deepEqual(differencesBetween(now, before), [])
  const lacking = shop(["open", "web"], { "2026-06-01": changes["2026-06-01"].slice(1), "2026-01-01": [] })
  assert.match(JSON.stringify(differencesBetween(before, modelAt(load(lacking), "2026-01-01"))), /placed/)
  const [newest] = changelogOf(load(declared))
  assert.equal(newest?.changes[0]?.text, "`placed`, a value of `order.status`, is now called `open`.")
})

test("exact conditions on renamed values ask the column, so that its index serves them", () => {
  const model = modelAt(openModel(load(declared)), "2026-01-01")
  const resource = model.resources.get("order")
  assert.ok(resource)
  for (const dialect of [sqlite, postgres])
    for (const [where, values] of [
      [{ status: { eq: "placed" } }, "open"],
      [{ status: { ne: "placed" } }, "open"],
      [{ status: { in: ["placed", "waiting"] } }, "waiting"],
      [{ channel: { notIn: ["online"] } }, "web"],
    ] as const) {
      const draft = startDraft({ model, cursors: { seal: () => "", open: () => undefined } })
      const list = readList(draft, resource, { encoding: "json", where, first: 1 }, [])
      draft.problems.settle()
      const total = { kind: "total", key: "total" } as const
      const plan = draft.finish([
        { kind: "list", key: "orders", resource: "order", list: { ...list, order: [], members: [total] } },
      ])
      const { text, binds } = compile(plan, dialect)
      assert.doesNotMatch(text, /CASE/, text)
      assert.match(text, /"(status|channel)"/)
      const bound = JSON.stringify(binds.map(({ slot, encode }) => encode(plan.values[slot] ?? null)))
      assert.ok(bound.includes(values) && !bound.includes("placed") && !bound.includes("online"), bound)
    }
})

test("values that are not there, or are there still, and those that user code is given are told", () => {
  const wrong = (renamed: string, to: string) => () =>
    load(shop(["open", "web"], { "2026-06-01": [{ renamed, to }], "2026-01-01": [] }))
  assert.throws(wrong("order.status.new", "begun"), /"order.status" is never "begun" in this version/)
  assert.throws(wrong("order.status.paid", "open"), /"order.status" may be "paid" in this version, too/)
  assert.throws(wrong("order.number.a", "b"), /"order.number" has no values of its own/)
  assert.throws(wrong("order.colour.a", "b"), /order has no "colour" in this version/)
  const undone = [{ renamed: "order.status.placed", to: "open" }, { added: "order.status" }]
  assert.throws(
    () => load(shop(["open", "web"], { "2026-06-01": undone, "2026-01-01": [] })),
    ({ problems }: Refusal) =>
      problems.some(({ hint }) =>
        /changes of one version are undone from the last to the first/.test(hint ?? ""),
      ),
  )
  const coded = withCode(
    declared as never,
    {
      actions: {
        order: { move: action({ input: { to: f.oneOf("channel") }, allow: anyone, run: () => {} }) },
      },
    } as never,
  )
  assert.throws(() => load(coded as never), /The values of Channel cannot be renamed: "to" has them too/)
})

for (const database of ["sqlite", "postgres"] as const)
  describe(`renamed values on ${database}`, async () => {
    const hooks = cleanUp(after)
    const model = load(withSystem(declared))
    const url = await openDatabase(hooks, database, model)
    const server = await openServer(
      hooks,
      url,
      model,
      {},
      { identify: withVersions(() => strangerTo(model), model) },
    )
    const old = { "api-version": "2026-01-01" }
    const send = async (headers: Record<string, string>, method: string, path: string, body?: unknown) => {
      const answered = await fetch(`${server.url}${path}`, {
        method,
        headers: { "content-type": "application/json", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answered.text()
      return { status: answered.status, body: text === "" ? {} : JSON.parse(text) }
    }
    const ask = async (headers: Record<string, string>, query: string) => {
      const { body } = await send(headers, "POST", "/graphql", { query })
      assert.equal(body.errors, undefined, JSON.stringify(body.errors))
      return body.data
    }

    test("records are read, written, found and moved by the names of the version", async () => {
      const made = await send(old, "POST", "/orders", { number: "A-1" })
      assert.deepEqual([made.status, made.body.status, made.body.channel], [201, "placed", "online"])
      const { id } = made.body
      const { body } = await send({}, "GET", `/orders/${id}`)
      assert.deepEqual([body.status, body.channel], ["open", "web"])
      const given = await send(old, "POST", "/orders", { number: "A-2", channel: "online" })
      assert.equal((await send({}, "GET", `/orders/${given.body.id}`)).body.channel, "web")
      assert.equal((await send(old, "POST", "/orders", { number: "A-3", channel: "web" })).status, 400)
      const count = async (headers: Record<string, string>, filter: string) =>
        (await send(headers, "GET", `/orders?total=true&${filter}`)).body.page?.total
      assert.equal(await count(old, "filter[status]=placed"), 2)
      assert.equal(await count({}, "filter[status]=open"), 2)
      assert.equal(await count(old, "filter[status]=open"), undefined)
      assert.equal(await count(old, "filter[channel][in]=online,shop"), 2)
      const data = await ask(
        old,
        `mutation { updateOrder(id: "${id}", input: { channel: shop }) { order { channel } } payOrder(id: "${id}") { order { status } } }`,
      )
      assert.deepEqual(data, {
        updateOrder: { order: { channel: "shop" } },
        payOrder: { order: { status: "paid" } },
      })
      const unmet = await send(old, "POST", `/orders/${id}/transitions/reopen`)
      assert.equal(unmet.body.code, "condition_not_met")
      const back = await send(old, "PATCH", `/orders/${id}`, { channel: "online" })
      assert.equal(back.body.channel, "online")
      assert.equal((await send(old, "POST", `/orders/${id}/transitions/reopen`)).body.status, "placed")
      const again = await send(old, "POST", `/orders/${id}/transitions/reopen`)
      assert.match(again.body.detail, /only where `status` is paid; here it is placed/)
      await send({}, "POST", `/orders/${id}/transitions/pay`)
      const paid = await send(old, "POST", `/orders/${id}/transitions/pay`)
      assert.match(paid.body.detail, /only where `status` is placed or waiting; here it is paid/)
      const bulk = await ask(
        old,
        `mutation { waitOrders(where: { status: { eq: placed } }, maxAffected: 9) { affected } }`,
      )
      assert.deepEqual(bulk, { waitOrders: { affected: 1 } })
      const possible = await send(old, "GET", `/orders/${given.body.id}/transitions`)
      assert.deepEqual(
        possible.body.data.map(({ name, allowed }: Record<string, unknown>) => [name, allowed]),
        [
          ["pay", true],
          ["reopen", false],
          ["wait", false],
        ],
      )
      assert.match(JSON.stringify(possible.body), /is placed/)
      assert.doesNotMatch(JSON.stringify(possible.body), /\bopen\b/)
    })

    test("an enumeration that several fields share has the former values in all of them, also in hidden ones", async () => {
      const visit = await send(old, "POST", "/visits", { source: "online" })
      assert.deepEqual([visit.status, visit.body.source], [201, "online"])
      assert.equal((await send({}, "GET", `/visits/${visit.body.id}`)).body.source, "web")
      const types = await ask(old, `{ __type(name: "Channel") { enumValues { name } } }`)
      assert.deepEqual(types.__type.enumValues, [{ name: "online" }, { name: "shop" }])
    })

    test("histories, events and their types have them too", async () => {
      const { id } = (await send({}, "POST", "/orders", { number: "E-1" })).body
      await send({}, "POST", `/orders/${id}/transitions/pay`)
      await send({}, "POST", `/orders/${id}/transitions/reopen`)
      const history = async (headers: Record<string, string>) =>
        (await send(headers, "GET", `/orders/${id}/history`)).body.data.map(
          ({ type, from, to, changes: all }: Record<string, unknown>) => [
            type,
            from,
            to,
            (all as readonly Record<string, unknown>[]).find(({ field }) => field === "status"),
          ],
        )
      assert.deepEqual(await history(old), [
        ["order.created", null, null, { field: "status", from: null, to: "placed" }],
        ["order.paid", "placed", "paid", { field: "status", from: "placed", to: "paid" }],
        ["order.placed", "paid", "placed", { field: "status", from: "paid", to: "placed" }],
      ])
      assert.deepEqual((await history({}))[2], [
        "order.open",
        "paid",
        "open",
        { field: "status", from: "paid", to: "open" },
      ])
      const events = async (headers: Record<string, string>, query: string) =>
        (await send(headers, "GET", `/events?limit=50&${query}`)).body
      assert.deepEqual(
        (await events(old, "types=order.placed")).data
          .map(({ type, from }: Record<string, unknown>) => [type, from])
          .at(-1),
        ["order.placed", "paid"],
      )
      assert.equal((await events(old, "types=order.open")).code, "invalid_value")
      assert.equal((await events({}, "types=order.placed")).code, "invalid_value")
    })
  })
