import { createClient } from "graphql-ws"
import type { FetchFunction, GraphQLResponse, SubscribeFunction } from "relay-runtime"
import relay from "relay-runtime"

export function openEnvironment(url: string, authorization: string) {
  const sockets = createClient({
    url: `${url.replace(/^http/, "ws")}/graphql`,
    connectionParams: { authorization },
  })
  const send = async (body: string, key: string, attempts = 3): Promise<GraphQLResponse> => {
    const headers = { authorization, "content-type": "application/json", "idempotency-key": key }
    try {
      return await (await fetch(`${url}/graphql`, { method: "POST", headers, body })).json()
    } catch (error) {
      if (attempts === 1) throw error
      return send(body, key, attempts - 1)
    }
  }
  const ask: FetchFunction = ({ text: query, name: operationName }, variables) =>
    send(JSON.stringify({ query, operationName, variables }), crypto.randomUUID())
  const follow: SubscribeFunction = ({ text, name: operationName }, variables) =>
    relay.Observable.create((sink) =>
      sockets.subscribe({ query: text ?? "", operationName, variables }, sink as never),
    )
  const environment = new relay.Environment({
    network: relay.Network.create(ask, follow),
    store: new relay.Store(new relay.RecordSource()),
  })
  return { environment, close: () => sockets.dispose() }
}
