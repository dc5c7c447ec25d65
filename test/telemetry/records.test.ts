// What is told of a request while somebody watches: of both faces, on both databases.
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { after, before, describe, test } from "node:test"
import { setImmediate } from "node:timers/promises"
import { present } from "../../src/base/invariant.ts"
import { type ObservedStatement, type RequestRecord, Telemetry } from "../../src/base/telemetry.ts"
import type { Dispatch } from "../../src/server/dispatch.ts"
import { createAnswerMessage } from "../../src/server/exchange/answer-messages.ts"
import type { Observation } from "../../src/server/observation.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { authorization, buyer, openShop, productId, type ShopServer } from "../support/shop-server.ts"

for (const database of dialects)
  describe(`records of requests, ${database}`, () => {
    const hooks = cleanUp(after)
    const records: RequestRecord[] = []
    const begun = new Set<RequestRecord>()
    const statements: ObservedStatement[] = []
    let commits = 0
    let shop: ShopServer | undefined
    before(async () => {
      const telemetry = new Telemetry()
      telemetry.listen({
        readsStages: true,
        requestBegun: (record) => void begun.add(record),
        requestEnded: (record) => void records.push(record),
        statementEnded: (statement) => void statements.push(statement),
        committed: (writes) => {
          commits += writes
        },
      })
      shop = await openShop(hooks, database, { telemetry, serverTiming: true })
    })
    const ask = async (path: string, body?: unknown, headers = {}): Promise<Asked> => {
      const { url } = present(shop, "the shop is open")
      const before = records.length
      const response = await fetch(url + path, {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization, "content-type": "application/json", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      await response.text()
      while (records.length === before) await setImmediate()
      return { response, record: present(records.at(-1), "a request has a record") }
    }
    const statementsOf = (record: RequestRecord) => statements.filter((each) => each.record === record)

    test("a read by REST has its template, and no value", async () => {
      const { record } = await ask(`/products/${productId(3)}`)
      assert.equal(record.face, "rest")
      assert.equal(record.route, "/products/{id}")
      assert.equal(record.status, 200)
      assert.deepEqual(record.actor, { kind: "signed_in", id: 'as:[null,["staff"],[]]' })
      assert.equal(record.statements, 1)
      assert.equal(record.rows, 1)
      assert.ok(record.points > 0)
      const [statement] = statementsOf(record)
      assert.match(statement?.commands[0]?.text ?? "", /SELECT/)
      assert.doesNotMatch(statement?.commands[0]?.text ?? "", /0000003/)
    })

    test("the stages are parts of the whole time", async () => {
      const { record } = await ask("/products?limit=5")
      const { read, plan, queue, statement, code, write } = record.times
      for (const part of [read, plan, queue, statement, write]) assert.ok(part > 0)
      assert.equal(code, 0)
      const sum = read + plan + queue + statement + write
      assert.ok(sum <= record.took + 0.001)
    })

    test("an operation of GraphQL has its kind and name", async () => {
      const asked = { query: "query Prices { products(first: 4) { nodes { name price } } }" }
      const { record } = await ask("/graphql", asked)
      assert.equal(record.face, "graphql")
      assert.equal(record.route, undefined)
      assert.deepEqual(record.operation, { kind: "query", name: "Prices" })
      assert.equal(record.rows, 4)
      assert.deepEqual([record.knownPlans, record.newPlans], [0, 1])
      for (let again = 0; again < 3; again += 1) {
        const second = await ask("/graphql", asked)
        assert.deepEqual([second.record.knownPlans, second.record.newPlans], [1, 0])
        assert.deepEqual(second.record.operation, { kind: "query", name: "Prices" })
      }
    })

    test("a write has its commands, and its commit is counted", async () => {
      const before = commits
      const { record } = await ask("/orders", { number: `W-${database}`, total: "1.00", ...buyer })
      assert.equal(record.status, 201)
      assert.equal(record.route, "/orders")
      const [statement] = statementsOf(record)
      assert.equal(statement?.kind, "write")
      assert.equal(statement?.commands.length, record.statements)
      assert.equal(commits - before, 1)
    })

    /** Pages of events read the log; a batch that fails in a later step is done again as a transaction of several programs. */
    const order = { ...buyer, number: `T-${database}`, total: "1.00" }
    const twice = [1, 2].map(() => ({ method: "POST", path: "/orders", body: order }))
    for (const [what, path, body] of [
      ["a page of events", "/events?limit=2", undefined],
      ["a page of events by GraphQL", "/graphql", { query: "{ events(first: 2) { nodes { id } } }" }],
      ["a batch that fails late", "/batch", { requests: twice }],
    ] as const)
      test(`all statements of ${what} are its own`, async () => {
        // The log is made with the first.
        await ask("/events?limit=1")
        const before = statements.length
        const { record } = await ask(path, body)
        const own = statements.slice(before)
        assert.ok(own.length > 1, `${own.length} statements were sent`)
        assert.deepEqual(
          own.filter((each) => each.record !== record).map(({ commands }) => commands),
          [],
        )
      })

    test("a refusal has its code, in both faces", async () => {
      const rest = await ask("/products?filter[colour]=red")
      assert.equal(rest.record.status, 400)
      assert.equal(rest.record.code, "unknown_field")
      const graphql = await ask("/graphql", { query: "{ shoes { id } }" })
      assert.equal(graphql.record.status, 200)
      assert.equal(graphql.record.code, "invalid_document")
      assert.equal(graphql.record.statements, 0)
      const nowhere = await ask("/shoes/1")
      assert.equal(nowhere.record.route, undefined)
      assert.equal(nowhere.record.code, "not_found")
    })

    test("equal reads at the same time share one statement, which is told of", async () => {
      const before = records.length
      await Promise.all(Array.from({ length: 8 }, () => ask("/products?limit=7&sort=-name")))
      const own = records.slice(before)
      const sent = own.reduce((sum, { statements }) => sum + statements, 0)
      const joined = own.reduce((sum, { joined }) => sum + joined, 0)
      assert.equal(sent + joined, 8)
    })

    test("the client is told where the time went", async () => {
      const { response } = await ask("/products?limit=2")
      const timing = response.headers.get("server-timing") ?? ""
      assert.match(
        timing,
        /^read;dur=[\d.]+, plan;dur=[\d.]+, queue;dur=[\d.]+, statement;dur=[\d.]+, total;dur=[\d.]+$/,
      )
    })

    test("what is no request, or is refused before it is read, has a record without a trace", async () => {
      const { url } = present(shop, "the shop is open")
      const refused = async (text: string): Promise<unknown> => {
        const before = records.length
        const socket = connect(Number(new URL(url).port), "127.0.0.1")
        socket.end(text)
        socket.resume()
        await once(socket, "close")
        const [record, ...more] = records.slice(before)
        assert.equal(more.length, 0)
        assert.ok(record && !begun.has(record))
        return [record?.method, record?.face, record?.status, record?.code]
      }
      const code = "malformed_request"
      assert.deepEqual(await refused("no request\r\n\r\n"), ["unknown", "none", 400, code])
      const long = `GET /products HTTP/1.1\r\nhost: 127.0.0.1\r\nx-long: ${"x".repeat(20_000)}\r\n\r\n`
      assert.deepEqual(await refused(long), ["GET", "none", 431, code])
      const expecting =
        "POST /orders HTTP/1.1\r\nhost: 127.0.0.1\r\nexpect: magic\r\ncontent-length: 0\r\n\r\n"
      assert.deepEqual(await refused(expecting), ["POST", "none", 417, code])
    })

    test("an operation over a socket is one as by POST", async () => {
      const { url } = present(shop, "the shop is open")
      const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws")
      const told: { readonly type: string }[] = []
      const next = async (count: number): Promise<void> => {
        while (told.length < count) await once(socket, "message")
      }
      socket.addEventListener("message", ({ data }) => void told.push(JSON.parse(String(data))))
      await once(socket, "open")
      socket.send(JSON.stringify({ type: "connection_init", payload: { authorization } }))
      await next(1)
      const before = records.length
      const ask = (id: string, query: string): void =>
        socket.send(JSON.stringify({ id, type: "subscribe", payload: { query } }))
      ask("1", "query Few { products(first: 3) { nodes { name } } }")
      await next(3)
      ask("2", "query Wrong { nothing }")
      await next(4)
      socket.close()
      const [read, wrong, ...more] = records.slice(before)
      assert.equal(more.length, 0)
      assert.deepEqual([read?.face, read?.method, read?.status], ["graphql", "POST", 200])
      assert.deepEqual([read?.operation, read?.rows], [{ kind: "query", name: "Few" }, 3])
      assert.ok(read && read.statements === 1 && read.times.statement > 0)
      assert.deepEqual([wrong?.status, wrong?.code], [400, "invalid_document"])
    })

    test("a page has its path", async () => {
      const { record } = await ask("/health")
      assert.deepEqual([record.face, record.route, record.status], ["page", "/health", 200])
    })
  })

interface Asked {
  readonly response: Response
  readonly record: RequestRecord
}

test("a request that fails by a fault of the server has a record, and no time is taken that nobody looks at", {
  timeout: 30_000,
}, async (t) => {
  const hooks = cleanUp((undo) => t.after(undo))
  const telemetry = new Telemetry()
  const ended = Promise.withResolvers<RequestRecord>()
  telemetry.listen({ requestEnded: ended.resolve })
  const identify = (): never => {
    throw new TypeError("It broke.")
  }
  const { url } = await openShop(hooks, "sqlite", { telemetry, identify })
  await assert.rejects(fetch(`${url}/products`))
  const { status, code, times, took } = await ended.promise
  assert.deepEqual([status, code], [500, "internal"])
  assert.ok(took > 0)
  assert.deepEqual(Object.values(times), [0, 0, 0, 0, 0, 0])
})

test("a stream that breaks by a fault of the server is one of its failures", {
  timeout: 30_000,
}, async (t) => {
  const telemetry = new Telemetry()
  const ended = Promise.withResolvers<RequestRecord>()
  telemetry.listen({ requestEnded: ended.resolve })
  const observed: Observation[] = []
  const observe = (one: Observation): void => void observed.push(one)
  const answer = createAnswerMessage({
    dispatch: { observe } as Dispatch,
    untaken: 10_000,
    isLast: () => false,
    ended: () => {},
  })
  const body = (async function* () {
    yield "first"
    throw new TypeError("It broke.")
  })()
  const server = createServer(async (request, to) => {
    const record = telemetry.beginRequest("broken", "GET")
    record.status = 200
    const response = { status: 200, headers: [], length: undefined, body, record }
    await answer(
      request,
      to,
      () => {},
      async () => response,
    )()
  })
  t.after(() => server.close())
  await once(server.listen(0, "127.0.0.1"), "listening")
  const { port } = server.address() as AddressInfo
  await assert.rejects(fetch(`http://127.0.0.1:${port}`).then((response) => response.text()))
  const { status, code } = await ended.promise
  assert.deepEqual([status, code], [500, "internal"])
  assert.deepEqual(
    observed.map(({ kind }) => kind),
    ["failed"],
  )
})
