// The questions of requests: read once for each query string, as long as it was asked lately.
import { createRecent } from "../../base/recent.ts"
import { createSeen } from "../../base/seen.ts"
import type { AskedRead } from "./asked.ts"
import { type PlannedRequest, readQuestion } from "./plan.ts"
import { type Question, structureOf } from "./question.ts"
import type { ReadRoute } from "./route.ts"

/** @throws Refusal with every mistake in the request's parameters or its body */
export type Questions = (route: ReadRoute, request: PlannedRequest) => AskedRead

/** The weight is in bytes. */
const bounds = { count: 2_000, weight: 8_000_000 }

/** What a question takes, besides so much for each character. */
const leastWeight = 1_000
const bytesPerCharacter = 20

interface Read {
  readonly question: Question
  readonly structure: string
}

export function createQuestions(): Questions {
  const known = createRecent<string, Read>(bounds)
  const seen = createSeen()
  const read = (route: ReadRoute, request: PlannedRequest): Read => {
    const question = readQuestion(route, request)
    return { question, structure: structureOf(question) }
  }
  return (route, request) => {
    if (request.method === "POST" || route.kind === "nodes") return { route, ...read(route, request) }
    const { query } = request
    let kept = known.get(query)
    if (!kept) {
      kept = read(route, request)
      if (seen(query)) known.set(query, kept, leastWeight + bytesPerCharacter * query.length)
    }
    return { route, question: kept.question, structure: kept.structure }
  }
}
