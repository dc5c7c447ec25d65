// A service with own code on a real database, with both faces; what its log is told of faults is kept.
import { join } from "node:path"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { createEngine } from "../../src/engine/engine.ts"
import type { Face } from "../../src/http/face.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { loadService } from "../../src/plan/access/policies.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { createIds } from "../../src/plan/values/typeid.ts"
import { createFaces } from "../../src/server/service.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Storage, StorageOptions } from "../../src/storage/storage.ts"
import { addRecords, arrangedModel, type Ids, type Records } from "../../src/tools/testing/arrange.ts"
import type { Client } from "../../src/tools/testing/client.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { createFaceClient } from "../support/face-client.ts"
import type { Database } from "../support/open-service.ts"

export interface OpenCode {
  /** @param name of the credential; what is told of who it is when absent */
  as(who: string, name?: string): Client
  add(records: Records): Promise<Ids>
  readonly faults: readonly unknown[]
  readonly storage: Storage
  readonly url: string
}

export async function openCode(
  hooks: Hooks,
  declaration: ServiceDeclaration,
  database: Database,
  options: Partial<StorageOptions> = {},
): Promise<OpenCode> {
  const model = loadService(declaration)
  const dialect = database === "sqlite" ? sqlite : postgres
  const url =
    database === "sqlite" ? join(await temporaryFolder(hooks), "code.db") : await temporaryPostgres(hooks)
  await setUp(
    url,
    createSchema(model, dialect).map((text) => ({ text, parameters: [] })),
  )
  const storage = await openStorage(url, { writes: "unsafe", serializable: true, ...options })
  hooks.after(() => storage.close())
  const faults: unknown[] = []
  const listening =
    (face: Face): Face =>
    async (request) => {
      const { fault, ...response } = await face(request)
      if (fault !== undefined) faults.push(fault)
      return response
    }
  const secret = "a secret of the tests"
  const { facesFor } = createFaces({ model, storage, secret, base: "" })
  const cursors = createCursors(secret)
  const { answer } = createEngine({ storage, cursors })
  const fresh = { id: createIds(), uuid: () => crypto.randomUUID(), now: () => new Date().toISOString() }
  return {
    as: (who, name) =>
      createFaceClient({
        actor: { ...actorFromText(model, who), ...(name !== undefined && { name }) },
        facesFor: (actor) => {
          const { graphql, rest } = facesFor(actor)
          return { graphql: listening(graphql), rest: listening(rest) }
        },
        nextRequestId: () => "test",
      }),
    add: (records) => addRecords({ model: arrangedModel(model), cursors, fresh }, records, answer),
    faults,
    storage,
    url,
  }
}
