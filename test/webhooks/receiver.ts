// A receiver of webhooks: a real server that verifies each message with the library that its users have.
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"
import type { Hooks } from "../support/database.ts"

export interface Received {
  readonly id: string
  readonly at: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: { readonly type: string; readonly data: Readonly<Record<string, unknown>> } & Readonly<
    Record<string, unknown>
  >
}

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** The most messages of one record that were ever being answered at a time. */
  readonly most: () => number
  /** Answers from then on. */
  answer(how: Answering): void
  close(): Promise<void>
}

export type Answering = (response: ServerResponse, received: Received) => void | Promise<void>

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answering =>
  (response) =>
    void response.writeHead(code, headers).end()

export async function startReceiver(hooks: Hooks, port = 0): Promise<Receiver> {
  const received: Received[] = []
  let how: Answering = status(204)
  const open = new Map<unknown, number>()
  let most = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const { headers } = request
    const one = { id: String(headers["webhook-id"]), at: Date.now(), headers, text, body: JSON.parse(text) }
    received.push(one)
    const record = one.body.data.recordId
    const count = (open.get(record) ?? 0) + 1
    open.set(record, count)
    most = Math.max(most, count)
    response.on("close", () => open.set(record, (open.get(record) ?? 1) - 1))
    await how(response, one)
  })
  // Senders end connections that are not used; a busy process would cut one as the next message comes by it.
  server.keepAliveTimeout = 0
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    server.close()
  }
  hooks.after(close)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    most: () => most,
    answer: (next) => {
      how = next
    },
    close,
  }
}

/** Throws where the library of its users would not take it. */
export const verify = (secret: string, { text, headers }: Received): unknown =>
  new Webhook(secret).verify(text, headers as Record<string, string>)
