// Subscriptions of GraphQL over both transports, by the clients that people use: each change once, under the rules of who asks.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { createClient as createSseClient } from "graphql-sse"
import { type Client, createClient } from "graphql-ws"
import { WebSocket } from "ws"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { namedNotes, notes } from "./notes.ts"
import { type FeedServer, openDatabase, openServer, until } from "./open.ts"

const staff = "role:staff"

interface Followed {
  readonly results: readonly Result[]
  readonly faults: readonly unknown[]
  readonly isComplete: () => boolean
  end(): void
}

interface Result {
  readonly data?: { readonly noteChanges: Readonly<Record<string, unknown>> } | null
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
}

const transports = ["websocket", "sse"] as const

type Subscribe = Pick<Client, "subscribe" | "dispose">

function clientOf(server: FeedServer, actor: string, transport: (typeof transports)[number]): Subscribe {
  const authorization = `Bearer ${actor}`
  const url = `${server.url}/graphql`
  return transport === "sse"
    ? (createSseClient({ url, headers: { authorization }, retryAttempts: 0 }) as unknown as Subscribe)
    : createClient({
        url: url.replace("http", "ws"),
        webSocketImpl: WebSocket,
        connectionParams: { authorization },
        retryAttempts: 0,
        lazy: true,
      })
}

function follow(client: Subscribe, query: string, variables: Record<string, unknown> = {}): Followed {
  const results: Result[] = []
  const faults: unknown[] = []
  let complete = false
  const end = client.subscribe(
    { query, variables },
    {
      next: (result) => void results.push(result as Result),
      error: (fault) => void faults.push(fault),
      complete: () => {
        complete = true
      },
    },
  )
  return { results, faults, end, isComplete: () => complete }
}

const changes = ({ results }: Followed) => results.map(({ data }) => data?.noteChanges)

/** Writes until the subscriber sees something: it may not have begun when the first is written. */
async function begun(server: FeedServer, followed: Followed, body: object): Promise<string> {
  let id = ""
  await until(async () => {
    if (followed.results.length === 0) id = (await server.send("POST", "/notes", staff, body)).body.id
    await new Promise((resolve) => setTimeout(resolve, 100))
    return followed.results.length > 0 || followed.faults.length > 0
  })
  assert.deepEqual(followed.faults, [])
  return String(followed.results.at(-1)?.data?.noteChanges["recordId"] ?? id)
}

for (const database of dialects)
  for (const transport of transports)
    describe(`subscriptions by ${transport}, ${database}`, () => {
      const hooks = cleanUp(after)
      const open = async (declaration: ServiceDeclaration = notes) => {
        const model = load(withSystem(declaration))
        const server = await openServer(hooks, await openDatabase(hooks, database, model), model)
        const [ann, ben] = await Promise.all(
          ["A", "B"].map((name) => server.send("POST", "/people", staff, { name })),
        )
        assert.ok(ann && ben)
        const clients: Subscribe[] = []
        hooks.after(async () => {
          for (const client of clients) await client.dispose()
        })
        const client = (actor: string): Subscribe => {
          const made = clientOf(server, actor, transport)
          clients.push(made)
          return made
        }
        return { server, client, ann: ann.body.id, ben: ben.body.id }
      }

      test("changes come with the record as the subscriber sees it, and the last is that it left", async () => {
        const { server, client, ann, ben } = await open()
        const query = `subscription { noteChanges { kind recordId type changedFields note { text secret owner { name } } } }`
        const [annSees, staffSees] = [
          follow(
            client(`person:${ann}`),
            `subscription { noteChanges { kind recordId type changedFields note { text owner { name } } } }`,
          ),
          follow(client(staff), query),
        ]
        const id = await begun(server, annSees, { text: "one", ownerId: ann, secret: "s" })
        await server.send("PATCH", `/notes/${id}`, staff, { text: "two", secret: "t" })
        const own = () => changes(annSees).filter((change) => change?.["recordId"] === id)
        await until(() => own().length >= 2)
        await server.send("PATCH", `/notes/${id}`, staff, { ownerId: ben })
        await server.send("PATCH", `/notes/${id}`, staff, { text: "three" })
        await until(() => own().length >= 3)
        await until(() => changes(staffSees).some((change) => change?.["note"] !== null))
        assert.deepEqual(own().slice(1), [
          {
            kind: "UPDATED",
            recordId: id,
            type: "note.updated",
            changedFields: ["text"],
            note: { text: "two", owner: { name: "A" } },
          },
          { kind: "LEFT", recordId: id, type: "note.left", changedFields: [], note: null },
        ])
        await until(() => changes(staffSees).filter((change) => change?.["recordId"] === id).length >= 3)
        assert.deepEqual(annSees.faults, [])
        assert.deepEqual(server.observed, [])
      })

      test("a condition decides what enters and leaves, and a cursor goes on after a cut", async () => {
        const { server, client, ann } = await open()
        const one = client(staff)
        const query = `subscription ($after: String, $text: String) {
          noteChanges(after: $after, where: { text: { startsWith: $text } }) { cursor kind note { n: text } __typename }
        }`
        const first = follow(one, query, { text: "a" })
        await begun(server, first, { text: "a1", ownerId: ann })
        const last = changes(first).at(-1)
        first.end()
        assert.deepEqual(
          { ...last, cursor: "" },
          { cursor: "", kind: "CREATED", note: { n: "a1" }, __typename: "NoteChange" },
        )
        const made = await server.send("POST", "/notes", staff, { text: "b", ownerId: ann })
        await server.send("PATCH", `/notes/${made.body.id}`, staff, { text: "a2" })
        const again = follow(one, query, { text: "a", after: last?.["cursor"] })
        await until(() => changes(again).some((change) => change?.["kind"] === "ENTERED"))
        await server.send("PATCH", `/notes/${made.body.id}`, staff, { text: "c" })
        await until(() => changes(again).some((change) => change?.["kind"] === "LEFT"))
        assert.deepEqual(
          changes(again)
            .slice(-2)
            .map((change) => [change?.["kind"], change?.["note"]]),
          [
            ["ENTERED", { n: "a2" }],
            ["LEFT", null],
          ],
        )
      })

      test("what cannot be followed is refused, and the client goes on", async () => {
        const { server, client, ann } = await open()
        const one = client(`person:${ann}`)
        const refused: readonly (readonly [query: string, code: string])[] = [
          [`subscription { noteChanges(after: "evt_x") { recordId } }`, "invalid_cursor"],
          [`subscription { noteChanges(where: { secret: { eq: "s" } }) { recordId } }`, "invalid_document"],
          [`subscription { noteChanges { note { secret } } }`, "invalid_document"],
          [`subscription { noteChanges { note { notThere } } }`, "invalid_document"],
          [`subscription { noteChanges { recordId } pageChanges { recordId } }`, "invalid_document"],
          [`subscription { noteChanges(where: { dueOn: { eq: "soon" } }) { recordId } }`, "invalid_document"],
          [`subscription {`, "syntax_error"],
        ]
        for (const [query, code] of refused) {
          const followed = follow(one, query)
          await until(() => followed.faults.length + followed.results.length > 0).catch(() =>
            assert.fail(query),
          )
          const [errors] = [...followed.faults, ...followed.results.map((result) => result.errors)]
          const codes = (errors as Result["errors"])?.map(({ extensions }) => extensions.code)
          assert.deepEqual(codes?.slice(0, 1), [code], `${query}: ${JSON.stringify(errors)}`)
        }
        const asked = follow(one, `{ notes { totalCount } }`)
        await until(asked.isComplete)
        assert.deepEqual(asked.results, [{ data: { notes: { totalCount: 0 } } }])
        assert.deepEqual(server.observed, [])
      })

      test("who is no longer accepted is shut out within seconds", async () => {
        const { server, client, ann } = await open()
        const followed = follow(client(`person:${ann}`), "subscription { noteChanges { kind } }")
        await begun(server, followed, { text: "one", ownerId: ann })
        server.revoke(`person:${ann}`)
        await until(() => followed.isComplete() || followed.faults.length > 0)
        const count = followed.results.length
        await server.send("POST", "/notes", staff, { text: "two", ownerId: ann })
        await new Promise((resolve) => setTimeout(resolve, 1_500))
        assert.equal(followed.results.length, count)
      })

      test("values of user code are made for each subscriber, however equal their rights", async () => {
        const { server, client, ann } = await open(namedNotes)
        const names = ["x1", "x2", "x3"]
        const query = "subscription { noteChanges { recordId note { text mine } } }"
        const followed = names.map((name) => follow(client(`${staff}~${name}`), query))
        for (const one of followed) await begun(server, one, { text: "early", ownerId: ann })
        const texts = ["a", "b", "c"]
        for (const text of texts) await server.send("POST", "/notes", staff, { text, ownerId: ann })
        for (const [index, one] of followed.entries()) {
          const seen = () => changes(one).map((change) => change?.["note"])
          await until(() => JSON.stringify(seen()).includes('"c"'))
          assert.deepEqual(
            seen().slice(-3),
            texts.map((text) => ({ text, mine: `${text} for ${names[index]}` })),
          )
          assert.deepEqual(
            new Set(seen().map((note) => String(Object(note).mine).split(" ").at(-1))),
            new Set([names[index]]),
          )
        }
        // The same credentials, such as a session, may come to be another's of equal rights.
        server.become(`${staff}~x1`, `${staff}~x4`)
        const [first] = followed
        await until(() => first?.isComplete() === true || (first?.faults.length ?? 0) > 0)
        assert.deepEqual(
          followed.slice(1).map((one) => [one.faults, one.isComplete()]),
          [
            [[], false],
            [[], false],
          ],
        )
      })

      test("limits of a subscriber end no subscription of another tier", async () => {
        const { server, client, ann } = await open({
          ...notes,
          limits: { cost: { perRequest: 1_000 }, tiers: { small: { perRequest: 1 } } },
        })
        const query = "subscription { noteChanges { recordId note { text owner { name } } } }"
        const [small, large] = ["small", "large"].map((tier) => follow(client(`${staff}~x~${tier}`), query))
        assert.ok(small && large)
        await begun(server, large, { text: "one", ownerId: ann })
        await until(() => small.faults.length + small.results.length > 0)
        assert.ok(
          JSON.stringify([small.faults, small.results]).includes("too_expensive"),
          JSON.stringify(small),
        )
        await server.send("POST", "/notes", staff, { text: "two", ownerId: ann })
        await until(() => changes(large).some((change) => JSON.stringify(change).includes("two")))
        assert.deepEqual(
          large.results.map(({ errors }) => errors),
          large.results.map(() => undefined),
        )
      })

      test("the end of the server ends a subscription, and leaves nothing", async () => {
        const { server, client, ann } = await open()
        const followed = follow(client(staff), "subscription { noteChanges { kind } }")
        await begun(server, followed, { text: "one", ownerId: ann })
        await server.end()
        await until(() => followed.isComplete() || followed.faults.length > 0)
        assert.deepEqual(server.observed, [])
      })
    })
