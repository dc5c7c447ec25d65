// How long the log is kept: a time, of a service that has a log.
import { isLogged } from "../build/history.ts"
import { readDuration } from "../log.ts"
import type { Rule } from "./context.ts"

export const log: Rule = ({ log: declared, resources, code }, report) => {
  const { keep } = declared ?? {}
  if (keep === undefined) return
  if (readDuration(keep) === undefined)
    report(
      ["log", "keep"],
      `${JSON.stringify(keep)} is no time that a log is kept for.`,
      'Give hours, days, weeks or years, such as "30 days"; a century at the most.',
    )
  const isNeeded = code?.on !== undefined || Object.values(resources).some(isLogged)
  if (!isNeeded)
    report(
      ["log", "keep"],
      "Nothing is in the log of this service.",
      "A resource with states, with events or with history: true is logged, and one that handlers follow.",
    )
}
