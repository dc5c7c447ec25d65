import { Client, fetchExchange, makeOperation, mapExchange } from "@urql/core"
import { type CacheExchangeOpts, cacheExchange } from "@urql/exchange-graphcache"
import { relayPagination } from "@urql/exchange-graphcache/extras"
import { persistedExchange } from "@urql/exchange-persisted"
import { retryExchange } from "@urql/exchange-retry"

/** @param options the introspected `schema`, which tells interfaces, and `optimistic` updates */
export function openClient(url: string, authorization: string, options: Partial<CacheExchangeOpts>) {
  const once = mapExchange({
    onOperation(operation) {
      const headers = { authorization, "Idempotency-Key": crypto.randomUUID() }
      return makeOperation(operation.kind, operation, { ...operation.context, fetchOptions: { headers } })
    },
  })
  return new Client({
    url: `${url}/graphql`,
    preferGetMethod: false,
    fetchSubscriptions: true, // as server-sent events: no WebSocket is needed
    exchanges: [
      cacheExchange({ resolvers: { Query: { products: relayPagination() } }, ...options }),
      once, // before the retries, so that all attempts have the same key
      retryExchange({
        initialDelayMs: 100,
        maxNumberAttempts: 3,
        retryIf: ({ networkError }) => !!networkError,
      }),
      persistedExchange({ enableForMutation: true, preferGetForPersistedQueries: false }),
      fetchExchange,
    ],
  })
}
