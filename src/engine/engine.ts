// The engine: a plan in, an answer out, in five stages: guard, prepare, price, run, complete.

import { textOf } from "../base/json.ts"
import { Refusal } from "../base/problem.ts"
import type { Meter, Request } from "../base/request.ts"
import type { RequestRecord } from "../base/telemetry.ts"
import type { Actor } from "../plan/access/actor.ts"
import type { Statistics } from "../plan/cost/access-paths.ts"
import { allowanceOf, tooExpensive, tooManyRows } from "../plan/cost/allowance.ts"
import type { Cursors } from "../plan/draft/cursor.ts"
import type { Fresh } from "../plan/draft/draft.ts"
import { answersModel, type Plan } from "../plan/plan.ts"
import type { Answer, ReadPlan } from "../plan/read-plan.ts"
import type { WritePlan } from "../plan/write-plan.ts"
import type { Storage } from "../storage/storage.ts"
import { fillAllowance, recordsIn } from "./account.ts"
import { codeTime } from "./code/call-action.ts"
import { type CodeClient, createHandle } from "./code/client.ts"
import { fillComputed } from "./code/computed.ts"
import { createSteps } from "./code/run-program.ts"
import { createDriftWatch, type Drift, type SchemaWatch } from "./drift.ts"
import { fillFormerChanges } from "./former-changes.ts"
import { createStages, type Priced } from "./prepare.ts"
import { createRunRead } from "./run-read.ts"
import { createRunWrite } from "./run-write.ts"

export interface EngineOptions {
  readonly storage: Storage
  readonly cursors: Cursors
  /** Whether equal statements that are under way at the same time share one execution; true by default. */
  readonly singleFlight?: boolean
  /** Milliseconds for which the answer of a write with an idempotency key is kept; a day when absent. */
  readonly keepAnswers?: number
  /** Source of new ids and of the time in what user code writes and in the log; random and the clock when absent. */
  readonly fresh?: Fresh
  /** For a database that others may change while it is served. */
  readonly drift?: Drift
}

export interface Engine {
  /**
   * For a read at most one statement is sent; a write is done as a whole, and on disk, or not at all. Throws a Refusal
   * when the database cannot answer, or a write was not done.
   */
  answer(plan: Plan, actor: Actor, request?: Request): Promise<Answer>
  /** Asks the database at once, before reads that wait. Rejects when it does not answer. */
  probe(plan: ReadPlan, actor: Actor, request: Request): Promise<void>
  /** The client of user code outside any transaction: each call is a transaction, and on disk when it resolves. */
  handleFor(actor: Actor): CodeClient
  /** Calls the listener after each write, and when another process may have written something that is logged. */
  watch(listener: () => void): void
  /** Compares the database with what each resource needs, now and then. */
  refreshDrift(): void
  /** Absent where a database will do that has a part of what the model needs. */
  readonly schema?: SchemaWatch
  /** Reads compiled since the start: those of a shape that is known are not. */
  readonly compiled: number
}

export function createEngine({
  storage,
  cursors,
  singleFlight = true,
  keepAnswers,
  fresh,
  drift,
}: EngineOptions): Engine {
  const runRead = createRunRead({ storage, cursors, singleFlight })
  // A request after an acknowledged write is not given a read that was under way before.
  const listeners = new Set<() => void>([runRead.forget])
  const tellListeners = (): void => {
    for (const listener of listeners) listener()
  }
  let hears = false
  /** Caches by shape: a drift of the database makes them void. */
  const prepareAnew = () => {
    const stages = createStages(storage, fresh?.now)
    const runWrite = createRunWrite({
      storage,
      cursors,
      stages,
      written: (isLogged) => {
        tellListeners()
        if (isLogged) storage.signal?.tell()
      },
      ...(keepAnswers !== undefined && { keepAnswers }),
      ...(fresh && { fresh }),
    })
    return { stages, runWrite, sameSteps: createSteps() }
  }
  let current = prepareAnew()
  const watch =
    drift &&
    createDriftWatch(drift, () => {
      current = prepareAnew()
    })
  const priced = (asked: Plan, actor: Actor): Priced => {
    const { recall, guard, prepare, price } = current.stages
    return recall(asked, actor) ?? price(prepare(guard(asked, actor)))
  }
  const complete = (
    { prepared, actor, plan }: Priced,
    ran: Answer,
    record: RequestRecord | undefined,
  ): Answer | Promise<Answer> => {
    const told = prepared.tellsFormer ? fillFormerChanges(ran, answersModel(plan)) : ran
    if (prepared.completes && !told.failures)
      return fillComputed(told, { actor, now: codeTime(fresh), record })
    const { publicFor } = prepared
    // A mark in the answer may become an error of one request.
    return publicFor === undefined || told.flawed ? told : { ...told, publicFor }
  }
  const answer = async (asked: Plan, actor: Actor, how: Answering = {}): Promise<Answer> => {
    const { request, limited = false, isSecond = false } = how
    const { record, meter } = request ?? {}
    const shapes = record && current.stages.shapes
    let ended: (() => void) | undefined
    let charged: Priced | undefined
    const changes = watch?.changes ?? 0
    try {
      const ready = priced(asked, actor)
      if (record) noteKnown(record, current.stages.shapes === shapes)
      if (limited) refuseExpensive(ready, storage.statistics)
      // Nobody knows what user code looks at.
      if (isRead(ready)) request?.note?.(ready.prepared.completes ? undefined : runRead.reads(ready))
      const charging = isSecond ? undefined : meter?.charge(ready.price.charge.points)
      if (charging) await charging
      charged = ready
      if (record) ended = beginRun(record, ready, limited)
      const ran = isRead(ready)
        ? runRead.assembled(ready, await runRead.run(ready, request))
        : await current.runWrite(ready as Priced<WritePlan>, request)
      ended?.()
      if (record && limited) record.countRows(() => recordsIn(ran, ready.prepared.beginnings()))
      const completed = complete(ready, ran, record)
      return meter || ready.prepared.showsAllowance ? accounted(ready, await completed, meter) : completed
    } catch (fault) {
      ended?.()
      try {
        if (!watch || isSecond) throw fault
        return await watch.again(fault, changes, () => answer(asked, actor, { ...how, isSecond: true }))
      } catch (last) {
        // A second try has given back its own.
        if (charged && last === fault) refundRefused(charged, fault, meter)
        throw last
      }
    }
  }
  return {
    answer: (plan, actor, request) => answer(plan, actor, { limited: true, request }),
    async probe(plan, actor, request) {
      const asked = priced(plan, actor)
      if (isRead(asked)) await runRead.probe(asked, request)
    },
    handleFor: (actor) =>
      createHandle(
        {
          cursors,
          sameSteps: current.sameSteps,
          run: async (plan, as) =>
            (await answer(plan, as)).roots.map((json) => ({ text: () => json && textOf(json) })),
          ...(fresh && { fresh }),
        },
        actor,
      ),
    watch(listener) {
      listeners.add(listener)
      if (!hears) storage.signal?.hear(tellListeners)
      hears = true
    },
    refreshDrift: () => watch?.refresh(),
    ...(watch && drift.isWhole && { schema: { ...watch, isWhole: drift.isWhole } }),
    get compiled() {
      return current.stages.compiled
    },
  }
}

interface Answering {
  readonly request?: Request | undefined
  /** The actor's limits of one request hold. User code asks for what it likes. */
  readonly limited?: boolean
  readonly isSecond?: boolean
}

function noteKnown(record: RequestRecord, isKnown: boolean): void {
  if (isKnown) record.knownPlans += 1
  else record.newPlans += 1
}

/** User code's own plans are not part of the price. */
function beginRun(record: RequestRecord, { price }: Priced, limited: boolean): () => void {
  if (limited) record.points += price.charge.points
  return record.endBefore("plan", "queue")
}

function refuseExpensive({ plan, price, actor }: Priced, statistics: Statistics): void {
  const allowance = allowanceOf(plan.model.limits, actor)
  const refused =
    tooExpensive(plan, price.charge, allowance) ?? tooManyRows(plan, price.rows, allowance, statistics)
  if (refused) throw refused
}

/** A refused write answers with no record. */
function refundRefused(priced: Priced, fault: unknown, meter: Meter | undefined): void {
  if (fault instanceof Refusal && !isRead(priced)) meter?.refund(priced.price.charge.records)
}

/** Gives back the points of records that were not there. */
function accounted({ prepared, price }: Priced, answer: Answer, meter: Meter | undefined): Answer {
  const { records } = price.charge
  if (meter && records > 0)
    meter.refund(records - Math.min(records, recordsIn(answer, prepared.beginnings())))
  const shown = prepared.showsAllowance ? fillAllowance(answer, meter) : answer
  return meter ? { ...shown, cost: meter.cost } : shown
}

const isRead = (priced: Priced): priced is Priced<ReadPlan> => priced.plan.kind === "read"
