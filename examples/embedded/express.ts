// A service inside Express 5. A middleware that reads bodies may stand before it.
import { createService } from "bifold"
import express, { type Request } from "express"
import tasks from "./service.ts"
import { type Session, sessionOf } from "./sessions.ts"
import type { Started } from "./started.ts"

export async function start(database: string, port = 3000): Promise<Started> {
  const service = createService(tasks, {
    database,
    dev: true,
    base: "/api",
    identify: (request: Request & { session?: Session | null }) => request.session,
  })
  await service.ready()
  const app = express()
  app.use(express.json())
  app.use((request, _response, next) => {
    Object.assign(request, { session: sessionOf(request.headers.cookie) })
    next()
  })
  app.get("/", (_request, response) => void response.send("Hello"))
  app.use("/api", service.node)
  const server = app.listen(port, "127.0.0.1")
  server.on("upgrade", (request, socket, head) => {
    if (!service.upgrade(request, socket, head)) socket.destroy()
  })
  const close = async (): Promise<void> => {
    server.close()
    await service.close()
    server.closeIdleConnections()
  }
  return { server, close }
}
