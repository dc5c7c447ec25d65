// The engine: a plan in, an answer out, in six stages: guard, prepare, price, charge, run, complete.

import { textOf } from "../base/json.ts"
import { Refusal } from "../base/problem.ts"
import type { Meter, Request } from "../base/request.ts"
import type { RequestRecord } from "../base/telemetry.ts"
import type { Actor } from "../plan/access/actor.ts"
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
import { createStages, type Run, type Stages } from "./prepare.ts"
import { createRunRead } from "./run-read.ts"
import { createRunWrite } from "./run-write.ts"

export interface EngineOptions {
  readonly storage: Storage
  readonly cursors: Cursors
  /** Whether equal statements that are under way at the same time share one execution; true by default. */
  readonly singleFlight?: boolean
  /** Milliseconds for which the answer of a write with an idempotency key is kept; a day when absent. */
  readonly keepAnswers?: number
  /** Source of new ids and of times, in writes of user code and in the log; random and the clock when absent. */
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
  /** Compares the database with the needs of each resource, now and then. */
  refreshDrift(): void
  /** Absent where the database may lack parts that the model needs. */
  readonly schema?: SchemaWatch
  /** Reads compiled since the start; a known shape is not compiled again. */
  readonly compiled: number
}

export function createEngine(options: EngineOptions): Engine {
  const { storage, cursors, singleFlight = true, fresh, drift } = options
  const runRead = createRunRead({ storage, cursors, singleFlight })
  const running = { storage, runRead }
  // A request after an acknowledged write is not given a read that was under way before.
  const listeners = createListeners(storage, runRead.forget)
  /** Caches by shape: a drift of the database makes them void. */
  const prepareAnew = () => {
    const stages = createStages(storage, fresh?.now)
    const runWrite = createRunWrite({ ...options, stages, written: listeners.written })
    return { stages, runWrite, sameSteps: createSteps() }
  }
  let current = prepareAnew()
  const watch =
    drift &&
    createDriftWatch(drift, () => {
      current = prepareAnew()
    })
  const answer = async (asked: Plan, actor: Actor, how: Answering = {}): Promise<Answer> => {
    const { request, limited, isSecond } = how
    const changes = watch?.changes ?? 0
    let charged: Run | undefined
    let ended: (() => void) | undefined
    try {
      const run = begin(current.stages, asked, actor, request?.record)
      const charging = charge(run, how, running)
      if (charging) await charging
      charged = run
      if (limited && request?.record) request.record.points += run.price.charge.points
      ended = request?.record?.endBefore("plan", "queue")
      const ran = isRead(run)
        ? await runRead.run(run, request)
        : await current.runWrite(run as Run<WritePlan>, request)
      ended?.()
      return await complete(run, ran, how, fresh)
    } catch (fault) {
      ended?.()
      try {
        if (!watch || isSecond) throw fault
        return await watch.again(fault, changes, () => answer(asked, actor, { ...how, isSecond: true }))
      } catch (last) {
        // A second try has given back its own. A refused write answers with no record.
        if (charged && last === fault && fault instanceof Refusal && !isRead(charged))
          request?.meter?.refund(charged.price.charge.records)
        throw last
      }
    }
  }
  return {
    answer: (plan, actor, request) => answer(plan, actor, { limited: true, request }),
    async probe(plan, actor, request) {
      const run = begin(current.stages, plan, actor)
      if (isRead(run)) await runRead.probe(run, request)
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
    watch: listeners.add,
    refreshDrift: () => watch?.refresh(),
    ...(watch && drift.isWhole && { schema: { ...watch, isWhole: drift.isWhole } }),
    get compiled() {
      return current.stages.compiled
    },
  }
}

/** Listeners to writes, here or by other processes. */
function createListeners({ signal }: Storage, first: () => void) {
  const listeners = new Set([first])
  let hears = false
  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  return {
    written(isLogged: boolean) {
      tell()
      if (isLogged) signal?.tell()
    },
    add(listener: () => void) {
      listeners.add(listener)
      if (!hears) signal?.hear(tell)
      hears = true
    },
  }
}

/** The stages before the charge; a plan that its face keeps goes through them once. */
function begin(stages: Stages, asked: Plan, actor: Actor, record?: RequestRecord): Run {
  const { shapes } = stages
  let run = stages.recall(asked, actor)
  if (!run) {
    const plan = stages.guard(asked, actor)
    const prepared = stages.prepare(plan)
    run = stages.price(asked, { actor, plan, prepared })
  }
  if (record) record[stages.shapes === shapes ? "knownPlans" : "newPlans"] += 1
  return run
}

function charge(
  run: Run,
  { request, limited, isSecond }: Answering,
  { storage, runRead }: Running,
): void | Promise<void> {
  const { plan, price, actor } = run
  if (limited) {
    const allowance = allowanceOf(plan.model.limits, actor)
    const refused =
      tooExpensive(plan, price.charge, allowance) ??
      tooManyRows(plan, price.rows, allowance, storage.statistics)
    if (refused) throw refused
  }
  // Any change may concern the data that user code reads.
  if (isRead(run)) request?.note?.(run.prepared.completes ? undefined : runRead.reads(run))
  if (!isSecond) return request?.meter?.charge(price.charge.points)
}

async function complete(
  run: Run,
  ran: Answer,
  { request, limited }: Answering,
  fresh?: Fresh,
): Promise<Answer> {
  const { prepared, plan, actor } = run
  const { record, meter } = request ?? {}
  if (limited) record?.countRows(() => recordsIn(ran, prepared.beginnings()))
  let told = prepared.tellsFormer ? fillFormerChanges(ran, answersModel(plan)) : ran
  if (prepared.completes && !told.failures)
    told = await fillComputed(told, { actor, now: codeTime(fresh), record })
  // A mark in the answer may become an error of one request.
  else if (prepared.publicFor !== undefined && !told.flawed) told = { ...told, publicFor: prepared.publicFor }
  return meter || prepared.showsAllowance ? accounted(run, told, meter) : told
}

interface Running {
  readonly storage: Storage
  readonly runRead: ReturnType<typeof createRunRead>
}

interface Answering {
  readonly request?: Request | undefined
  /** The actor's limits of one request hold. User code is free of them. */
  readonly limited?: boolean
  readonly isSecond?: boolean
}

/** Gives back the points of records that were not there. */
function accounted({ prepared, price }: Run, answer: Answer, meter: Meter | undefined): Answer {
  const { records } = price.charge
  if (meter && records > 0)
    meter.refund(records - Math.min(records, recordsIn(answer, prepared.beginnings())))
  const shown = prepared.showsAllowance ? fillAllowance(answer, meter) : answer
  return meter ? { ...shown, cost: meter.cost } : shown
}

const isRead = (run: Run): run is Run<ReadPlan> => run.plan.kind === "read"
