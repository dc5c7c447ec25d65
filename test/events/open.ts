// A service whose changes are handled, on a database of its own, with as many processes' worth of handlers as a test starts.

import { join } from "node:path"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { createEngine } from "../../src/engine/engine.ts"
import type { HandlerObservation } from "../../src/events/handlers/followed.ts"
import {
  type HandlersOptions,
  type RunningHandlers,
  startHandlers,
} from "../../src/events/handlers/runner.ts"
import { type ServiceCode, withCode } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { createFaces } from "../../src/server/service.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Storage } from "../../src/storage/storage.ts"
import type { Client } from "../../src/tools/testing/client.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { createFaceClient } from "../support/face-client.ts"
import { fromOne } from "../support/fresh.ts"
import type { Database } from "../support/open-service.ts"
import { shop } from "./shop.ts"

export type On = NonNullable<ServiceCode<typeof shop>["on"]>

/** Nothing is handled, and everything is logged. */
const unhandled: On = { "order.*": [], "customer.*": [], "letter.*": [] }
export const withHandlers = (on: On): typeof shop => withCode(shop, { on: { ...unhandled, ...on } })

interface Started extends RunningHandlers {
  /** Closes the handlers, and not their connections. */
  end(): Promise<void>
  readonly told: readonly HandlerObservation[]
}

export interface Opened {
  readonly url: string
  readonly storage: Storage
  /** Whoever may do everything that the shop allows. */
  readonly client: Client
  /** On a connection of its own, as another process would have it. */
  start(on: On, options?: Partial<HandlersOptions> & { readonly address?: string }): Promise<Started>
  order(number: string): Promise<string>
}

const emptyDatabase = async (hooks: Hooks, database: Database): Promise<string> =>
  database === "sqlite" ? join(await temporaryFolder(hooks), "shop.sqlite") : temporaryPostgres(hooks)

/** @param address of an empty database; one is made when absent */
export async function openShop(hooks: Hooks, database: Database, address?: string): Promise<Opened> {
  const url = address ?? (await emptyDatabase(hooks, database))
  const tables = createSchema(load(withHandlers({})), database === "sqlite" ? sqlite : postgres)
  await setUp(
    url,
    tables.map((text) => ({ text, parameters: [] })),
  )
  const storage = await openStorage(url, { writes: "unsafe" })
  hooks.after(() => storage.close())
  const model = load(withHandlers({}))
  const secret = "a secret of the tests"
  const { facesFor, watch } = createFaces({ model, fresh: fromOne, storage, secret, base: "" })
  const actor = actorFromText(model, "role:staff")
  const client = createFaceClient({ actor, facesFor, nextRequestId: () => "test" })
  return {
    url,
    storage,
    client,
    async start(on, { address: at = url, ...options } = {}) {
      const own = await openStorage(at, { writes: "unsafe" })
      const { handleFor, answer } = createEngine({ storage: own, cursors: createCursors(secret) })
      const told: HandlerObservation[] = []
      const running = await startHandlers({
        model: load(withHandlers(on)),
        open: false,
        storage: own,
        handleFor,
        answer,
        tell: (one) => void told.push(one),
        ...options,
      })
      watch(() => running.wake())
      let closed: Promise<void> | undefined
      const close = (): Promise<void> => (closed ??= running.close().finally(() => own.close()))
      hooks.after(close)
      return {
        told,
        wake: () => running.wake(),
        followed: () => running.followed(),
        settled: () => running.settled(),
        end: () => running.close(),
        failed: (handled, error) => running.failed(handled, error),
        close,
      }
    },
    async order(number) {
      const { status, body } = await client.rest<{ id: string }>("POST", "/orders", { number })
      if (status !== 201) throw new Error(`${number} was not made: ${JSON.stringify(body)}`)
      return body.id
    },
  }
}
