// Pages of events by GraphQL: the same as by REST, beside other roots, priced with them, and there for those who have events.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { anyone, f, resource, role, service } from "../../src/index.ts"
import { type Client, startService } from "../../src/tools/testing/start-service.ts"
import { openNotes } from "./open-notes.ts"

const servers = { sqlite: "sqlite", postgres: process.env["BIFOLD_TEST_POSTGRES"] ?? "" } as const

type Event = Readonly<Record<string, unknown>>

interface Connection {
  readonly nodes: readonly Event[]
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[]
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string | null
    readonly endCursor: string
  }
}

const all = `nodes { id kind type resource recordId version at actor transition from to input changes }
  edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`

async function ask<Data>(client: Client, query: string, variables = {}): Promise<Data> {
  const { data, errors } = await client.graphql<Data>(query, variables)
  assert.deepEqual(errors, [])
  assert.ok(data)
  return data
}

/** As REST has it: what is not there is left out. */
const withoutNulls = (event: Event, like: Event): Event =>
  Object.fromEntries(Object.entries(event).filter(([name, value]) => value !== null || name in like))

for (const [name, database] of Object.entries(servers))
  describe(`events by GraphQL, on ${name}`, () => {
    const open = async () => {
      const opened = await openNotes(database)
      const { write, ann, ben } = opened
      const id = await write("POST", "/notes", { text: "one", ownerId: ann, secret: "s", price: "3.00" })
      await write("PATCH", `/notes/${id}`, { text: "two", secret: "t" })
      await write("POST", `/notes/${id}/transitions/publish`, { why: "because" })
      await write("PATCH", `/notes/${id}`, { ownerId: ben })
      await write("POST", "/folders", { title: "f", ownerId: ann })
      return { ...opened, id }
    }

    test("the same content as by REST, for each who asks", async () => {
      const { started, ann, ben, staff, annSees } = await open()
      await using _ = started
      for (const [count, client] of [
        [2, annSees],
        [4, started.as(`person:${ben}`)],
        [5, staff],
      ] as const) {
        const { body } = await client.rest<{ data: readonly Event[] }>("GET", "/events")
        assert.equal(body.data.length, count)
        const { events } = await ask<{ events: Connection }>(client, `{ events { ${all} } }`)
        assert.deepEqual(
          events.nodes.map((event, index) => withoutNulls(event, body.data[index] ?? {})),
          body.data,
        )
        const ids = events.nodes.map((event) => event["id"])
        assert.deepEqual(
          events.edges.map(({ cursor, node }) => [cursor, node.id]),
          ids.map((one) => [one, one]),
        )
        const { endCursor, ...info } = events.pageInfo
        assert.deepEqual(info, { hasNextPage: false, hasPreviousPage: false, startCursor: ids[0] })
        assert.match(endCursor, /^evc_/)
      }
      assert.ok(ann)
    })

    test("pages follow one another by the end of each, with a condition, beside other roots", async () => {
      const { started, id, staff, write } = await open()
      await using _ = started
      const query = `query ($first: Int, $after: String, $text: String!, $with: Boolean!) {
        notes { totalCount }
        page: events(first: $first, after: $after, where: { note: { text: { startsWith: $text } } }) {
          ...Shown
        }
        folders: events(where: { folder: {} }, types: ["folder.created", "folder.deleted"]) { nodes { type } __typename }
        viewer { roles }
      }
      fragment Shown on EventConnection { nodes { t: type kind @include(if: $with) } pageInfo { endCursor hasNextPage } }`
      interface Found {
        readonly page: Connection
        readonly notes: object
        readonly folders: object
        readonly viewer: object
      }
      const seen: unknown[] = []
      let after: string | undefined
      for (let round = 0; round < 3; round += 1) {
        const variables = { first: 2, text: "t", with: round === 0, ...(after !== undefined && { after }) }
        const found = await ask<Found>(staff, query, variables)
        assert.deepEqual(found.notes, { totalCount: 1 })
        assert.deepEqual(found.folders, {
          nodes: [{ type: "folder.created" }],
          __typename: "EventConnection",
        })
        assert.deepEqual(found.viewer, { roles: ["staff"] })
        seen.push([found.page.nodes, found.page.pageInfo.hasNextPage])
        after = found.page.pageInfo.endCursor
        if (round === 1) await write("PATCH", `/notes/${id}`, { text: "three" })
      }
      assert.deepEqual(seen, [
        [
          [
            { t: "note.created", kind: "CREATED" },
            { t: "note.updated", kind: "ENTERED" },
          ],
          true,
        ],
        [[{ t: "note.published" }, { t: "note.updated" }], false],
        [[{ t: "note.updated" }], false],
      ])
    })

    test("what cannot be asked is refused, with its place in the document", async () => {
      const { started, annSees } = await open()
      await using _ = started
      const codeOf = async (query: string, variables = {}) => {
        const { errors, data } = await annSees.graphql(query, variables)
        assert.equal(data ?? null, null)
        return [errors[0]?.extensions.code, errors[0]?.extensions["parameter"]]
      }
      const after = `query ($after: String) { events(after: $after) { nodes { id } } }`
      assert.deepEqual(await codeOf(after, { after: "evt_AAAAAAAAAAAAAAAAAAAAAA" }), [
        "invalid_cursor",
        undefined,
      ])
      assert.deepEqual(
        await codeOf(`{ events(where: { note: { secret: { eq: "s" } } }) { nodes { id } } }`),
        ["invalid_document", undefined],
      )
      const both = `{ events(where: { note: {}, folder: {} }) { nodes { id } } }`
      assert.deepEqual(await codeOf(both), ["invalid_document", undefined])
      const first = `query ($first: Int) { events(first: $first) { nodes { id } } }`
      assert.deepEqual(await codeOf(first, { first: 1_000 }), ["invalid_value", undefined])
      // An equal shape that was planned before does not let it through.
      await ask(annSees, first, { first: 10 })
      assert.deepEqual(await codeOf(first, { first: 1_000 }), ["invalid_value", undefined])
      const { page } = (await annSees.rest<{ page: { next: string } }>("GET", "/notes?limit=1")).body
      if (page.next !== null)
        assert.deepEqual(await codeOf(after, { after: page.next }), ["invalid_cursor", undefined])
    })
  })

const open = role("staff")

test("those who see no history have no events, and a resource of the name has it first", async () => {
  const declared = (name: string) =>
    service({
      name: "apart",
      roles: ["staff"],
      resources: {
        [name]: resource({ id: "evn", fields: { title: f.text() }, allow: { read: anyone, create: open } }),
        thing: resource({
          id: "thg",
          fields: { title: f.text() },
          history: true,
          allow: { read: open, create: open },
        }),
      },
    })
  const rootsOf = async (client: Client): Promise<readonly string[]> => {
    const { __schema } = await ask<{ __schema: { queryType: { fields: readonly { name: string }[] } } }>(
      client,
      `{ __schema { queryType { fields { name } } } }`,
    )
    return __schema.queryType.fields.map(({ name }) => name).filter((name) => name.startsWith("event"))
  }
  await using usual = await startService(declared("place"))
  assert.deepEqual(await rootsOf(usual.as("anyone")), [])
  assert.deepEqual(await rootsOf(usual.as("role:staff")), ["events"])
  await using named = await startService(declared("event"))
  const staff = named.as("role:staff")
  assert.deepEqual(await rootsOf(staff), ["event", "events", "eventLog"])
  assert.equal((await staff.rest("POST", "/things", { title: "one" })).status, 201)
  const found = await ask<{ eventLog: object; events: object }>(
    staff,
    `{ eventLog { nodes { type } __typename } events { totalCount } }`,
  )
  assert.deepEqual(found.eventLog, {
    nodes: [{ type: "thing.created" }],
    __typename: "EventLogEntryConnection",
  })
  assert.deepEqual(found.events, { totalCount: 0 })
})
