// A service whose records are logged, on a database of its own, with the log beside it.

import { join } from "node:path"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { createEngine, type Engine } from "../../src/engine/engine.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { type Actor, everybodyOf } from "../../src/plan/access/actor.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { startDraft } from "../../src/plan/draft/draft.ts"
import { readId } from "../../src/plan/values/ids.ts"
import { readTransition } from "../../src/plan/write/write-transition.ts"
import { createFaces } from "../../src/server/service.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import type { Command } from "../../src/sql/write/insert.ts"
import type { Log, LogRow } from "../../src/storage/log-types.ts"
import { migrate } from "../../src/storage/migration/migrate.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Storage } from "../../src/storage/storage.ts"
import { arrangedModel } from "../../src/tools/testing/arrange.ts"
import type { Client } from "../../src/tools/testing/client.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { createFaceClient } from "../support/face-client.ts"
import { fromOne } from "../support/fresh.ts"

export const databases = ["sqlite", "postgres"] as const
export type Database = (typeof databases)[number]

export interface Logging {
  readonly url: string
  readonly model: Model
  readonly storage: Storage
  readonly engine: Engine
  readonly log: Log
  /** In the words of `bifold can`; `everybody` is under no rules. */
  as(words: string): Client
  /** Fires a transition, past the faces. */
  fire(words: string, id: string, transition: string, input?: unknown): Promise<void>
  /** Everything in the log, of one record when it is given. */
  rows(record?: string): Promise<readonly LogRow[]>
}

/** @param tables made in place of the service's own, for databases of somebody else's */
export async function openLogging(
  hooks: Hooks,
  database: Database,
  declaration: ServiceDeclaration,
  tables?: readonly string[],
): Promise<Logging> {
  const model = load(declaration)
  const dialect = database === "sqlite" ? sqlite : postgres
  const url =
    database === "sqlite"
      ? join(await temporaryFolder(hooks), "service.sqlite")
      : await temporaryPostgres(hooks)
  const commands = (tables ?? createSchema(model, dialect)).map((text): Command => ({ text, parameters: [] }))
  await setUp(url, commands)
  if (model.log?.capture) await migrate(url, model, { allow: [] })
  const storage = await openStorage(url, { writes: "unsafe" })
  hooks.after(() => storage.close())
  const secret = "a secret of the tests"
  const { facesFor } = createFaces({ model, fresh: fromOne, storage, secret, base: "", singleFlight: false })
  const cursors = createCursors(secret)
  const engine = createEngine({ storage, cursors, fresh: fromOne })
  const { log } = storage
  if (!log) throw new Error("a storage that writes has a log")
  let requests = 0
  const actorOf = (words: string): Actor =>
    words === "everybody" ? everybodyOf(arrangedModel(model)) : actorFromText(model, words)
  return {
    url,
    model,
    storage,
    engine,
    log,
    as: (words) =>
      createFaceClient({ actor: actorOf(words), facesFor, nextRequestId: () => `test-${++requests}` }),
    async fire(words, id, name, input) {
      const actor = actorOf(words)
      const draft = startDraft({ model: actor.model, cursors, fresh: fromOne })
      const resource = [...actor.model.resources.values()].find(({ prefix }) => id.startsWith(`${prefix}_`))
      const transition = [...(resource?.machines.values() ?? [])].flatMap(
        ({ transitions }) => transitions.get(name) ?? [],
      )[0]
      const key = resource && readId(resource, id)
      if (!resource || !transition || !key) throw new Error(`${id} has no ${name}`)
      const effect = readTransition(draft, resource, transition, {
        input,
        place: [],
        by: [{ subject: { kind: "id" }, slot: draft.bind(key).slot }],
      })
      const answer = { kind: "constant", key: "done", json: "true" } as const
      const plan = draft.finishWrite([{ writes: effect?.writes ?? [], answer, reads: "after" }])
      await engine.answer(plan, actor)
    },
    rows: (record) => log.read(0n, 10_000, record === undefined ? {} : { record }),
  }
}
