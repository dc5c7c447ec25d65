// Spans as a real SDK is given them: of a write, its handler and its webhook, by both faces, on both databases.
import assert from "node:assert/strict"
import { once } from "node:events"
import { after, beforeEach, describe, test } from "node:test"
import { SpanKind, SpanStatusCode } from "@opentelemetry/api"
import type { ReadableSpan } from "@opentelemetry/sdk-trace"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { startReceiver, status } from "../webhooks/receiver.ts"
import { openShop, type TracedShop } from "./open.ts"
import { registerSdk } from "./sdk.ts"

const spans = registerSdk()
const hex = (digits: number, number: number): string => number.toString(16).padStart(digits, "0")
let count = 0
/** A client's span, of a trace of its own. */
function clientSpan(flags = "01") {
  count += 1
  const [traceId, spanId] = [`4bf92f3577b34da6a3ce92${hex(10, count)}`, `00f067${hex(10, count)}`]
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` }
}

const idOf = (span: ReadableSpan): string => span.spanContext().spanId
const childrenOf = (span: ReadableSpan): readonly ReadableSpan[] =>
  spans.of(span.spanContext().traceId).filter((one) => one.parentSpanContext?.spanId === idOf(span))
const namesOf = (some: readonly ReadableSpan[]): readonly string[] => some.map(({ name }) => name)

const createdBy = {
  rest: (shop: TracedShop, number: string, headers: Record<string, string>) =>
    shop.send("POST", "/orders", { number }, headers),
  graphql: (shop: TracedShop, number: string, headers: Record<string, string>) =>
    shop.send(
      "POST",
      "/graphql",
      {
        query: "mutation Make($input: OrderCreateInput!) { createOrder(input: $input) { order { id } } }",
        variables: { input: { number } },
      },
      headers,
    ),
}
const requestOf = {
  rest: { name: "POST /orders", "http.route": "/orders", "url.path": "/orders", "bifold.face": "rest" },
  graphql: {
    name: "POST /graphql",
    "http.route": "/graphql",
    "graphql.operation.type": "mutation",
    "graphql.operation.name": "Make",
  },
}

for (const database of dialects)
  describe(`spans on ${database}`, () => {
    const hooks = cleanUp(after)
    const opening = openShop(hooks, database)
    beforeEach(async () => {
      await opening
      spans.forget()
    })

    for (const face of ["rest", "graphql"] as const)
      test(`a write by ${face} has a trace, to which its handler and its webhook link`, async () => {
        const shop = await opening
        const receiver = await startReceiver(hooks)
        const endpoint = await shop.send("POST", "/webhook-endpoints", {
          url: `${receiver.url}/hook/path-secret`,
          types: ["order.created"],
          roles: ["staff"],
        })
        assert.equal(endpoint.status, 201, JSON.stringify(endpoint.body))
        const client = clientSpan()
        const made = await createdBy[face](shop, `${face} 1`, { traceparent: client.traceparent })
        assert.ok(made.status < 300 && !("errors" in made.body), JSON.stringify(made.body))
        const { name, ...attributes } = requestOf[face]
        const request = await spans.wait(name, (span) => span.parentSpanContext?.spanId === client.spanId)
        assert.equal(request.name, name)
        assert.equal(request.kind, SpanKind.SERVER)
        assert.equal(request.parentSpanContext?.isRemote, true)
        assert.equal(request.spanContext().traceId, client.traceId)
        for (const [key, value] of Object.entries({
          ...attributes,
          "http.request.method": "POST",
          "http.response.status_code": made.status,
          "server.address": "127.0.0.1",
        }))
          assert.equal(request.attributes[key], value, key)
        const parts = childrenOf(request)
        assert.ok(namesOf(parts).includes("plan"))
        const statements = parts.filter(({ attributes: has }) => "db.query.text" in has)
        assert.ok(statements.length > 0)
        for (const { attributes: has, kind } of statements) {
          assert.equal(kind, SpanKind.CLIENT)
          assert.equal(has["db.system.name"], database === "sqlite" ? "sqlite" : "postgresql")
        }
        const isOfOrder = (span: ReadableSpan): boolean =>
          span.links.some(({ context }) => context.spanId === idOf(request))
        const handled = await spans.wait(
          "handler",
          (span) => span.kind === SpanKind.CONSUMER && isOfOrder(span),
        )
        assert.equal(handled.name, "process order.created")
        assert.equal(handled.attributes["messaging.consumer.group.name"], "thanks")
        const written = childrenOf(handled).filter(({ attributes: has }) =>
          String(has["db.query.text"]).includes("INSERT INTO"),
        )
        assert.ok(written.length > 0, "the handler's write has its statement")
        const { origin, port } = new URL(receiver.url)
        const sent = await spans.wait(
          "delivery",
          (span) => span.attributes["server.port"] === Number(port) && isOfOrder(span),
        )
        assert.equal(sent.kind, SpanKind.CLIENT)
        assert.equal(sent.name, "POST")
        assert.equal(sent.attributes["http.response.status_code"], 204)
        assert.equal(sent.attributes["url.full"], `${origin}/REDACTED`)
        for (const span of [handled, sent]) {
          assert.equal(span.parentSpanContext, undefined)
          assert.notEqual(span.spanContext().traceId, client.traceId)
          assert.equal(span.links[0]?.context.traceId, client.traceId)
        }
        const [received] = receiver.received
        const { traceId, spanId } = sent.spanContext()
        assert.equal(received?.headers["traceparent"], `00-${traceId}-${spanId}-01`)
        // A handler's own writes are of its trace.
        const rows = (await shop.rows()).filter(({ resource }) => resource === "letter")
        const own = handled.spanContext()
        assert.equal(rows.at(-1)?.trace, `00-${own.traceId}-${own.spanId}-01`)
      })

    test("an operation over a socket has a span of a trace of its own, and a stream lasts as its span", async () => {
      const shop = await opening
      const socket = new WebSocket(`${shop.url.replace("http", "ws")}/graphql`, "graphql-transport-ws")
      const types: string[] = []
      socket.addEventListener("message", ({ data }) => void types.push(JSON.parse(String(data)).type))
      const told = async (type: string): Promise<void> => {
        while (!types.includes(type)) await once(socket, "message")
      }
      await once(socket, "open")
      socket.send(JSON.stringify({ type: "connection_init" }))
      await told("connection_ack")
      const query = "query Over { orders(first: 1) { nodes { number } } }"
      socket.send(JSON.stringify({ id: "1", type: "subscribe", payload: { query } }))
      await told("complete")
      const operation = await spans.wait(
        "operation",
        ({ attributes: has }) => has["graphql.operation.name"] === "Over",
      )
      assert.equal(operation.name, "POST /graphql")
      assert.equal(operation.kind, SpanKind.SERVER)
      assert.equal(operation.parentSpanContext, undefined)
      assert.equal(operation.attributes["http.response.status_code"], 200)
      assert.ok(childrenOf(operation).some(({ attributes: has }) => "db.query.text" in has))
      const subscription = `subscription Follow { orderChanges { recordId } }`
      socket.send(JSON.stringify({ id: "2", type: "subscribe", payload: { query: subscription } }))
      const followed = await spans.wait(
        "subscription",
        ({ attributes: has }) => has["graphql.operation.type"] === "subscription",
      )
      assert.equal(followed.attributes["graphql.operation.name"], "Follow")
      socket.close()
      const client = clientSpan()
      const leaving = new AbortController()
      const stream = await fetch(`${shop.url}/orders?live=true`, {
        headers: { traceparent: client.traceparent },
        signal: leaving.signal,
      })
      assert.equal(stream.status, 200)
      const reader = stream.body?.getReader()
      await reader?.read()
      const isStream = (span: ReadableSpan): boolean => span.parentSpanContext?.spanId === client.spanId
      assert.ok(!spans.all().some(isStream), "it is under way")
      leaving.abort()
      const streamed = await spans.wait("stream", isStream)
      assert.equal(streamed.name, "GET /orders")
      assert.equal(streamed.attributes["http.response.status_code"], 499)
      assert.equal(streamed.status.code, SpanStatusCode.UNSET)
    })

    test("spans nest rightly while many requests are under way", async () => {
      const shop = await opening
      const ids = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const { body } = await shop.send("POST", "/orders", { number: `nested ${index}` })
          return String(body["id"])
        }),
      )
      const clients = ids.map((id) => ({ id, ...clientSpan() }))
      await Promise.all(
        clients.map(({ id, traceparent }) =>
          shop.send("POST", `/orders/${id}/actions/approve`, { word: id }, { traceparent }),
        ),
      )
      for (const { traceId, spanId } of clients) {
        const request = await spans.wait("request", (span) => span.parentSpanContext?.spanId === spanId)
        assert.equal(request.attributes["url.path"], "/orders/REDACTED/actions/approve")
        const all = spans.of(traceId)
        const code = all.filter(({ name }) => name === "code approve of order")
        assert.equal(code.length, 1)
        assert.deepEqual(
          code.map((one) => one.parentSpanContext?.spanId),
          [idOf(request)],
        )
        const own = code.flatMap(childrenOf)
        assert.deepEqual(namesOf(own), ["own"])
        const known = new Set([spanId, ...all.map(idOf)])
        for (const { name, parentSpanContext } of all)
          assert.ok(known.has(parentSpanContext?.spanId ?? ""), `${name} has its parent in the trace`)
        assert.ok(all.some(({ attributes }) => "db.query.text" in attributes))
      }
    })

    test("a malformed traceparent begins a new trace, and one that is not sampled is no more than passed on", async () => {
      const shop = await opening
      const { traceId, spanId } = clientSpan()
      const malformed = [
        `00-${traceId}-${spanId}-01-more`,
        `00-${traceId.toUpperCase()}-${spanId}-01`,
        `ff-${traceId}-${spanId}-01`,
      ]
      for (const [index, traceparent] of malformed.entries()) {
        spans.forget()
        const { body } = await shop.send("GET", "/orders/ord_00000000000000000000000009", undefined, {
          traceparent,
        })
        const request = await spans.wait("request", ({ kind }) => kind === SpanKind.SERVER)
        assert.equal(request.parentSpanContext, undefined, String(index))
        assert.notEqual(request.spanContext().traceId, traceId)
        assert.equal(body["traceId"], request.spanContext().traceId)
      }
      spans.forget()
      const quiet = clientSpan("00")
      const { traceparent } = quiet
      await shop.send("POST", "/orders", { number: `quiet ${database}` }, { traceparent })
      const refused = await shop.send("POST", "/orders", { number: `quiet ${database}` }, { traceparent })
      assert.equal(refused.body["traceId"], quiet.traceId)
      await spans.wait("the handler of the write", ({ links }) => links[0]?.context.traceId === quiet.traceId)
      assert.deepEqual(namesOf(spans.of(quiet.traceId)), [])
      const row = (await shop.rows()).find(({ trace }) => trace?.includes(quiet.traceId))
      assert.match(row?.trace ?? "", /-00$/)
    })

    test("a client that is not trusted chooses neither the trace nor whether it is recorded", async (context) => {
      for (const [how, linked] of [
        ["link", true],
        ["ignore", false],
      ] as const) {
        const shop = await openShop(context, database, { clientTraces: how })
        for (const flags of ["00", "01"]) {
          spans.forget()
          const client = clientSpan(flags)
          const { traceparent } = client
          const { body } = await shop.send("GET", "/orders/ord_00000000000000000000000009", undefined, {
            traceparent,
            tracestate: "vendor=value",
          })
          const request = await spans.wait("request", ({ kind }) => kind === SpanKind.SERVER)
          assert.equal(request.parentSpanContext, undefined)
          assert.notEqual(request.spanContext().traceId, client.traceId)
          assert.equal(request.spanContext().traceState, undefined)
          assert.equal(body["traceId"], request.spanContext().traceId)
          assert.deepEqual(
            request.links.map(({ context: { traceId, spanId } }) => [traceId, spanId]),
            linked ? [[client.traceId, client.spanId]] : [],
          )
          assert.deepEqual(spans.of(client.traceId), [])
        }
      }
    })

    test("a name that a client gives its operation is of bounded length in a span", async () => {
      const shop = await opening
      await shop.send("POST", "/graphql", { query: `query ${"N".repeat(10_000)} { __typename }` })
      const request = await spans.wait("request", ({ kind }) => kind === SpanKind.SERVER)
      assert.equal(request.attributes["graphql.operation.name"], "N".repeat(128))
    })

    test("errors name the trace, and faults of the service are faults of its spans", async () => {
      const shop = await opening
      const { body } = await shop.send("POST", "/orders", { number: `broken ${database}` })
      const id = String(body["id"])
      spans.forget()
      const [rest, graphql] = [clientSpan(), clientSpan()]
      const broken = await shop.send(
        "POST",
        `/orders/${id}/actions/approve`,
        { word: "break it" },
        { traceparent: rest.traceparent },
      )
      assert.deepEqual([broken.status, broken.body["traceId"]], [500, rest.traceId])
      const query = `mutation { approveOrder(id: "${id}", input: { word: "refuse" }) { order { id } } }`
      const refused = await shop.send("POST", "/graphql", { query }, { traceparent: graphql.traceparent })
      const [error] = refused.body["errors"] as unknown as readonly {
        readonly extensions: Readonly<Record<string, unknown>>
      }[]
      assert.equal(error?.extensions["code"], "conflict", JSON.stringify(refused.body))
      assert.equal(error?.extensions["traceId"], graphql.traceId)
      await spans.wait(
        "both requests",
        () => spans.all().filter(({ kind }) => kind === SpanKind.SERVER).length > 1,
      )
      const states = (traceId: string) =>
        spans
          .of(traceId)
          .filter(({ kind, name }) => kind === SpanKind.SERVER || name.startsWith("code"))
          .map(({ status: { code }, attributes }) => [code, attributes["error.type"]])
      assert.deepEqual(states(rest.traceId), [
        [SpanStatusCode.ERROR, "TypeError"],
        [SpanStatusCode.ERROR, "internal"],
      ])
      assert.deepEqual(states(graphql.traceId), [
        [SpanStatusCode.UNSET, undefined],
        [SpanStatusCode.UNSET, undefined],
      ])
    })

    test("no value and no secret is in any attribute", async () => {
      const shop = await opening
      const receiver = await startReceiver(hooks)
      receiver.answer(status(500))
      await shop.send("POST", "/webhook-endpoints", {
        url: `${receiver.url}/hidden-1?hidden-2=1`,
        types: ["order.created"],
        roles: ["staff"],
      })
      const headers = {
        authorization: "Bearer hidden-3",
        cookie: "session=hidden-4",
        "idempotency-key": "hidden-5",
        "user-agent": "hidden-6",
        tracestate: "vendor=hidden-7",
        traceparent: clientSpan().traceparent,
      }
      await shop.send("GET", "/orders", undefined, headers)
      const { authorization: _, ...others } = headers
      const { body } = await shop.send("POST", "/orders", { number: "hidden-8" }, others)
      const id = String(body["id"])
      const rest = { traceparent: clientSpan().traceparent }
      await shop.send("PATCH", `/orders/${id}`, { note: "hidden-9" }, rest)
      await shop.send("GET", "/orders?filter[number]=hidden-8&fields=shout", undefined, rest)
      await shop.send("GET", "/orders/number=hidden-10", undefined, rest)
      await shop.send("GET", "/hidden-11/nowhere", undefined, rest)
      await shop.send("POST", `/orders/${id}/actions/approve`, { word: "break hidden-12" }, rest)
      await shop.send("POST", "/orders", { number: "hidden-8" }, rest)
      const query = `{ orders(where: { note: { eq: "hidden-13" } }) { nodes { number shout } } }`
      await shop.send("POST", "/graphql", { query }, rest)
      await shop.send("HIDDEN-14", "/orders", undefined, rest).catch(() => {})
      await spans.wait(
        "a delivery",
        ({ attributes }) =>
          attributes["http.response.status_code"] === 500 && "bifold.event.id" in attributes,
      )
      await spans.wait("the handler", ({ name }) => name === "process order.created")
      const all = spans.all()
      assert.ok(all.length > 20, "spans were looked through")
      for (const { name, attributes, events, links, status: said, resource } of all) {
        const text = JSON.stringify([
          name,
          attributes,
          events,
          links.map(({ attributes: of }) => of),
          said,
          resource.attributes,
        ])
        assert.doesNotMatch(text, /hidden/i)
        assert.ok(!text.includes(id), text)
      }
    })
  })
