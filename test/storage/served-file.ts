// A server of a SQLite file, and the threads that read for it.
import { after, before } from "node:test"
import type { Worker } from "node:worker_threads"
import { everybodyIn } from "../../src/access/identity/identify.ts"
import type { Model } from "../../src/model/model.ts"
import { createServer } from "../../src/server/server.ts"
import { createFaces } from "../../src/server/service.ts"
import type { Storage } from "../../src/storage/storage.ts"
import type { Hooks } from "../support/database.ts"

/** Ends with the test, and closes the storage. @returns its address */
export async function serveFile(hooks: Hooks, model: Model, storage: Storage): Promise<string> {
  const server = await createServer({
    ...createFaces({ model, storage, base: "", secret: "a secret of the tests" }),
    identify: everybodyIn(model),
    base: "",
    cors: [],
    bodyLimit: 1024,
    loopbackOnly: false,
    observe: () => {},
    host: "127.0.0.1",
    port: 0,
  })
  hooks.after(() => server.close().then(() => storage.close()))
  return `http://127.0.0.1:${server.port}`
}

/** Counts reader threads that start while the file's tests run. They have little memory, unlike other threads of this process. */
export function countReaders(): { started: number } {
  const readers = { started: 0 }
  const count = (thread: Worker): void => {
    if (thread.resourceLimits?.maxYoungGenerationSizeMb === 12) readers.started += 1
  }
  before(() => void process.on("worker", count))
  after(() => void process.off("worker", count))
  return readers
}
