// The thread that runs the user code of a service file, started by the process that serves the file.
import { parentPort, workerData } from "node:worker_threads"
import type { ThreadData } from "../engine/code/messages.ts"
import { serveCode } from "../engine/code/thread-side.ts"
import { readServiceFile } from "./service-file.ts"

if (parentPort) {
  const given = workerData as ThreadData
  await serveCode(parentPort, given, async () => (await readServiceFile(given.file)).code)
}
