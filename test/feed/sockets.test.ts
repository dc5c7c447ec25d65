// Sockets whose clients do what they should not: each is closed as the protocol says, and the server serves the others.
import assert from "node:assert/strict"
import { once } from "node:events"
import { after, describe, test } from "node:test"
import { f, operation, resource, role, service, signedIn, withCode } from "bifold"
import { WebSocket } from "ws"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { type Refusal, refusal } from "../../src/base/problem.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { cleanUp } from "../support/database.ts"
import { notes } from "./notes.ts"
import { type FeedServer, openDatabase, openServer } from "./open.ts"

const init = JSON.stringify({ type: "connection_init" })
const asked = (id: string): string =>
  JSON.stringify({ id, type: "subscribe", payload: { query: "subscription { noteChanges { recordId } }" } })

describe("sockets", () => {
  const hooks = cleanUp(after)
  const connect = (server: FeedServer, protocols: readonly string[], origin?: string): WebSocket =>
    new WebSocket(`${server.url.replace("http", "ws")}/graphql`, [...protocols], {
      ...(origin !== undefined && { origin }),
    })
  const closeCode = async (server: FeedServer, messages: readonly (string | Buffer)[]): Promise<number> => {
    const socket = connect(server, ["graphql-transport-ws"])
    await once(socket, "open")
    for (const message of messages) {
      socket.send(message)
      // Only an acknowledged connection may subscribe.
      if (message === init && messages[1] !== init) await once(socket, "message")
    }
    const [code] = await once(socket, "close")
    return code
  }

  test("what breaks the protocol is closed with its code", async () => {
    const server = await openServer(hooks, await openDatabase(hooks, "sqlite"))
    assert.equal(await closeCode(server, ["no json"]), 4400)
    assert.equal(await closeCode(server, [Buffer.from([1, 2])]), 4400)
    assert.equal(await closeCode(server, [init, JSON.stringify({ id: "1", type: "complete" }), "{}"]), 4400)
    assert.equal(await closeCode(server, [JSON.stringify({ type: "connection_ack" })]), 4400)
    assert.equal(await closeCode(server, [asked("1")]), 4401)
    assert.equal(await closeCode(server, [init, init]), 4429)
    // The reason names the id, which may be longer than a reason.
    for (const id of ["1", "é".repeat(500)])
      assert.equal(await closeCode(server, [init, asked(id), asked(id)]), 4409)
    assert.equal(await closeCode(server, ["x".repeat(1_000_001)]), 1009)
    const { body } = await server.send("GET", "/notes", "role:staff")
    assert.deepEqual(body["data"], [])
    assert.deepEqual(server.observed, [])
  })

  test("members of an operation that are not known are ignored, over either transport", async () => {
    const server = await openServer(hooks, await openDatabase(hooks, "sqlite"))
    const operation = { query: "{ __typename }", operation: "A", debugName: null }
    const socket = connect(server, ["graphql-transport-ws"])
    await once(socket, "open")
    socket.send(init)
    await once(socket, "message")
    socket.send(JSON.stringify({ id: "1", type: "subscribe", payload: operation }))
    const [message] = await once(socket, "message")
    assert.deepEqual(JSON.parse(String(message)), {
      id: "1",
      type: "next",
      payload: { data: { __typename: "Query" } },
    })
    socket.terminate()
    const framed = await fetch(`${server.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify(operation),
    })
    assert.match(await framed.text(), /^event: next\ndata: \{"data":\{"__typename":"Query"\}\}\n/)
    assert.deepEqual(server.observed, [])
  })

  test("pages of other origins open none, and a client of no protocol is told so", async () => {
    const server = await openServer(hooks, await openDatabase(hooks, "sqlite"))
    const other = connect(server, ["graphql-transport-ws"], "https://other.example")
    const [error] = await once(other, "error")
    assert.match(String(error), /403/)
    const own = connect(server, ["graphql-transport-ws"], server.url)
    await once(own, "open")
    own.terminate()
    const [code] = await once(connect(server, []), "close")
    assert.equal(code, 4406)
  })

  test("a close code tells credentials that are refused from those that nobody can look up now", async () => {
    const model = load(withSystem(notes))
    let refused: Refusal | undefined
    const identify = () => {
      if (refused) throw refused
      return actorFromText(model, "role:staff")
    }
    const url = await openDatabase(hooks, "sqlite")
    const server = await openServer(hooks, url, model, {}, { identify })
    const refusals = {
      invalid_credentials: 4403,
      storage_unavailable: 1013,
      issuer_unavailable: 1013,
      unknown_version: 4400,
      version_ended: 4400,
    } as const
    const signedIn = JSON.stringify({ type: "connection_init", payload: { authorization: "Bearer staff" } })
    for (const [code, closing] of Object.entries(refusals)) {
      refused = refusal(code as keyof typeof refusals, `Refused with ${code}.`)
      const socket = connect(server, ["graphql-transport-ws"])
      await once(socket, "open")
      socket.send(signedIn)
      const [got, reason] = await once(socket, "close")
      assert.deepEqual([code, got], [code, closing])
      if (closing === 4400) assert.equal(String(reason), `Refused with ${code}.`)
    }
    for (const code of ["storage_unavailable", "invalid_credentials"] as const) {
      refused = undefined
      const open = connect(server, ["graphql-transport-ws"])
      await once(open, "open")
      open.send(signedIn)
      await once(open, "message")
      refused = refusal(code, "Not now.")
      const [got] = await once(open, "close")
      assert.deepEqual([code, got], [code, refusals[code]])
    }
    assert.deepEqual(
      server.observed.map((one) => one.kind === "unanswered" && one.problem.code),
      ["storage_unavailable", "issuer_unavailable"],
    )
  })

  test("an operation that lends roles to its code gets general words, and the log those of the refusal", async () => {
    const lent = operation({
      allow: signedIn,
      as: { roles: ["staff"] },
      async run({ db }) {
        await db["journal"]?.create({})
      },
    })
    const declared = service({
      name: "audits",
      roles: ["staff"],
      resources: { journal: resource({ fields: { text: f.text() }, allow: { read: role("staff") } }) },
    })
    const model = load(withSystem(withCode(declared, { operations: { lent } })))
    const server = await openServer(hooks, await openDatabase(hooks, "sqlite", model), model)
    const socket = connect(server, ["graphql-transport-ws"])
    await once(socket, "open")
    socket.send(JSON.stringify({ type: "connection_init", payload: { authorization: "Bearer signedIn" } }))
    await once(socket, "message")
    socket.send(
      JSON.stringify({ id: "1", type: "subscribe", payload: { query: "mutation { lent { __typename } }" } }),
    )
    const [answer] = await once(socket, "message")
    assert.match(String(answer), /"Permission denied\."/)
    assert.doesNotMatch(String(answer), /journal/)
    socket.terminate()
    assert.deepEqual(
      server.observed.map(
        (one) => one.kind === "withheld" && [one.error.message, one.error.problems[0].message],
      ),
      [["The code of lent was refused.", "You may not create this journal."]],
    )
  })
})
