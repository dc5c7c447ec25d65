// Loads the GraphQL face of a service at its first request: a service that is asked by REST alone starts without it.
import { lazily } from "../base/lazily.ts"
import type { GraphqlFace, GraphqlFaceOptions } from "./face.ts"

export function createLazyGraphqlFace(options: GraphqlFaceOptions): GraphqlFace {
  const load = lazily(async () => (await import("./face.ts")).createGraphqlFace(options))
  return {
    face: async (request) => (await load()).face(request),
    operate: async (asked) => (await load()).operate(asked),
  }
}
