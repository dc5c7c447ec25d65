// States and values that are new since an older version, and unique keys that have changed: by both faces, on both databases.
import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { after, describe, test } from "node:test"
import pg from "pg"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { withVersions } from "../../src/access/identity/identify.ts"
import { anyone, f, resource, role, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { changelogOf } from "../../src/model/versions/changelog.ts"
import { changesBetween } from "../../src/model/versions/cut.ts"
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

type Declared = Parameters<typeof service>[0]
type Versions = NonNullable<Declared["versions"]>

const [then, now] = ["2026-01-01", "2026-06-01"] as const
const everybody = { read: anyone, create: anyone, update: anyone, delete: anyone }

/** Before the change, and since: orders are reviewed and lost, and there are new channels. */
const shop = (isNew: boolean, changes?: Versions[string]): Declared =>
  ({
    name: "shop",
    enums: { channel: { values: ["web", "shop", ...(isNew ? ["phone", "fax"] : [])] } },
    ...(changes && { versions: { [now]: changes, [then]: [] } }),
    resources: {
      order: resource({
        id: "ord",
        history: true,
        fields: {
          number: f.text({ unique: true }),
          channel: f.oneOf("channel", { default: "web" }),
          reply: f.oneOf("channel", { optional: true }),
        },
        states: {
          status: {
            initial: "placed",
            transitions: {
              pay: { from: isNew ? ["placed", "reviewing"] : "placed", to: "paid", allow: anyone },
              refund: { from: "paid", to: "placed", allow: anyone },
              send: { from: "paid", to: "sent", allow: anyone },
              ...(isNew && {
                review: { from: ["placed", "paid"], to: "reviewing", allow: anyone },
                lose: { from: ["paid", "sent"], to: "lost", allow: anyone },
              }),
            },
          },
        },
        allow: everybody,
      } as never),
    },
  }) as Declared

const changes = [
  { added: "order.status.reviewing", as: "placed" },
  { added: "order.status.lost" },
  { added: "order.channel.phone", as: "shop" },
  { added: "order.channel.fax" },
  { added: "order.review" },
  { added: "order.lose" },
]
const before = service(shop(false))
const declared = service(shop(true, changes))

test("the version before has neither the values nor what leads to them, and the changelog tells of them", () => {
  const was = load(before)
  const older = modelAt(load(declared), then)
  assert.deepEqual(differencesBetween(was, older), [])
  assert.deepEqual(differencesBetween(older, was), [])
  const [newest] = changelogOf(load(declared))
  assert.deepEqual(
    newest?.changes.slice(0, 2).map(({ kind, before: from, after: to, text }) => ({ kind, from, to, text })),
    [
      {
        kind: "added",
        from: ["order.status.placed"],
        to: ["order.status.reviewing"],
        text: "`order.status` may be `reviewing`, for which older versions have `placed`.",
      },
      { kind: "added", from: [], to: ["order.status.lost"], text: "`order.status` may be `lost`." },
    ],
  )
  assert.match(newest?.changes[0]?.examples.before?.rest ?? "", /filter\[status\]=placed/)
})

test("a version is cut with the values that are new", () => {
  const fresh = service(shop(true))
  const cut = changesBetween(
    { declaration: before, model: load(before) },
    { declaration: fresh, model: load(fresh) },
  )
  assert.deepEqual(
    cut.changes,
    changes.map(({ added }) => ({ added })),
  )
  assert.equal(cut.byHand.length, 4)
  assert.match(cut.byHand.join("\n"), /`order\.status` may be `reviewing`: say in `as`/)
})

test("values that are not there, and changes that would lose transitions are refused", () => {
  const wrong =
    (change: object, of = shop) =>
    () =>
      load(service(of(true, [change as never])))
  assert.throws(wrong({ added: "order.status.held" }), /"order.status" is never "held" in this version/)
  assert.throws(
    wrong({ added: "order.status.lost", as: "gone" }),
    /"order.status" is never "gone" in the version before/,
  )
  assert.throws(wrong({ added: "order.number.a" }), /"order.number" has no values of its own/)
  assert.throws(wrong({ added: "order.review", as: "placed" }), /"order.review" is no state and no value/)
  assert.throws(
    wrong({ added: "order.status.lost", writes: "placed" }),
    /Writers of older versions do not have the value/,
  )
  assert.throws(
    wrong({ added: "order.status.placed" }),
    /"status" of order begins with "placed", which older versions do not have/,
  )
  assert.throws(
    wrong({ added: "order.channel.web" }),
    /"channel" of order begins with "web", which older versions do not have/,
  )
  assert.throws(
    wrong({
      changed: "order.status",
      was: f.oneOf(["placed", "paid"]),
      reads: { map: ["status", { reviewing: "placed" }] },
    }),
    /"order.status" are states, and the version before would lose pay, refund, send, review, lose/,
  )
})

test("exact conditions on a value that several are shown as ask the column, so that its index serves them", () => {
  const model = modelAt(openModel(load(declared)), then)
  const resourceThen = model.resources.get("order")
  assert.ok(resourceThen)
  for (const dialect of [sqlite, postgres])
    for (const [where, values] of [
      [{ status: { eq: "placed" } }, ["placed", "reviewing"]],
      [{ status: { ne: "placed" } }, ["placed", "reviewing"]],
      [{ channel: { in: ["web", "shop"] } }, ["web", "shop", "phone"]],
    ] as const) {
      const draft = startDraft({ model, cursors: { seal: () => "", open: () => undefined } })
      const list = readList(draft, resourceThen, { encoding: "json", where, first: 1 }, [])
      draft.problems.settle()
      const total = { kind: "total", key: "total" } as const
      const plan = draft.finish([
        { kind: "list", key: "orders", resource: "order", list: { ...list, order: [], members: [total] } },
      ])
      const { text, binds } = compile(plan, dialect)
      assert.doesNotMatch(text, /CASE/, text)
      const given = JSON.stringify(binds.map(({ slot, encode }) => encode(plan.values[slot] ?? null)))
      for (const value of values) assert.ok(given.includes(value), given)
    }
})

const oldHeaders = { "api-version": then }
const newHeaders = { "api-version": now }
type Headers = Readonly<Record<string, string>>

async function open(database: "sqlite" | "postgres", of: ReturnType<typeof service>) {
  const hooks = cleanUp(after)
  const model = load(withSystem(of))
  const url = await openDatabase(hooks, database, model)
  const identify = withVersions(
    ({ authorization }) =>
      authorization === undefined
        ? strangerTo(model)
        : actorFromText(model, authorization.replace("Bearer ", "")),
    model,
  )
  const server = await openServer(hooks, url, model, {}, { identify })
  const send = async (headers: Headers, method: string, path: string, body?: unknown) => {
    const answered = await fetch(`${server.url}${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answered.text()
    return {
      status: answered.status,
      errors: answered.headers.get("value-errors"),
      body: text === "" ? {} : JSON.parse(text),
    }
  }
  const ask = async (headers: Headers, query: string) =>
    (await send(headers, "POST", "/graphql", { query })).body
  return { server, url, send, ask }
}

for (const database of ["sqlite", "postgres"] as const)
  describe(`values that are new since on ${database}`, async () => {
    const { server, send, ask } = await open(database, declared)
    const make = async (number: string, ...moves: readonly string[]) => {
      const { body } = await send(newHeaders, "POST", "/orders", { number })
      for (const move of moves) {
        const { status } = await send(newHeaders, "POST", `/orders/${body.id}/transitions/${move}`)
        assert.equal(status, 200, move)
      }
      return String(body.id)
    }

    test("a state is shown, found, grouped and moved as the one in its place", async () => {
      const id = await make("S-1", "review")
      const { body } = await send(oldHeaders, "GET", `/orders/${id}`)
      assert.equal(body.status, "placed")
      await make("S-2")
      const count = async (filter: string) =>
        (await send(oldHeaders, "GET", `/orders?total=true&filter[number][startsWith]=S-&${filter}`)).body
          .page.total
      assert.equal(await count("filter[status]=placed"), 2)
      assert.equal(await count("filter[status][ne]=placed"), 0)
      assert.equal(await count("filter[status][in]=placed,paid"), 2)
      assert.equal((await send(oldHeaders, "GET", "/orders?filter[status]=reviewing")).status, 400)
      const { data } = await ask(
        oldHeaders,
        `{ orders(first: 5, where: { number: { startsWith: "S-" } }, orderBy: { field: status }) {
             nodes { status }
             groups(by: [status]) { key { status } count }
           } }`,
      )
      assert.deepEqual(data.orders, {
        nodes: [{ status: "placed" }, { status: "placed" }],
        groups: [{ key: { status: "placed" }, count: 2 }],
      })
      const possible = await send(oldHeaders, "GET", `/orders/${id}/transitions`)
      assert.deepEqual(
        possible.body.data.map(({ name, allowed }: Record<string, unknown>) => [name, allowed]),
        [
          ["pay", true],
          ["refund", false],
          ["send", false],
        ],
      )
      const paid = await send(oldHeaders, "POST", `/orders/${id}/transitions/pay`)
      assert.deepEqual([paid.status, paid.body.status], [200, "paid"])
    })

    test("histories and events have a move as the version has it, or an update", async () => {
      const id = await make("H-1", "review", "pay", "review", "pay", "lose")
      const entries = async (headers: Headers) =>
        (await send(headers, "GET", `/orders/${id}/history`)).body.data.map(
          ({ type, transition, from, to }: Record<string, unknown>) => [type, transition, from, to],
        )
      assert.deepEqual(await entries(newHeaders), [
        ["order.created", null, null, null],
        ["order.reviewing", "review", "placed", "reviewing"],
        ["order.paid", "pay", "reviewing", "paid"],
        ["order.reviewing", "review", "paid", "reviewing"],
        ["order.paid", "pay", "reviewing", "paid"],
        ["order.lost", "lose", "paid", "lost"],
      ])
      const older = [
        ["order.created", null, null, null],
        ["order.updated", null, null, null],
        ["order.paid", "pay", "placed", "paid"],
        ["order.placed", "review", "paid", "placed"],
        ["order.paid", "pay", "placed", "paid"],
        ["order.updated", null, null, null],
      ]
      assert.deepEqual(await entries(oldHeaders), older)
      const events = async (query: string) =>
        (await send(oldHeaders, "GET", `/events?limit=50&resource=order&${query}`)).body
      const types = async (query: string) =>
        (await events(query)).data
          .filter(
            (event: Record<string, unknown>) =>
              event["id"] !== undefined && JSON.stringify(event).includes(id),
          )
          .map(({ type, from, to }: Record<string, unknown>) => [type, from, to])
      assert.deepEqual(
        await types(""),
        older.map(([type, , from, to]) => [type, from, to]),
      )
      assert.deepEqual(await types("types=order.placed"), [["order.placed", "paid", "placed"]])
      assert.equal((await types("types=order.updated")).length, 2)
      assert.equal((await events("types=order.reviewing")).code, "invalid_value")
    })

    test("a value without one in its place is none that the version has", async () => {
      const id = await make("V-1", "pay", "lose")
      await send(newHeaders, "PATCH", `/orders/${id}`, { channel: "phone", reply: "fax" })
      const { body, errors } = await send(oldHeaders, "GET", `/orders/${id}?fields=channel,reply`)
      assert.deepEqual([body.channel, body.reply], ["shop", null])
      assert.match(errors ?? "", /reply/)
      const state = await send(oldHeaders, "GET", `/orders/${id}`)
      assert.equal(state.body.status, null)
      assert.match(state.errors ?? "", /status/)
      const asked = await ask(oldHeaders, `{ order(id: "${id}") { reply } }`)
      assert.deepEqual(asked.data, { order: { reply: null } })
      assert.equal(asked.errors[0].extensions.code, "unrepresentable_value")
      const fired = await send(oldHeaders, "POST", `/orders/${id}/transitions/pay`)
      assert.deepEqual(
        [fired.status, fired.body.detail],
        [409, "`pay` is possible only where `status` is placed."],
      )
      const written = await send(oldHeaders, "PATCH", `/orders/${id}`, { channel: "web", reply: "web" })
      assert.deepEqual([written.status, written.body.channel, written.body.reply], [200, "web", "web"])
      assert.equal((await send(newHeaders, "GET", `/orders/${id}`)).body.channel, "web")
      assert.equal((await send(oldHeaders, "PATCH", `/orders/${id}`, { channel: "fax" })).status, 400)
      assert.deepEqual(server.observed, [])
    })
  })

const staff = role("staff")
const people = service({
  name: "people",
  roles: ["staff"],
  versions: {
    [now]: [
      {
        changed: ["person.first", "person.last"],
        was: { label: f.text() },
        reads: { label: { concat: ["first", { value: " " }, "last"] } },
        writes: { first: { before: ["label", " "] }, last: { after: ["label", " "] } },
      },
      {
        changed: ["person.street", "person.door"],
        was: { address: f.text({ optional: true }) },
        reads: { address: "street" },
      },
      { removed: "person.grade", was: f.integer(), reads: { value: 0 } },
      { removed: "person.motto", was: f.text({ optional: true }), reads: "street" },
    ],
    [then]: [],
  } as never,
  resources: {
    person: resource({
      id: "per",
      history: true,
      fields: {
        first: f.text(),
        last: f.text(),
        street: f.text({ optional: true }),
        door: f.text({ optional: true, read: staff }),
      },
      allow: { read: anyone, create: anyone, update: anyone },
    }),
  },
})

/** As an earlier declaration of the service has written it. */
async function logAs(database: "sqlite" | "postgres", url: string, logged: object): Promise<void> {
  const set = `UPDATE bifold_log SET "new" = '${JSON.stringify(logged)}'`
  if (database === "sqlite") {
    const other = new DatabaseSync(url)
    other.exec(set)
    other.close()
    return
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(set)
  await client.end()
}

for (const database of ["sqlite", "postgres"] as const)
  describe(`entries from before a change on ${database}`, async () => {
    const { server, url, send } = await open(database, people)

    test("have the members of then for those who see each member in their place", async () => {
      const { body } = await send(newHeaders, "POST", "/people", { first: "Ann", last: "Lee", street: "Elm" })
      await logAs(database, url, { label: "Ann Lee", address: "Elm 7", grade: 3, motto: "Onward" })
      const changesFor = async (headers: Headers) => {
        const { data } = (await send(headers, "GET", `/people/${body.id}/history`)).body
        const { data: events } = (await send(headers, "GET", "/events?resource=person")).body
        assert.deepEqual(events[0].changes, data[0].changes)
        return Object.fromEntries(
          data[0].changes.map(({ field, from, to }: Record<string, unknown>) => {
            assert.equal(from, null)
            return [field, to]
          }),
        )
      }
      assert.deepEqual(await changesFor(newHeaders), {})
      // The street alone does not show what the door was.
      assert.deepEqual(await changesFor(oldHeaders), { label: "Ann Lee", motto: "Onward", grade: 0 })
      assert.deepEqual(await changesFor({ ...oldHeaders, authorization: "Bearer role:staff" }), {
        label: "Ann Lee",
        address: "Elm 7",
        motto: "Onward",
        grade: 0,
      })
      await logAs(database, url, { label: 7 })
      assert.equal((await changesFor(oldHeaders)).label, undefined)
      assert.deepEqual(server.observed, [])
    })
  })
