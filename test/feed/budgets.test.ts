// Limits of callers over sockets and streams: what is asked for there is charged as over HTTP, and what cannot be paid comes later.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { createClient } from "graphql-ws"
import { WebSocket } from "ws"
import type { CostDeclaration } from "../../src/model/limits.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { cleanUp } from "../support/database.ts"
import { countingOf } from "./counting.ts"
import { notes } from "./notes.ts"
import { openDatabase, openServer, openStream, until } from "./open.ts"
import { openSubscription } from "./subscriber.ts"

const staff = "role:staff"
const asStaff = { authorization: `Bearer ${staff}` }
const minute = 60_000

describe("limits of callers that follow", () => {
  const hooks = cleanUp(after)
  /** With a clock that stands until the test moves it. */
  const open = async (cost: CostDeclaration) => {
    const clock = { now: Date.now() }
    const model = load(withSystem({ ...notes, limits: { cost } }))
    const counting = countingOf(model, cost, () => clock.now)
    const url = await openDatabase(hooks, "sqlite")
    const server = await openServer(hooks, url, model, {}, { counting })
    // Who writes is not counted.
    const writer = await openServer(hooks, url)
    const { body: ann } = await writer.send("POST", "/people", staff, { name: "A" })
    const write = async (text: string): Promise<void> => {
      const { status } = await writer.send("POST", "/notes", staff, { text, ownerId: ann.id })
      assert.equal(status, 201)
    }
    const next = (): void => {
      clock.now += minute + 1_000
    }
    /** Points that are left after this question, which costs one. */
    const remaining = async (): Promise<number> => {
      const { headers } = await fetch(`${server.url}/graphql?query={__typename}`, { headers: asStaff })
      return Number(/r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1])
    }
    return { server, write, next, remaining }
  }

  test("operations of a socket are priced, charged and refused as requests are", async () => {
    const { server, remaining } = await open({ perMinute: 1_000, perRequest: 500 })
    const socket = createClient({
      url: `${server.url.replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${staff}` },
      retryAttempts: 0,
      lazy: false,
    })
    hooks.after(async () => void (await socket.dispose()))
    const ask = (query: string): Promise<readonly string[]> =>
      new Promise((resolve) => {
        socket.subscribe(
          { query },
          {
            next: () => resolve([]),
            error: (errors) =>
              resolve(
                (errors as { extensions: { code: string } }[]).map(({ extensions }) => extensions.code),
              ),
            complete: () => {},
          },
        )
      })
    const unconnected = await remaining()
    assert.deepEqual(await ask("{ __typename }"), [])
    // The connection, the operation, and the request that looks.
    assert.equal(unconnected - (await remaining()), 3)
    const before = await remaining()
    assert.deepEqual(await ask("{ notes(first: 50) { totalCount } }"), [])
    assert.equal(before - (await remaining()), 12)
    assert.deepEqual(await ask("{ notes(first: 100) { nodes { owner { notes: name } } folders: id } }"), [
      "invalid_document",
    ])
    const large = Array.from({ length: 6 }, (_, index) => `e${index}: events(first: 100) { nodes { id } }`)
    assert.deepEqual(await ask(`{ ${large.join(" ")} }`), ["too_expensive"])
    // What it costs before it is read; the points of events that are not there come back.
    for (let count = 0; count < 20; count += 1)
      assert.deepEqual(await ask("{ events(first: 100) { nodes { id } } }"), [])
    for (let count = 0; count < 100; count += 1) if ((await ask(totals)).includes("rate_limited")) return
    assert.fail("the budget has no end")
  })

  const totals = `{ ${Array.from({ length: 10 }, (_, index) => `t${index}: notes { totalCount }`).join(" ")} }`

  test("pages of events cost the same by both faces, and no more than they give", async () => {
    const { server, write, remaining } = await open({ perMinute: 10_000 })
    for (const text of ["1", "2", "3"]) await write(text)
    const before = await remaining()
    const answer = await fetch(`${server.url}/events?limit=50`, {
      headers: { authorization: `Bearer ${staff}` },
    })
    assert.equal(answer.headers.get("cost"), "requested=51, used=4")
    const { body } = await server.send("POST", "/graphql", staff, {
      query: "{ events(first: 50) { nodes { id } } }",
    })
    assert.deepEqual(body["extensions"], { cost: { requested: 51, used: 4 } })
    assert.equal(before - (await remaining()), 4 + 4 + 1)
  })

  test("results beyond the budget of their caller come later, all of them", async () => {
    const { server, write, next, remaining } = await open({ perMinute: 8 })
    const followed = openSubscription(server.url, staff, "noteChanges", { members: "note { text }" })
    const stream = await openStream(`${server.url}/events/stream`, staff)
    await followed.begun
    // Each costs a result two points, and the stream two.
    for (const text of ["1", "2", "3", "4", "5"]) await write(text)
    await until(() => stream.frames.length + followed.changes.length >= 2)
    await until(async () => (await stillThere(server.url)) === 429)
    assert.ok(stream.frames.length + followed.changes.length < 10)
    await until(() => {
      next()
      return stream.frames.length === 5 && followed.changes.length === 5
    })
    assert.deepEqual(
      followed.changes.map(({ note }) => (note as { readonly text: string }).text),
      ["1", "2", "3", "4", "5"],
    )
    next()
    assert.ok((await remaining()) >= 0)
    stream.cut()
    followed.cut()
  })
})

async function stillThere(url: string): Promise<number> {
  const { status } = await fetch(`${url}/notes?limit=1`, { headers: asStaff })
  return status
}
