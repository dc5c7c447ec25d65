// Before anything is timed: do all who take part answer alike?
import { type AskJson, essenceOf, sameAnswer, withoutIds } from "./answers.ts"
import type { Contestant } from "./servers.ts"
import type { HttpRequest, WorkloadName } from "./workloads.ts"

export interface Prepared {
  readonly contestant: Contestant
  readonly url: string
  readonly pid: number
  readonly ask: AskJson
  readonly requests: readonly HttpRequest[]
}

/** How many of a workload's requests are compared. */
const samples = 10

/** Throws with both answers where two differ. Peers name and wrap things otherwise, so that only what they say counts. */
export async function refuseDifferences(
  workload: WorkloadName,
  prepared: readonly Prepared[],
): Promise<void> {
  const compared = (answer: unknown): unknown => {
    const said = withoutExtensions(answer)
    return workload === "insert" ? withoutIds(said) : said
  }
  const [first, ...others] = prepared
  if (!first) return
  for (const other of others) {
    const step = Math.max(1, Math.floor(first.requests.length / samples))
    for (let index = 0; index < first.requests.length; index += step) {
      const [one, two] = (await Promise.all([answerOf(first, index), answerOf(other, index)])).map(compared)
      if (
        other.contestant.kind === "peer" ? sameAnswer(recordsOf(one), recordsOf(two)) : sameAnswer(one, two)
      )
        continue
      const shown = (answer: unknown): string => JSON.stringify(answer).slice(0, 1_500)
      throw new Error(
        `${first.contestant.name} and ${other.contestant.name} answer differently, so that nothing can be compared.
${JSON.stringify(first.requests[index])}
${shown(other.contestant.kind === "peer" ? recordsOf(one) : one)}
${JSON.stringify(other.requests[index])}
${shown(other.contestant.kind === "peer" ? recordsOf(two) : two)}`,
      )
    }
  }
}

/** Where callers have a budget, GraphQL says in every answer what it took. */
function withoutExtensions(answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null || !("extensions" in answer)) return answer
  const { extensions: _, ...rest } = answer
  return rest
}

function answerOf({ ask, requests }: Prepared, index: number): Promise<unknown> {
  const request = requests[index]
  if (!request) throw new Error("Everybody is asked equally many questions.")
  return ask(request)
}

/** GraphQL's `data` has one root, whatever it is called. */
function recordsOf(answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null) return answer
  if (!("data" in answer) || typeof answer.data !== "object" || answer.data === null) return essenceOf(answer)
  return essenceOf(Array.isArray(answer.data) ? answer.data : payloadOf(Object.values(answer.data)[0]))
}

/** Some answer a mutation with the record, some with an object around it. */
const payloadOf = (root: unknown): unknown =>
  typeof root === "object" && root !== null && "track" in root ? root.track : root
