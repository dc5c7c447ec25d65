// GraphQL of a service, loaded and made when it is first asked for: one that is asked by REST alone starts without it.
import type { GraphqlFace, GraphqlFaceOptions } from "./face.ts"

export function createLazyGraphqlFace(options: GraphqlFaceOptions): GraphqlFace {
  let made: GraphqlFace | undefined
  const make = async (): Promise<GraphqlFace> => {
    const { createGraphqlFace } = await import("./face.ts")
    made ??= createGraphqlFace(options)
    return made
  }
  return {
    face: async (request) => (made ?? (await make())).face(request),
    operate: async (asked) => (made ?? (await make())).operate(asked),
  }
}
