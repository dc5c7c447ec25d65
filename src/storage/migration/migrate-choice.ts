// Which steps of a migration are run: those that lose nothing, and those that were named.
import { type Problem, Refusal, refusal } from "../../base/problem.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { hintOf, type Question, type Step } from "../../sql/migration/steps.ts"

export interface MigrationRun {
  /** Names of steps that may lose data. */
  readonly allow: readonly string[]
  /**
   * Called before each step's first command, and while another process is waited for. On SQLite all steps are one
   * transaction, so it is called for all of them before the first command.
   */
  readonly say?: (text: string) => void
}

export interface Migrated {
  readonly done: readonly Step[]
  /** Removals that are not run, because they were not allowed. */
  readonly kept: readonly Step[]
}

export interface Choice extends Migrated {
  /** Steps that must not be run, and names of none. */
  readonly problems: readonly Problem[]
  /** Steps that may be run, or could be once they are allowed: what has to hold of the records is asked of them. */
  readonly asked: readonly Step[]
}

/** Steps to run, and steps to leave. */
export function chooseSteps(steps: readonly Step[], allow: readonly string[]): Choice {
  const isAllowed = ({ loses, name }: Step): boolean => !loses || allow.includes(name)
  const done = steps.filter(isAllowed)
  const names = new Set(done.map(({ name }) => name))
  const refused = steps.flatMap((step): readonly Problem[] => {
    if (step.refused && (isAllowed(step) || !step.leftover)) return [problemOf(step, step.refused)]
    if (!isAllowed(step) && !step.leftover)
      return [
        problemOf(step, {
          message: `It would ${step.says}.`,
          hint: [hintOf(step), `If that is meant: bifold migrate apply --allow ${step.name}`]
            .filter(Boolean)
            .join(" "),
        }),
      ]
    const missing = isAllowed(step) ? (step.needs ?? []).filter((name) => !names.has(name)) : []
    const hint = `Allow these as well: ${missing.map((name) => `--allow ${name}`).join(" ")}`
    return missing.length > 0 ? [problemOf(step, { message: "Columns that stay lead to it.", hint })] : []
  })
  return {
    done,
    kept: steps.filter((step) => !isAllowed(step)),
    problems: [...noSteps(steps, allow), ...refused],
    asked: steps.filter((step) => isAllowed(step) || !step.leftover),
  }
}

/** A step may be done already, so that the same command can be run again; what can be no step's name is a mistake. */
function noSteps(steps: readonly Step[], allow: readonly string[]): readonly Problem[] {
  const losing = steps.filter(({ loses }) => loses).map(({ name }) => name)
  const hint =
    losing.length > 0 ? `These can be allowed: ${losing.join(", ")}.` : "No step here loses anything."
  return allow
    .filter((name) => !/^(?:drop|change):./.test(name) && !steps.some((step) => step.name === name))
    .map((name) => ({ code: "invalid_command", message: `No step is called ${quoteInput(name)}.`, hint }))
}

export function settle([first, ...rest]: readonly Problem[]): void {
  if (first) throw new Refusal([first, ...rest])
}

export const problemOf = ({ name }: Step, { message, hint }: { message: string; hint: string }): Problem => ({
  code: "migration_refused",
  message: `${name}: ${message}`,
  hint,
})

/** The question with what it found. @param rows at least one */
export function answered(question: Question, rows: readonly Readonly<Record<string, unknown>>[]): Question {
  if (question.finds === undefined) return question
  const found = rows.map(({ value, count }) =>
    question.finds === "counts" ? `${count} in "${value}"` : String(value),
  )
  return { ...question, message: `${question.message}: ${found.join(", ")}.` }
}

/** A refusal by the database itself: everything before it is done, and running again goes on from there. */
export function failed(shown: string, fault: unknown): unknown {
  if (fault instanceof Refusal) return fault
  const said = fault instanceof Error ? fault.message : String(fault)
  return refusal("migration_refused", `The database ${shown} could not be migrated: ${said}`, {
    hint: "Correct what it says and run the command again: it goes on from where it is.",
  })
}
