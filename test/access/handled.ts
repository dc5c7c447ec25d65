// Handlers that keep what they are told and shown, run on a database of their own over a log that was there before: by the
// real runner, or call by call by somebody of whom the model is another than the rules say.
import { join } from "node:path"
import { present } from "../../src/base/invariant.ts"
import { Refusal } from "../../src/base/problem.ts"
import { createEngine } from "../../src/engine/engine.ts"
import { followedHandler } from "../../src/events/handlers/call.ts"
import { startHandlers } from "../../src/events/handlers/runner.ts"
import { createEventReader } from "../../src/events/log/event-reader.ts"
import type { HandlerDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import type { Actor } from "../../src/plan/access/actor.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import type { Entry } from "../support/naive-access.ts"
import type { HandlerCall, Kind } from "../support/naive-handlers.ts"
import type { Database } from "../support/open-service.ts"
import type { Handled, Lent } from "./handled-services.ts"
import { logCommands } from "./log.ts"
import { byId, unversioned } from "./telling.ts"

/** One handler of a service. */
export interface Following extends Kind {
  readonly lent: Lent
}

export const nameOf = ({ resource, event, lent }: Following): string => `${resource}.${event} as ${lent.name}`

/** What one handler was told and shown. */
export interface Heard {
  /** By the record's id, in the order in which it was told. */
  readonly calls: Map<string, HandlerCall[]>
  /** What `db` gave by ids: of the event's record, and of others. */
  readonly got: Map<string, Entry | null>
  /** What `db` lists, by resource; null where it is refused. */
  readonly lists: Map<string, readonly Entry[] | null>
  /** What should not be. */
  readonly mistakes: string[]
}

interface Call {
  readonly event: Omit<HandlerCall, "place" | "record"> & { readonly id: string; readonly position: string }
  readonly record: Entry | undefined
  readonly db: Readonly<Record<string, Records>>
}

interface Records {
  get(id: string): Promise<Entry | null>
  list(asked: object): Promise<{ readonly data: readonly Entry[]; readonly next: string | null }>
}

export interface HandledHouse {
  /** By name: what each was told and shown of the whole log. Rejects where one of them failed. */
  follow(followed: readonly Following[]): Promise<ReadonlyMap<string, Heard>>
  /** The same of the events of these records, with another model than the rules give. */
  followAs(followed: Following, actor: Actor, records: ReadonlySet<string>): Promise<Heard>
}

export async function openHandled(hooks: Hooks, service: Handled, database: Database): Promise<HandledHouse> {
  const dialect = database === "sqlite" ? sqlite : postgres
  const url =
    database === "sqlite"
      ? join(await temporaryFolder(hooks), "handled.sqlite")
      : await temporaryPostgres(hooks)
  const whole = handlingModel(service, [])
  const tables = createSchema(whole, dialect).map((text) => ({ text, parameters: [] }))
  await setUp(url, [
    ...tables,
    ...insertRecords(whole, dialect, service.stored),
    ...logCommands(whole, dialect, service.log),
  ])
  const storage = await openStorage(url, { writes: "unsafe" })
  hooks.after(() => storage.close())
  const { handleFor, answer } = createEngine({ storage, cursors: createCursors("a secret of the tests") })
  const log = present(storage.log, "changes are logged")
  const rows = await log.read(0n, service.log.length + 1)
  const places = new Map(rows.map(({ position }, place) => [String(position), place]))

  return {
    async follow(followed) {
      const all = new Map(followed.map((one) => [nameOf(one), hearing(service, places)]))
      const model = handlingModel(
        service,
        followed.map((one) => [one, present(all.get(nameOf(one)), "each is heard").run]),
      )
      const told: string[] = []
      const running = await startHandlers({
        model,
        open: false,
        storage,
        handleFor,
        answer,
        tell: (one) => void told.push(JSON.stringify(one)),
      })
      const [failure] = await running.settled()
      await running.close()
      if (failure) throw failure.error
      if (told.length > 0) throw new Error(told.join("\n"))
      return new Map([...all].map(([name, { heard }]) => [name, heard]))
    },

    async followAs(followed, actor, records) {
      const { run, heard } = hearing(service, places)
      const model = handlingModel(service, [[followed, run]])
      const handler = present(model.handlers?.get(nameOf(followed)), "it is the model's only handler")
      const reader = createEventReader({ model, log, answer })
      const { call } = followedHandler({ model, handler, reader, actor: asLogged(actor), handleFor })
      const wanted = rows.filter(
        ({ resource, record }) => resource === followed.resource && records.has(record),
      )
      for (const row of wanted) await call(row, new AbortController().signal)
      return heard
    },
  }
}

/** The builds of one that breaks the rules have no handlers, for which changes are logged. */
function asLogged(actor: Actor): Actor {
  const logged = (model: Model): Model => ({
    ...model,
    resources: new Map([...model.resources].map(([name, it]) => [name, { ...it, logged: true }])),
    ...(model.audience && { audience: { ...model.audience, whole: logged(model.audience.whole) } }),
  })
  return { ...actor, model: logged(actor.model) }
}

function handlingModel(
  { declaration }: Handled,
  followed: readonly (readonly [Following, HandlerDeclaration["run"]])[],
) {
  const on = new Map<string, HandlerDeclaration[]>(
    Object.keys(declaration.resources).map((resource) => [`${resource}.*`, []]),
  )
  for (const [one, run] of followed) {
    const event = `${one.resource}.${one.event}`
    const declared: HandlerDeclaration = { name: nameOf(one), as: one.lent.as, from: "start", run }
    on.set(event, [...(on.get(event) ?? []), declared])
  }
  return load({ ...declaration, code: { on: Object.fromEntries(on) } })
}

/** Code that keeps what it is told, and looks at what it is shown. */
function hearing({ store }: Handled, places: ReadonlyMap<string, number>) {
  const heard: Heard = { calls: new Map(), got: new Map(), lists: new Map(), mistakes: [] }
  const others = Object.entries(store.records).flatMap(([name, rows]) =>
    rows.map((row) => [name, String(row["id"])] as const),
  )
  const under = new Set<string>()
  const run = async ({ event, record, db }: Call): Promise<void> => {
    const { id, position, ...told } = event
    const { recordId, resource } = event
    if (!id.startsWith("evt_") || !id.endsWith(`_${position}`))
      heard.mistakes.push(`${id} has the position ${position}`)
    if (under.has(recordId)) heard.mistakes.push(`${id} while another of ${recordId} is under way`)
    under.add(recordId)
    const place = places.get(position) ?? -1
    const calls = heard.calls.get(recordId) ?? []
    heard.calls.set(recordId, calls)
    calls.push({ place, ...told, record: record ? unversioned(record) : null })
    const asked = [[resource, recordId] as const, others[(place * 7) % others.length]]
    for (const [name, key] of asked.filter((one) => one !== undefined)) {
      const got = await db[name]?.get(key)
      heard.got.set(`${name} ${key}`, got ? unversioned(got) : null)
    }
    if (heard.lists.size === 0)
      for (const [name, records] of Object.entries(db)) heard.lists.set(name, await listed(records))
    under.delete(recordId)
  }
  return { heard, run: run as HandlerDeclaration["run"] }
}

async function listed(records: Records): Promise<readonly Entry[] | null> {
  const all: Entry[] = []
  try {
    for (let after: string | null | undefined; after !== null; ) {
      const page = await records.list({ first: 100, ...(after !== undefined && { after }) })
      all.push(...page.data.map(unversioned))
      after = page.next
    }
    return byId(all)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
