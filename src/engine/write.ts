// Writes: a WritePlan becomes a program with its values bound; what the storage makes of it becomes an answer or problems.
import { invariant, present } from "../base/invariant.ts"
import type { JsonText } from "../base/json.ts"
import type { Actor } from "../plan/actor.ts"
import { noSlot } from "../plan/computed.ts"
import type { Cursors } from "../plan/cursor.ts"
import { unrepresentable } from "../plan/marks.ts"
import { canonicalMoment } from "../plan/moments.ts"
import type { Once } from "../plan/once.ts"
import type { Answer, Value } from "../plan/types.ts"
import type { WritePlan } from "../plan/write-types.ts"
import { type Bound, inPlaceOf } from "../sql/later.ts"
import type { Filled, Program, StepAnswer } from "../sql/program.ts"
import type { Cells, OnceOnly, Work, WorkShape } from "../storage/work.ts"
import { splitVersion } from "./assemble.ts"
import { type Reveal, sealCursors } from "./seal.ts"

/** What is the same for all works of a program. */
export function shapeOf(plan: WritePlan, { commands, answers }: Program): WorkShape {
  const [only, ...more] = commands
  const wanted = answers.flatMap(({ command, created }) => [
    ...(command === undefined ? [] : [command]),
    ...(created ? [created.command] : []),
  ])
  return {
    commands: commands.map(({ text, binds, present, flaws }) => ({
      text,
      takes: binds.length,
      ...(present && { present }),
      ...(flaws && { without: unrepresentable }),
    })),
    takes: commands.reduce((sum, { binds }) => sum + binds.length, 0),
    wanted: [...new Set(wanted)],
    // In tables of Bifold's own there is nothing that cannot be shown.
    sure: more.length === 0 && (plan.model.managed || !only?.flaws),
  }
}

export function workOf(plan: WritePlan, program: Program, shape: WorkShape): Work {
  const values = filledValues(plan.values, program.filled)
  const valueIn = (slot: number): Value => {
    const value = slot === noSlot ? null : values[slot]
    invariant(value !== undefined, "each slot has a value")
    return value
  }
  const parameters: Bound[] = []
  for (const { binds } of program.commands)
    for (const { slot, encode } of binds) parameters.push(encode(valueIn(slot)))
  const most = program.commands.map((command) => command.most && Number(valueIn(command.most.slot)))
  return { shape, parameters, ...(most.some((one) => one !== undefined) && { most }) }
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
export function onceOf(once: Once, actor: Actor, kept: number): OnceOnly {
  const now = Date.now()
  // Others may use the same key.
  return { ...once, scope: actor.name, now: canonicalMoment(now), since: canonicalMoment(now - kept) }
}

export interface Answering {
  readonly plan: WritePlan
  readonly program: Program
  readonly shape: WorkShape
  readonly cursors: Cursors
  readonly replayed?: true
}

/** @param rows of each command that is wanted the first row */
export function answerOf(answering: Answering, rows: readonly (Cells | undefined)[]): Answer {
  const { plan, program, shape } = answering
  const rowOf = (command: number): Cells | undefined => rows[shape.wanted.indexOf(command)]
  // A secret was told to whoever made it; what is told again is what was kept, and it is not.
  const reveal: Reveal = (slot) => (answering.replayed ? "null" : JSON.stringify(plan.values[slot]))
  const texts = program.answers.map((answer, index) => stepText(answering, answer, index, { rowOf, reveal }))
  const split = plan.steps.map(({ answer }, index) => splitVersion(answer, texts[index] ?? null))
  const created = program.answers.map((answer) => isCreated(answer, rowOf))
  return {
    roots: split.map(({ json }) => json),
    flawed: false,
    ...(split.some(({ version }) => version !== undefined) && {
      versions: split.map(({ version }) => version ?? null),
    }),
    ...(program.answers.some((answer) => answer.created) && { created }),
  }
}

function stepText(
  { plan, program, cursors }: Answering,
  { command }: StepAnswer,
  step: number,
  { rowOf, reveal }: { readonly rowOf: (command: number) => Cells | undefined; readonly reveal: Reveal },
): JsonText | null {
  const { answer } = present(plan.steps[step], "each step has an answer")
  if (command === undefined) return answer.kind === "constant" ? answer.json : null
  const text = rowOf(command)?.[0] ?? null
  return text === null ? null : String(sealCursors(String(text), program.cursors, cursors, reveal))
}

function isCreated({ created }: StepAnswer, rowOf: (command: number) => Cells | undefined): boolean {
  if (!created) return false
  const row = rowOf(created.command)
  return created.column === undefined ? row === undefined : row?.[created.column] === "t"
}
