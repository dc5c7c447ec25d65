// The faces of a service with rules, as somebody opens them: on a real database, without a network.
import { join } from "node:path"
import { present } from "../../src/base/invariant.ts"
import { createEngine, type Engine } from "../../src/engine/engine.ts"
import { graphqlFace } from "../../src/graphql/face.ts"
import type { Face } from "../../src/http/face.ts"
import type { Model } from "../../src/model/model.ts"
import { type Actor, actorOf, everybodyOf, strangerTo } from "../../src/plan/access/actor.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { type Fresh, ownFresh, type PlanContext } from "../../src/plan/draft/draft.ts"
import type { Value } from "../../src/plan/read-plan.ts"
import { restFace } from "../../src/rest/face.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords, type Records } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import type { Who } from "../support/naive-access.ts"
import type { LogEntry } from "../support/naive-history.ts"
import type { Database } from "../support/open-service.ts"
import { emptied } from "../support/small-shop.ts"
import { asText, type TextResponse } from "../support/text-face.ts"
import { logCommands } from "./log.ts"

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  /** JSON, or what is sent as it is. */
  readonly body?: unknown
}

export interface Doors {
  /** The service with all its names. */
  readonly whole: Model
  /** What is left of it for whoever stands here. */
  readonly own: Model
  graphql(query: string, variables?: Readonly<Record<string, unknown>>): Promise<TextResponse>
  rest(asked: Asked): Promise<TextResponse>
}

export interface House {
  /** The doors as they are for whoever stands like this. */
  as(who: Who): Doors
  /** For those of whom the model is another than the service's rules say: builds that are broken on purpose. */
  asActor(actor: Actor): Doors
  /** Without rules: for looking. */
  readonly everybody: Doors
  /** All records are as they were at first. */
  refill(): Promise<void>
}

const secret = "a secret of the tests"

/** A fresh database with these records, gone when the tests end. */
export async function openHouse(
  hooks: Hooks,
  given: {
    readonly whole: Model
    readonly stored: Records
    readonly database: Database
    readonly fresh?: Fresh
    /** None when absent. */
    readonly log?: readonly LogEntry[]
  },
): Promise<House> {
  const { whole, stored, database, fresh, log = [] } = given
  const dialect = database === "sqlite" ? sqlite : postgres
  const url =
    database === "sqlite"
      ? join(await temporaryFolder(hooks), "house.sqlite")
      : await temporaryPostgres(hooks)
  const tables = createSchema(whole, dialect).map((text) => ({ text, parameters: [] }))
  const records = [...insertRecords(whole, dialect, stored)]
  const kept = logCommands(whole, dialect, log)
  await setUp(url, [...tables, ...records, ...kept])
  const storage = await openStorage(url, { writes: "unsafe" })
  hooks.after(() => storage.close())
  const engine = createEngine({ cursors: createCursors(secret), storage, ...(fresh && { fresh }) })
  const known = new Map<Model, readonly [Face, Face]>()
  const facesOf = (model: Model): readonly [Face, Face] => {
    const made = known.get(model) ?? makeFaces({ model, ...(fresh && { fresh }) }, engine)
    known.set(model, made)
    return made
  }
  const asActor = (actor: Actor): Doors => {
    const [graphql, rest] = facesOf(actor.model).map((face) => asText(face, actor.model))
    const ask = (face: typeof graphql, { body, ...asked }: Asked): Promise<TextResponse> =>
      present(
        face,
        "there are two faces",
      )({
        method: "GET",
        path: "",
        query: "",
        requestId: "test",
        ...asked,
        headers: { ...(body !== undefined && { "content-type": "application/json" }), ...asked.headers },
        body: body === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(body)),
        actor,
      })
    return {
      whole,
      own: actor.model,
      graphql: (query, variables = {}) => ask(graphql, { method: "POST", body: { query, variables } }),
      rest: (asked) => ask(rest, asked),
    }
  }
  return {
    asActor,
    as: (who) => asActor(actorFor(whole, who)),
    everybody: asActor(everybodyOf(openModel(whole))),
    refill: () => setUp(url, [...emptied(whole, database), ...records, ...kept]),
  }
}

export function actorFor(whole: Model, { signedIn, viewer, roles, scopes }: Who): Actor {
  if (!signedIn) return strangerTo(whole)
  const name = JSON.stringify([viewer, roles, scopes])
  return present(
    actorOf(whole, { name, roles, scopes, ...(viewer !== undefined && { viewer }) }),
    "a viewer with an id of the viewer's resource",
  )
}

function makeFaces(
  { model, fresh }: Pick<PlanContext, "model" | "fresh">,
  engine: Engine,
): readonly [Face, Face] {
  const context = {
    model,
    cursors: createCursors(secret),
    ...(fresh ? toldLate(fresh, engine) : { answer: engine.answer }),
  }
  return [graphqlFace(context), restFace(context)]
}

/**
 * New keys are told when a plan is run. How many are asked for while it is made follows from the plans that are kept, and the
 * process may forget those of one house alone: its caches share their bytes with all houses.
 */
function toldLate(fresh: Fresh, { answer }: Engine): Pick<PlanContext, "fresh"> & Pick<Engine, "answer"> {
  const waiting = new Map<unknown, () => string>()
  const later = (make: () => string) => (): string => {
    const mark = ownFresh.uuid()
    waiting.set(mark, make)
    return mark
  }
  const told = (value: Value): Value => {
    const make = Array.isArray(value) ? waiting.get(value[0]) : undefined
    return make ? [make()] : value
  }
  return {
    fresh: { ...fresh, id: later(fresh.id), uuid: later(fresh.uuid) },
    answer: (plan, ...asked) =>
      answer(plan.kind === "write" ? { ...plan, values: plan.values.map(told) } : plan, ...asked),
  }
}
