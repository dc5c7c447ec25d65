// The stage `run` of writes: one transaction, on disk before it is answered. On a problem the database is unchanged.

import type { Request } from "../base/request.ts"
import type { Cursors } from "../plan/draft/cursor.ts"
import type { Fresh } from "../plan/draft/draft.ts"
import type { Answer } from "../plan/read-plan.ts"
import type { WritePlan } from "../plan/write-plan.ts"
import type { Storage } from "../storage/storage.ts"
import type { IdempotencyRecord, Outcome, Work } from "../storage/write-request.ts"
import { answerOf, idempotencyRecordOf, keptFor, type PreparedProgram, workOf } from "./bind-program.ts"
import { convert } from "./code/convert.ts"
import { hookDeadline } from "./code/hooks.ts"
import { createInteractiveTransaction, readOnly, replayedAnswer } from "./code/interactive-transaction.ts"
import { failureOf, inProgress } from "./failure/explain-failure.ts"
import type { Failing } from "./failure/failed-write.ts"
import type { Run, Stages } from "./prepare.ts"

export interface WriteOptions {
  readonly storage: Storage
  readonly cursors: Cursors
  /** Milliseconds for which the answer of a request with an idempotency key is kept; a day when absent. */
  readonly keepAnswers?: number
  readonly stages: Stages
  readonly fresh?: Fresh
  /** Called after each commit: earlier reads are outdated. @param isLogged whether the log may have grown */
  readonly written: (isLogged: boolean) => void
}

export type RunWrite = (run: Run<WritePlan>, request?: Request) => Promise<Answer>

/** Throws a Refusal when the write had no effect. */
export function createRunWrite({
  storage,
  cursors,
  keepAnswers = keptFor,
  stages,
  fresh,
  written,
}: WriteOptions): RunWrite {
  const commit = createCommit(storage)
  const runInteractively = createInteractiveTransaction({
    storage,
    cursors,
    keepAnswers,
    stages,
    written,
    ...(fresh && { fresh }),
  })
  const answered = (
    { plan, prepared, work, request, again }: Sent,
    outcome: Outcome,
  ): Answer | Promise<Answer> => {
    const answering = { plan, prepared, cursors, request }
    if (outcome.kind === "done") {
      written(plan.steps.some(({ writes }) => writes.some(({ log }) => log !== undefined)))
      return answerOf(answering, outcome.rows)
    }
    if (outcome.kind === "replayed")
      return { ...answerOf({ ...answering, replayed: true }, outcome.rows), replayed: true }
    if (again && "command" in outcome && prepared.program.commands[outcome.command]?.step !== 0)
      return again()
    return refused({ plan, program: prepared.program, work, storage: readFor(storage, request) }, outcome)
  }
  // Requests that wait for a commit hold all that is captured here, so little is.
  const send: RunWrite = (run, request) => {
    const { plan, actor, prepared } = run
    if (prepared.interactive) return runInteractively(run, request)
    const program = prepared.program(plan)
    const once = request?.once && idempotencyRecordOf(request.once, actor, keepAnswers)
    const again = plan.steps.length > 1 ? () => runInteractively(run, request) : undefined
    const sendBy = (by: PreparedProgram): Promise<Answer> => {
      const work = workOf(plan, by)
      return commit(once ? { ...work, once } : work, request).then((outcome) =>
        by !== program && isUndone(outcome)
          ? sendBy(program)
          : answered({ plan, prepared: by, work, request, again }, outcome),
      )
    }
    return sendBy(program.attempt ?? program)
  }
  /** A repeated key has its first answer, whatever the function says by now. */
  const replay = async (
    { plan, actor, prepared }: Run<WritePlan>,
    request: Request | undefined,
    fault: unknown,
  ): Promise<Answer> => {
    const once = request?.once
    if (!once || !storage.transact) throw fault
    const record = idempotencyRecordOf(once, actor, keepAnswers)
    const outcome = await storage.transact(() => Promise.reject(fault), {
      lasts: hookDeadline,
      once: record,
      request,
    })
    if (outcome.kind === "replayed" && prepared.interactive) return replayedAnswer(outcome)
    const program = prepared.program(plan)
    return answered(
      { plan, prepared: program, work: workOf(plan, program), request, again: undefined },
      outcome,
    )
  }
  return async (run, request) => {
    if (!run.plan.conversions) return send(run, request)
    const made = await convert(run.plan, request?.record).catch((fault: unknown) => ({ fault }))
    return "fault" in made ? replay(run, request, made.fault) : send({ ...run, plan: made }, request)
  }
}

/** An attempt without effect does not give its reason. */
const isUndone = ({ kind }: Outcome): boolean => kind === "refused" || kind === "violated"

interface Sent {
  readonly plan: WritePlan
  readonly prepared: PreparedProgram
  readonly work: Work
  readonly request: Request | undefined
  /** Runs several steps one by one, so that the refusal of a later one can name the effects of earlier ones. */
  readonly again: (() => Promise<Answer>) | undefined
}

/** Explains failures within the request. */
const readFor = ({ dialects, read }: Storage, request: Request | undefined): Failing["storage"] => ({
  dialects,
  read: (statement, parameters, outlook) => read(statement, parameters, outlook, request),
})

async function refused(...of: Parameters<typeof failureOf>): Promise<never> {
  throw await failureOf(...of)
}

/** Refuses the second of two concurrent requests with one idempotency key at once, where this process has the first. */
function createCommit({ write }: Storage): NonNullable<Storage["write"]> {
  const underWay = new Set<string>()
  const alone = async (work: Work, once: IdempotencyRecord, request?: Request): Promise<Outcome> => {
    if (!write) throw readOnly()
    const key = JSON.stringify([once.scope, once.key])
    if (underWay.has(key)) throw inProgress()
    underWay.add(key)
    try {
      return await write(work, request)
    } finally {
      underWay.delete(key)
    }
  }
  return (work, request) => {
    if (!write) throw readOnly()
    return work.once ? alone(work, work.once, request) : write(work, request)
  }
}
