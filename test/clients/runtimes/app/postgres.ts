// The example on a PostgreSQL that need not keep what it acknowledges, as that of the tests.

import tasks from "../../../../examples/embedded/service.ts"
import { sessionOf } from "../../../../examples/embedded/sessions.ts"
import { createService } from "../../../../src/index.ts"

const service = createService(tasks, {
  database: process.env["TASKS_DATABASE"] ?? "",
  dev: true,
  base: "/api",
  acceptDataLoss: true,
  identify: (request: Request) => sessionOf(request.headers.get("cookie")),
})
await service.ready()

process.once("SIGTERM", async () => {
  await service.close()
  process.exit()
})

export default { port: Number(process.env["PORT"]), fetch: service.fetch }
