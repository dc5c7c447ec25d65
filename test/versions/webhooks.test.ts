// Endpoints are sent the version that they are pinned to, whatever the writer's is.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { withVersions } from "../../src/access/identity/identify.ts"
import { anyone, f, resource, role, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { openDatabase, openServer, until } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"
import { startReceiver } from "../webhooks/receiver.ts"
import { shop } from "./shop.ts"

const staff = role("staff")
const older = {
  "2026-06-01": [
    {
      changed: "order.total",
      was: f.integer(),
      reads: { multiply: ["total", 100] },
      writes: { multiply: ["total", 0.01] },
    },
  ],
  "2026-01-01": [],
}
/** Two declarations of one database, as replicas have them during a rolling upgrade. */
const declared = (versions: object, note: object) =>
  load(
    withSystem(
      service({
        name: "shop",
        roles: ["staff"],
        webhooks: { manage: staff, networks: ["127.0.0.0/8"] },
        versions,
        resources: {
          order: resource({
            id: "ord",
            fields: { total: f.decimal({ precision: 10, scale: 2 }), ...note },
            history: true,
            allow: { read: staff, create: staff },
          }),
        },
      } as never),
    ),
  )

/** A state has another name, which a later one has taken. */
const notes = service({
  name: "notes",
  roles: ["staff"],
  webhooks: { manage: role("staff"), networks: ["127.0.0.0/8"] },
  versions: {
    "2026-07-01": [
      { renamed: "memo", to: "note" },
      { renamed: "note.state.open", to: "draft" },
      { renamed: "note.state.idle", to: "open" },
    ] as never,
    "2026-01-01": [],
  },
  resources: {
    note: resource({
      id: "nte",
      fields: { text: f.text() },
      history: true,
      states: {
        initial: "fresh",
        transitions: {
          take: { from: "fresh", to: "draft", allow: anyone },
          drop: { from: "draft", to: "open", allow: anyone },
        },
      },
      allow: { read: anyone, create: anyone, update: anyone },
    }),
  },
})

for (const database of ["sqlite", "postgres"] as const)
  describe(`endpoints of versions on ${database}`, () => {
    const hooks = cleanUp(after)

    test("have the shape of their version, new ones that of the newest", async (t) => {
      const model = load(withSystem(shop))
      const url = await openDatabase(hooks, database, model)
      const server = await openServer(hooks, url, model, { dialer: { networks: "any" } })
      const send = (method: string, path: string, body?: object) =>
        server.send(method, path, "role:staff", body)
      const pinned = async (version?: string | null) => {
        const receiver = await startReceiver(t)
        const input = { url: receiver.url, types: ["order.*"], ...(version !== undefined && { version }) }
        const { status, body } = await send("POST", "/webhook-endpoints", input)
        assert.equal(status, 201, JSON.stringify(body))
        return { receiver, version: body["version"] }
      }
      const [old, now, before] = [await pinned("2026-01-01"), await pinned(), await pinned(null)]
      assert.deepEqual([old.version, now.version, before.version], ["2026-01-01", "2026-11-01", null])
      const wrong = await send("POST", "/webhook-endpoints", { url: old.receiver.url, version: "2020-01-01" })
      assert.equal(wrong.status, 400)
      const customer = await send("POST", "/customers", { firstName: "Ada", lastName: "Lovelace" })
      const order = await send("POST", "/orders", {
        number: "A-1",
        total: "12.50",
        channel: "web",
        customerId: customer.body.id,
      })
      assert.equal(order.status, 201, JSON.stringify(order.body))
      for (const { receiver } of [old, now, before]) await until(() => receiver.received.length > 0)
      const records = [old, now, before].map(({ receiver }) => {
        const [first] = receiver.received
        return (first?.body["data"] as { readonly record?: object } | undefined)?.record
      })
      const { id } = order.body
      const buyerId = customer.body.id
      const former = { id, number: "A-1", total: 1250, state: "placed", buyerId }
      assert.deepEqual(records, [
        former,
        {
          id,
          number: "A-1",
          total: "12.50",
          channel: "web",
          state: "placed",

          customerId: buyerId,
        },
        former,
      ])
      assert.deepEqual(
        server.observed.filter(({ kind }) => kind === "failed"),
        [],
      )
    })

    test("wait for a replica that has their version, and an older one sends the others", async (t) => {
      const before = declared(older, { note: f.text() })
      const since = declared(
        { "2026-11-01": [{ renamed: "order.note", to: "remark" }], ...older },
        { remark: f.text({ column: "note" }) },
      )
      const url = await openDatabase(hooks, database, before)
      const open = (model: typeof before) => openServer(hooks, url, model, { dialer: { networks: "any" } })
      const first = await open(since)
      const pinned = async (version: string) => {
        const receiver = await startReceiver(t)
        const input = { url: receiver.url, types: ["order.*"], roles: ["staff"], version }
        const { status } = await first.send("POST", "/webhook-endpoints", "role:staff", input)
        assert.equal(status, 201)
        return receiver
      }
      const [newest, oldest] = [await pinned("2026-11-01"), await pinned("2026-01-01")]
      await first.end()
      const former = await open(before)
      for (const note of ["a", "b"]) {
        const order = await former.send("POST", "/orders", "role:staff", { total: "12.50", note })
        assert.equal(order.status, 201, JSON.stringify(order.body))
      }
      await until(() => oldest.received.length === 2)
      assert.deepEqual(newest.received, [])
      await open(since)
      await former.end()
      await until(() => newest.received.length === 2)
      const recordsOf = ({ received }: typeof newest) =>
        received
          .map(({ body }) => body.data["record"] as Readonly<Record<string, unknown>>)
          .map(({ id: _, ...rest }) => rest)
          .toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)))
      assert.deepEqual(recordsOf(newest), [
        { total: "12.50", remark: "a" },
        { total: "12.50", remark: "b" },
      ])
      assert.deepEqual(recordsOf(oldest), [
        { total: 1250, note: "a" },
        { total: 1250, note: "b" },
      ])
    })

    test("are made for the version of their maker, and know types and conditions by names of any version", async (t) => {
      const model = load(withSystem(notes))
      const url = await openDatabase(hooks, database, model)
      const identify = withVersions(() => actorFromText(model, "role:staff"), model)
      const server = await openServer(hooks, url, model, { dialer: { networks: "any" } }, { identify })
      const send = async (version: string, method: string, path: string, body: object) => {
        const answer = await fetch(`${server.url}${path}`, {
          method,
          headers: { "content-type": "application/json", "api-version": version },
          body: JSON.stringify(body),
        })
        const text = await answer.text()
        assert.ok(answer.ok, text)
        return JSON.parse(text) as { readonly id: string; readonly version: string }
      }
      const [newest, oldest] = ["2026-07-01", "2026-01-01"] as const
      const endpoint = async (writer: string, input: object) => {
        const receiver = await startReceiver(t)
        const made = await send(writer, "POST", "/webhook-endpoints", { url: receiver.url, ...input })
        return { receiver, ...made }
      }
      const filter = { text: { startsWith: "a" } }
      const former = { types: ["memo.created", "memo.open"], filter: { memo: filter } }
      const [own, given, moved, all] = [
        await endpoint(oldest, former),
        await endpoint(newest, { types: ["note.created", "note.draft"], version: oldest }),
        await endpoint(oldest, { ...former, version: newest }),
        await endpoint(newest, { types: ["note.*"] }),
      ]
      assert.deepEqual(
        [own, given, moved, all].map(({ version }) => version),
        [oldest, oldest, newest, newest],
      )
      for (const text of ["b", "a"]) {
        const { id } = await send(newest, "POST", "/notes", { text })
        await send(newest, "POST", `/notes/${id}/transitions/take`, {})
        await send(newest, "POST", `/notes/${id}/transitions/drop`, {})
      }
      const typesOf = (of: typeof own): readonly string[] => of.receiver.received.map(({ body }) => body.type)
      await until(() => typesOf(all).length === 6 && typesOf(given).length === 4 && typesOf(own).length === 2)
      await until(() => typesOf(moved).length === 2)
      assert.deepEqual(typesOf(own), ["memo.created", "memo.open"])
      assert.deepEqual(typesOf(given).toSorted(), ["memo.created", "memo.created", "memo.open", "memo.open"])
      assert.deepEqual(typesOf(moved), ["note.created", "note.draft"])
      assert.deepEqual(
        [...new Set(typesOf(all))].toSorted(),
        // A state of today has the name that another one had.
        ["note.created", "note.draft", "note.open"],
      )
    })
  })
