// Words what went wrong for the person at the terminal: every mistake, its place, what to do next. No stack traces,
// unless BIFOLD_DEBUG asks for them.
import { relative } from "node:path"
import { kindOf, type Place, type Problem, Refusal } from "../../base/problem.ts"
import { withoutSecrets } from "../logs/safe-text.ts"
import type { Terminal } from "./terminal.ts"

/** Exit codes: all is well; the command failed; the command line is wrong. */
export const exitCodes = { fine: 0, failed: 1, usage: 2 } as const

export const exitCodeOf = (problems: readonly Problem[]): number =>
  problems.every(({ code }) => code === "invalid_command") ? exitCodes.usage : exitCodes.failed

/** Says what went wrong, and gives the exit code. */
export function sayFailure(error: unknown, terminal: Terminal): number {
  terminal.settle()
  sayStack(error, terminal)
  if (error instanceof Refusal) {
    terminal.say(problemLines(error.problems, terminal))
    return exitCodeOf(error.problems)
  }
  const message = withoutSecrets(error instanceof Error ? error.message : String(error))
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
    terminal.say(withoutSecrets(fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)))
}

/** One mistake after the other, each with its place and hint; the same one in several places is one. */
export function problemLines(problems: readonly Problem[], { err }: Pick<Terminal, "err">): string {
  return grouped(problems)
    .map(({ problem: { message, hint }, places, sources }) => {
      const lines = [message, ...(hint === undefined ? [] : [err.dim(`→ ${hint}`)])]
      const place = placesText(places)
      const source = sources.length > 0 ? ` (${listed(sources, 3)})` : ""
      const head = place === "" ? [] : [`${err.bold(place)}${source}`]
      return `${err.red("✗")} ${[...head, ...lines].join("\n  ")}`
    })
    .join("\n")
}

interface Group {
  readonly problem: Problem
  readonly places: readonly string[]
  /** `service.ts:12`, each once. */
  readonly sources: readonly string[]
}

/** Problems with equal words, such as one name that many rules share. */
function grouped(problems: readonly Problem[]): readonly Group[] {
  const groups = Map.groupBy(problems, ({ message, hint }) => JSON.stringify([message, hint]))
  return [...groups.values()].flatMap(([problem, ...same]) => {
    if (!problem) return []
    const all = [problem, ...same]
    const texts = (textOf: (one: Problem) => string): readonly string[] => [
      ...new Set(all.map(textOf).filter((text) => text !== "")),
    ]
    return {
      problem,
      places: texts(({ place }) => placeText(place ?? [])),
      sources: texts(({ source }) => (source ? `${relative("", source.file)}:${source.line}` : "")),
    }
  })
}

/** As many as are listed: what many places share is one. */
export const countOf = (problems: readonly Problem[]): number => grouped(problems).length

const placesText = (places: readonly string[]): string =>
  places.length > 1 ? `in ${places.length} places: ${listed(places, 3)}` : (places[0] ?? "")

const listed = (texts: readonly string[], most: number): string =>
  texts.length <= most
    ? texts.join(", ")
    : `${texts.slice(0, most).join(", ")} and ${texts.length - most} more`

/** `resources.order.fields.total`, with list positions and odd names in brackets; an option as it is written. */
export function placeText(place: Place): string {
  return place
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`
      if (index === 0 && /^--[a-z-]+$/.test(step)) return step
      if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(step)) return `[${JSON.stringify(step)}]`
      return index === 0 ? step : `.${step}`
    })
    .join("")
}

/** For `--json`. */
export function problemJson(problem: Problem): object {
  const { code, message, hint, place, source } = problem
  return {
    code,
    kind: kindOf(problem),
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(place === undefined ? {} : { place }),
    ...(source === undefined ? {} : { source }),
  }
}
