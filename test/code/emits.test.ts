// Events that user code emits: written in its transaction, shown by the rules of who reads, and known wherever types are.
import assert from "node:assert/strict"
import { test } from "node:test"
import { action, f, resource, service, signedIn, withCode } from "../../src/index.ts"
import { type Client, startService } from "../../src/tools/testing/start-service.ts"
import { openLogging } from "../log/open.ts"
import type { Hooks } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { emitting } from "./emitting.ts"
import { codeAt } from "./in-threads.ts"

const servers = [
  ["sqlite", "in threads"],
  [process.env["BIFOLD_TEST_POSTGRES"] ?? "", "in process"],
] as const

interface Told {
  readonly type: string
  readonly payload?: unknown
  readonly version: string
  readonly changes: readonly unknown[]
  readonly input: unknown
  readonly actor: string | null
}

for (const [database, where] of servers) {
  const called = `${database === "sqlite" ? "sqlite" : "postgres"}, ${where}`
  const open = async (hooks: Hooks) => {
    const started = await startService(
      codeAt(where, hooks, emitting, "emitting.ts#emitting") as typeof emitting,
      {
        database,
      },
    )
    hooks.after(() => started.close())
    const { customer: [ann = "", ben = ""] = [] } = await started.add({
      customer: [{ name: "Ann" }, { name: "Ben" }],
    })
    const { order: [order = ""] = [] } = await started.add({
      order: [{ number: "A-1", total: 60, customerId: ann }],
    })
    const staff = started.as("role:staff")
    return {
      started,
      staff,
      ann: started.as(`customer:${ann}`),
      ben: started.as(`customer:${ben}`),
      order,
      annId: ann,
    }
  }
  type Opened = Awaited<ReturnType<typeof open>>
  const it = (name: string, run: (opened: Opened) => Promise<void>) =>
    test(`${name} (${called})`, async (t) => run(await open(t)))
  const apply = (client: Client, order: string, input: object, headers: Record<string, string> = {}) =>
    client.rest<{ code: string; detail: string }>(
      "POST",
      `/orders/${order}/actions/apply-coupon`,
      input,
      headers,
    )
  const historyOf = async (client: Client, order: string): Promise<readonly Told[]> =>
    (await client.rest<{ data: readonly Told[] }>("GET", `/orders/${order}/history`)).body.data
  const typesOf = async (client: Client, order: string) =>
    (await historyOf(client, order)).map(({ type }) => type.replace("order.", ""))
  const whole = { code: "TEN", worth: "1.50", kind: null, margin: 7, hint: "again" }

  it("an event is in the history, in streams and with handlers, each as its reader may see it", async (opened) => {
    const { started, staff, ann, ben, order, annId } = opened
    const before = await staff.rest("GET", `/orders/${order}`)
    assert.equal((await apply(ann, order, { code: "TEN" })).status, 204)
    const [made, entry] = await historyOf(staff, order)
    assert.deepEqual(
      [entry?.type, entry?.changes, entry?.input, entry?.actor, entry?.payload],
      ["order.couponApplied", [], null, annId, whole],
    )
    assert.equal(BigInt(entry?.version ?? 0), BigInt(made?.version ?? 0) + 1n)
    // The record has a version of its own for it, and is otherwise as it was.
    const after = await staff.rest("GET", `/orders/${order}`)
    assert.deepEqual(after.body, before.body)
    assert.notEqual(after.headers["etag"], before.headers["etag"])
    const { margin: _, ...shown } = whole
    assert.deepEqual((await historyOf(ann, order)).at(-1)?.payload, shown)
    await staff.rest("PATCH", `/orders/${order}`, { total: 10 })
    const { hint: __, ...less } = shown
    const graphql = await ann.graphql<{ order: { history: { nodes: readonly Told[] } } }>(
      "query($id: ID!) { order(id: $id) { history { nodes { type payload } } } }",
      { id: order },
    )
    assert.deepEqual(graphql.errors, [])
    assert.deepEqual(graphql.data?.order.history.nodes, [
      { type: "order.created", payload: null },
      { type: "order.couponApplied", payload: less },
      { type: "order.updated", payload: null },
    ])
    const events = await ann.rest<{ data: readonly Told[] }>("GET", "/events?types=order.couponApplied")
    assert.deepEqual(
      events.body.data.map(({ type, payload }) => [type, payload]),
      [["order.couponApplied", less]],
    )
    const page = await ann.graphql<{ events: { nodes: readonly Told[] } }>(
      `{ events(types: ["order.couponApplied"]) { nodes { type payload } } }`,
    )
    assert.deepEqual(
      [page.errors, page.data?.events.nodes],
      [[], [{ type: "order.couponApplied", payload: less }]],
    )
    assert.deepEqual((await ben.rest<{ data: unknown[] }>("GET", "/events")).body.data, [])
    assert.deepEqual(await started.settled(), [])
    const notes = await staff.rest<{ data: readonly { text: string }[] }>("GET", "/notes")
    assert.deepEqual(
      notes.body.data.map(({ text }) => text),
      ["TEN 1.50 null 7 order.couponApplied A-1"],
    )
  })

  it("it stands among the changes of its transaction, and goes with it", async ({
    staff,
    ann,
    order,
    annId,
  }) => {
    const key = { "idempotency-key": '"once"' }
    for (const _ of [1, 2])
      assert.equal((await apply(staff, order, { code: "TEN", total: 5 }, key)).status, 204)
    assert.deepEqual(await typesOf(staff, order), ["created", "updated", "couponApplied"])
    const back = await apply(ann, order, { code: "BACK" })
    assert.deepEqual([back.status, back.body.code], [409, "conflict"])
    await assert.rejects(apply(ann, order, { code: "TEN", careless: true }), /applyCoupon of order failed/)
    const late = await staff.rest<{ code: string }>("POST", "/batch", {
      requests: [
        { method: "POST", path: `/orders/${order}/actions/apply-coupon`, body: { code: "TEN" } },
        { method: "PATCH", path: `/orders/${order}`, body: { total: 13 } },
      ],
    })
    assert.ok(late.status === 409 || late.status === 422, JSON.stringify(late.body))
    assert.deepEqual(await typesOf(staff, order), ["created", "updated", "couponApplied"])
    // No hook runs: one would refuse any change of this record.
    const unlucky = { number: "A-13", total: 13, customerId: annId }
    const { body } = await staff.rest<{ id: string }>("POST", "/orders", unlucky)
    const { errors } = await staff.graphql(
      'mutation($id: ID!) { applyCouponOrder(id: $id, input: {code: "TEN"}) { order { total } } }',
      { id: body.id },
    )
    assert.deepEqual(errors, [])
    assert.deepEqual(await typesOf(staff, body.id), ["created", "couponApplied"])
  })

  it("what is not declared, does not fit or is about nothing in sight is refused", async (opened) => {
    const { staff, ann, ben, order } = opened
    const misfit = (payload: unknown, rest: object = {}) =>
      ann
        .rest<{ code: string }>("POST", `/orders/${order}/actions/misfit`, {
          payload,
          type: "order.couponApplied",
          ...rest,
        })
        .then(
          ({ status, body }) => [status, body?.code],
          (error: Error) => (error.cause as Error | undefined)?.message ?? error.message,
        )
    const fits = { code: "TEN", worth: "1.00" }
    assert.deepEqual(await misfit(fits), [204, undefined])
    const faults = [
      [{ ...fits, code: "TOO LONG" }, "gave `code`, which must be at most 5 characters long, not 8"],
      [{ ...fits, more: 1 }, 'gave "more", which is not declared'],
      [{ code: "TEN" }, "gave no `worth`"],
      [{ ...fits, kind: "never" }, 'gave `kind`, which must be one of "once", "forever", not "never"'],
      ["TEN", 'must give an object, not "TEN"'],
    ] as const
    for (const [payload, fault] of faults)
      assert.equal(
        await misfit(payload),
        `The code of misfit of order, which emits order.couponApplied, ${fault}.`,
      )
    // Declared, but by another action; and nothing at all.
    for (const type of ["order.looked", "order.paid"])
      assert.equal(
        await misfit({}, { type }),
        `misfit of order does not say in \`emits\` that it emits "${type}".`,
      )
    assert.deepEqual(await misfit(fits, { record: "ord_00000000000000000000000000" }), [404, "not_found"])
    const look = (client: Client, id: string) => client.rest("POST", "/actions/look", { order: id })
    assert.equal((await look(ann, order)).status, 204)
    assert.equal((await look(ben, order)).status, 404)
    assert.equal((await staff.rest("POST", `/orders/${order}/actions/leave`)).status, 404)
    assert.deepEqual(await typesOf(staff, order), ["created", "couponApplied", "looked"])
    assert.deepEqual((await historyOf(ann, order)).at(-1)?.payload, {})
  })
}

const theirs = withCode(
  service({
    name: "theirs",
    managed: false,
    resources: {
      thing: resource({
        key: { column: "id", type: "integer", given: true },
        fields: { name: f.text() },
        events: { seen: { payload: { by: f.text() } } },
        allow: { read: signedIn, create: signedIn },
      }),
    },
  }),
  {
    actions: {
      thing: {
        see: action({
          emits: "thing.seen",
          allow: signedIn,
          run: ({ emit }) => emit("thing.seen", { by: "ann" }),
        }),
      },
    },
  },
)

for (const database of dialects)
  test(`of a database of somebody else's nothing is written for an event (${database})`, async (hooks) => {
    const of = await openLogging(hooks, database, theirs, [
      "CREATE TABLE thing (id integer PRIMARY KEY, name text NOT NULL)",
      ...(database === "sqlite"
        ? ["CREATE TRIGGER still BEFORE UPDATE ON thing BEGIN SELECT RAISE(ABORT, 'written'); END"]
        : [
            "CREATE FUNCTION still() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'written'; END $$",
            "CREATE TRIGGER still BEFORE UPDATE ON thing FOR EACH ROW EXECUTE FUNCTION still()",
          ]),
    ])
    const client = of.as("signedIn")
    const { body } = await client.rest<{ id: string }>("POST", "/things", { id: "1", name: "one" })
    const before = await client.rest("GET", `/things/${body.id}`)
    for (const _ of [1, 2]) {
      const { status, body: refused } = await client.rest("POST", `/things/${body.id}/actions/see`)
      assert.equal(status, 204, JSON.stringify(refused))
    }
    assert.equal((await client.rest("GET", `/things/${body.id}`)).headers["etag"], before.headers["etag"])
    const rows = await of.rows(body.id)
    assert.deepEqual(
      rows.map(({ type, input, old, new: fresh }) => [type, input, old, fresh]),
      [
        ["thing.created", null, null, { name: "one" }],
        ["thing.seen", { by: "ann" }, {}, {}],
        ["thing.seen", { by: "ann" }, {}, {}],
      ],
    )
    assert.equal(new Set(rows.map(({ version }) => version)).size, 1)
    const history = await client.rest<{ data: readonly Told[] }>("GET", `/things/${body.id}/history`)
    assert.deepEqual(
      history.body.data.map(({ payload }) => payload),
      [null, { by: "ann" }, { by: "ann" }],
    )
  })

test("documents and endpoints know the types", async () => {
  await using started = await startService(emitting)
  const staff = started.as("role:staff")
  const endpoint = await staff.rest("POST", "/webhook-endpoints", {
    url: "https://example.com/hook",
    types: ["order.couponApplied", "order.looked"],
  })
  assert.equal(endpoint.status, 201, JSON.stringify(endpoint.body))
  const text = JSON.stringify(
    (await staff.graphql('{ __type(name: "OrderChange") { fields { name } } }')).data,
  )
  assert.match(text, /payload/)
})
