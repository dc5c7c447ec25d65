// `bifold/testing`: a service for a test, on a database of its own, asked by both faces as anybody, at any time.
import { randomBytes, randomUUID } from "node:crypto"
import { actorFromPerson, actorFromText } from "../../access/identity/actor-text.ts"
import { withVersions } from "../../access/identity/identify.ts"
import { memoryBudget } from "../../access/limits/budget.ts"
import { refusal } from "../../base/problem.ts"
import { createEngine } from "../../engine/engine.ts"
import { type HandlerFailure, type RunningHandlers, startHandlers } from "../../events/handlers/runner.ts"
import type { ServiceDeclaration } from "../../model/declaration/declaration.ts"
import type { RolesOf, ScopesOf } from "../../model/declaration/names-of.ts"
import type { ReferencesOf, ResourcesOf, WritableOf } from "../../model/declaration/record-of.ts"
import { load } from "../../model/load.ts"
import type { Model } from "../../model/model.ts"
import { withSystem } from "../../model/system/with-system.ts"
import { canonicalDateTime } from "../../model/values/datetime.ts"
import { type Actor, everybodyOf, strangerTo } from "../../plan/access/actor.ts"
import { createCursors } from "../../plan/draft/cursor.ts"
import type { Fresh } from "../../plan/draft/draft.ts"
import { createIds, createVersions } from "../../plan/values/typeid.ts"
import { hasWritingCode } from "../../plan/write/calls-user-code.ts"
import type { Dispatch } from "../../server/dispatch.ts"
import { prepareDispatch } from "../../server/exchange/prepare-dispatch.ts"
import { createFaces, type Served } from "../../server/service.ts"
import { openStorage } from "../../storage/open.ts"
import { addRecords, arrangedModel, type Ids, type Records } from "./arrange.ts"
import { type Client, createClient } from "./client.ts"
import { makeDatabase } from "./temporary-database.ts"
import { testDatabase } from "./test-database.ts"

export type { HandlerFailure } from "../../events/handlers/runner.ts"
export type { Ids, Records } from "./arrange.ts"
export type { Client, CodeRefused, GraphqlAnswer, GraphqlError, Headers, RestAnswer } from "./client.ts"

export interface TestOptions<Service = ServiceDeclaration> {
  /**
   * The database of `bifold test`, and `sqlite` when absent: a file of its own. The address of a PostgreSQL server: a database of its own is made there, by
   * the user that the address names.
   */
  readonly database?: string
  /** The first time of the clock; the moment of the call when absent. */
  readonly now?: Date | string
  readonly records?: RecordsOf<Service>
}

/** The caller as an object; absent members are none. */
export interface Person<Role extends string = string, Scope extends string = string> {
  /** The id of the viewer's record, with its prefix or without. */
  readonly viewer?: string
  readonly roles?: readonly Role[]
  readonly scopes?: readonly Scope[]
}

export interface TestService<Service = ServiceDeclaration> extends AsyncDisposable {
  /** The anonymous caller. */
  readonly anyone: Client
  /** For arranging: there are no rules, and fields can be written that are read-only or never change. */
  readonly everybody: Client
  /**
   * A client that is signed in.
   * @param who `customer:cus_1`, `role:staff`, `scope:catalogue`, several joined by `+`, or `signedIn`; or the same as
   * an object. Throws a Refusal for an unknown record, role or scope.
   */
  as<Text extends string>(who: Known<Service, Text> | Person<RolesOf<Service>, ScopesOf<Service>>): Client
  /** The time of the service. The clock stands still. */
  readonly clock: Clock
  /** Makes more records, and gives their ids. Rejects with a Refusal when one of them cannot be made; then none is. */
  add(records: RecordsOf<Service>): Promise<Ids<NamesOf<Service>>>
  /**
   * Resolves when the handlers of the service have handled every write. Failures are the result; a failed event is
   * tried again when the clock reaches its due time.
   */
  settled(): Promise<readonly HandlerFailure[]>
  /** Removes the database. */
  close(): Promise<void>
}

/** Throws a Refusal when there are mistakes in the declaration, its rules or the records, or no database can be made. */
export async function startService<Service extends ServiceDeclaration>(
  declaration: Service,
  { database: given, now, records }: TestOptions<Service> = {},
): Promise<TestService<Service>> {
  const model = load(withSystem(declaration))
  const clock = createClock(now)
  const server = given ?? testDatabase() ?? "sqlite"
  if (given === undefined && testDatabase() === undefined && hasWritingCode(model)) warnOf(model.name)
  // Before there is anything to remove: it finds the mistakes in the rules.
  actorFromText(model, "anyone")
  const database = await makeDatabase(model, server)
  let handlers: RunningHandlers | undefined
  const remove = async (): Promise<void> => {
    served.endStreams()
    await handlers?.close()
    dispatching.end()
    await storage?.close()
    await database.remove()
  }
  const storage = await openStorage(database.url, {
    writes: "unsafe",
    serializable: hasWritingCode(model),
  }).catch(async (error) => {
    await database.remove()
    throw error
  })
  const fresh = freshOf(clock)
  const secret = randomBytes(32).toString("hex")
  const served = createFaces({ model, storage, secret, base: "", singleFlight: false, fresh })
  const dispatching = dispatchFor(model, served, clock)
  let requests = 0
  const nextRequestId = (): string => `test-${++requests}`
  const clientFor = (actor: Actor): Client =>
    createClient({ to: dispatching.dispatchOf(actor), nextRequestId })
  const arranged = arrangedModel(model)
  const cursors = createCursors(secret)
  const { answer } = createEngine({ storage, cursors, fresh })
  const add = (more: Records): Promise<Ids> => addRecords({ model: arranged, cursors, fresh }, more, answer)
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => (closed ??= remove())
  if (records)
    await add(records).catch(async (error) => {
      await close()
      throw error
    })
  if (model.handlers)
    handlers = await startHandlers({
      model,
      open: false,
      storage,
      handleFor: served.handleFor,
      answer: served.answer,
      tell: () => {},
      now: () => clock.now.getTime(),
    }).catch(async (error) => {
      await close()
      throw error
    })
  served.watch(() => handlers?.wake())
  return {
    anyone: clientFor(actorFromText(model, "anyone")),
    everybody: clientFor(everybodyOf(arranged)),
    as: (who: string | Person) =>
      clientFor(typeof who === "string" ? actorFromText(model, who) : actorFromPerson(model, who)),
    clock,
    settled: async () => (await handlers?.settled()) ?? [],
    add,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Bytes of a request, as `bifold serve` takes them when nothing else is set. */
const bodyLimit = 1024 * 1024

/** The dispatch of a server that knows each caller without credentials. Versions and budgets go by the clock of the test. */
function dispatchFor(model: Model, served: Served, clock: Clock) {
  const now = (): number => clock.now.getTime()
  const stranger = strangerTo(model)
  const { dispatch, end } = prepareDispatch({
    ...served,
    base: "",
    cors: [],
    identify: () => stranger,
    counting: { limits: model.limits, budget: memoryBudget(now), whenDown: "closed", now, date: now },
    compression: "off",
    bodyLimit,
    loopbackOnly: false,
    observe: () => {},
  })
  return {
    end,
    dispatchOf(actor: Actor): Dispatch {
      const identify = withVersions((_, request) => (request ? actor : stranger), model, now)
      // A caller without rules arranges the test: its requests count toward no limit.
      return { ...dispatch, identify, openMeter: actor.claims && dispatch.openMeter }
    },
  }
}

const warned = new Set<string>()

/** Once in a process. */
function warnOf(service: string): void {
  if (warned.has(service)) return
  warned.add(service)
  process.emitWarning(
    `The user code of ${service} is tried on SQLite only. \`bifold test --postgres <address>\` runs the tests on both databases; the option \`database\` of startService chooses one.`,
    { code: "BIFOLD_ONE_DATABASE" },
  )
}

const freshOf = (clock: Clock): Fresh => ({
  id: createIds(undefined, () => clock.now.getTime()),
  uuid: randomUUID,
  now: () => canonicalDateTime(clock.now.getTime()),
  version: createVersions(() => clock.now.getTime()),
})

// A clock for tests: it stands still until the test moves it.
export interface Clock {
  readonly now: Date
  /** @param moment a Date, or a text that `Date.parse` reads, such as `2026-11-21T12:00:00Z` */
  set(moment: Date | string): void
  /** Forward; back where it is less than nothing. */
  advance(span: Span): void
}

export interface Span {
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
  readonly milliseconds?: number
}

const inMilliseconds: Readonly<Record<keyof Span, number>> = {
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1_000,
  milliseconds: 1,
}
const units = Object.keys(inMilliseconds) as (keyof Span)[]

/** @param start the moment of the call when absent */
export function createClock(start?: Date | string): Clock {
  let moment = start === undefined ? Date.now() : readMoment(start)
  return {
    get now() {
      return new Date(moment)
    },
    set(next) {
      moment = readMoment(next)
    },
    advance(span) {
      moment = within(units.reduce((sum, unit) => sum + (span[unit] ?? 0) * inMilliseconds[unit], moment))
    },
  }
}

const readMoment = (given: Date | string): number => within(new Date(given).getTime())

/** Ids are made of the moment, from 1970 on (RFC 9562 section 5.7); a timestamp has four digits for the year. */
function within(moment: number): number {
  if (moment >= 0 && moment < Date.UTC(10_000, 0)) return Math.round(moment)
  throw refusal("invalid_value", "The clock of a test shows moments of the years 1970 to 9999.", {
    hint: "Give a Date, or a text such as 2026-11-21T12:00:00Z.",
  })
}

// Types of a service in its tests: names of members, roles, scopes and callers. A name that is left
// open in a declaration, or put together while a test runs, is checked then.
export type NamesOf<Service> = Extract<keyof ResourcesOf<Service>, string>

/**
 * Records by the names of their resources, each as the body of a POST. The body may also have an `id`, and fields that
 * no actor may write.
 */
export type RecordsOf<Service> = {
  readonly [Name in NamesOf<Service>]?: readonly Given<MembersOf<Service, Name>>[]
}

/** Values are checked when the record is made. */
type Given<Member extends PropertyKey> = { readonly [Name in Member]?: unknown }

type MembersOf<Service, Name extends NamesOf<Service>> =
  | "id"
  | keyof WritableOf<Service, Name>
  | ReferencesOf<Service, Name>

type Part<Role extends string, Scope extends string, Name extends string> =
  | "signedIn"
  | "anyone"
  | `role:${Role}`
  | `scope:${Scope}`
  | `${Name}:${string}`

type Who<Role extends string, Scope extends string, Name extends string> =
  | Part<Role, Scope, Name>
  | `${Part<Role, Scope, Name>}+${string}`

/** The text itself where it may be meant, else those that may be. */
export type Known<Service, Text extends string> = string extends Text
  ? Text
  : Text extends Who<RolesOf<Service>, ScopesOf<Service>, NamesOf<Service>>
    ? Text
    : Who<RolesOf<Service>, ScopesOf<Service>, NamesOf<Service>>
