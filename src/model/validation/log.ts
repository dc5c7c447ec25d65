// The log's options: a time that it is kept for, and whose changes are captured, of a service that has a log.

import { isLogged } from "../build/history.ts"
import type { ServiceDeclaration } from "../declaration/declaration.ts"
import { readDuration } from "../log.ts"
import type { Report, Rule } from "./context.ts"

export const log: Rule = (service, report) => {
  const { keep, capture } = service.log ?? {}
  if (keep !== undefined) checkKeep(keep, report)
  if (capture !== undefined && service.managed !== false)
    report(
      ["log", "capture"],
      "Bifold manages the tables of this service, and counts the versions of their records: changes by other programs are not captured.",
      "Write to them by Bifold, or serve them as they are with `managed: false`.",
    )
  const first = keep === undefined ? capture && "capture" : "keep"
  if (first && !hasLog(service))
    report(
      ["log", first],
      "Nothing is in the log of this service.",
      "A resource with states, with events or with history: true is logged, and one that handlers follow.",
    )
}

function checkKeep(keep: string, report: Report): void {
  if (readDuration(keep) === undefined)
    report(
      ["log", "keep"],
      `${JSON.stringify(keep)} is no time that a log is kept for.`,
      'Give hours, days, weeks or years, such as "30 days"; a century at the most.',
    )
}

const hasLog = ({ resources, code }: ServiceDeclaration): boolean =>
  code?.on !== undefined || Object.values(resources).some(isLogged)
