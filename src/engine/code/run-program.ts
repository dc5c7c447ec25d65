// Runs plans within an open transaction: each part is a program, and receives the keys that earlier programs made.

import { perObject, RequestCache } from "../../base/caches.ts"
import { invariant, present } from "../../base/invariant.ts"
import type { JsonText } from "../../base/json.ts"
import { refusal } from "../../base/problem.ts"
import type { Request } from "../../base/request.ts"
import type { Actor } from "../../plan/access/actor.ts"
import type { Cursors } from "../../plan/draft/cursor.ts"
import type { Fresh } from "../../plan/draft/draft.ts"
import { unrepresentable } from "../../plan/placeholders.ts"
import type { Value } from "../../plan/read-plan.ts"
import type { Step, Write, WritePlan } from "../../plan/write-plan.ts"
import { inPlaceOf, isDeferredParameter } from "../../sql/deferred-parameter.ts"
import type { Parameter, Program, Statement } from "../../sql/statement.ts"
import type { Row, Storage } from "../../storage/storage.ts"
import type { Session, WorkShape } from "../../storage/write-request.ts"
import { type Reveal, signCursors } from "../assemble.ts"
import { fillSlots, knownFrom, wasCreated, workOf } from "../bind-program.ts"
import { failureOf } from "../failure/explain-failure.ts"
import type { Failing } from "../failure/failed-write.ts"
import type { Stages } from "../prepare.ts"

interface Running {
  readonly session: Session
  readonly storage: Storage
  readonly cursors: Cursors
}

/** A transaction that may run user code. */
export interface Transaction extends Running {
  /** As of `elapsed()`. */
  readonly until: number
  /** The request that calls the code: its `db` asks within it. */
  readonly request: Request | undefined
  readonly fresh?: Fresh
  /** Steps that read the same have one program. */
  readonly sameSteps: (model: WritePlan["model"], steps: readonly Step[]) => readonly Step[]
  /** The JSON of each step's answer. Rejects with a Refusal; the plan has then changed nothing. */
  readonly run: (plan: WritePlan, actor: Actor) => Promise<readonly StepResult[]>
  /** When `use` rejects, its writes are undone; the transaction goes on. */
  readonly within: <Result>(use: (transaction: Transaction) => Promise<Result>) => Promise<Result>
}

export interface StepResult {
  /** Null where the record is absent. `reveal` shows secrets. */
  text(reveal: boolean): JsonText | null
  readonly created?: boolean
}

/** A part of a plan. The values that it makes are put into `values`. */
export interface Part {
  readonly model: WritePlan["model"]
  readonly answers?: WritePlan["model"] | undefined
  readonly steps: readonly Step[]
  readonly values: Value[]
  /** The step of this part, and its first write, for reports of failures. `created`: whether its upsert made the record. */
  readonly of?: {
    readonly step: Step
    readonly from: number
    readonly same?: true
    readonly created?: boolean | undefined
  }
}

/** The steps' answers, with placeholders. */
export interface PartAnswer {
  readonly texts: readonly (JsonText | null)[]
  readonly created: readonly (boolean | undefined)[]
  /** Without placeholders. `reveal` gives the JSON of a secret. */
  seal(text: JsonText, reveal: Reveal): JsonText
}

export type RunPart = (running: Running, part: Part) => Promise<PartAnswer>

/** Rejects with a Refusal where a part cannot be done; the database is then unchanged. */
export function createRunPart(prepare: Stages["prepare"]): RunPart {
  return async ({ session, storage, cursors }, part) => {
    const plan = planOf(part)
    const prepared = prepare(plan).program(plan)
    const { program } = prepared
    const work = workOf(plan, prepared)
    const ran = await session.run(work)
    if (ran.kind !== "ran") {
      const asked = { dialects: storage.dialects, read: readWithin(session) }
      const own = { ...plan, values: part.values.map(plainOf) }
      throw await failureOf(
        { ...asWhole(part, own, program), work, storage: asked, created: part.of?.created },
        ran,
      )
    }
    const filled = fillSlots(part.values, program.filled, knownFrom(ran.rows))
    for (const { slot } of program.filled) part.values[slot] = present(filled[slot], "it has been filled")
    const texts = program.answers.map(({ command }, index): JsonText | null => {
      const { answer } = present(part.steps[index], "each step has an answer")
      if (command === undefined) return answer.kind === "constant" ? answer.json : null
      const text = ran.rows[command]?.[0]?.[0] ?? null
      return text === null ? null : String(text)
    })
    if (texts.some((text, index) => !part.steps[index]?.nulls && text?.includes(unrepresentable)))
      throw refusal("unrepresentable_value", "A stored value of the answer does not fit its declaration.")
    return {
      texts,
      created: program.answers.map((answer) => wasCreated(answer, (command) => ran.rows[command]?.[0])),
      seal: (text, reveal) => String(signCursors(text, program.cursors, cursors, reveal)),
    }
  }
}

const planOf = ({ model, answers, steps, values }: Part): WritePlan => ({
  kind: "write",
  model,
  ...(answers && { answers }),
  steps,
  values,
})

function asWhole({ of, steps }: Part, plan: WritePlan, program: Program): Pick<Failing, "plan" | "program"> {
  if (!of) return { plan, program }
  const step = of.same ? asRan(of.step, of.from, steps[0]?.writes[0]) : of.step
  const commands = program.commands.map((command) =>
    command.write === undefined
      ? command
      : { ...command, write: of.same ? of.from : of.from + command.write },
  )
  return { plan: { ...plan, steps: [step] }, program: { ...program, commands } }
}

/** The failed write may be about one of several records, and its hooks may have set members of it. */
function asRan(step: Step, at: number, ran: Write | undefined): Step {
  const write = step.writes[at]
  if (!ran || ran.kind !== write?.kind) return step
  const looks = ran.kind === "update" && ran.looks && write.kind === "update"
  return { ...step, writes: step.writes.with(at, looks ? { ...write, target: ran.target } : ran) }
}

/** Plain values, for statements that explain a failure. */
export function plainOf(value: Value): Value {
  if (isDeferredParameter(value)) {
    if (value.later === "known") return value.value ?? (value.cell as Value)
    return value.later === "knownRows" ? (value.rows as readonly (readonly Value[])[]) : null
  }
  return Array.isArray(value) ? (value as readonly Value[]).map(plainOf) : value
}

/** The keys that a Find found, one by one. */
export function knownKeys(value: Value): readonly Value[] {
  invariant(
    isDeferredParameter(value) && value.later === "knownRows",
    "a list of keys is known when it has been found",
  )
  return value.rows.map((row) => row.map((cell) => inPlaceOf({ later: "known", cell })))
}

/** Reads within the transaction, and so sees its writes. */
const readWithin =
  (session: Session) =>
  async ({ text }: Statement, parameters: readonly Parameter[]): Promise<Row> => {
    const shape: WorkShape = {
      commands: [{ text, takes: parameters.length }],
      wanted: [0],
      takes: parameters.length,
      sure: false,
    }
    const ran = await session.run({ shape, parameters })
    invariant(ran.kind === "ran", "what is only read is not refused")
    return (ran.rows[0]?.[0] ?? []).map((cell) => (cell === null ? null : String(cell)))
  }

/** Steps that read the same have one program. */
export function createSteps(): (model: WritePlan["model"], steps: readonly Step[]) => readonly Step[] {
  const ofModel = perObject((_: WritePlan["model"]) => new RequestCache().open<string, readonly Step[]>())
  return (model, steps) => {
    const known = ofModel(model)
    const key = JSON.stringify(steps)
    const same = known.get(key) ?? steps
    known.set(key, same, key.length)
    return same
  }
}
