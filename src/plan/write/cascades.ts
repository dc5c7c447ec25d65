// Cascades of a delete: the records that it owns, their own in turn, and its links.
import type { Place } from "../../base/problem.ts"
import type { ColumnPair, Relation, Resource, TableName, Through } from "../../model/model.ts"
import type { Draft } from "../draft/draft.ts"
import { resourceNamed, wholeOf } from "../lookup.ts"
import type { Slot } from "../read-plan.ts"
import type { Target, Write } from "../write-plan.ts"
import { backOf } from "./inputs.ts"

interface Going {
  /** The key of the record that goes, or of the several that do. */
  readonly keys: Slot
  readonly several?: true
  readonly place: Place
}

/** Owned children are deleted with their record, and so are their own; links are deleted too, and their targets stay. */
export function ownedDeletes(draft: Draft, resource: Resource, going: Going): readonly Write[] {
  const model = wholeOf(draft.model)
  return followers(draft, resourceNamed(model, resource.name), going).map((write) => ({
    ...write,
    cascade: true,
  }))
}

/** In the terms of the whole service: invisible children are deleted too. */
function followers(draft: Draft, resource: Resource, going: Going): readonly Write[] {
  const model = wholeOf(draft.model)
  const { keys, several, place } = going
  const many = several && { several }
  const writes: Write[] = []
  for (const relation of resource.relations.values()) {
    if (relation.kind !== "many") continue
    if (relation.through) {
      writes.push({
        kind: "unlink",
        resource: resource.name,
        place,
        relation: relation.name,
        from: keys,
        ...many,
      })
      continue
    }
    const back = relation.owned ? backOf(model, resource, relation) : undefined
    if (!back) continue
    const child = resourceNamed(model, relation.target)
    const subject = { kind: "reference", relation: back.name } as const
    const target: Target = { by: [{ subject, slot: keys.slot }], ...many }
    if (hasFollowers(draft, child)) {
      const into = draft.pending()
      writes.push({
        kind: "find",
        resource: child.name,
        place,
        where: { kind: "compare", subject, operator: several ? "in" : "eq", operand: keys },
        most: draft.bind(mostChildren),
        into,
      })
      writes.push(...followers(draft, child, { keys: into, several: true, place }))
    }
    writes.push({ kind: "delete", resource: child.name, place, target, any: true })
  }
  return [...writes, ...farLinks(draft, resource, going)]
}

/** The rule of the record is checked before its children are deleted. */
export const mayDelete = (
  own: Pick<Write, "resource" | "place">,
  key: Slot,
  children: readonly Write[],
  several?: true,
): readonly Write[] =>
  children.length === 0 ? [] : [{ kind: "may", ...own, action: "delete", key, ...(several && { several }) }]

/** Children that one deletion may take along, of one kind and level, if each needs a check. */
export const mostChildren = 10_000

const hasFollowers = (draft: Draft, resource: Resource): boolean =>
  [...resource.relations.values()].some(
    (relation) => relation.kind === "many" && (relation.owned || relation.through),
  ) || linksTo(draft, resource).length > 0

/** Many-to-many relations that lead to the resource, if it has no relation of its own from that end. */
function linksTo(
  draft: Draft,
  resource: Resource,
): readonly { readonly from: Resource; readonly relation: Relation }[] {
  const own = new Set(
    [...resource.relations.values()].flatMap((relation) => {
      const through = throughOf(relation)
      return through ? [endOf(through.table, through.near.map(toColumn))] : []
    }),
  )
  return [...wholeOf(draft.model).resources.values()].flatMap((from) =>
    [...from.relations.values()].flatMap((relation) => {
      const through = relation.target === resource.name ? throughOf(relation) : undefined
      return through && !own.has(endOf(through.table, through.far.map(fromColumn)))
        ? [{ from, relation }]
        : []
    }),
  )
}

const throughOf = (relation: Relation): Through | undefined =>
  relation.kind === "many" ? relation.through : undefined

const fromColumn = ({ from }: ColumnPair): string => from
const toColumn = ({ to }: ColumnPair): string => to

/** A table may lead to a resource from both of its ends: the columns distinguish them. */
const endOf = (table: TableName, columns: readonly string[]): string =>
  JSON.stringify([table, [...columns].sort()])

function farLinks(draft: Draft, resource: Resource, { keys, several, place }: Going): readonly Write[] {
  return linksTo(draft, resource).map(({ from, relation }) => ({
    kind: "unlink",
    resource: from.name,
    place,
    relation: relation.name,
    to: keys,
    ...(several && { several }),
  }))
}
