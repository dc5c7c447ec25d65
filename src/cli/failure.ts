// Words what went wrong for the person at the terminal: every mistake, its place, what to do next. No stack traces,
// unless BIFOLD_DEBUG asks for them.
import { kindOf, type Place, type Problem, Refusal } from "../base/problem.ts"
import type { Terminal } from "./terminal.ts"

/** What a process ends with: all is well; what was asked for failed; the command line is wrong. */
export const exitCodes = { fine: 0, failed: 1, usage: 2 } as const

/** Says what went wrong, and gives the exit code. */
export function sayFailure(error: unknown, terminal: Terminal): number {
  terminal.settle()
  sayStack(error, terminal)
  if (error instanceof Refusal) {
    terminal.say(problemLines(error.problems, terminal))
    return error.problems.every(({ code }) => code === "invalid_command") ? exitCodes.usage : exitCodes.failed
  }
  const message = error instanceof Error ? error.message : String(error)
  terminal.say(`${terminal.err.red("✗")} ${message}`)
  if (!terminal.debug)
    terminal.say(
      `  ${terminal.err.dim("Run it again with BIFOLD_DEBUG=1 for the details, and report them.")}`,
    )
  return exitCodes.failed
}

/** With the fault behind it, where there is one; only when stack traces are wanted. */
export function sayStack(error: unknown, terminal: Terminal): void {
  if (!terminal.debug) return
  const cause = error instanceof Error ? error.cause : undefined
  for (const fault of cause === undefined ? [error] : [error, cause])
    terminal.say(fault instanceof Error ? (fault.stack ?? fault.message) : String(fault))
}

/** One mistake after the other, each with its place and hint. */
export function problemLines(problems: readonly Problem[], { err }: Pick<Terminal, "err">): string {
  return problems
    .map((problem) => {
      const place =
        problem.place === undefined || problem.place.length === 0
          ? ""
          : `${err.bold(placeText(problem.place))}\n  `
      const hint = problem.hint === undefined ? "" : `\n  ${err.dim(`→ ${problem.hint}`)}`
      return `${err.red("✗")} ${place}${problem.message}${hint}`
    })
    .join("\n")
}

/** `resources.order.fields.total`, with list positions and odd names in brackets. */
export function placeText(place: Place): string {
  return place
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`
      if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(step)) return `[${JSON.stringify(step)}]`
      return index === 0 ? step : `.${step}`
    })
    .join("")
}

/** For `--json`. */
export function problemJson(problem: Problem): object {
  const { code, message, hint, place } = problem
  return {
    code,
    kind: kindOf(problem),
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(place === undefined ? {} : { place }),
  }
}
