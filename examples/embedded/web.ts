// A service on Bun or Deno, without a framework: `bun web.ts`, or `deno serve --allow-all web.ts`.
import { createService } from "bifold"
import tasks from "./service.ts"
import { sessionOf } from "./sessions.ts"

const service = createService(tasks, {
  database: process.env["TASKS_DATABASE"] ?? "tasks.db",
  dev: true,
  base: "/api",
  identify: (request: Request) => sessionOf(request.headers.get("cookie")),
})
await service.ready()

process.once("SIGTERM", async () => {
  await service.close()
  process.exit()
})

/** Bun gives its server, which knows the client's address, and Deno the address. */
interface Host {
  requestIP?(request: Request): { readonly address: string } | null
  readonly remoteAddr?: { readonly hostname?: string }
}

export default {
  // Deno takes its port from the command line.
  port: Number(process.env["PORT"] ?? 3000),
  fetch: (request: Request, host: Host): Response | Promise<Response> => {
    if (!new URL(request.url).pathname.startsWith("/api/")) return new Response("Hello")
    return service.fetch(request, {
      address: host.requestIP?.(request)?.address ?? host.remoteAddr?.hostname,
    })
  },
}
