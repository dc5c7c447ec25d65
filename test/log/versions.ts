// Versions of a service, one after the other on the same database, which is migrated to each.

import { join } from "node:path"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { type RunningHandlers, startHandlers } from "../../src/events/handlers/runner.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import { createFaces } from "../../src/server/service.ts"
import { migrate } from "../../src/storage/migration/migrate.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Storage } from "../../src/storage/storage.ts"
import type { Client } from "../../src/tools/testing/client.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { createFaceClient } from "../support/face-client.ts"
import { fromOne } from "../support/fresh.ts"
import type { Database } from "./open.ts"

export interface Version {
  readonly client: Client
  readonly storage: Storage
  /** What was done to get there. */
  readonly steps: readonly string[]
  /** Runs the handlers. @param now milliseconds since 1970 */
  start(now?: () => number): Promise<RunningHandlers>
  close(): Promise<void>
}

export const emptyDatabase = async (hooks: Hooks, database: Database): Promise<string> =>
  database === "sqlite" ? join(await temporaryFolder(hooks), "service.sqlite") : temporaryPostgres(hooks)

/** @param who asks by the client */
export async function openVersion(
  url: string,
  declaration: ServiceDeclaration,
  who = "anyone",
): Promise<Version> {
  const model = load(declaration)
  const { done } = await migrate(url, model, { allow: [] })
  const storage = await openStorage(url, { writes: "unsafe" })
  const { facesFor, handleFor, answer, watch } = createFaces({
    model,
    fresh: fromOne,
    storage,
    secret: "of the tests",
    base: "",
  })
  const running: RunningHandlers[] = []
  return {
    client: createFaceClient({ actor: actorFromText(model, who), facesFor, nextRequestId: () => "test" }),
    storage,
    steps: done.map(({ name }) => name),
    async start(now = Date.now) {
      const started = await startHandlers({
        model,
        open: false,
        storage,
        handleFor,
        answer,
        tell: () => {},
        now,
      })
      watch(() => started.wake())
      running.push(started)
      return started
    },
    async close() {
      for (const one of running) await one.close()
      await storage.close()
    },
  }
}
