// What can be asked of the life of records, by both faces: what became of them, and what is possible with them, of one
// record, in lists, through relations, by pages; and what cannot: to look for records by it.
import type { Resource } from "../../src/model/model.ts"
import type { TextResponse } from "../support/text-face.ts"
import type { Doors } from "./doors.ts"
import type { Guarded } from "./guarded.ts"
import type { Twin } from "./twin.ts"

interface LifeQuestion {
  readonly what: string
  ask(doors: Doors): Promise<TextResponse>
  /** The page after this one, where there is one. */
  readonly next?: (answer: TextResponse) => LifeQuestion | undefined
}

export const entryMembers = "version type at actor transition from to input changes"
const told = "transitions { name to machine allowed reasons { code message } description input }"
const pages = "pageInfo { hasNextPage hasPreviousPage startCursor endCursor }"
const history = (args: string): string =>
  `history(${args}) { totalCount ${pages} edges { cursor node { ${entryMembers} } } }`

const graphql = (text: string): LifeQuestion => ({ what: text, ask: (doors) => doors.graphql(text) })

function rest(path: string, query = "", headers: Readonly<Record<string, string>> = {}): LifeQuestion {
  return {
    what: `${path}?${query}`,
    ask: (doors) => doors.rest({ path, query, headers }),
    next({ status, body }) {
      const cursor = status === 200 && path.endsWith("/history") && JSON.parse(body).page.next
      return cursor ? rest(path, `limit=1&after=${cursor}`) : undefined
    },
  }
}

/** @param most records of each resource, of either database */
export function lifeQuestions(
  { whole, world }: Guarded,
  twin: Twin,
  { most, about }: { readonly most: number; readonly about: string | undefined },
): readonly LifeQuestion[] {
  const resources = [...whole.resources.values()]
  return resources
    .filter(({ logged, name }) => logged && (about === undefined || name === about))
    .flatMap((resource) => {
      const rows = [world, twin.world].flatMap(({ rows }) => rows.get(resource.name) ?? [])
      const step = Math.max(1, Math.floor(rows.length / most))
      const some = rows.filter((_, index) => index % step === 0)
      return [
        ...some.flatMap(({ id }) => ofRecord(resource, String(id))),
        ...ofList(resource),
        ...resources.flatMap((from) => through(from, resource)),
      ]
    })
}

const members = ({ machines }: Resource, args: string): string =>
  machines.size > 0 ? `${history(args)} ${told}` : history(args)

function ofRecord(resource: Resource, id: string): readonly LifeQuestion[] {
  const path = `/${resource.path}/${encodeURIComponent(id)}`
  const named = `${resource.name}(id: ${JSON.stringify(id)})`
  return [
    graphql(`{ it: ${named} { id etag ${members(resource, "first: 100")} } }`),
    graphql(`{ it: ${named} { ${history("last: 1")} } }`),
    rest(`${path}/history`),
    rest(`${path}/history`, "limit=1"),
    rest(`${path}/history`, "limit=1&from=end"),
    rest(path, "include=history"),
    ...(resource.machines.size > 0 ? [rest(path, "fields=transitions"), rest(`${path}/transitions`)] : []),
  ]
}

function ofList(resource: Resource): readonly LifeQuestion[] {
  const path = `/${resource.path}`
  const list = (args: string): string =>
    `{ list: ${resource.collection}(${args}) { nodes { id ${members(resource, "first: 2")} } } }`
  return [
    graphql(list("first: 50")),
    graphql(list(`first: 50, where: { history: { some: { type: { eq: "${resource.name}.updated" } } } }`)),
    rest(path, "include=history&limit=50"),
    rest(path, `filter[history][some][type][eq]=${resource.name}.updated`),
    rest(path, "sort=history"),
    ...(resource.machines.size > 0
      ? [rest(path, "fields=transitions&limit=100", { accept: "text/csv" })]
      : []),
  ]
}

const through = (from: Resource, to: Resource): readonly LifeQuestion[] =>
  [...from.relations.values()]
    .filter(({ target }) => target === to.name)
    .map(({ kind, name }) => {
      const inner = `id ${members(to, "last: 2")}`
      const reached = kind === "one" ? `${name} { ${inner} }` : `${name}(first: 5) { nodes { ${inner} } }`
      return graphql(`{ list: ${from.collection}(first: 20) { nodes { id ${reached} } } }`)
    })
