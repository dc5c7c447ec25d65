// A subscriber over WebSocket, by the client that people use; begun before it resolves, and cut without a word.
import { createClient } from "graphql-ws"
import { WebSocket } from "ws"

export interface SocketSubscriber {
  readonly changes: readonly Readonly<Record<string, unknown>>[]
  readonly cursors: readonly string[]
  /** Resolves when the server has been asked, and rejects when there is no connection. */
  readonly begun: Promise<void>
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>
  cut(): void
}

export interface SubscriptionOptions {
  readonly after?: string
  /** A condition, as GraphQL writes it. */
  readonly where?: string
  /** Of the change, beside `cursor`. */
  readonly members?: string
}

/** @param field of the root, such as `noteChanges` */
export function openSubscription(
  url: string,
  actor: string,
  field: string,
  { after, where, members = "kind recordId" }: SubscriptionOptions,
): SocketSubscriber {
  const changes: Readonly<Record<string, unknown>>[] = []
  const cursors: string[] = []
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const sockets: WebSocket[] = []
  class Socket extends WebSocket {
    constructor(...given: ConstructorParameters<typeof WebSocket>) {
      super(...given)
      sockets.push(this)
    }
  }
  const client = createClient({
    url: `${url.replace("http", "ws")}/graphql`,
    webSocketImpl: Socket,
    connectionParams: { authorization: `Bearer ${actor}` },
    retryAttempts: 0,
    lazy: true,
    on: {
      // The subscription is sent in the same turn, and nothing says when it has begun: another process may write before.
      connected: () => void setTimeout(begun.resolve, 100),
    },
  })
  const finish = (): void => {
    ended.resolve()
    begun.resolve()
  }
  const refuse = (fault: unknown): void => {
    // A list of errors is an answer; anything else is the end of the connection.
    if (Array.isArray(fault)) throw new Error(JSON.stringify(fault))
    finish()
  }
  client.subscribe(
    {
      query: `subscription ($after: String) { ${field}(after: $after${where === undefined ? "" : `, where: ${where}`}) { cursor ${members} } }`,
      variables: { after },
    },
    {
      next({ data, errors }) {
        const change = data?.[field] as Readonly<Record<string, unknown>> | undefined
        if (!change) throw new Error(JSON.stringify(errors))
        changes.push(change)
        cursors.push(String(change["cursor"]))
      },
      error: refuse,
      complete: finish,
    },
  )
  return {
    changes,
    cursors,
    begun: begun.promise,
    ended: ended.promise,
    cut: () => {
      for (const socket of sockets) socket.terminate()
    },
  }
}
