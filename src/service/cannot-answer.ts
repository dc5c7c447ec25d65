// Answers of an embedded service that is closed, or could not be opened. Only the observation says why.
import { textOf } from "../base/json.ts"
import { type Problem, Refusal, refusal } from "../base/problem.ts"
import { problemResponse } from "../rest/question/problem.ts"
import { requestIdOf } from "../server/incoming.ts"
import type { Observe } from "../server/observation.ts"

export interface CannotAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

export function plainProblem(refused: Refusal, requestId = requestIdOf(undefined)): CannotAnswer {
  const { status, headers, body } = problemResponse(refused, { requestId, locate: () => ({}) })
  return {
    status,
    headers: { ...(headers as Record<string, string>), "x-request-id": requestId },
    body: textOf(body),
  }
}

/** @param cause of a service that could not be opened; undefined for one that has been closed */
export async function cannotAnswer(cause: unknown, observe: Observe | undefined): Promise<CannotAnswer> {
  if (cause === undefined)
    return plainProblem(refusal("resource_unavailable", "This service has been closed."))
  const requestId = requestIdOf(undefined)
  const tell = observe ?? (await writtenObservations())
  const problem: Problem = { code: "resource_unavailable", message: "The service could not be opened." }
  tell({ kind: "unanswered", requestId, problem, cause, count: 1 })
  return plainProblem(new Refusal([problem]), requestId)
}

// Observations of an embedded service whose host does not take them: they are written to stderr, as the command line does.
export async function writtenObservations(): Promise<Observe> {
  const { sayObservation } = await import("../observe/observations.ts")
  const { openTerminal } = await import("../observe/terminal/terminal.ts")
  const terminal = openTerminal(process)
  return (observation) => sayObservation(terminal, observation)
}
