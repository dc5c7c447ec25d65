// A service inside Hono, here on Node; on Bun and Deno it is mounted the same way.
import type { Server } from "node:http"
import { serve } from "@hono/node-server"
import { getConnInfo } from "@hono/node-server/conninfo"
import { createService } from "bifold"
import { type Context, Hono } from "hono"
import tasks from "./service.ts"
import { sessionOf } from "./sessions.ts"
import type { Started } from "./started.ts"

export async function start(database: string, port = 3000): Promise<Started> {
  const service = createService(tasks, {
    database,
    dev: true,
    base: "/api",
    identify: (context: Context) => sessionOf(context.req.header("cookie")),
  })
  await service.ready()
  const app = new Hono()
  app.get("/", (context) => context.text("Hello"))
  app.all("/api/*", (context) =>
    service.fetch(context.req.raw, { caller: context, address: getConnInfo(context).remote.address }),
  )
  const server = serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }) as Server
  const close = async (): Promise<void> => {
    server.close()
    await service.close()
    server.closeIdleConnections()
  }
  return { server, close }
}
