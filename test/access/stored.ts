// All records of a house as they are stored, to be held against what they should be.
import type { Model } from "../../src/model/model.ts"
import type { Entry, Store } from "../support/naive-access.ts"
import type { House } from "./doors.ts"
import { scalarsOf } from "./verdict.ts"

interface Stored {
  readonly records: Readonly<Record<string, readonly Entry[]>>
  /** Pairs as text. */
  readonly links: Readonly<Record<string, readonly string[]>>
}

const byText = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : 1)
const sorted = (rows: readonly Entry[]): readonly Entry[] =>
  [...rows].sort((a, b) => byText(a["id"], b["id"]))

/** What the naive records are, in the form of `dump`. */
export const canonical = ({ records, links }: Store): Stored => ({
  records: Object.fromEntries(Object.entries(records).map(([name, rows]) => [name, sorted(rows)])),
  links: Object.fromEntries(
    Object.entries(links).map(([through, pairs]) => [
      through,
      pairs.map((pair) => Object.values(pair).sort().join(" ")).sort(),
    ]),
  ),
})

export async function dump(house: House, whole: Model): Promise<Stored> {
  const records: Record<string, readonly Entry[]> = {}
  const links: Record<string, readonly string[]> = {}
  for (const resource of whole.resources.values()) {
    const through = [...resource.relations.values()].flatMap((one) =>
      one.kind === "many" && one.through && !(one.through.table.name in links)
        ? [{ ...one, through: one.through }]
        : [],
    )
    const inner = through.map(({ name }) => `${name}(first: 100) { nodes { id } }`).join(" ")
    const text = `{ all: ${resource.collection}(first: 100) { nodes { ${scalarsOf(resource).join(" ")} ${inner} } totalCount } }`
    const { body } = await house.everybody.graphql(text)
    const { nodes, totalCount } = JSON.parse(body).data.all
    if (totalCount > nodes.length) throw new Error(`too many records of ${resource.name}`)
    for (const { name, through: to } of through)
      links[to.table.name] = nodes
        .flatMap((node: Record<string, { nodes: readonly Entry[] }>) =>
          (node[name]?.nodes ?? []).map(({ id }) => [node["id"], id].sort().join(" ")),
        )
        .sort()
    const linked = new Set(through.map(({ name }) => name))
    records[resource.name] = sorted(
      nodes.map((node: Entry) =>
        Object.fromEntries(Object.entries(node).filter(([name]) => !linked.has(name))),
      ),
    )
  }
  return { records, links }
}
