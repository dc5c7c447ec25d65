// Subscriptions by Apollo Client and urql, over both transports: cut on the way, and gone on with after the last cursor.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from "@apollo/client"
import { GraphQLWsLink } from "@apollo/client/link/subscriptions"
import { cacheExchange, fetchExchange, subscriptionExchange, Client as UrqlClient } from "@urql/core"
import { print } from "graphql"
import { createClient as createSseClient } from "graphql-sse"
import { createClient as createSocketClient } from "graphql-ws"
import { WebSocket } from "ws"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { openDatabase, openServer, until } from "./open.ts"
import { startRelay } from "./relay.ts"

const staff = "role:staff"
const subscription = `subscription Followed($after: String, $text: String) {
  noteChanges(after: $after, where: { text: { startsWith: $text } }) { cursor kind note { id text price } }
}`
const query = `query { notes { totalCount } }`

interface Change {
  readonly cursor: string
  readonly kind: string
  readonly note: { readonly text: string; readonly price: string } | null
}

interface Followed {
  readonly changes: readonly Change[]
  readonly faults: readonly unknown[]
  /** The connection was lost, as the client tells it. */
  readonly isOver: () => boolean
  end(): void
}

interface Asked {
  /** Follows notes after a cursor, with the client's own ways. */
  follow(after: string | undefined): Followed
  /** The answer to a query over HTTP or the socket. */
  count(): Promise<number>
  dispose(): void | Promise<void>
}

type Open = (url: string) => Asked

const authorization = `Bearer ${staff}`
const socketsTo = (url: string) =>
  createSocketClient({
    url: `${url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization },
    retryAttempts: 0,
  })
const eventsTo = (url: string) =>
  createSseClient({ url: `${url}/graphql`, headers: { authorization }, retryAttempts: 0 })

const countIn = (data: unknown): number =>
  (data as { readonly notes: { readonly totalCount: number } }).notes.totalCount

/** What a client has been given so far. */
function watched() {
  const changes: Change[] = []
  const faults: unknown[] = []
  const state = { over: false }
  return {
    changes,
    faults,
    isOver: () => state.over,
    next: (data: unknown) => void changes.push((data as { readonly noteChanges: Change }).noteChanges),
    error(fault: unknown) {
      faults.push(fault)
      state.over = true
    },
    complete() {
      state.over = true
    },
  }
}

function apolloWith(link: ApolloLink, dispose: Asked["dispose"]): Asked {
  const client = new ApolloClient({ link, cache: new InMemoryCache() })
  return {
    follow(after) {
      const seen = watched()
      const { next, error, complete } = seen
      const following = client
        .subscribe({ query: gql(subscription), variables: { after, text: "a" }, fetchPolicy: "no-cache" })
        .subscribe({
          next: ({ data, error: fault }) => (fault ? error(fault) : next(data)),
          error,
          complete,
        })
      return { ...seen, end: () => following.unsubscribe() }
    },
    count: async () => countIn((await client.query({ query: gql(query), fetchPolicy: "no-cache" })).data),
    dispose,
  }
}

const apolloBySocket: Open = (url) => {
  const client = socketsTo(url)
  return apolloWith(new GraphQLWsLink(client), () => void client.dispose())
}

/** As the documentation of graphql-sse has it. */
const apolloByEvents: Open = (url) => {
  const client = eventsTo(url)
  const link = new ApolloLink(
    ({ query: document, variables, operationName }) =>
      new Observable((sink) =>
        client.subscribe<Record<string, unknown>>(
          { query: print(document), variables, ...(operationName !== undefined && { operationName }) },
          {
            next: (result) => sink.next(result as ApolloLink.Result),
            error: (fault) => sink.error(fault),
            complete: () => sink.complete(),
          },
        ),
      ),
  )
  return apolloWith(link, () => client.dispose())
}

function urqlWith(client: UrqlClient, dispose: Asked["dispose"]): Asked {
  return {
    follow(after) {
      const seen = watched()
      const following = client
        .subscription(subscription, { after, text: "a" })
        .subscribe(({ data, error, hasNext }) => {
          if (error) seen.error(error)
          else if (data) seen.next(data)
          if (!hasNext) seen.complete()
        })
      return { ...seen, end: () => following.unsubscribe() }
    },
    count: async () => countIn((await client.query(query, {}, { requestPolicy: "network-only" })).data),
    dispose,
  }
}

const urqlBySocket: Open = (url) => {
  const client = socketsTo(url)
  const exchange = subscriptionExchange({
    enableAllOperations: true,
    forwardSubscription: ({ query: document = "", variables }) => ({
      subscribe: (sink) => ({
        unsubscribe: client.subscribe(
          { query: document, variables: variables as Record<string, unknown> },
          sink as never,
        ),
      }),
    }),
  })
  return urqlWith(
    new UrqlClient({ url: `${url}/graphql`, exchanges: [exchange], preferGetMethod: false }),
    () => void client.dispose(),
  )
}

/** Its own reader of server-sent events. */
const urqlByEvents: Open = (url) =>
  urqlWith(
    new UrqlClient({
      url: `${url}/graphql`,
      exchanges: [cacheExchange, fetchExchange],
      fetchSubscriptions: true,
      preferGetMethod: false,
      fetchOptions: { headers: { authorization } },
    }),
    () => {},
  )

const clients = { apolloBySocket, apolloByEvents, urqlBySocket, urqlByEvents }

for (const database of dialects)
  describe(`clients that people use, ${database}`, () => {
    const hooks = cleanUp(after)
    for (const [name, open] of Object.entries(clients))
      test(`${name}: nothing is missed between a cut and the next subscription`, async () => {
        const server = await openServer(hooks, await openDatabase(hooks, database))
        const relay = await startRelay(hooks, server.url, () => Number.POSITIVE_INFINITY)
        const { body: ann } = await server.send("POST", "/people", staff, { name: "A" })
        const write = async (text: string): Promise<void> => {
          const { status } = await server.send("POST", "/notes", staff, {
            text,
            ownerId: ann.id,
            price: "12.50",
          })
          assert.equal(status, 201)
        }
        const client = open(relay.url)
        hooks.after(async () => client.dispose())
        const first = client.follow(undefined)
        // It may not have begun when the first is written.
        await until(async () => {
          if (first.changes.length === 0) await write("a first")
          return first.changes.length > 0
        })
        await write("b")
        await write("a last")
        await until(() => first.changes.at(-1)?.note?.text === "a last")
        assert.deepEqual(first.faults, [])
        const { body: notes } = await server.send("GET", "/notes?fields=text&limit=100", staff)
        assert.equal(await client.count(), (notes["data"] as readonly unknown[]).length)
        relay.cut()
        await until(first.isOver)
        for (const text of ["a missed", "b", "a missed too"]) await write(text)
        const again = client.follow(first.changes.at(-1)?.cursor)
        await until(() => again.changes.length >= 2)
        await write("a then")
        await until(() => again.changes.length >= 3)
        assert.deepEqual(
          again.changes.map(({ kind, note }) => [kind, note?.text, note?.price]),
          [
            ["CREATED", "a missed", "12.50"],
            ["CREATED", "a missed too", "12.50"],
            ["CREATED", "a then", "12.50"],
          ],
        )
        assert.deepEqual(again.faults, [])
        again.end()
        assert.deepEqual(server.observed, [])
      })
  })
