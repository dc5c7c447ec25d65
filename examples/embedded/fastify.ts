// A service inside Fastify 5, as a plugin: bodies below /api are left to Bifold.
import { createService } from "bifold"
import Fastify, { type FastifyRequest } from "fastify"
import tasks from "./service.ts"
import { sessionOf } from "./sessions.ts"
import type { Started } from "./started.ts"

export async function start(database: string, port = 3000): Promise<Started> {
  const service = createService(tasks, {
    database,
    dev: true,
    base: "/api",
    identify: (request: FastifyRequest) => sessionOf(request.headers.cookie),
  })
  await service.ready()
  const app = Fastify()
  app.get("/", () => "Hello")
  app.register(async (api) => {
    api.removeAllContentTypeParsers()
    api.addContentTypeParser("*", (_request, _payload, done) => done(null))
    api.all("/api/*", (request, reply) => {
      reply.hijack()
      service.node(request.raw, reply.raw, { caller: request, address: request.ip })
    })
  })
  // Before Fastify waits for open answers: streams end with the service.
  app.addHook("preClose", service.close)
  await app.listen({ port, host: "127.0.0.1" })
  return { server: app.server, close: () => app.close() }
}
