// A service inside a bare server of node:http, with subscriptions over WebSocket.
import { createServer } from "node:http"
import { createService } from "bifold"
import tasks from "./service.ts"
import { sessionOf } from "./sessions.ts"
import type { Started } from "./started.ts"

export async function start(database: string, port = 3000): Promise<Started> {
  const service = createService(tasks, {
    database,
    dev: true,
    base: "/api",
    identify: (request) => ("rawHeaders" in request ? sessionOf(request.headers.cookie) : null),
  })
  await service.ready()
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/api/")) service.node(request, response)
    else response.end("Hello")
  })
  server.on("upgrade", (request, socket, head) => {
    if (!service.upgrade(request, socket, head)) socket.destroy()
  })
  server.listen(port, "127.0.0.1")
  const close = async (): Promise<void> => {
    server.close()
    await service.close()
    server.closeIdleConnections()
  }
  return { server, close }
}
