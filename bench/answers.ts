// Whether two servers give the same answer, and what Bifold's clients know before they ask: cursors of earlier pages.
import { isDeepStrictEqual } from "node:util"
import { positionUnit } from "./by-hand/statements.ts"
import type { HttpRequest, Spelling, Turn, WorkloadName } from "./workloads.ts"

/** The parsed body of a response of 200; throws for any other. */
export type AskJson = (request: HttpRequest) => Promise<unknown>

/** Members that hold a position or null; each server spells positions differently. */
const positions: ReadonlySet<string> = new Set(["next", "prev", "startCursor", "endCursor"])

export function withoutCursors(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCursors)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      positions.has(key) && typeof inner === "string" ? "(cursor)" : withoutCursors(inner),
    ]),
  )
}

/**
 * The content of an answer, independent of the server's schema: records and lists without envelopes, numbers and ids as
 * bare digits. Peers spell connections, ids and decimals differently.
 */
export function essenceOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essenceOf)
  if (typeof value === "boolean") return value ? 1 : 0
  if (typeof value === "string")
    return /^([a-z]+_)?-?\d+(\.\d+)?$/.test(value) ? Number(bareId(value)) : value
  if (typeof value !== "object" || value === null) return value
  const list =
    "nodes" in value ? value.nodes : "data" in value && Array.isArray(value.data) ? value.data : undefined
  if (list !== undefined) return essenceOf(list)
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]): [string, unknown] => [key, key === "unitPrice" ? cents(inner) : essenceOf(inner)])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** Some show a price as SQLite's tables hold it. */
const cents = (price: unknown): number =>
  Number.isInteger(price) ? Number(price) : Math.round(Number(price) * 100)

const bareId = (text: string): string => text.slice(text.indexOf("_") + 1)

/** The records that one request creates several times have an id of their own each time. */
export function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (key === "id" ? [] : [[key, withoutIds(inner)]])),
  )
}

export function sameAnswer(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(withoutCursors(one), withoutCursors(other))
}

/** Ids and positions as the hand-written servers read them: positions are the order's numbers, unsealed. */
export const handSpelling: Spelling = {
  record: (id) => `track_${id}`,
  genre: (id) => `genre_${id}`,
  cursor: (turn) =>
    String(turn.kind === "filtered" ? turn.milliseconds * positionUnit + turn.after : turn.after),
}

const lists: Readonly<Partial<Record<WorkloadName, string>>> = {
  W2: "tracks(where: $where, orderBy: [{field: milliseconds}], first: $first)",
  W3: "albums(where: $where, first: $first)",
  W4: "artists(where: $where, first: $first)",
  W7: "tracks(where: $where, first: $first)",
}
const types: Readonly<Partial<Record<WorkloadName, string>>> = { W3: "Album", W4: "Artist" }

/** Records of a page. */
const mostAtOnce = 1_000

/** Bifold seals its cursors, so it is asked for them: by GraphQL, they are good in both faces. */
export async function bifoldSpelling(
  ask: AskJson,
  name: WorkloadName,
  turns: readonly Turn[],
): Promise<Spelling> {
  const list = lists[name]
  if (list === undefined) return handSpelling
  const ids = [...new Set(turns.flatMap((turn) => ("after" in turn ? [turn.after] : [])))]
  const query = `query ($where: ${types[name] ?? "Track"}Where!, $first: Int!) { page: ${list} { edges { cursor node { id } } } }`
  const cursors = new Map<number, string>()
  for (let begin = 0; begin < ids.length; begin += mostAtOnce) {
    const some = ids.slice(begin, begin + mostAtOnce)
    const variables = { where: { id: { in: some.map(String) } }, first: some.length }
    const answer = await ask({ method: "POST", path: "/graphql", body: JSON.stringify({ query, variables }) })
    for (const { cursor, node } of (answer as CursorAnswer).data.page.edges)
      cursors.set(Number(bareId(node.id)), cursor)
  }
  return {
    ...handSpelling,
    cursor: ({ after }) => {
      const cursor = cursors.get(after)
      if (cursor === undefined) throw new Error(`${name}: no cursor was given for ${after}`)
      return cursor
    },
  }
}

interface CursorAnswer {
  readonly data: {
    readonly page: {
      readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[]
    }
  }
}
