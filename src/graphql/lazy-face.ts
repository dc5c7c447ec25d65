// Loads the GraphQL face of a service at its first request: a service that is asked by REST alone starts without it.
import { expectModules, lateModule, lazily } from "../base/lazily.ts"
import type { GraphqlFace, GraphqlFaceOptions } from "./face.ts"

const faceModule = lateModule(() => import("./face.ts"))

expectModules(faceModule)

export function createLazyGraphqlFace(options: GraphqlFaceOptions): GraphqlFace {
  const load = lazily(async () => (await faceModule()).createGraphqlFace(options))
  return {
    face: async (request) => (await load()).face(request),
    operate: async (asked) => (await load()).operate(asked),
  }
}
