import { composeServices } from "@apollo/composition"
import {
  ApolloGateway,
  type GraphQLDataSource,
  type GraphQLDataSourceProcessOptions,
  RemoteGraphQLDataSource,
} from "@apollo/gateway"
import { parse } from "graphql"

interface Subgraph {
  readonly name: string
  readonly url: string
  /** As `bifold schema --graphql --federation` prints it, and as `{ _service { sdl } }` answers. */
  readonly sdl: string
  /** Where it is, unless at its URL. */
  readonly source?: GraphQLDataSource
}

/** Each subgraph applies its rules to the caller, whose credentials are sent on. */
export class AsCaller extends RemoteGraphQLDataSource {
  override willSendRequest({ request, context }: GraphQLDataSourceProcessOptions): void {
    request.http?.headers.set("authorization", context["authorization"])
  }
}

export function openGateway(subgraphs: readonly Subgraph[]): ApolloGateway {
  const definitions = subgraphs.map(({ name, url, sdl }) => ({ name, url, typeDefs: parse(sdl) }))
  const { supergraphSdl, errors } = composeServices(definitions)
  if (supergraphSdl === undefined) throw new AggregateError(errors ?? [], "The services do not compose.")
  const sources = new Map(subgraphs.map(({ name, source }) => [name, source]))
  return new ApolloGateway({
    supergraphSdl,
    buildService: ({ name, url }) => sources.get(name) ?? new AsCaller({ url: url ?? "" }),
  })
}
