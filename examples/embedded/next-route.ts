// A service inside Next.js: this is app/api/[...path]/route.ts.
import { createService } from "bifold"
import tasks from "./service.ts"
import { sessionOf } from "./sessions.ts"

const { fetch, close } = createService(tasks, {
  database: process.env["TASKS_DATABASE"] ?? "tasks.db",
  dev: true,
  base: "/api",
  identify: (request: Request) => sessionOf(request.headers.get("cookie")),
})

// Next waits for the answers under way when it ends, and streams go on until the service ends them.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void close())

/** Next calls them with the context of the route as a second argument. */
export {
  fetch as DELETE,
  fetch as GET,
  fetch as HEAD,
  fetch as OPTIONS,
  fetch as PATCH,
  fetch as POST,
  fetch as PUT,
}
