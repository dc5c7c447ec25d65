import { hash } from "node:crypto" // in browsers: `sha256` of crypto-hash
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from "@apollo/client"
import { SetContextLink } from "@apollo/client/link/context"
import { PersistedQueryLink } from "@apollo/client/link/persisted-queries"
import { RetryLink } from "@apollo/client/link/retry"
import { GraphQLWsLink } from "@apollo/client/link/subscriptions"
import { relayStylePagination } from "@apollo/client/utilities"
import { OperationTypeNode } from "graphql"
import { createClient } from "graphql-ws"

export function openClient(url: string, authorization: string) {
  const sockets = createClient({
    url: `${url.replace(/^http/, "ws")}/graphql`,
    connectionParams: { authorization },
  })
  const http = ApolloLink.from([
    new SetContextLink(() => ({ headers: { authorization, "Idempotency-Key": crypto.randomUUID() } })),
    new RetryLink({ attempts: { max: 3 } }),
    new PersistedQueryLink({ sha256: (text) => hash("sha256", text) }),
    new HttpLink({ uri: `${url}/graphql` }),
  ])
  const isSubscription = (operation: ApolloLink.Operation) =>
    operation.operationType === OperationTypeNode.SUBSCRIPTION
  const link = ApolloLink.split(isSubscription, new GraphQLWsLink(sockets), http)
  const cache = new InMemoryCache({
    // Ids are unique among all records, so the default cache keys do.
    typePolicies: {
      Query: {
        fields: {
          products: relayStylePagination(["where", "orderBy"]),
          product: (_, { args, toReference }) => toReference({ __typename: "Product", id: args?.["id"] }),
        },
      },
    },
  })
  return { client: new ApolloClient({ link, cache }), close: () => sockets.dispose() }
}
