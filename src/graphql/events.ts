// Pages of events in an answer: the feed reads them, and the answer shows their selected members.
import { present } from "../base/invariant.ts"
import { type JsonText, type JsonValue, joinObject } from "../base/json.ts"
import type { Request } from "../base/request.ts"
import type { ReadEvents } from "../http/changes.ts"
import type { Actor } from "../plan/access/actor.ts"
import { unusedPoints } from "../plan/cost/points.ts"
import type { Answer } from "../plan/read-plan.ts"
import type { SelectedPart } from "./document/planned-operation.ts"
import type { Executable } from "./document/query-cache.ts"

/** Texts of the pages by their response keys. */
export type EventPages = ReadonlyMap<string, JsonText>

export interface WithEvents {
  readonly answer: Answer
  readonly pages: EventPages
}

interface Answered extends Pick<WithEvents, "answer"> {
  readonly actor: Actor
  readonly request: Request | undefined
}

export const noPages: EventPages = new Map()

/** Rejects with a Refusal for what cannot be asked. @param answer of the rest, which has charged for them */
export async function withEvents(
  events: ReadEvents | undefined,
  { outputs, asked }: Pick<Executable, "outputs" | "asked">,
  { answer, actor, request }: Answered,
): Promise<WithEvents> {
  const wanted = outputs.filter((output) => output.kind === "events")
  if (wanted.length === 0) return { answer, pages: noPages }
  const read = present(events, "a service with events has pages of them")
  // Any change may be one of them.
  request?.note?.(undefined)
  const pages = new Map<string, JsonText>()
  const meter = request?.meter
  for (const { group, events: planned } of wanted) {
    const page = await read({ actor, request, ...planned.read(asked) })
    meter?.refund(unusedPoints(planned.limit, page.nodes.length))
    const edges = page.nodes.map((node) => ({ cursor: node["id"] ?? null, node }))
    const pageInfo = {
      hasNextPage: page.hasMore,
      hasPreviousPage: false,
      startCursor: page.nodes[0]?.["id"] ?? null,
      endCursor: page.next,
    }
    pages.set(group.key, shown({ edges, nodes: page.nodes, pageInfo }, planned.parts))
  }
  return { answer: meter ? { ...answer, cost: meter.cost } : answer, pages }
}

type Shown = JsonValue | { readonly [name: string]: Shown } | readonly Shown[]

function shown(value: Shown, parts: readonly SelectedPart[] | undefined): JsonText {
  if (!parts || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((one: Shown) => shown(one, parts)).join(",")}]`
  const object = value as { readonly [name: string]: Shown }
  return joinObject(parts.map(({ key, name, of, json }) => [key, json ?? shown(object[name] ?? null, of)]))
}
