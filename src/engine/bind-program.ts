// A compiled program with the values of a plan bound, and the answer that its rows make.
import { hash } from "node:crypto"
import { invariant, present } from "../base/invariant.ts"
import type { JsonText } from "../base/json.ts"
import type { Idempotency, Request } from "../base/request.ts"
import { canonicalDateTime } from "../model/values/datetime.ts"
import type { Actor } from "../plan/access/actor.ts"
import type { Cursors } from "../plan/draft/cursor.ts"
import { unrepresentable } from "../plan/placeholders.ts"
import { noSlot } from "../plan/read/computed.ts"
import type { Answer, Root, Value } from "../plan/read-plan.ts"
import type { WritePlan } from "../plan/write-plan.ts"
import { type Bound, type DeferredParameter, inPlaceOf } from "../sql/deferred-parameter.ts"
import type { Dialect } from "../sql/dialect.ts"
import type { Filled, Program } from "../sql/statement.ts"
import { compileAttempt, compileWrite } from "../sql/write/write.ts"
import type { Cells, IdempotencyRecord, Work, WorkShape } from "../storage/write-request.ts"
import { assembleWritten, revealing, signCursors } from "./assemble.ts"

/** A program, and the state that all works of it share. */
export interface PreparedProgram {
  readonly program: Program
  /** The dialect that the program was compiled for. */
  readonly dialect: Dialect
  readonly shape: WorkShape
  /** Whether a command takes values from an earlier one. */
  readonly takesGiven: boolean
  /** A command may give at most so many rows. */
  readonly bounded: boolean
  /** The root that each step answers. */
  readonly answers: readonly Root[]
  /** For each step, the index of its row among those that are wanted. */
  readonly rows: readonly (number | undefined)[]
  /** One statement that may do all of it. If it does not, the database is unchanged. */
  readonly attempt?: PreparedProgram
}

export function compileProgram(plan: WritePlan, dialect: Dialect): PreparedProgram {
  const attempt = compileAttempt(plan, dialect)
  return {
    ...preparedOf(plan, dialect, compileWrite(plan, dialect)),
    ...(attempt && { attempt: preparedOf(plan, dialect, attempt) }),
  }
}

function preparedOf(plan: WritePlan, dialect: Dialect, program: Program): PreparedProgram {
  const shape = shapeOf(plan, program)
  const given = new Set(program.filled.map(({ slot }) => slot))
  const { commands } = program
  return {
    program,
    dialect,
    shape,
    takesGiven: commands.some(({ binds }) => binds.some(({ slot }) => given.has(slot))),
    bounded: commands.some(({ most }) => most),
    answers: plan.steps.map(({ answer }) => answer),
    rows: program.answers.map(({ command }) =>
      command === undefined ? undefined : shape.wanted.indexOf(command),
    ),
  }
}

function shapeOf(plan: WritePlan, { commands, answers }: Program): WorkShape {
  const [only, ...more] = commands
  const isStrict = (step: number): boolean => !plan.steps[step]?.nulls
  const wanted = answers.flatMap(({ command, created }) => [
    ...(command === undefined ? [] : [command]),
    ...(created ? [created.command] : []),
  ])
  return {
    commands: commands.map(({ text, binds, present, flaws, step }) => ({
      text,
      takes: binds.length,
      ...(present && { present }),
      ...(flaws && isStrict(step) && { without: unrepresentable }),
    })),
    takes: commands.reduce((sum, { binds }) => sum + binds.length, 0),
    wanted: [...new Set(wanted)],
    ...(wanted.length === 1 && answers.every(({ created }) => !created) && { single: true }),
    // Managed tables hold no value without JSON. A trigger may write and report no row.
    writes: [...new Set(plan.steps.flatMap(({ writes }) => writes.map(({ resource }) => resource)))],
    sure:
      more.length === 0 && !only?.triggered && (plan.model.managed || !only?.flaws || !isStrict(only.step)),
  }
}

export function workOf(plan: WritePlan, { program, shape, takesGiven, bounded }: PreparedProgram): Work {
  const values = takesGiven ? fillSlots(plan.values, program.filled, awaited) : plan.values
  const valueIn = (slot: number): Value => {
    const value = slot === noSlot ? null : values[slot]
    invariant(value !== undefined, "each slot has a value")
    return value
  }
  const parameters: Bound[] = []
  for (const { binds } of program.commands)
    for (const { slot, encode } of binds) parameters.push(encode(valueIn(slot)))
  if (!bounded) return { shape, parameters }
  const most = program.commands.map((command) => command.most && Number(valueIn(command.most.slot)))
  return { shape, parameters, most }
}

/** Fills the slot of a key, or of a list of keys. */
interface Filling {
  key(command: number, column: number): DeferredParameter
  keys(command: number): DeferredParameter
  number(command: number, column: number): DeferredParameter
}

/** Places for values that the commands will give. */
const awaited: Filling = {
  key: (command, column) => ({ later: "value", command, column }),
  keys: (command) => ({ later: "rows", command }),
  number: (command, column) => ({ later: "value", command, column }),
}

/** Results of commands, for later programs of the same transaction. @param rows of each command */
export const knownFrom = (rows: readonly (readonly Cells[])[]): Filling => ({
  key: (command, column) => ({ later: "known", cell: rows[command]?.[0]?.[column] ?? null }),
  keys: (command) => ({ later: "knownRows", rows: rows[command] ?? [] }),
  number: (command, column) => {
    const [row] = rows[command] ?? []
    const value: unknown = JSON.parse(String(row?.[column + 1] ?? "null"))
    return { later: "known", cell: row?.[column] ?? null, value: value as Value }
  },
})

/** The given values, with the slots that commands fill. */
export function fillSlots(
  given: readonly Value[],
  filled: readonly Filled[],
  filling: Filling,
): readonly Value[] {
  const values = [...given]
  const part = (slot: number, index: number | undefined): Value => {
    const value = present(values[slot], "each slot has a value")
    return index === undefined ? value : present((value as readonly Value[])[index], "a key has its parts")
  }
  for (const one of filled) values[one.slot] = filledValue(one, filling, part)
  return values
}

function filledValue(
  one: Filled,
  filling: Filling,
  part: (slot: number, index: number | undefined) => Value,
): Value {
  switch (one.kind) {
    case "key":
      return Array.from({ length: one.parts }, (_, index) =>
        inPlaceOf(filling.key(one.command, one.column + index)),
      )
    case "keys":
      return inPlaceOf(filling.keys(one.command))
    case "verdict":
      return inPlaceOf(filling.key(one.command, one.column))
    case "number":
      return inPlaceOf(filling.number(one.command, one.column))
    case "parts":
      return one.of.map(({ slot, part: index }) => part(slot, index))
    case "collected":
      return one.of.map(({ slot }) => part(slot, undefined))
  }
}

/** A day, in milliseconds. */
export const keptFor = 24 * 60 * 60 * 1000

/** @param kept milliseconds */
export function idempotencyRecordOf(once: Idempotency, actor: Actor, kept: number): IdempotencyRecord {
  const now = Date.now()
  return {
    key: once.key,
    // Others may use the same key.
    scope: actor.name,
    fingerprint: asAsked(once, actor),
    now: canonicalDateTime(now),
    since: canonicalDateTime(now - kept),
  }
}

/** An answer is given again to who may do the same as when it was given: a credential may have lost roles, or its owner. */
function asAsked({ fingerprint }: Idempotency, { claims, key }: Actor): string {
  if (!claims) return fingerprint
  const viewer = Array.isArray(key) ? (key as readonly Value[]).map(String) : null
  return hash("sha256", JSON.stringify([fingerprint, viewer, claims.roles, claims.scopes]), "base64url")
}

export interface Answering {
  readonly plan: WritePlan
  readonly prepared: PreparedProgram
  readonly cursors: Cursors
  readonly request: Request | undefined
  readonly replayed?: true
}

/** @param rows the first row of each wanted command */
export function answerOf(answering: Answering, rows: readonly (Cells | undefined)[]): Answer {
  const { plan, prepared } = answering
  const { program, shape, answers } = prepared
  const texts = plan.steps.map(({ answer }, index) => stepText(answering, answer, index, rows))
  const rowOf = (command: number) => rows[shape.wanted.indexOf(command)]
  return assembleWritten(
    answers,
    texts,
    program.answers.map((answer) => wasCreated(answer, rowOf)),
  )
}

function stepText(
  { plan, prepared, cursors, request, replayed }: Answering,
  answer: Root,
  step: number,
  rows: readonly (Cells | undefined)[],
): JsonText | null {
  const row = prepared.rows[step]
  if (row === undefined) return answer.kind === "constant" ? answer.json : null
  const text = rows[row]?.[0] ?? null
  if (text === null) return null
  // A secret is shown in the first answer only; a replayed answer has null.
  const reveal = revealing(request, (slot) => (replayed ? "null" : JSON.stringify(plan.values[slot])))
  return String(signCursors(String(text), prepared.program.cursors, cursors, reveal))
}

/** Whether the step's upsert made the record; undefined where the step has none. */
export function wasCreated(
  { created }: Program["answers"][number],
  rowOf: (command: number) => Cells | undefined,
): boolean | undefined {
  if (!created) return undefined
  const row = rowOf(created.command)
  return created.column === undefined ? row === undefined : row?.[created.column] === "t"
}
