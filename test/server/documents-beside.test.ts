// Documents that are refused, over many connections of one client: another client is answered in turns with them.
import assert from "node:assert/strict"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { once } from "node:events"
import { Agent, type IncomingMessage, request } from "node:http"
import { connect } from "node:net"
import { test } from "node:test"
import { Telemetry } from "../../src/base/telemetry.ts"
import type { Hooks } from "../support/database.ts"
import { openLibrary } from "./open.ts"

const connections = 16
const asked = 50

const each = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(" ")

/** Each of 22 KB, and refused for arguments that differ. */
const documents = {
  "fields with arguments that differ": `{${each(830, (at) => `books(first:${at}){nodes{id}}`)}}`,
  "fragments with them": `{${each(83, (at) => `...f${at}`)}}${each(83, (at) => `fragment f${at} on Query{${each(9, (own) => `books(first:${9 * at + own}){nodes{id}}`)}}`)}`,
} as const

/** Sends the document again and again over a connection, of which the next always waits behind the one that is answered. */
function flood(
  hooks: Hooks,
  { port, from, document }: { port: number; from: string; document: string },
): void {
  const body = JSON.stringify({ query: document })
  const message = `POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const socket = connect({ port, host: "127.0.0.1", localAddress: from })
  hooks.after(async () => void socket.destroy())
  socket.on("error", () => {})
  socket.on("data", (bytes) => {
    for (const _ of bytes.toString("latin1").matchAll(/HTTP\/1\.1 /g)) socket.write(message)
  })
  socket.write(message + message)
}

/** Documents that are begun between the arrival of each of the other's requests and its beginning; these come one after the other. */
async function begunBefore(hooks: Hooks, from: string, document: string): Promise<readonly number[]> {
  const telemetry = new Telemetry()
  const codes = new Set<string | undefined>()
  const counts: number[] = []
  let [begun, ended, arrivedAt] = [0, 0, 0]
  telemetry.listen({
    requestBegun: ({ method }) => {
      if (method === "GET") counts.push(begun - arrivedAt)
      else begun += 1
    },
    requestEnded: ({ method, code }) => {
      if (method === "GET") return
      ended += 1
      codes.add(code)
    },
  })
  const arrived = (one: unknown): void => {
    if ((one as { readonly request: IncomingMessage }).request.method === "GET") arrivedAt = begun
  }
  subscribe("http.server.request.start", arrived)
  hooks.after(async () => void unsubscribe("http.server.request.start", arrived))
  const { port, url } = await openLibrary(hooks, { bodyLimit: 100_000, telemetry })
  for (let at = 0; at < connections; at += 1) flood(hooks, { port, from, document })
  while (ended < 2 * connections) await new Promise((resolve) => setTimeout(resolve, 5))
  const agent = new Agent({ keepAlive: true })
  hooks.after(async () => agent.destroy())
  for (let at = 0; at < asked; at += 1) {
    const [answer] = (await once(request(`${url}/books/1`, { agent }).end(), "response")) as [IncomingMessage]
    assert.equal(answer.statusCode, 200)
    await once(answer.resume(), "end")
  }
  assert.deepEqual([...codes], ["invalid_document"])
  assert.equal(counts.length, asked)
  return counts
}

for (const [name, document] of Object.entries(documents))
  test(`${name}: each request of another client is behind one or two of them`, {
    timeout: 120_000,
  }, async (t) => {
    const counts = await begunBefore(t, "127.0.0.2", document)
    assert.ok(Math.max(...counts) <= 2, counts.join())
  })

test("those of the same client are behind most of them", { timeout: 120_000 }, async (t) => {
  const counts = await begunBefore(t, "127.0.0.1", documents["fragments with them"])
  assert.ok(Math.max(...counts) > connections / 2, counts.join())
})
