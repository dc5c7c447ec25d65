// The history of a record: by both faces, on both databases, to whoever sees the record and what they may see of it.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { anyone, f, one, resource, role, service } from "../../src/index.ts"
import type { Client } from "../../src/tools/testing/client.ts"
import { databases, type Logging, openLogging } from "../log/open.ts"
import { desk } from "../services/desk.ts"
import { cleanUp } from "../support/database.ts"
import type { ShownEntry } from "../support/naive-history.ts"

const hooks = cleanUp(after)

interface Listed {
  readonly data: readonly ShownEntry[]
  readonly page: { readonly next: string | null; readonly prev: string | null }
}

const members = "version type at actor transition from to input changes"

async function byRest(client: Client, path: string): Promise<Listed> {
  const answer = await client.rest<Listed>("GET", path)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

async function byGraphql(client: Client, field: string, id: string): Promise<readonly ShownEntry[]> {
  const { data, errors } = await client.graphql<
    Record<string, { history: { nodes: readonly ShownEntry[] } }>
  >(`query ($id: ID!) { ${field}(id: $id) { history { nodes { ${members} } } } }`, { id })
  assert.deepEqual(errors, [])
  return data?.[field]?.history.nodes ?? []
}

/** What both faces say, which is the same. */
async function historyOf(client: Client, id: string): Promise<readonly ShownEntry[]> {
  const { data } = await byRest(client, `/tickets/${id}/history`)
  assert.deepEqual(await byGraphql(client, "ticket", id), data)
  return data
}

const made = async (client: Client, path: string, body: unknown): Promise<string> => {
  const answer = await client.rest<{ id: string }>("POST", path, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.id
}

interface Life {
  readonly of: Logging
  readonly ada: string
  readonly id: string
  readonly agent: string
}

/** A ticket of Ada's, with which an agent, who is a person too, has done this and that. */
async function live(of: Logging): Promise<Life> {
  const everybody = of.as("everybody")
  const ada = await made(everybody, "/people", { name: "Ada" })
  const bob = await made(everybody, "/people", { name: "Bob" })
  const agent = `person:${bob}+role:agent`
  const id = await made(of.as(`person:${ada}`), "/tickets", { title: 'It is "broken"', reporterId: ada })
  await of.fire(agent, id, "start")
  const patch = { title: "Broken", secret: "he is rude", cost: "12.50" }
  assert.equal((await of.as(agent).rest("PATCH", `/tickets/${id}`, patch)).status, 200)
  await made(of.as(agent), "/notes", { ticketId: id, text: "turned it off and on" })
  await of.fire(agent, id, "solve", { answer: "Works now", effort: 2 })
  return { of, ada, id, agent }
}

for (const database of databases)
  describe(`history on ${database}`, { concurrency: true }, () => {
    test("tells what became of a record, the same by both faces", async () => {
      const { of, ada, id, agent } = await live(await openLogging(hooks, database, desk))
      const told = await historyOf(of.as(agent), id)
      const bob = /person:([^+]+)/.exec(agent)?.[1]
      assert.deepEqual(
        told.map(({ version, type, actor, transition, from, to, input }) => [
          version,
          type,
          actor,
          transition,
          from,
          to,
          input,
        ]),
        [
          ["1", "ticket.created", ada, null, null, null, null],
          ["2", "ticket.working", bob, "start", "open", "working", null],
          ["3", "ticket.updated", bob, null, null, null, null],
          ["4", "ticket.solved", bob, "solve", "working", "solved", { answer: "Works now", effort: 2 }],
        ],
      )
      assert.deepEqual(
        told.slice(1).map(({ changes }) => changes),
        [
          [
            { field: "state", from: "open", to: "working" },
            { field: "assigneeId", from: null, to: bob },
          ],
          [
            { field: "title", from: 'It is "broken"', to: "Broken" },
            { field: "cost", from: "0.00", to: "12.50" },
            { field: "secret", from: null, to: "he is rude" },
          ],
          [
            { field: "effort", from: null, to: 2 },
            { field: "answer", from: null, to: "Works now" },
            { field: "state", from: "working", to: "solved" },
          ],
        ],
      )
      assert.ok(
        told[0]?.changes.some(({ field, from, to }) => field === "reporterId" && from === null && to === ada),
      )
    })

    test("shows of a record what its rules show today", async () => {
      const { of, ada, id } = await live(await openLogging(hooks, database, desk))
      const text = JSON.stringify(await historyOf(of.as(`person:${ada}`), id))
      assert.ok(text.includes("Broken") && text.includes("Works now"))
      assert.ok(!text.includes("rude") && !text.includes("secret"), text)
      const stranger = await of.as("anyone").rest("GET", `/tickets/${id}/history`)
      assert.equal(stranger.status, 401)
      const other = await made(of.as("everybody"), "/people", { name: "Eve" })
      assert.equal((await of.as(`person:${other}`).rest("GET", `/tickets/${id}/history`)).status, 404)
    })

    test("hides states, inputs and fields by rules that depend on the record, as it is now", async () => {
      const shop = service({
        name: "shop",
        roles: ["staff"],
        resources: {
          order: resource({
            id: "ord",
            fields: {
              total: f.decimal({ precision: 9, scale: 2, read: [role("staff"), { open: { eq: true } }] }),
              open: f.boolean({ default: true }),
              note: f.text({ optional: true, readonly: true, read: role("staff") }),
              stage: f.text({ read: role("staff") }),
            },
            states: {
              stage: {
                initial: "cart",
                final: "paid",
                transitions: {
                  pay: {
                    from: "cart",
                    to: "paid",
                    input: { hint: f.text(), total: f.decimal({ precision: 9, scale: 2 }), code: f.text() },
                    set: { note: { given: "hint" }, total: { given: "total" } },
                  },
                },
              },
            },
            allow: { read: anyone, create: anyone, update: anyone, delete: anyone },
          }),
        },
      })
      const of = await openLogging(hooks, database, shop)
      const id = await made(of.as("anyone"), "/orders", { total: "5.00" })
      await of.fire("role:staff", id, "pay", { hint: "pssst", total: "7.00", code: "c" })
      const read = async (words: string) => (await byRest(of.as(words), `/orders/${id}/history`)).data[1]
      const staff = await read("role:staff")
      assert.deepEqual(
        [staff?.type, staff?.transition, staff?.from, staff?.to, staff?.input],
        ["order.paid", "pay", "cart", "paid", { hint: "pssst", total: "7.00", code: "c" }],
      )
      const open = await read("anyone")
      assert.deepEqual(
        [open?.type, open?.transition, open?.from, open?.to, open?.input],
        ["order.updated", null, null, null, null],
      )
      assert.deepEqual(open?.changes, [{ field: "total", from: "5.00", to: "7.00" }])
      assert.equal((await of.as("anyone").rest("PATCH", `/orders/${id}`, { open: false })).status, 200)
      assert.deepEqual((await read("anyone"))?.changes, [])
      const list = `{ orders { nodes { history { totalCount nodes { type changes } } } } }`
      const { data, errors } = await of.as("anyone").graphql<{
        orders: { nodes: { history: { totalCount: number; nodes: ShownEntry[] } }[] }
      }>(list)
      assert.deepEqual(errors, [])
      assert.deepEqual(data?.orders.nodes[0]?.history, {
        totalCount: 3,
        nodes: [
          { type: "order.created", changes: [{ field: "open", from: null, to: true }] },
          { type: "order.updated", changes: [] },
          { type: "order.updated", changes: [{ field: "open", from: true, to: false }] },
        ],
      })
    })

    test("shows of what was given what it has set, where that is shown", async () => {
      const shop = service({
        name: "shop",
        roles: ["staff"],
        resources: {
          order: resource({
            id: "ord",
            fields: {
              total: f.decimal({ precision: 9, scale: 2, read: [role("staff"), { open: { eq: true } }] }),
              open: f.boolean({ default: true }),
              note: f.text({ optional: true, readonly: true, read: role("staff") }),
            },
            states: {
              initial: "cart",
              final: "paid",
              transitions: {
                pay: {
                  from: "cart",
                  to: "paid",
                  input: {
                    hint: f.text(),
                    total: f.decimal({ precision: 9, scale: 2 }),
                    code: f.json({ optional: true }),
                  },
                  set: { note: { given: "hint" }, total: { given: "total" } },
                },
              },
            },
            allow: { read: anyone, create: anyone, update: anyone, delete: anyone },
          }),
        },
      })
      const of = await openLogging(hooks, database, shop)
      const id = await made(of.as("anyone"), "/orders", { total: "5.00" })
      const code = { a: [1, 'x"', null] }
      await of.fire("role:staff", id, "pay", { hint: "pssst", total: "7.00", code })
      const read = async (words: string) =>
        (await byRest(of.as(words), `/orders/${id}/history`)).data[1]?.input
      assert.deepEqual(await read("role:staff"), { hint: "pssst", total: "7.00", code })
      assert.deepEqual(await read("anyone"), { total: "7.00", code })
      await of.as("anyone").rest("PATCH", `/orders/${id}`, { open: false })
      assert.deepEqual(await read("anyone"), { code })
    })

    test("has pages, forward and backward, by cursors of either face", async () => {
      const of = await openLogging(hooks, database, desk)
      const everybody = of.as("everybody")
      const person = await made(everybody, "/people", { name: "Ada" })
      const id = await made(everybody, "/tickets", { title: "0", reporterId: person })
      for (let count = 1; count < 12; count += 1)
        await everybody.rest("PATCH", `/tickets/${id}`, { title: String(count) })
      const seen: string[] = []
      let path: string | null = `/tickets/${id}/history?limit=5`
      let first: Listed | undefined
      while (path) {
        const page: Listed = await byRest(everybody, path)
        first ??= page
        seen.push(...page.data.map(({ version }) => version))
        path = page.page.next && `/tickets/${id}/history?limit=5&after=${page.page.next}`
      }
      assert.deepEqual(
        seen,
        Array.from({ length: 12 }, (_, index) => String(index + 1)),
      )
      const query = `query ($id: ID!, $last: Int, $after: String) { ticket(id: $id) { history(last: $last, after: $after) { totalCount nodes { version } pageInfo { hasPreviousPage } } } }`
      const { data } = await everybody.graphql(query, { id, last: 2, after: first?.page.next })
      assert.deepEqual(data, {
        ticket: {
          history: {
            totalCount: 12,
            nodes: [{ version: "11" }, { version: "12" }],
            pageInfo: { hasPreviousPage: true },
          },
        },
      })
    })

    test("is one statement with the record, and comes with lists of records", async () => {
      const { of, id, agent } = await live(await openLogging(hooks, database, desk))
      const before = of.storage.sent
      const ask = `{ tickets { nodes { id history(first: 1) { nodes { type } edges { cursor node { version } } } } } }`
      const { data, errors } = await of.as(agent).graphql(ask)
      assert.deepEqual(errors, [])
      assert.match(JSON.stringify(data), /ticket\.created/)
      const included = await of.as(agent).rest("GET", `/tickets/${id}?include=history,notes.history`)
      assert.equal(included.status, 200, JSON.stringify(included.body))
      assert.match(JSON.stringify(included.body), /note\.created/)
      assert.ok(of.storage.sent - before <= 3)
    })

    test("answers a change with the entry that it makes", async () => {
      const { of, id, agent } = await live(await openLogging(hooks, database, desk))
      const mutation = `mutation ($id: ID!) { updateTicket(id: $id, input: { title: "again" }) { ticket { history(last: 1) { nodes { version changes } } } } }`
      const { data, errors } = await of.as(agent).graphql(mutation, { id })
      assert.deepEqual(errors, [])
      assert.deepEqual(data, {
        updateTicket: {
          ticket: {
            history: {
              nodes: [{ version: "5", changes: [{ field: "title", from: "Broken", to: "again" }] }],
            },
          },
        },
      })
    })

    test("is reached from its record, and in no other way", async () => {
      const { of, id, agent } = await live(await openLogging(hooks, database, desk))
      const ask = of.as(agent)
      for (const path of ["/history", "/ticket-history", "/ticket.history", `/tickets/${id}/history/1`])
        assert.equal((await ask.rest("GET", path)).status, 404, path)
      for (const method of ["POST", "PUT", "PATCH", "DELETE"])
        assert.equal((await ask.rest(method, `/tickets/${id}/history`, {})).status, 405, method)
      for (const query of ["filter[actor]=x", "sort=at", "filter[changes]=x"])
        assert.equal((await ask.rest("GET", `/tickets/${id}/history?${query}`)).status, 400, query)
      const roots = await ask.graphql<{ __schema: { queryType: { fields: { name: string }[] } } }>(
        "{ __schema { queryType { fields { name } } } }",
      )
      const names = roots.data?.__schema.queryType.fields.map(({ name }) => name) ?? []
      assert.ok(names.includes("tickets") && !names.some((name) => /history/i.test(name)), String(names))
      const where = await ask.graphql(
        `{ tickets(where: { history: { some: { actor: { eq: "x" } } } }) { nodes { id } } }`,
      )
      assert.equal(where.errors[0]?.extensions.code, "invalid_document")
      assert.equal((await ask.rest("GET", `/people?include=history`)).status, 400)
    })

    test("of a record that is gone is gone, and another with its id begins anew", async () => {
      const names = service({
        name: "names",
        resources: {
          name: resource({
            key: ["word"],
            fields: { word: f.text({ max: 20 }), text: f.text() },
            history: true,
            relations: { other: one("name", { optional: true }) },
            allow: { read: anyone, create: anyone, update: anyone, delete: anyone },
          }),
        },
      })
      const of = await openLogging(hooks, database, names)
      const ask = of.as("anyone")
      const id = await made(ask, "/names", { word: "a~b%", text: "one" })
      const path = `/names/${encodeURIComponent(id)}`
      await ask.rest("PATCH", path, { text: "two" })
      assert.equal((await byRest(ask, `${path}/history`)).data.length, 2)
      await ask.rest("DELETE", path)
      assert.equal((await ask.rest("GET", `${path}/history`)).status, 404)
      await made(ask, "/names", { word: "a~b%", text: "three" })
      const { data } = await byRest(ask, `${path}/history`)
      assert.deepEqual(
        data.map(({ type, changes }) => [type, changes.find(({ field }) => field === "text")?.to]),
        [["name.created", "three"]],
      )
      assert.equal((await of.rows(id)).length, 4)
    })

    test("is there before anything was written, beside tables of somebody else's", async () => {
      const theirs = service({
        name: "theirs",
        managed: false,
        resources: {
          thing: resource({
            key: { column: "id", type: "integer" },
            fields: { code: f.text() },
            history: true,
            allow: { read: anyone, update: anyone },
          }),
        },
      })
      const of = await openLogging(hooks, database, theirs, [
        "CREATE TABLE thing (id integer PRIMARY KEY, code text NOT NULL)",
        "INSERT INTO thing (id, code) VALUES (1, 'a')",
      ])
      const ask = of.as("anyone")
      assert.deepEqual((await byRest(ask, "/things/1/history")).data, [])
      for (const code of ["b", "c", "d"]) await ask.rest("PATCH", "/things/1", { code })
      const { data, page } = await byRest(ask, "/things/1/history?limit=2")
      assert.deepEqual(
        data.map(({ changes }) => changes),
        [[{ field: "code", from: "a", to: "b" }], [{ field: "code", from: "b", to: "c" }]],
      )
      const rest = await byRest(ask, `/things/1/history?after=${page.next}`)
      assert.deepEqual(
        rest.data.map(({ changes }) => changes[0]?.to),
        ["d"],
      )
    })
  })
