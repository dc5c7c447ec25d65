// Interactive transactions: plans that call user code run in one transaction, open for as long as the code takes.

import { perObject } from "../../base/caches.ts"
import { elapsed } from "../../base/clock.ts"
import { present } from "../../base/invariant.ts"
import type { JsonText } from "../../base/json.ts"
import { Refusal, refusal } from "../../base/problem.ts"
import type { Request } from "../../base/request.ts"
import type { Action, Model } from "../../model/model.ts"
import type { Actor } from "../../plan/access/actor.ts"
import type { Cursors } from "../../plan/draft/cursor.ts"
import type { Fresh } from "../../plan/draft/draft.ts"
import { wholeOf } from "../../plan/lookup.ts"
import { answersModel } from "../../plan/plan.ts"
import { neededFailures } from "../../plan/read/uses-user-code.ts"
import type { Answer, Value } from "../../plan/read-plan.ts"
import { callsUserCode, hasHooks, hooksOf } from "../../plan/write/calls-user-code.ts"
import type { Call, Step, WritePlan } from "../../plan/write-plan.ts"
import { mayBeLate } from "../../storage/faults.ts"
import type { Storage } from "../../storage/storage.ts"
import type { Outcome, Session } from "../../storage/write-request.ts"
import { assembleWritten, revealing } from "../assemble.ts"
import { idempotencyRecordOf } from "../bind-program.ts"
import { inProgress, mismatch } from "../failure/explain-failure.ts"
import type { Run, Stages } from "../prepare.ts"
import { callAction, codeTime } from "./call-action.ts"
import { fillComputed } from "./computed.ts"
import { untilStarted } from "./deadline.ts"
import { hookDeadline } from "./hooks.ts"
import { runHookedStep, stepText } from "./run-hooked-step.ts"
import {
  createRunPart,
  createSteps,
  type Part,
  type PartAnswer,
  type StepResult,
  type Transaction,
} from "./run-program.ts"
import { timeOver } from "./user-code-error.ts"

interface TransactionOptions {
  readonly storage: Storage
  readonly cursors: Cursors
  readonly fresh?: Fresh
  readonly stages: Stages
  /** Milliseconds. */
  readonly keepAnswers: number
  readonly written: (isLogged: boolean) => void
}

export type RunInteractively = (run: Run<WritePlan>, request?: Request) => Promise<Answer>

/** A refusal changes nothing, without a savepoint around it. */
const isOnePart = (plan: WritePlan): boolean => plan.steps.length === 1 && !callsUserCode(plan)

/** Depth of hooks whose writes run hooks. */
const deepest = 8

/** Throws a Refusal when the write had no effect. */
export function createInteractiveTransaction(options: TransactionOptions): RunInteractively {
  const { storage, cursors, fresh, keepAnswers, stages, written } = options
  const runPart = createRunPart(stages.prepare)
  const sameSteps = createSteps()
  const parts = { runPart, sameSteps }
  return async ({ plan, actor, prepared }, request) => {
    if (!storage.transact) throw readOnly()
    const once = request?.once
    const lasts = deadlineOf(plan)
    const [code] = codeOf(plan)
    if (code) await untilStarted(code)
    /** Counts from when the code begins. */
    let until = Number.POSITIVE_INFINITY
    let isOver = false
    let answer: Answer | undefined
    const outcome = await storage
      .transact(
        async (session) => {
          until = elapsed() + lasts
          const level = (own: Session, depth: number): Transaction => ({
            session: own,
            storage,
            cursors,
            until,
            request,
            ...(fresh && { fresh }),
            sameSteps,
            run(asked, as) {
              const inner = stages.guard(asked, as) as WritePlan
              if (depth > deepest)
                throw new Error(`Hooks run writes that run hooks again, more than ${deepest} deep.`)
              const runIn = (its: Session) => runPlan(parts, level(its, depth + 1), inner, as)
              return isOnePart(inner) ? runIn(own) : own.within(runIn)
            },
            within: (use) => own.within((its) => use(level(its, depth))),
          })
          const given = await runPlan(parts, level(session, 1), plan, actor).finally(() => {
            isOver = elapsed() >= until
          })
          const answered = answerOf(plan, given, true)
          answer = prepared.settles
            ? await settled(plan, answered, { actor, now: codeTime(fresh), record: request?.record })
            : answered
          return [once ? JSON.stringify(answerOf(plan, given, false)) : null]
        },
        {
          lasts,
          request,
          names: codeNames(plan),
          ...(once && { once: idempotencyRecordOf(once, actor, keepAnswers) }),
        },
      )
      .catch((error: unknown) => Promise.reject(lateOr(error, plan, isOver)))
    switch (outcome.kind) {
      case "done":
        written(true)
        return present(answer, "what was done has an answer")
      case "replayed":
        return replayedAnswer(outcome)
      case "mismatch":
        throw mismatch()
      case "pending":
        throw inProgress()
      default:
        throw refusal("rule_violated", "A rule of the data does not hold when all is written.", {
          hint: "Nothing was changed.",
        })
    }
  }
}

interface Parts {
  readonly runPart: ReturnType<typeof createRunPart>
  readonly sameSteps: ReturnType<typeof createSteps>
}

const stepsOf = perObject((step: Step): readonly Step[] => [step])

async function runPlan(
  { runPart, sameSteps }: Parts,
  transaction: Transaction,
  plan: WritePlan,
  actor: Actor,
): Promise<readonly StepResult[]> {
  const values: Value[] = [...plan.values]
  const { model, answers } = plan
  const part = (steps: readonly Step[], of?: Part["of"], as = model): Promise<PartAnswer> =>
    runPart(transaction, {
      model: as,
      ...(as === model && answers && { answers }),
      steps,
      values,
      ...(of && { of }),
    })
  const given: StepResult[] = []
  for (const step of plan.steps) {
    const { text, created, seal } = step.writes.some((write) => hooksOf(model, write))
      ? await runHookedStep({ transaction, actor, values, part, sameSteps }, step)
      : stepText(await part(stepsOf(step)))
    const own = step.call && (await callAction({ transaction, actor, values, read }, step.call))
    given.push({
      text: (reveal) =>
        own ??
        (text &&
          seal(
            text,
            revealing(transaction.request, (slot) => (reveal ? JSON.stringify(values[slot]) : "null")),
          )),
      ...(created !== undefined && { created }),
    })
  }
  return given

  async function read(steps: readonly Step[]): Promise<readonly (JsonText | null)[]> {
    const { texts, seal } = await part(sameSteps(answersModel(plan), steps))
    // Each is a list of one.
    return texts.map((text) => text && seal(text, () => "null").slice(1, -1))
  }
}

export const replayedAnswer = ({ rows }: Extract<Outcome, { readonly kind: "replayed" }>): Answer => ({
  ...(JSON.parse(String(rows[0]?.[0])) as Answer),
  replayed: true,
})

export const readOnly = (): Refusal =>
  refusal("storage_unavailable", "The database is open for reading only.", { hint: "Nothing was changed." })

/** With what user code gives. @throws a Refusal, which undoes all, where a null would stand for the whole answer */
async function settled(
  plan: WritePlan,
  answer: Answer,
  caller: Parameters<typeof fillComputed>[1],
): Promise<Answer> {
  const filled = await fillComputed(answer, caller)
  const [first, ...more] = neededFailures(plan, filled)
  if (!first) return filled
  throw new Refusal([first, ...more], { cause: filled.fault })
}

/** The transaction is kept open for as long as its most patient call may take. */
function deadlineOf({ model, steps }: WritePlan): number {
  const all = steps.flatMap(({ call }) => (call && actionIn(model, call)?.deadline) ?? [])
  return Math.max(...all, ...(hasHooks({ model, steps }) || all.length === 0 ? [hookDeadline] : []))
}

/** User code of a plan. All of it runs in the same threads. */
const codeOf = ({ model, steps }: WritePlan): readonly object[] =>
  steps.flatMap(({ call, writes }) => [
    ...(call ? [actionIn(model, call)?.run ?? []].flat() : []),
    ...writes.flatMap((write) => Object.values(hooksOf(model, write) ?? {}).map(({ run }) => run)),
  ])

function actionIn(model: Model, { resource, name }: Call): Action | undefined {
  const { resources, operations } = wholeOf(model)
  return (resource === undefined ? operations : resources.get(resource)?.actions)?.get(name)
}

/** Calls of one name are likely to read and write the same. */
const codeNames = ({ model, steps }: WritePlan): readonly string[] => [
  ...new Set(
    steps.flatMap(({ call, writes }) => [
      ...(call ? [`${call.resource ?? ""} ${call.name}`] : []),
      ...writes.flatMap((write) => (hooksOf(model, write) ? [write.resource] : [])),
    ]),
  ),
]

/** Rewords a fault of the database that came from the deadline. */
function lateOr(error: unknown, { steps }: WritePlan, isOver: boolean): unknown {
  if (!mayBeLate(error)) return error
  // The time went by before its code began, or while others were under way.
  if (!isOver) return error
  const [called] = steps.flatMap(({ call }) => call ?? [])
  return timeOver(called?.name ?? "User code", called?.at)
}

const answerOf = ({ steps }: WritePlan, given: readonly StepResult[], reveal: boolean): Answer =>
  assembleWritten(
    steps.map(({ answer }) => answer),
    given.map(({ text }) => text(reveal)),
    given.map(({ created }) => created),
  )
