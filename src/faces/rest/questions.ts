// The questions of requests: read once for each query string, as long as it was asked lately.
import { createRecent } from "../../base/recent.ts"
import { createSeen } from "../../base/seen.ts"
import type { AskedRead } from "./asked.ts"
import { readParameters, readSeveral } from "./parameters.ts"
import { type PlannedRequest, readQuestion } from "./plan.ts"
import { type Question, structureOf } from "./question.ts"
import type { ReadRoute, WriteRoute } from "./route.ts"

/** @throws Refusal with every mistake in the request's parameters or its body */
export type Questions = (route: ReadRoute, request: PlannedRequest) => AskedRead

/** The weight is in bytes. */
const bounds = { count: 2_000, weight: 8_000_000 }

/** What a question takes, besides so much for each character. */
const leastWeight = 1_000
const bytesPerCharacter = 20

export interface Read {
  readonly question: Question
  readonly structure: string
}

export function createQuestions(): Questions {
  const parameters = rememberParameters()
  return (route, request) => {
    const own = request.method === "POST" || route.kind === "nodes"
    const { question, structure } = own ? asRead(readQuestion(route, request)) : parameters(request.query)
    return { route, question, structure }
  }
}

/** What the parameters of a write ask of its answer. @throws Refusal with every mistake in them */
export type WriteQuestions = (route: WriteRoute, query: string) => Read

export function createWriteQuestions(): WriteQuestions {
  const parameters = rememberParameters()
  return (route, query) =>
    route.kind === "fireSeveral" ? readWriteQuestion(route, query) : parameters(query)
}

export const readWriteQuestion: WriteQuestions = (route, query) =>
  asRead(route.kind === "fireSeveral" ? readSeveral(query) : readParameters(query))

const asRead = (question: Question): Read => ({ question, structure: structureOf(question) })

function rememberParameters(): (query: string) => Read {
  const known = createRecent<string, Read>(bounds)
  const seen = createSeen()
  return (query) => {
    const kept = known.get(query)
    if (kept) return kept
    const read = asRead(readParameters(query))
    if (seen(query)) known.set(query, read, leastWeight + bytesPerCharacter * query.length)
    return read
  }
}
