// The thread that runs the user code of a service file, started by the process that serves the file.
import { parentPort, workerData } from "node:worker_threads"
import type { ThreadData } from "../engine/code/messages.ts"
import { serveCode } from "../engine/code/thread-side.ts"
import { openThreadTraces } from "../traces/thread-traces.ts"
import { readServiceFile } from "./service-file.ts"

if (parentPort) {
  const given = workerData as ThreadData
  const load = async (): Promise<unknown> => (await readServiceFile(given.file)).code
  await serveCode(parentPort, given, load, await openThreadTraces())
}
