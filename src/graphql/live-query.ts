// A live read: its answer, then JSON Patches to `data` as other people's writes change it.
import { getDirectiveValues } from "graphql"
import { kindEntry } from "../base/codes.ts"
import { type JsonText, joinJson, textOf } from "../base/json.ts"
import { kindOf, Refusal, refusal } from "../base/problem.ts"
import type { Request } from "../base/request.ts"
import { type AwaitWrites, readInterval } from "../http/changes.ts"
import { faultIn } from "../http/face.ts"
import { type Asked, createSources, type LiveItem, liveFrames } from "../http/live.ts"
import { dataIn } from "./data.ts"
import { formatError } from "./document/errors.ts"
import type { PreparedOperation } from "./document/prepare.ts"
import type { VariableRequest } from "./document/variables.ts"
import { withEvents } from "./events.ts"
import { planOperation } from "./planning/plan.ts"
import { liveDirective } from "./schema/live-directive.ts"
import type { Subscriber, Subscribing } from "./subscription.ts"

export interface LiveQuery {
  readonly prepared: PreparedOperation
  readonly variables: VariableRequest
  /** Milliseconds between two answers, at the least. */
  readonly interval: number
}

/** Undefined for a query that is answered once. Throws a Refusal for an interval that cannot be kept. */
export function intervalOf({ operation: { definition } }: PreparedOperation, variables: VariableRequest) {
  const marked = definition.directives?.some(({ name }) => name.value === liveDirective.name)
  if (!marked) return undefined
  const { interval } = getDirectiveValues(liveDirective, definition, variables.all()) ?? {}
  const read = readInterval(Number(interval))
  if (read !== undefined) return read
  throw refusal("invalid_value", "`interval` must be a number of seconds from 0.1 to 3600.", {
    place: ["interval"],
  })
}

/** Results as JSON: `data` with its `revision`, then `patch` with the next one. Rejects with a Refusal for what cannot be read. */
export async function followQuery(
  { context, answer, introspection, events }: Subscribing,
  { prepared, variables, interval }: LiveQuery,
  { actor, inner, requestId, signal, run, cut, report }: Subscriber,
  writes: AwaitWrites,
): Promise<AsyncGenerator<JsonText, void>> {
  const told = (errors: readonly Parameters<typeof formatError>[0][]): JsonText =>
    JSON.stringify(errors.map((error) => formatError(error, requestId, introspection)))
  const sources = createSources()
  const read = async (own: Request | undefined): Promise<Asked> => {
    const { plan, outputs } = planOperation(context, prepared, variables)
    const of = { operation: prepared.operation, asked: variables, outputs }
    const request = sources.noted(own)
    const found = await answer(plan, actor, request)
    const answered = await withEvents(events, of, { answer: found, actor, request })
    const { data, errors } = dataIn(of, answered)
    const text = textOf(joinJson(data))
    if (errors.length === 0) return { kind: "answer", text }
    return { kind: "answer", text: `{"data":${text},"errors":${told(errors)}}`, isWhole: true }
  }
  const ask = async (): Promise<Asked> => {
    try {
      return await (run?.(read) ?? read(undefined))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { blame, rest } = kindEntry(kindOf(error.problems[0]))
      report?.(faultIn(error))
      if (blame === "service" || rest === 429) return { kind: "later" }
      return { kind: "refused", text: `{"errors":${told(error.problems)}}` }
    }
  }
  const awaited = await writes({ request: inner, signal, cut, concerns: sources.concerns })
  const first = await read(inner)
  return endingInErrors(liveFrames(first, { ask, awaited, interval, signal, encode: encodeResults() }))

  async function* endingInErrors(texts: AsyncIterable<JsonText>): AsyncGenerator<JsonText, void> {
    try {
      yield* texts
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (signal.aborted) return
      report?.(faultIn(error))
      yield `{"errors":${told(error.problems)}}`
    }
  }
}

function encodeResults(): (item: LiveItem) => JsonText {
  let revision = 0
  return (item) => {
    revision += 1
    if (item.kind === "patch") return `{"patch":${JSON.stringify(item.patch)},"revision":${revision}}`
    if (item.kind === "refused") return item.text
    if (item.isWhole) return `${item.text.slice(0, -1)},"revision":${revision}}`
    return `{"data":${item.text},"revision":${revision}}`
  }
}
