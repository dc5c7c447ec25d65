// The thread of a service of the tests, which its file exports by a name.
import { pathToFileURL } from "node:url"
import { parentPort, workerData } from "node:worker_threads"
import type { ThreadData } from "../../src/engine/code/messages.ts"
import { serveCode } from "../../src/engine/code/thread-side.ts"

if (parentPort) {
  const given = workerData as ThreadData
  const [path = "", name = ""] = given.file.split("#")
  await serveCode(parentPort, given, async () => (await import(pathToFileURL(path).href))[name].code)
}
