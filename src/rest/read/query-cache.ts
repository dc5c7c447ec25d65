// The questions of requests: read once for each query string, as long as it was asked lately.

import type { RequestCache } from "../../base/caches.ts"
import { collectProblems, type Problem } from "../../base/problem.ts"
import { formOf, isBulk } from "../http/allowed-methods.ts"
import type { ReadRoute, WriteRoute } from "../http/route.ts"
import { parseParameters, parseSeveral, readParameters } from "../question/parameters.ts"
import type { ReadContext } from "../question/request-context.ts"
import { type Question, recordMemberNames, structureOf } from "../question/rest-query.ts"
import { type PlannedRequest, readQuestion } from "./plan.ts"

/** @throws Refusal with every mistake in the request's parameters or its body */
export type Questions = (route: ReadRoute, request: PlannedRequest) => ReadContext

/** Bytes of a question, besides its characters. */
const leastWeight = 1_000
const bytesPerCharacter = 20

interface Read {
  readonly question: Question
  readonly structure: string
}

export function createQuestions(cache: RequestCache): Questions {
  const remember = createMemory<Read>(cache)
  return (route, request) => {
    const own = request.method === "POST" || route.kind === "nodes"
    const { question, structure } = own
      ? asRead(readQuestion(route, request))
      : remember(request.query, () => asRead(readParameters(request.query)))
    return { route, question, structure }
  }
}

/** The query of a write's parameters for its answer, as far as they can be read. */
export interface ReadWrite extends Read {
  /** Reported with those in the body. */
  readonly mistakes: readonly Problem[]
}

/** @throws Refusal when the query is no list of parameters */
export type WriteQuestions = (route: WriteRoute, query: string) => ReadWrite

export function createWriteQuestions(cache: RequestCache): WriteQuestions {
  const remember = createMemory<ReadWrite>(cache)
  return (route, query) =>
    route.kind === "fireMany"
      ? readWriteQuestion(route, query)
      : remember(query, () => readWriteQuestion(route, query))
}

export const readWriteQuestion: WriteQuestions = ({ kind }, query) => {
  const problems = collectProblems()
  const takes = parametersOf(kind)
  const question =
    kind === "fireMany" ? parseSeveral(query, problems, takes) : parseParameters(query, problems, { takes })
  return { ...asRead(question), mistakes: problems.found }
}

/** The parameters that a write takes. */
export function parametersOf(kind: WriteRoute["kind"]): readonly string[] {
  if (kind === "fireMany") return ["filter", "ids", ...recordMemberNames]
  const form = formOf(kind)
  if (form === "nothing") return []
  return isBulk(kind) ? ["filter", ...recordMemberNames] : recordMemberNames
}

const asRead = (question: Question): Read => ({ question, structure: structureOf(question) })

/** A query is cached when it comes again, unless it has mistakes. */
function createMemory<Kept extends Read & { readonly mistakes?: readonly Problem[] }>(cache: RequestCache) {
  const known = cache.open<string, Kept>()
  return (query: string, read: () => Kept): Kept => {
    const kept = known.get(query)
    if (kept) return kept
    const fresh = read()
    if (!fresh.mistakes?.length && cache.seen(query))
      known.set(query, fresh, leastWeight + bytesPerCharacter * query.length)
    return fresh
  }
}
