// The engine: a plan in, an answer out.
import { type Json, textOf } from "../base/json.ts"
import type { Actor } from "../plan/access/actor.ts"
import type { Cursors } from "../plan/draft/cursor.ts"
import type { Fresh } from "../plan/draft/draft.ts"
import { guardChange } from "../plan/guard/guard.ts"
import type { Idempotency } from "../plan/idempotency.ts"
import type { Plan } from "../plan/plan.ts"
import { createAwaiting } from "../plan/read/uses-user-code.ts"
import type { Answer, ReadPlan } from "../plan/read-plan.ts"
import type { WritePlan } from "../plan/write-plan.ts"
import type { Statement } from "../sql/statement.ts"
import type { Read, Row, Storage } from "../storage/storage.ts"
import { assemble } from "./assemble.ts"
import { type CodeClient, createHandle, type HandleTransaction } from "./code/client.ts"
import { fillComputed } from "./code/computed.ts"
import { createSteps } from "./code/run-program.ts"
import { createDriftWatch, type Drift } from "./drift.ts"
import { signCursors } from "./fill-cursors.ts"
import { createBinder } from "./prepare-read.ts"
import { createSingleFlight } from "./single-flight.ts"
import { createWriter } from "./writer.ts"

export interface EngineOptions {
  readonly storage: Storage
  readonly cursors: Cursors
  /** Whether equal statements that are under way at the same time share one execution; true by default. */
  readonly singleFlight?: boolean
  /** Milliseconds for which an answer is kept that was given to a write with an Idempotency-Key; a day when absent. */
  readonly keepAnswers?: number
  /** Where new ids and the time come from in what own code writes and what is logged: chance and the clock when absent. */
  readonly fresh?: Fresh
  /** Of a database that others may change while it is served. */
  readonly drift?: Drift
}

export interface Engine {
  /**
   * For a read at most one statement is sent; a write is done as a whole, and on disk, or not at all. Throws a Refusal
   * when the database cannot answer, or a write was not done.
   */
  answer(plan: Plan, actor: Actor, once?: Idempotency): Promise<Answer>
  /** Asks the database at once, before reads that wait. Rejects when it does not answer. */
  probe(plan: ReadPlan, actor: Actor): Promise<void>
  /** For own code that is in no transaction: whatever is asked of it is one by itself, and on disk when it is answered. */
  handleFor(actor: Actor): CodeClient
  /** Calls the listener whenever something has been written. */
  watch(listener: () => void): void
  /** Has it looked at whether the database still has what each resource needs, now and then. */
  refreshDrift(): void
  /** Plans compiled since the start: those of a shape that is known are not. */
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
  const awaitsCode = createAwaiting()
  const completed = (plan: Plan, actor: Actor, answer: Answer): Answer | Promise<Answer> =>
    awaitsCode(plan) ? fillComputed(answer, actor) : answer
  const flights = createSingleFlight(storage)
  const listeners = new Set<() => void>([flights.forget])
  const read = singleFlight
    ? flights.read
    : ({ statement, parameters, outlook }: Read) => storage.read(statement, parameters, outlook)
  // Whoever asks after a write has been acknowledged is not given what was under way before.
  const writerOptions = {
    storage,
    cursors,
    written: () => {
      for (const listener of listeners) listener()
    },
    ...(keepAnswers !== undefined && { keepAnswers }),
    ...(fresh && { fresh }),
  }
  /** What is compiled once for each shape. */
  const compiling = () => ({
    binder: createBinder(storage),
    write: createWriter(writerOptions),
    sameSteps: createSteps(),
  })
  let current = compiling()
  const forget = (): void => {
    current = compiling()
  }
  const watch = drift && createDriftWatch(drift, forget)
  const answerWrite = (plan: WritePlan, actor: Actor, once?: Idempotency): Promise<Answer> => {
    const answer = current.write(plan, actor, once)
    return awaitsCode(plan) ? answer.then((given) => completed(plan, actor, given)) : answer
  }
  const answer = async (asked: Plan, actor: Actor, once?: Idempotency, isSecond = false): Promise<Answer> => {
    const changes = watch?.changes ?? 0
    try {
      if (asked.kind === "write") return await answerWrite(guardChange(asked, actor, fresh?.now), actor, once)
      const { plan, statement, read: wanted } = current.binder.bind(asked, actor)
      // Where it cannot be made, the read says whether it is missed.
      if (statement.readsLog) await storage.log?.ready().catch(() => {})
      const row = wanted ? await read(wanted) : []
      const sealed = sealRow(row, statement, cursors)
      return completed(plan, actor, assemble(plan, statement, sealed))
    } catch (fault) {
      if (!watch || isSecond) throw fault
      return watch.again(fault, changes, () => answer(asked, actor, once, true))
    }
  }
  return {
    answer,
    async probe(plan, actor) {
      const { read: wanted } = current.binder.bind(plan, actor)
      if (wanted) await storage.read(wanted.statement, wanted.parameters, wanted.outlook)
    },
    handleFor(actor) {
      const run: HandleTransaction["run"] = async (plan, as) =>
        (await completed(plan, as, await current.write(plan, as))).roots.map((json) => ({
          text: () => json && textOf(json),
        }))
      return createHandle({ cursors, sameSteps: current.sameSteps, run, ...(fresh && { fresh }) }, actor)
    },
    watch: (listener) => void listeners.add(listener),
    refreshDrift: () => watch?.refresh(),
    get compiled() {
      return current.binder.compiled
    },
  }
}

const sealRow = (row: Row, { cursors: scopes }: Statement, cursors: Cursors): readonly (Json | null)[] =>
  scopes.length === 0 ? row : row.map((json) => json && signCursors(json, scopes, cursors))
