// A follower that takes nothing while others of its client wait is cut, whatever it is connected by, and the others get all.
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import { connect as connectHttp2 } from "node:http2"
import { connect } from "node:net"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { createService } from "bifold"
import { WebSocket } from "ws"
import { listenAnywhere } from "../embed/listen.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { notes } from "./notes.ts"
import { openDatabase, openServer, openStream, until } from "./open.ts"

const staff = "role:staff"
const path = "/events/stream?resource=note"
const text = "x".repeat(900_000)
/** Together they hold more than one client may, once no buffer of the system has room for another event. */
const [followers, events] = [12, 12] as const

/** Takes nothing until it is told to; then resolves once its connection or stream has ended. */
type Follow = (url: string) => Promise<() => Promise<unknown>>

const byHttp1: Follow = async (url) => {
  const { host, hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).on("error", () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${staff}\r\n\r\n`)
  await once(socket, "data")
  socket.pause()
  const ended = once(socket, "close")
  return () => {
    socket.resume()
    return ended
  }
}

const byHttp2: Follow = async (url) => {
  const session = connectHttp2(url).on("error", () => {})
  after(() => session.destroy())
  const stream = session.request({ ":path": path, authorization: `Bearer ${staff}` }).on("error", () => {})
  const ended = once(stream, "close")
  await once(stream, "response")
  return () => {
    stream.resume()
    return ended
  }
}

const byWebSocket: Follow = async (url) => {
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws", {
    headers: { authorization: `Bearer ${staff}` },
  }).on("error", () => {})
  after(() => socket.terminate())
  const ended = once(socket, "close")
  await once(socket, "open")
  socket.send(JSON.stringify({ type: "connection_init" }))
  await once(socket, "message")
  const query = "subscription { noteChanges { recordId note { id text } } }"
  socket.send(JSON.stringify({ id: "1", type: "subscribe", payload: { query } }))
  socket.pause()
  return () => {
    socket.resume()
    return ended
  }
}

interface Opened {
  readonly url: string
  create(path: string, body: object): Promise<{ readonly id: string }>
}

async function openAlone(): Promise<Opened> {
  const hooks = cleanUp(after)
  const server = await openServer(hooks, await openDatabase(hooks, "sqlite"), undefined, {}, { h2c: true })
  return { url: server.url, create: async (at, body) => (await server.send("POST", at, staff, body)).body }
}

async function openEmbedded() {
  const hooks = cleanUp(after)
  const service = createService(notes, {
    database: join(await temporaryFolder(hooks), "notes.db"),
    dev: true,
    identify: () => ({ roles: ["staff"] }),
    observe: () => {},
  })
  hooks.after(() => service.close())
  await service.ready()
  const url = await listenAnywhere(
    hooks,
    createServer((request, response) => void service.node(request, response)),
  )
  const create: Opened["create"] = async (at, body) =>
    (await service.handle({ method: "POST", path: at, body })).body as { readonly id: string }
  return { url, create, service }
}

async function followersAreCut({ url, create }: Opened, follow: Follow): Promise<void> {
  const { id: ownerId } = await create("/people", { name: "A" })
  const slow = await Promise.all(Array.from({ length: followers }, () => follow(url)))
  const quick = await openStream(`${url}${path}`, staff)
  for (let at = 0; at < events; at += 1) await create("/notes", { text: `${text}${at}`, ownerId })
  await until(() => quick.frames.length === events)
  let ended = 0
  for (const take of slow) void take().then(() => (ended += 1))
  await until(() => ended > 0)
  quick.cut()
}

describe("a follower that takes nothing is cut", () => {
  test("by HTTP/1.1", async () => followersAreCut(await openAlone(), byHttp1))
  test("by HTTP/2", async () => followersAreCut(await openAlone(), byHttp2))
  test("by WebSocket", async () => followersAreCut(await openAlone(), byWebSocket))
  test("behind the server of a host", async () => followersAreCut(await openEmbedded(), byHttp1))
  test("where a host takes the body of a Response", async () => {
    const opened = await openEmbedded()
    await followersAreCut(opened, async () => {
      const { body } = await opened.service.fetch(new Request(`${opened.url}${path}`))
      assert.ok(body)
      const reader = body.getReader()
      await reader.read()
      // It takes one event: nothing is made for a Response that is not read.
      const takeOne = async (): Promise<void> => {
        for (;;) {
          const { value, done } = await reader.read()
          if (done || value.length > text.length) return
        }
      }
      takeOne().catch(() => {})
      return () => reader.closed.catch(() => {})
    })
  })
})
