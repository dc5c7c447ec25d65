// The GraphQL face behind Bifold's own HTTP server, on a free port, for tests that speak HTTP.
import { type GraphqlFaceOptions, graphqlFace } from "../../src/faces/graphql/face.ts"
import { createCursors } from "../../src/plan/cursor.ts"
import { createServer } from "../../src/server/server.ts"
import { model } from "./bookshop.ts"

export const cursors = createCursors("for tests only")

/** Documents that read no record never reach the engine. */
export const readsNothing: GraphqlFaceOptions["answer"] = () => {
  throw new Error("This test reads no records.")
}

export async function serveGraphql(
  options: Partial<GraphqlFaceOptions> = {},
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const graphql = graphqlFace({ model, cursors, answer: readsNothing, ...options })
  const { url, close } = await createServer({
    model,
    graphql,
    rest: graphql,
    base: "",
    cors: [],
    bodyLimit: 1_000_000,
    loopbackOnly: true,
    health: async () => {},
    observe: () => {},
    host: "127.0.0.1",
    port: 0,
  })
  return { url: `${url}/graphql`, close }
}
