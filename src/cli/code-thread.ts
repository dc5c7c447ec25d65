// The thread that runs the user code of a service file, started by the process that serves the file.
import { enableCompileCache } from "node:module"
import { parentPort, workerData } from "node:worker_threads"
import type { ThreadData } from "../engine/code/messages.ts"

if (parentPort) {
  // A thread has none of the process's: with it, a new thread is ready in half the time. Nothing else is imported above.
  enableCompileCache()
  const [{ serveCode }, { openThreadTraces }, { readServiceFile }] = await Promise.all([
    import("../engine/code/thread-side.ts"),
    import("../observe/traces/thread-traces.ts"),
    import("./service-file.ts"),
  ])
  const given = workerData as ThreadData
  const load = async (): Promise<unknown> => (await readServiceFile(given.file)).code
  await serveCode(parentPort, given, load, await openThreadTraces())
}
