// `createService` without a framework: requests of the web, messages of node:http, and what a host may do wrong.
import assert from "node:assert/strict"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from "node:http"
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2"
import { type AddressInfo, connect } from "node:net"
import { join } from "node:path"
import { after, suite, test } from "node:test"
import { setTimeout } from "node:timers/promises"
import { runInNewContext } from "node:vm"
import { createService, type EmbeddedService, type EmbedOptions, type Observation, Refusal } from "bifold"
import { WebSocket } from "ws"
import tasks from "../../examples/embedded/service.ts"
import { cleanUp, type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { listenAnywhere } from "./listen.ts"

const secret = "a secret of the tests, long enough"

/** The session of a request: the name in its cookie. */
const sessionOf = (caller: Request | IncomingMessage): string | undefined => {
  const cookie = caller instanceof Request ? caller.headers.get("cookie") : caller.headers.cookie
  return /session=(\w+)/.exec(cookie ?? "")?.[1]
}

/** A service with a person, and the actor of each session. */
async function openTasks(
  hooks: Hooks,
  {
    database,
    ...options
  }: Partial<EmbedOptions<typeof tasks>> & { readonly database?: "sqlite" | "postgres" } = {},
) {
  const observed: Observation[] = []
  const address =
    database === "postgres" ? await temporaryPostgres(hooks) : join(await temporaryFolder(hooks), "tasks.db")
  const sessions = new Map<string, { viewer: string } | { roles: "staff"[] }>([
    ["staff", { roles: ["staff"] }],
  ])
  const service = createService(tasks, {
    database: address,
    base: "/api",
    secret,
    dev: true,
    acceptDataLoss: database === "postgres",
    identify: (caller) => sessions.get(sessionOf(caller) ?? "") ?? null,
    observe: (observation) => void observed.push(observation),
    ...options,
  })
  hooks.after(() => service.close())
  await service.ready()
  const staff = { cookie: "session=staff" }
  const people: string[] = []
  if (!options.identify)
    for (const name of ["Ada", "Bob"]) {
      const made = await service.handle({
        method: "POST",
        path: "/api/people",
        headers: staff,
        body: { name },
      })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      const { id } = made.body as { readonly id: string }
      people.push(id)
      sessions.set(name.toLowerCase(), { viewer: id })
    }
  const faults = (): readonly Observation[] => observed.filter(({ kind }) => kind !== "noticed")
  return { service, sessions, people, observed, faults, address }
}

const ask = (path: string, session?: string, init: RequestInit = {}): Request =>
  new Request(`http://host.example${path}`, {
    ...init,
    headers: { ...(session !== undefined && { cookie: `session=${session}` }), ...init.headers },
  })

const json = (body: unknown): RequestInit => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "content-type": "application/json" },
})

for (const database of ["sqlite", "postgres"] as const)
  suite(`requests of the web (${database})`, () => {
    const hooks = cleanUp(after)
    const opened = openTasks(hooks, { database })

    test("both faces answer under the base, by the rules of the session", async () => {
      const { service, people, faults } = await opened
      const made = await service.fetch(ask("/api/tasks", "ada", json({ title: "One", ownerId: people[0] })))
      assert.equal(made.status, 201)
      const query = json({ query: "{ tasks { nodes { title owner { name } } } }" })
      const own = await service.fetch(ask("/api/graphql", "ada", query))
      assert.deepEqual(await own.json(), {
        data: { tasks: { nodes: [{ title: "One", owner: { name: "Ada" } }] } },
      })
      assert.equal(own.headers.get("cache-control"), "no-store")
      const others = await service.fetch(ask("/api/graphql", "bob", query))
      assert.deepEqual(await others.json(), { data: { tasks: { nodes: [] } } })
      assert.equal((await service.fetch(ask("/api/tasks"))).status, 401)
      assert.equal((await service.fetch(ask("/elsewhere", "ada"))).status, 404)
      assert.deepEqual(faults(), [])
    })

    test("a stream begins, goes on, and ends when its client leaves", async () => {
      const { service, people } = await opened
      const left = new AbortController()
      const response = await service.fetch(ask("/api/events/stream", "ada", { signal: left.signal }))
      assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8")
      const frames = framesOf(response)
      await service.fetch(ask("/api/tasks", "ada", json({ title: "Two", ownerId: people[0] })))
      assert.match(await frames("Two"), /"type":"task.created"/)
      const gone = new AbortController()
      const rest = await service.fetch(ask("/api/events/stream", "ada", { signal: gone.signal }))
      const read = rest.text()
      gone.abort()
      assert.match(await read, /^retry: |^$/)
      left.abort()
      await service.close()
      assert.equal((await service.fetch(ask("/api/tasks", "ada"))).status, 503)
    })
  })

/** Waits for a text in a stream. */
function framesOf(response: Response): (text: string) => Promise<string> {
  const reader = present(response.body).getReader()
  let received = ""
  return async (text) => {
    while (!received.includes(text)) {
      const { value, done } = await reader.read()
      assert.ok(!done, `the stream has ${text}: ${received}`)
      received += Buffer.from(value).toString()
    }
    return received
  }
}

function present<Value>(value: Value | null | undefined): Value {
  assert.ok(value !== null && value !== undefined)
  return value
}

suite("messages of node:http", () => {
  const hooks = cleanUp(after)
  const opening = openTasks(hooks)

  /** A host that does something before it passes the request on. */
  const host = async (before: (request: IncomingMessage) => Promise<unknown> | unknown): Promise<string> => {
    const { service } = await opening
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const passed = await before(request)
      await service.node(request, response, passed)
    }
    const server = createServer((request, response) => void answer(request, response))
    server.on("upgrade", (request, socket, head) => {
      if (!service.upgrade(request, socket, head)) socket.end("HTTP/1.1 404 Not Found\r\n\r\n")
    })
    return listenAnywhere(hooks, server)
  }
  const headers = { cookie: "session=ada", "content-type": "application/json" }
  const post = async (url: string, path: string, body: unknown): Promise<Response> =>
    fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })

  test("a body is read by Bifold, or taken as the host has read it", async () => {
    const { people } = await opening
    const [ownerId] = people
    const read = async (request: IncomingMessage): Promise<Buffer> =>
      Buffer.concat((await request.toArray()) as Buffer[])
    const hosts: readonly ((request: IncomingMessage) => unknown)[] = [
      () => undefined,
      async (request) => void Object.assign(request, { body: JSON.parse(String(await read(request))) }),
      async (request) => void Object.assign(request, { body: await read(request) }),
      async (request) => ({ body: String(await read(request)) }),
      // What a middleware for bodies leaves where it read none.
      (request) => void Object.assign(request, { body: {} }),
    ]
    for (const before of hosts) {
      const made = await post(await host(before), "/api/tasks", { title: "Three", ownerId })
      assert.equal(made.status, 201, await made.text())
    }
    const silent = await post(await host(async (request) => void (await read(request))), "/api/tasks", {})
    assert.equal(silent.status, 500)
    assert.match(await silent.text(), /The host has read the body of this request before Bifold/)
  })

  test("a host may take HTTP/2", async () => {
    const { service, people, faults } = await opening
    const server = createHttp2Server(
      (request, response) => void service.node(request as never, response as never),
    )
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    hooks.after(() => void server.close())
    const { port } = server.address() as AddressInfo
    const session = connectHttp2(`http://host.example:${port}`, {
      createConnection: () => connect(port, "127.0.0.1"),
    })
    const before = faults().length
    const ask2 = async (more: OutgoingHttpHeaders, body?: object): Promise<number> => {
      const stream = session.request({ ":path": "/api/tasks", ...headers, ...more }, { endStream: !body })
      stream.on("error", () => {})
      // No length is said: a stream tells by itself where its body ends.
      if (body) stream.end(JSON.stringify(body))
      const [{ ":status": status }] = (await once(stream, "response")) as [
        IncomingHttpHeaders & { ":status": number },
      ]
      stream.close()
      return status
    }
    const task = { title: "By HTTP/2", ownerId: people[0] }
    const post = { ":method": "POST" }
    assert.equal(await ask2({}), 200)
    assert.equal(await ask2(post, task), 201)
    assert.equal(await ask2({ ...post, origin: `http://host.example:${port}` }, task), 201)
    assert.equal(await ask2({ ...post, origin: "http://evil.example" }, task), 403)
    assert.equal(await ask2({ constructor: "x" }), 200)
    session.destroy()
    assert.deepEqual(faults().slice(before), [])
  })

  test("a path that a framework has shortened is answered as the client asked for it", async () => {
    const url = await host((request) =>
      Object.assign(request, { originalUrl: request.url, url: request.url?.slice("/api".length) }),
    )
    assert.equal((await fetch(`${url}/api/tasks?limit=1`, { headers })).status, 200)
  })

  test("GraphQL subscriptions arrive by server-sent events and by WebSocket, and end with their client", async () => {
    const { service, people, faults } = await opening
    const [ownerId] = people
    const url = await host(() => undefined)
    const query = "subscription { taskChanges { type task { title } } }"
    const left = new AbortController()
    const response = await fetch(`${url}/api/graphql`, {
      method: "POST",
      headers: { ...headers, accept: "text/event-stream" },
      body: JSON.stringify({ query }),
      signal: left.signal,
    })
    const frames = framesOf(response)
    const socket = new WebSocket(`${url.replace("http", "ws")}/api/graphql`, "graphql-transport-ws", {
      headers,
    })
    const messages: string[] = []
    socket.on("message", (data) => messages.push(String(data)))
    await once(socket, "open")
    socket.send(JSON.stringify({ type: "connection_init" }))
    await once(socket, "message")
    socket.send(JSON.stringify({ id: "1", type: "subscribe", payload: { query } }))
    // The first may be written before the subscription over the socket has begun.
    while (!messages.some((message) => message.includes("Four"))) {
      const body = { title: "Four", ownerId }
      assert.equal((await service.handle({ method: "POST", path: "/api/tasks", headers, body })).status, 201)
      await setTimeout(50)
    }
    assert.match(await frames("Four"), /"title":"Four"/)
    left.abort()
    socket.close()
    await once(socket, "close")
    const elsewhere = connect(Number(new URL(url).port), "127.0.0.1")
    elsewhere.write("GET /other HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
    const [refused] = await once(elsewhere, "data")
    assert.match(String(refused), /^HTTP\/1.1 404 /)
    elsewhere.destroy()
    assert.deepEqual(
      faults().filter(({ kind }) => kind !== "failed"),
      [],
    )
  })
})

suite("identify", () => {
  const hooks = cleanUp(after)

  test("an error is a 500 that says nothing, and is observed", async () => {
    const { service, faults } = await openTasks(hooks, {
      identify: () => {
        throw new Error("the sessions are gone")
      },
    })
    for (const request of [
      ask("/api/tasks"),
      ask("/api/graphql", undefined, json({ query: "{ __typename }" })),
    ]) {
      const response = await service.fetch(request)
      assert.equal(response.status, 500)
      assert.doesNotMatch(await response.text(), /sessions are gone/)
    }
    assert.equal(faults().length, 2)
    const [first] = faults()
    assert.ok(first?.kind === "failed")
    assert.match(String((first.error as Error).cause), /the sessions are gone/)
  })

  test("an actor who cannot be is an error that says why", async () => {
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [{ roles: ["stuff"] }, /There is no role "stuff"\. Did you mean "staff"\?|There is no role "stuff"/],
      [{ roles: ["staff+role:staff"] }, /There is no role/],
      ["role:stuff", /There is no role "stuff"/],
      [{ viewer: "" }, /is no id of a person/],
      [{ role: "staff" }, /An actor has no member "role"/],
      [{ roles: "staff" }, /are lists/],
      [{ roles: [["staff"]] }, /are lists/],
      [7, /An actor cannot be 7/],
      // Each would be somebody who is signed in, and is nothing else.
      [[], /An actor cannot be \[object Array\]/],
      [new Map([["roles", ["staff"]]]), /An actor cannot be \[object Map\]/],
      [new Error("no session"), /An actor cannot be \[object Error\]/],
      [new (class Session {})(), /An actor cannot be \[object Object\]/],
      // A session that has none: signed in, they would be a caller of no account.
      [{ viewer: undefined }, /The member `viewer` of the actor is undefined/],
      [{ viewer: undefined, roles: ["staff"] }, /The member `viewer` of the actor is undefined/],
      [{ roles: undefined }, /The member `roles` of the actor is undefined/],
      [{ roles: ["staff"], scopes: undefined }, /The member `scopes` of the actor is undefined/],
      [{ name: undefined }, /The member `name` of the actor is undefined/],
      [Object.create({ viewer: undefined }), /The member `viewer` of the actor is undefined/],
      [{ viewer: null }, /are text/],
      [{ name: "" }, /name of an actor is empty/],
    ]
    let said: unknown
    const { service, faults } = await openTasks(hooks, { identify: async () => said as never })
    for (const [actor, why] of wrong) {
      said = actor
      assert.equal((await service.fetch(ask("/api/tasks"))).status, 500)
      const last = faults().at(-1)
      assert.ok(last?.kind === "failed")
      assert.match(String((last.error as Error).cause), why)
    }
    said = "role:staff"
    assert.equal((await service.fetch(ask("/api/tasks"))).status, 200)
  })

  test("an actor that says nothing is anonymous, from whatever page it asks", async () => {
    let said: unknown
    const { service, faults } = await openTasks(hooks, { identify: () => said as never })
    const page = { "sec-fetch-site": "cross-site" }
    for (said of [{}, { roles: [] }, { roles: [], scopes: [] }, Object.create(null), null]) {
      assert.equal((await service.fetch(ask("/api/tasks"))).status, 401)
      assert.equal((await service.fetch(ask("/api/viewer"))).status, 401)
      const body = JSON.stringify({ title: "theirs" })
      const write = new Request(ask("/api/tasks", undefined, { ...json({}), body }), { headers: page })
      assert.notEqual((await service.fetch(write)).status, 201)
    }
    assert.deepEqual(
      faults().filter(({ kind }) => kind === "failed"),
      [],
    )
  })

  test("an actor is what its members say, however its class keeps them and shows them as JSON", async () => {
    class Hidden {
      readonly #viewer: string
      constructor(viewer: string) {
        this.#viewer = viewer
      }
      get viewer(): string {
        return this.#viewer
      }
    }
    class Masked {
      readonly viewer: string
      constructor(viewer: string) {
        this.viewer = viewer
      }
      toJSON(): string {
        return "a person"
      }
    }
    let said: unknown = { roles: ["staff"] }
    const { service } = await openTasks(hooks, { identify: () => said as never })
    const made = async (name: string): Promise<string> => {
      const { body } = await service.handle({ method: "POST", path: "/api/people", body: { name } })
      return (body as { readonly id: string }).id
    }
    const [ada, bob] = [await made("Ada"), await made("Bob")]
    for (const make of [
      (viewer: string) => new Hidden(viewer),
      (viewer: string) => new Masked(viewer),
      (viewer: string) => Object.create({ viewer }),
      (viewer: string) => Object.defineProperty({}, "viewer", { value: viewer }),
    ])
      for (const viewer of [ada, bob, ada]) {
        said = make(viewer)
        const { body } = await service.handle({ path: "/api/viewer" })
        assert.equal((body as { readonly person: { readonly id: string } }).person.id, viewer)
      }
  })

  test("a promise of another realm or library is waited for, and no actor itself", async () => {
    class Later {
      // biome-ignore lint/suspicious/noThenProperty: promises of libraries have no other mark
      readonly then: (take: (said: null) => void) => void = (take) => take(null)
    }
    let said: unknown
    const { service } = await openTasks(hooks, { identify: () => said as never })
    for (const make of [() => runInNewContext("(async () => null)()"), () => new Later()]) {
      said = make()
      assert.equal((await service.fetch(ask("/api/tasks"))).status, 401)
    }
    said = runInNewContext("Promise.resolve({ roles: ['staff'] })")
    assert.equal((await service.fetch(ask("/api/tasks"))).status, 200)
  })

  test("a host that does not say who asks in time is a 500, and is observed", async () => {
    const { service, faults } = await openTasks(hooks, {
      identify: () => new Promise(() => {}),
      deadline: 100,
    })
    assert.equal((await service.fetch(ask("/api/tasks"))).status, 500)
    const [first] = faults()
    assert.ok(first?.kind === "failed")
    assert.match(String((first.error as Error).cause), /The answer took longer than 100 ms/)
  })

  test("a refusal of the host is answered as it is", async () => {
    const { service, faults } = await openTasks(hooks, {
      identify: () => {
        throw new Refusal([{ code: "invalid_credentials", message: "Sign in again." }])
      },
    })
    const response = await service.fetch(ask("/api/tasks"))
    assert.equal(response.status, 401)
    assert.match(await response.text(), /Sign in again\./)
    assert.deepEqual(faults(), [])
  })

  test("a page of another site writes nothing in the name of a session", async () => {
    const { service, people } = await openTasks(hooks, { cors: ["https://app.example", "*"] })
    const body = { title: "Five", ownerId: people[0] }
    const write = async (headers: Readonly<Record<string, string>>): Promise<number> => {
      const init = json(body)
      return (
        await service.fetch(ask("/api/tasks", "ada", { ...init, headers: { ...init.headers, ...headers } }))
      ).status
    }
    assert.equal(await write({}), 201)
    assert.equal(await write({ origin: "http://host.example" }), 201)
    assert.equal(await write({ origin: "https://app.example", "sec-fetch-site": "cross-site" }), 201)
    assert.equal(await write({ "sec-fetch-site": "same-origin", origin: "http://host.example" }), 201)
    assert.equal(await write({ origin: "https://evil.example" }), 403)
    assert.equal(await write({ origin: "https://evil.example", "sec-fetch-site": "cross-site" }), 403)
    assert.equal(await write({ "sec-fetch-site": "same-site" }), 403)
    assert.equal(await write({ origin: "null" }), 403)
  })

  test("a stream ends when its session does", async () => {
    const { service, sessions } = await openTasks(hooks)
    const response = await service.fetch(ask("/api/events/stream", "ada"))
    sessions.delete("ada")
    for await (const _ of present(response.body));
  })
})

/** Lines of metrics, without their comments. */
const figures = async ({ metrics }: Pick<EmbeddedService, "metrics">): Promise<readonly string[]> => {
  const { contentType, text } = await metrics()
  assert.match(contentType, /^text\/plain; version=0\.0\.4/)
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
}

suite("metrics", () => {
  const hooks = cleanUp(after)

  test("count requests by both ways and those that are refused for load, and stay after the end", async () => {
    const { service } = await openTasks(hooks, { metrics: "service", maxRequests: 1 })
    const server = createServer((request, response) => void service.node(request, response))
    const url = await listenAnywhere(hooks, server)
    await (await fetch(`${url}/api/tasks`, { headers: { cookie: "session=ada" } })).text()
    const [first, refused] = await Promise.all([1, 2].map(() => service.fetch(ask("/api/tasks", "ada"))))
    assert.deepEqual([first?.status, refused?.status], [200, 503])
    const open = await figures(service)
    const has = (lines: readonly string[], series: string, value: number): void =>
      assert.ok(lines.includes(`${series} ${value}`), `${series} ${value} in\n${lines.join("\n")}`)
    const tasksRead = `bifold_requests_total{face="rest",method="GET",route="/tasks",operation="",status="200",code=""}`
    has(open, tasksRead, 2)
    has(
      open,
      `bifold_requests_total{face="none",method="GET",route="",operation="",status="503",code="overloaded"}`,
      1,
    )
    has(open, "bifold_database_up", 1)
    has(open, "bifold_requests_limit", 1)
    assert.ok(open.some((line) => line.startsWith("bifold_log_position ")))
    assert.ok(open.every((line) => line.startsWith("bifold_")))
    await service.close()
    const closed = await figures(service)
    has(closed, tasksRead, 2)
    has(closed, "bifold_database_up", 0)
  })

  test("of several services are apart, and say that a database is away", async () => {
    const { service } = await openTasks(hooks, { metrics: "service" })
    const database = join(await temporaryFolder(hooks), "absent.db")
    const absent = createService(tasks, { database, metrics: "process", observe: () => {} })
    const found = await figures(absent)
    assert.ok(found.includes("bifold_database_up 0"))
    assert.ok(found.some((line) => line.startsWith("nodejs_eventloop_lag_p99_seconds ")))
    assert.ok(!found.some((line) => line.startsWith("bifold_requests_total")))
    assert.ok((await figures(service)).some((line) => line.startsWith("bifold_requests_total")))
    const silent = createService(tasks, { database })
    await assert.rejects(silent.metrics(), /Metrics of this service are not collected/)
  })

  test("answers tell where their time went, where the option says so", async () => {
    for (const serverTiming of [true, false]) {
      const { service } = await openTasks(hooks, { serverTiming })
      const { headers } = await service.fetch(ask("/api/tasks", "ada"))
      assert.match(
        headers.get("server-timing") ?? "none",
        serverTiming ? /statement;dur=[\d.]+, total;dur=[\d.]+$/ : /^none$/,
      )
    }
  })
})

suite("a stream that nobody reads", () => {
  const hooks = cleanUp(after)

  test("does not hold the service that closes, and one that is read ends whole", async () => {
    const { service, faults } = await openTasks(hooks, { metrics: "service" })
    const [unread, read, dropped] = await Promise.all(
      [1, 2, 3].map(() => service.fetch(ask("/api/events/stream", "ada"))),
    )
    const frames = present(read).text()
    const reader = present(present(dropped).body).getReader()
    await reader.read()
    const since = performance.now()
    await service.close()
    assert.ok(performance.now() - since < 5_000, "closing waits ten seconds for answers that are taken")
    await frames
    await assert.rejects(present(unread).text(), /The host did not read this answer in time/)
    await assert.rejects(reader.read(), /The host did not read this answer in time/)
    const lines = await figures(service)
    assert.deepEqual(
      ["200", "499"].map((status) => lines.some((line) => /stream/.test(line) && line.includes(status))),
      [true, true],
    )
    assert.deepEqual(faults(), [])
  })

  test("is given up after half a minute", async (t) => {
    const { service } = await openTasks(hooks)
    t.mock.timers.enable({ apis: ["setTimeout"] })
    const response = await service.fetch(ask("/api/events/stream", "ada"))
    t.mock.timers.tick(29_999)
    assert.equal(response.body?.locked, false)
    t.mock.timers.tick(1)
    t.mock.timers.reset()
    await assert.rejects(response.text(), /The host did not read this answer in time/)
  })
})

suite("mistakes of a host", () => {
  const hooks = cleanUp(after)

  test("a database that is absent or differs is refused as `serve` refuses it", async () => {
    const database = join(await temporaryFolder(hooks), "absent.db")
    const absent = createService(tasks, { database, observe: () => {} })
    await assert.rejects(absent.ready(), /There is no database .*absent\.db/)
    assert.equal((await absent.fetch(ask("/tasks"))).status, 503)
    const { service, address } = await openTasks(hooks)
    await service.close()
    const more = structuredClone(tasks) as unknown as typeof tasks
    Object.assign(more.resources.task.fields, { place: more.resources.task.fields.title })
    const differing = createService(more, { database: address })
    await assert.rejects(differing.ready(), (error: unknown) => {
      assert.ok(error instanceof Refusal)
      assert.equal(error.problems[0].code, "database_mismatch")
      assert.match(error.problems[0].hint ?? "", /bifold migrate apply service\.ts --database/)
      return true
    })
  })

  test("what is no Request is a 500, and is observed", async () => {
    const { service, faults } = await openTasks(hooks)
    const before = faults().length
    assert.equal((await service.fetch({ url: "/api/tasks", headers: new Headers() } as Request)).status, 500)
    assert.deepEqual(
      faults()
        .slice(before)
        .map(({ kind }) => kind),
      ["failed"],
    )
  })

  test("options that cannot be meant are refused", async () => {
    for (const [options, why] of [
      [{ base: "api" }, /The option base is "api"/],
      [{ secret: "short" }, /The option secret is not a secret that can be used/],
      [{ open: "read" }, /has rules/],
      [{ database: "" }, /The option database is missing/],
      [
        { database: "mysql://me:sesame@host/shop" },
        /The option database is "mysql:\/\/me:\*\*\*@host\/shop"/,
      ],
      [{ cors: "https://shop.example" }, /The option cors is "https:\/\/shop\.example"/],
      [{ cors: ["shop.example"] }, /The option cors is /],
      [{ compression: "gzip", deadline: "5" }, /The option compression is [\s\S]*The option deadline is "5"/],
      [{ deadline: 5, keepAnswers: 24 }, /The option deadline is 5\.\nThe option keepAnswers is 24\./],
      [{ databse: "shop.db" }, /createService has no option databse/],
      [{ port: 3000 }, /createService has no option port/],
      [{ metrics: true }, /The option metrics is true/],
      [{ serverTiming: "yes" }, /The option serverTiming is "yes"/],
      [{ identify: "role:staff" }, /The option identify is "role:staff"/],
      [{ limitsStore: "mysql://me:sesame@host" }, /The option limitsStore is "mysql:\/\/me:\*\*\*@host"/],
    ] as const) {
      const service = createService(tasks, {
        database: "unused.db",
        ...(options as Partial<EmbedOptions<typeof tasks>>),
      })
      await assert.rejects(service.ready(), (error: unknown) => {
        assert.ok(error instanceof Refusal)
        assert.match(error.problems.map(({ message }) => message).join("\n"), why)
        for (const { hint } of error.problems) assert.match(hint ?? "", /\.$|\?$/)
        return true
      })
    }
  })

  test("the page about embedding lists every option", async () => {
    const wrong = createService(tasks, { database: "unused.db", xyz: true } as EmbedOptions<typeof tasks>)
    const hint = await wrong.ready().catch((error: Refusal) => error.problems[0].hint)
    const options = /^It has (.+)\.$/.exec(String(hint))?.[1]?.split(", ")
    const page = readFileSync(join(import.meta.dirname, "../../docs/guide/embedding.md"), "utf8")
    const rows = [...page.slice(page.indexOf("## Options")).matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)]
    const listed = rows.flatMap(([, names = ""]) => names.replaceAll("`", "").split(", "))
    assert.deepEqual(listed.toSorted(), options?.toSorted())
  })

  test("the body of a Request that was read is given by the host, or missed in so many words", async () => {
    const { service, people } = await openTasks(hooks)
    const request = (): Request => ask("/api/tasks", "ada", json({ title: "Six", ownerId: people[0] }))
    const read = request()
    const body = await read.json()
    const missed = await service.fetch(read)
    assert.equal(missed.status, 500)
    assert.match(await missed.text(), /The host has read the body of this Request before Bifold/)
    assert.equal((await service.fetch(read, { body })).status, 201)
    assert.equal((await service.fetch(request().clone())).status, 201)
    const long = ask("/api/tasks", "ada", json({ title: "x".repeat(2 ** 20) }))
    assert.equal((await service.fetch(long)).status, 413)
    const coded = json({ title: "Seven" })
    const refused = await service.fetch(
      ask("/api/tasks", "ada", { ...coded, headers: { ...coded.headers, "content-encoding": "gzip" } }),
    )
    assert.equal(refused.status, 415)
  })
})
