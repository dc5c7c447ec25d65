// The GraphQL face behind Bifold's own HTTP server, on a free port and an empty database, for tests that speak HTTP.

import { everybodyIn } from "../../src/access/identity/identify.ts"
import { createEngine } from "../../src/engine/engine.ts"
import { graphqlFace } from "../../src/graphql/face.ts"
import type { Model } from "../../src/model/model.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { createServer } from "../../src/server/server.ts"
import { openStorage } from "../../src/storage/open.ts"
import { model as bookshop } from "./bookshop.ts"

export interface GraphqlServer {
  readonly url: string
  close(): Promise<void>
}

export async function serveGraphql({
  model = bookshop,
  ...options
}: {
  readonly introspection?: boolean
  readonly model?: Model
} = {}): Promise<GraphqlServer> {
  const cursors = createCursors("for tests only")
  const storage = await openStorage(":memory:")
  const { answer } = createEngine({ storage, cursors })
  const graphql = graphqlFace({ model, cursors, answer, ...options })
  const server = await createServer({
    identify: everybodyIn(model),
    facesFor: () => ({ graphql, rest: graphql }),
    base: "",
    cors: [],
    bodyLimit: 1_000_000,
    loopbackOnly: true,
    health: async () => ({ unavailable: 0 }),
    managed: true,
    observe: () => {},
    host: "127.0.0.1",
    port: 0,
  })
  const close = async () => {
    await server.close()
    await storage.close()
  }
  return { url: `${server.url}/graphql`, close }
}
