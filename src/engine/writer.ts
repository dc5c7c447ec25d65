// The engine's other half: a WritePlan in, an answer out when it is on disk, problems and nothing done otherwise.
import type { Actor } from "../plan/access/actor.ts"
import type { Cursors } from "../plan/draft/cursor.ts"
import type { Fresh } from "../plan/draft/draft.ts"
import type { Idempotency } from "../plan/idempotency.ts"
import type { Answer } from "../plan/read-plan.ts"
import type { WritePlan } from "../plan/write-plan.ts"
import type { Storage } from "../storage/storage.ts"
import type { IdempotencyRecord, Outcome, Work } from "../storage/write-request.ts"
import { callsUserCode, createInteractiveTransaction, readOnly } from "./code/interactive-transaction.ts"
import { failureOf, inProgress } from "./failure/explain-failure.ts"
import {
  answerOf,
  idempotencyRecordOf,
  keptFor,
  type Prepared,
  prepareProgram,
  workOf,
} from "./prepare-write.ts"

export interface WriterOptions {
  readonly storage: Storage
  readonly cursors: Cursors
  /** Milliseconds for which an answer is kept that was given to a request with a key; a day when absent. */
  readonly keepAnswers?: number
  readonly fresh?: Fresh
  /** Called when something has been written: what was read before is old. */
  readonly written: () => void
}

export type AnswerWrite = (plan: WritePlan, actor: Actor, once?: Idempotency) => Promise<Answer>

/** Throws a Refusal when nothing was done. */
export function createWriter({
  storage,
  cursors,
  keepAnswers = keptFor,
  fresh,
  written,
}: WriterOptions): AnswerWrite {
  const known = new WeakMap<WritePlan["steps"], Prepared | "own code">()
  const compiled = (plan: WritePlan): Prepared | "own code" => {
    if (callsUserCode(plan)) {
      known.set(plan.steps, "own code")
      return "own code"
    }
    const made = prepareProgram(plan, storage.dialects.write)
    known.set(plan.steps, made)
    return made
  }
  const run = writeOnce(storage)
  const answerOwn = createInteractiveTransaction({
    storage,
    cursors,
    keepAnswers,
    written,
    ...(fresh && { fresh }),
  })
  const told = (
    plan: WritePlan,
    prepared: Prepared,
    work: Work,
    outcome: Outcome,
  ): Answer | Promise<never> => {
    const answering = { plan, prepared, cursors }
    switch (outcome.kind) {
      case "done":
        written()
        return answerOf(answering, outcome.rows)
      case "replayed":
        return { ...answerOf({ ...answering, replayed: true }, outcome.rows), replayed: true }
      default:
        return refused({ plan, program: prepared.program, work, storage }, outcome)
    }
  }
  // Whatever is held while a commit goes to disk is held by all that wait for it: so little is suspended here.
  return (plan, actor, once) => {
    const before = known.get(plan.steps)
    const isOld = typeof before === "object" && before.dialect !== storage.dialects.write
    const found = before && !isOld ? before : compiled(plan)
    if (found === "own code") return answerOwn(plan, actor, once)
    const work = workOf(plan, found)
    const sent = once ? { ...work, once: idempotencyRecordOf(once, actor, keepAnswers) } : work
    return run(sent).then((outcome) => told(plan, found, work, outcome))
  }
}

async function refused(...of: Parameters<typeof failureOf>): Promise<never> {
  throw await failureOf(...of)
}

/** Of two requests with one key the second is told so at once, where this process has the first. */
function writeOnce({ write }: Storage): (work: Work) => Promise<Outcome> {
  const underWay = new Set<string>()
  const alone = async (work: Work, once: IdempotencyRecord): Promise<Outcome> => {
    if (!write) throw readOnly()
    const key = JSON.stringify([once.scope, once.key])
    if (underWay.has(key)) throw inProgress()
    underWay.add(key)
    try {
      return await write(work)
    } finally {
      underWay.delete(key)
    }
  }
  return (work) => {
    if (!write) throw readOnly()
    return work.once ? alone(work, work.once) : write(work)
  }
}
