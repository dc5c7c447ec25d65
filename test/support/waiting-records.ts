// The records that wait for handlers of a service that another process runs, read from its database. A test waits for
// them here, and asks the command line once it has come to that: a process for each look takes a third of a second.
import { type AskedRecord, createCheckpoints } from "../../src/events/handlers/checkpoints.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Hooks } from "./database.ts"

/** Reads nothing before its first call, so that the database may be made later. */
export function waitingRecords(hooks: Hooks, database: string): () => Promise<readonly AskedRecord[]> {
  let opening: Promise<() => Promise<readonly AskedRecord[]>> | undefined
  const open = async () => {
    const storage = await openStorage(database)
    hooks.after(() => storage.close())
    const checkpoints = createCheckpoints(storage)
    return () => checkpoints.waiting()
  }
  return async () => {
    opening ??= open()
    return (await opening)()
  }
}
