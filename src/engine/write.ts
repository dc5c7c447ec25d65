// Writes: a WritePlan becomes a program with its values bound; what the storage makes of it becomes an answer or problems.
import { invariant, present } from "../base/invariant.ts"
import type { JsonText } from "../base/json.ts"
import type { Cursors } from "../plan/cursor.ts"
import { unrepresentable } from "../plan/marks.ts"
import { canonicalMoment } from "../plan/moments.ts"
import type { Once } from "../plan/once.ts"
import type { Answer, Value } from "../plan/types.ts"
import type { WritePlan } from "../plan/write-types.ts"
import { inPlaceOf } from "../sql/later.ts"
import type { Filled, Program, StepAnswer } from "../sql/program.ts"
import type { Cells, Work } from "../storage/work.ts"
import { splitVersion } from "./assemble.ts"
import { sealCursors } from "./seal.ts"

export function workOf(plan: WritePlan, program: Program): Omit<Work, "once"> {
  const [only, ...more] = program.commands
  const values = filledValues(plan.values, program.filled)
  const valueIn = (slot: number): Value => {
    const value = values[slot]
    invariant(value !== undefined, "each slot has a value")
    return value
  }
  return {
    // In tables of Bifold's own there is nothing that cannot be shown.
    ...(more.length === 0 && (plan.model.managed || !only?.flaws) && { sure: true }),
    commands: program.commands.map(({ text, binds, present, most, flaws }) => ({
      text,
      parameters: binds.map(({ slot, encode }) => encode(valueIn(slot))),
      ...(present && { present }),
      ...(most && { most: Number(valueIn(most.slot)) }),
      ...(flaws && { without: unrepresentable }),
    })),
  }
}

/** With places for what the commands will give. */
function filledValues(given: readonly Value[], filled: readonly Filled[]): readonly Value[] {
  if (filled.length === 0) return given
  const values = [...given]
  const part = (slot: number, index: number | undefined): Value => {
    const value = present(values[slot], "each slot has a value")
    return index === undefined ? value : present((value as readonly Value[])[index], "a key has its parts")
  }
  for (const one of filled) values[one.slot] = filledValue(one, part)
  return values
}

function filledValue(one: Filled, part: (slot: number, index: number | undefined) => Value): Value {
  switch (one.kind) {
    case "key":
      return Array.from({ length: one.parts }, (_, index) =>
        inPlaceOf({ later: "value", command: one.command, column: one.column + index }),
      )
    case "keys":
      return inPlaceOf({ later: "rows", command: one.command })
    case "parts":
      return one.of.map(({ slot, part: index }) => part(slot, index))
    case "collected":
      return one.of.map(({ slot }) => part(slot, undefined))
  }
}

/** A day, in milliseconds. */
export const keptFor = 24 * 60 * 60 * 1000

/** @param kept milliseconds */
export function onceOf(once: Once, program: Program, kept: number): Required<Work>["once"] {
  const [now, since] = [canonicalMoment(Date.now()), canonicalMoment(Date.now() - kept)]
  return { ...once, now, since, kept: keptCommands(program) }
}

/** The commands that an answer is made of. */
const keptCommands = ({ answers }: Program): readonly number[] => [
  ...new Set(
    answers.flatMap(({ command, created }) => [
      ...(command === undefined ? [] : [command]),
      ...(created ? [created.command] : []),
    ]),
  ),
]

export interface Answering {
  readonly plan: WritePlan
  readonly program: Program
  readonly cursors: Cursors
}

/** @param rows the first row of each command */
export function answerOf(answering: Answering, rows: (command: number) => Cells | undefined): Answer {
  const { plan, program } = answering
  const texts = program.answers.map((answer, index) => stepText(answering, answer, index, rows))
  const split = plan.steps.map(({ answer }, index) => splitVersion(answer, texts[index] ?? null))
  const created = program.answers.map((answer) => isCreated(answer, rows))
  return {
    roots: split.map(({ json }) => json),
    flawed: false,
    ...(split.some(({ version }) => version !== undefined) && {
      versions: split.map(({ version }) => version ?? null),
    }),
    ...(program.answers.some((answer) => answer.created) && { created }),
  }
}

/** From a replay, where only those rows were kept. */
export const keptRows = (program: Program, rows: readonly (Cells | undefined)[]) => {
  const kept = keptCommands(program)
  return (command: number): Cells | undefined => rows[kept.indexOf(command)]
}

function stepText(
  { plan, program, cursors }: Answering,
  { command }: StepAnswer,
  step: number,
  rows: (command: number) => Cells | undefined,
): JsonText | null {
  const { answer } = present(plan.steps[step], "each step has an answer")
  if (command === undefined) return answer.kind === "constant" ? answer.json : null
  const text = rows(command)?.[0] ?? null
  return text === null ? null : String(sealCursors(String(text), program.cursors, cursors))
}

function isCreated({ created }: StepAnswer, rows: (command: number) => Cells | undefined): boolean {
  if (!created) return false
  const row = rows(created.command)
  return created.column === undefined ? row === undefined : row?.[created.column] === "t"
}
