// Calls an action or operation within its transaction: reads its record, runs its code, checks its output, builds its answer.

import { elapsed } from "../../base/clock.ts"
import { codes } from "../../base/codes.ts"
import { present } from "../../base/invariant.ts"
import { type JsonText, joinObject } from "../../base/json.ts"
import { match } from "../../base/match.ts"
import { isOfService, type Place, type Problem, Refusal, refusal, Withheld } from "../../base/problem.ts"
import { spanned } from "../../base/tracing.ts"
import type { CodeActor } from "../../model/code-actor.ts"
import type { Action, Model } from "../../model/model.ts"
import { type Actor, withClaims } from "../../plan/access/actor.ts"
import type { Fresh } from "../../plan/draft/draft.ts"
import { wholeOf } from "../../plan/lookup.ts"
import { notFoundText } from "../../plan/not-found.ts"
import type { RecordRoot, Value } from "../../plan/read-plan.ts"
import { readOutput } from "../../plan/write/write-call.ts"
import type { Call, Places, Step } from "../../plan/write-plan.ts"
import { type CodeClient, createHandle, withAttempts } from "./client.ts"
import { inTime } from "./deadline.ts"
import { createEmit } from "./emit.ts"
import { idOf } from "./hooked-records.ts"
import { plainOf, type Transaction } from "./run-program.ts"
import {
  brokenCode,
  CallInterrupted,
  interrupted,
  notAwaited,
  timeOver,
  wrongOutput,
} from "./user-code-error.ts"

/** The context of a call. */
export interface Calling {
  readonly transaction: Transaction
  readonly actor: Actor
  /** The plan's values, as far as they are known. */
  readonly values: readonly Value[]
  /** The JSON of records, with null for a missing one. */
  readonly read: (steps: readonly Step[]) => Promise<readonly (JsonText | null)[]>
}

/** The JSON of the call's answer. Rejects with a Refusal; the transaction must then be rolled back. */
export async function callAction(calling: Calling, call: Call): Promise<JsonText> {
  const { transaction, actor, values } = calling
  const { at, place, places, resource, versioned } = call
  const whole = wholeOf(actor.model)
  const action = actionOf(whole, call)
  const what = resource === undefined ? call.name : `${call.name} of ${resource}`
  const own = runAsActor(actor, action)
  const handle = createHandle(transaction, own)
  const record =
    resource === undefined || !call.key
      ? undefined
      : await handle.record(resource, plainOf(present(values[call.key.slot], "a record has a key")))
  if (record === null) throw refusal("not_found", notFoundText(resource ?? "record"), { place: at })
  const { deadline, emits } = action
  const key = call.key && plainOf(present(values[call.key.slot], "a record has a key"))
  const emit =
    emits &&
    createEmit({
      transaction: withAttempts(transaction),
      actor: own,
      client: handle,
      what,
      at,
      types: emits,
      ...(resource !== undefined && key !== undefined && { own: { resource, key } }),
    })
  const lent = own !== actor
  const run = {
    transaction,
    handle,
    lent,
    what,
    at,
    place,
    ...(places && { places }),
    ...(versioned && { versioned }),
    deadline,
  }
  const given = await runAction(run, (signal) =>
    action.run({
      input: { ...nothing(action), ...JSON.parse(String(values[call.input.slot])) },
      ...(record !== undefined && { record }),
      ...(emit && { emit }),
      db: handle.db,
      actor: codeActor(actor),
      now: codeTime(transaction.fresh),
      signal,
    }),
  )
  const output = readOutput(whole, action, given)
  if ("wrong" in output) throw wrongOutput(what, output.wrong, at)
  return answerOf(calling, call, output)
}

/** Absent input members are null, as in a record. */
const nothing = ({ input }: Action): object =>
  Object.fromEntries([...input.keys()].map((name) => [name, null]))

function actionOf(whole: Model, { resource, name }: Call): Action {
  const actions = resource === undefined ? whole.operations : whole.resources.get(resource)?.actions
  return present(actions?.get(name), `there is no operation ${name}`)
}

async function answerOf(
  { read }: Calling,
  { gives }: Call,
  output: ReadonlyMap<string, JsonText>,
): Promise<JsonText> {
  const records = gives.filter((member) => member.kind === "record")
  const texts = records.length === 0 ? [] : await read(records.map(asStep))
  const textOf = (member: Call["gives"][number]): JsonText =>
    match(member, {
      constant: ({ json }) => json,
      output: ({ name }) => present(output.get(name), `the code gave ${name}`),
      record: (record) => texts[records.indexOf(record)] ?? "null",
    })
  return joinObject(gives.map((member) => [member.key, textOf(member)]))
}

/** As a list, so that the record may be absent. */
const asStep = (record: RecordRoot): Step => ({
  writes: [],
  answer: { kind: "records", key: record.key, of: [record] },
  reads: "after",
})

/** The same caller with the roles and scopes of `as`. */
export function runAsActor(actor: Actor, { as }: Pick<Action, "as">): Actor {
  const { claims, model } = actor
  return as && claims ? withClaims(wholeOf(model), { ...claims, ...as, signedIn: true }, actor) : actor
}

/** The time of the service, as user code sees it. */
export const codeTime = (fresh: Pick<Fresh, "now"> | undefined): Date =>
  fresh ? new Date(fresh.now()) : new Date()

/** The caller, as user code sees it. */
export function codeActor({ name, key, model, claims }: Actor): CodeActor {
  const resource = model.viewer === undefined ? undefined : wholeOf(model).resources.get(model.viewer)
  const id = key === null || !resource ? null : idOf(resource, key)
  const { signedIn = false, roles = [], scopes = [] } = claims ?? {}
  // Copies, which user code may change.
  return { name, signedIn, id, roles: [...roles], scopes: [...scopes] }
}

export interface ActionRun {
  readonly transaction: Pick<Transaction, "until" | "request">
  readonly handle: CodeClient
  /** The code runs as another actor, whose `db` may see more than the caller. */
  readonly lent?: boolean
  /** Name of the running code, for messages. */
  readonly what: string
  /** JSON pointers of the call and of its input: prefixes of problems. */
  readonly at: Place
  readonly place: Place
  readonly places?: Places
  /** The request names a version. */
  readonly versioned?: true
  /** Milliseconds. */
  readonly deadline: number
}

/** Runs user code, which may throw, hang, or leave promises behind. */
export async function runAction(
  { transaction, deadline, ...own }: ActionRun,
  run: (signal: AbortSignal) => unknown,
): Promise<unknown> {
  const { handle, what, at } = own
  const ended = transaction.request?.record?.beginAround("code")
  const left = Math.max(Math.min(deadline, transaction.until - elapsed()), 0)
  try {
    const given = await spanned({ kind: "code", name: what }, () =>
      inTime({ milliseconds: left, late: () => timeOver(what, at) }, run),
    )
    if (handle.end() > 0) throw notAwaited()
    return given
  } catch (error) {
    throw toldOf(error, own)
  } finally {
    ended?.()
    handle.end()
  }
}

function toldOf(
  error: unknown,
  { handle, lent, what, at, place, places, versioned }: Omit<ActionRun, "transaction" | "deadline">,
): Refusal {
  if (error instanceof CallInterrupted) return interrupted(what, at)
  if (!(error instanceof Refusal)) return brokenCode(what, error, at)
  const [first, ...more] = error.problems
  if (["action_timeout", "action_interrupted", "internal"].includes(first.code)) return error
  const within = handle.threw(error)
  const mend = ({ place: own = [], ...problem }: Problem): Problem => ({
    ...(within && problem.code === "stale_version" && !versioned
      ? outdated
      : within && lent
        ? general(problem)
        : problem),
    // Calls of `db` have no place in the request.
    place: within || own.length === 0 ? (versionPlace(problem.code, places) ?? at) : [...place, ...own],
  })
  const isWithheld = within && lent && !isOfService(first.code)
  return new Refusal([mend(first), ...more.map(mend)], {
    cause: isWithheld ? new Withheld(what, error) : error.cause,
  })
}

/** The client has named no version; other writes to records that the code has read cause a new run. */
const outdated: Problem = {
  code: "conflict",
  message: "The code names a version of a record which it has changed itself since, or which its input gave.",
}

/** A version that user code names has the place of the caller's own. */
function versionPlace(code: Problem["code"], places: Places | undefined): Place | undefined {
  if (code === "stale_version") return places?.version
  return code === "version_required" ? places?.noVersion : undefined
}

/** The problem's title only: its message may name a state that the caller cannot see. */
const general = ({ code }: Problem): Problem => ({ code, message: `${codes[code].title}.` })
