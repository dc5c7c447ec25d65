// Faults of an answer, or of a later part of one that lasts, for the log.
import type { Faults } from "../http/face.ts"
import type { Observe } from "./observation.ts"

export function reportFaults(observe: Observe, requestId: string, { fault, withheld, unable }: Faults): void {
  if (fault !== undefined) observe({ kind: "failed", requestId, error: fault })
  if (withheld) observe({ kind: "withheld", requestId, error: withheld })
  if (!unable) return
  const { problems, cause } = unable
  observe({ kind: "unanswered", requestId, problem: problems[0], cause, count: 1 })
}
