// Any number of subscribers of events: by server-sent events over plain sockets, and by WebSocket. They parse only the
// necessary part of a frame, so that the server dominates the measurement.
import { once } from "node:events"
import { type ClientRequest, get, type IncomingMessage } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { WebSocket } from "ws"

export type Transport = "sse" | "websocket"

/** Gets the bytes of one or more frames, or a part of one. */
type Take = (text: string) => void

export interface Subscriber {
  close(): void
}

export interface Wanted {
  readonly url: string
  readonly transport: Transport
  /** An integer key; all records when absent. */
  readonly id?: number
  readonly take: Take
  /** The server has ended it. */
  readonly whenEnded: () => void
}

/** Resolves when the server has accepted it; one that has too much to do at the moment is asked again, as clients do. */
export async function subscribe(wanted: Wanted): Promise<Subscriber> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await (wanted.transport === "sse" ? subscribeBySse(wanted) : subscribeBySocket(wanted))
    } catch (error) {
      if (attempt === 50 || !String(error).includes("503")) throw error
      await sleep(100)
    }
}

async function subscribeBySse({ url, id, take, whenEnded }: Wanted): Promise<Subscriber> {
  const filter = id === undefined ? "" : `&filter[id]=${id}`
  const request: ClientRequest = get(`${url}/events/stream?resource=kept${filter}`, {
    agent: false,
    headers: { accept: "text/event-stream" },
  })
  const [response] = (await once(request, "response")) as [IncomingMessage]
  response.setEncoding("utf8").on("data", take).on("error", whenEnded).on("end", whenEnded)
  if (response.statusCode !== 200) {
    const [text] = await once(response, "data")
    throw new Error(`${response.statusCode}: ${text}`)
  }
  return {
    close() {
      response.off("error", whenEnded).on("error", () => {})
      request.destroy()
    },
  }
}

async function subscribeBySocket({ url, id, take, whenEnded }: Wanted): Promise<Subscriber> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, ["graphql-transport-ws"], {
    perMessageDeflate: false,
  })
  await once(socket, "open")
  socket.send(JSON.stringify({ type: "connection_init" }))
  await once(socket, "message")
  const query = `subscription ($where: KeptWhere) { keptChanges(where: $where) { cursor kind recordId kept { title priority } } }`
  const variables = id === undefined ? {} : { where: { id: { eq: String(id) } } }
  const subscribe = (): void =>
    socket.send(JSON.stringify({ id: "1", type: "subscribe", payload: { query, variables } }))
  socket.on("message", (data: Buffer) => {
    const text = data.toString()
    // Many at once are asked to come again, as clients do.
    if (text.includes('"code":"overloaded"')) {
      setTimeout(subscribe, 250)
      return
    }
    // The server tells why it ends it.
    if (text.includes('"errors"') || text.startsWith('{"id":"1","type":"error"')) {
      whenEnded()
      return
    }
    take(text)
  })
  socket.on("close", whenEnded)
  socket.on("error", whenEnded)
  subscribe()
  return {
    close() {
      socket.off("close", whenEnded)
      socket.terminate()
    },
  }
}
