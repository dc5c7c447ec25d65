// Rows of a resource in a picture of a model: its id, its fields and its relations.
import type { ColumnPair, Field, Model, Relation, Resource, TableName } from "../../model/model.ts"

export interface Row {
  readonly name: string
  /** `text`, `decimal(12,2)?`, `person`, `note[]` */
  readonly type: string
  readonly kind: "id" | "field" | "relation"
}

export function rowsOf({ key, prefix, fields, relations }: Resource): readonly Row[] {
  return [
    ...(key ? [{ name: "id", type: `${prefix}_…`, kind: "id" } as const] : []),
    ...[...fields.values()].map(
      (field) => ({ name: field.name, type: typeOf(field), kind: "field" }) as const,
    ),
    ...[...relations.values()]
      .filter(isDeclared)
      .map((relation) => ({ name: relation.name, type: targetText(relation), kind: "relation" }) as const),
  ]
}

/** Bifold adds histories; no declaration has them. */
const isDeclared = (relation: Relation): boolean => relation.kind === "one" || !relation.history

/** `decimal(12,2)?` */
export function typeOf({ scalar, list, enumeration, optional, constraints }: Field): string {
  const { precision, scale } = constraints
  const size =
    precision === undefined ? "" : `(${[precision, ...(scale === undefined ? [] : [scale])].join(",")})`
  return `${enumeration ?? scalar + size}${list ? "[]" : ""}${optional ? "?" : ""}`
}

const targetText = (relation: Relation): string =>
  `${relation.target}${relation.kind === "many" ? "[]" : relation.optional ? "?" : ""}`

// The ties of a model: both relations that go by one foreign key, or by one join table, are two ends of one line.

/** How many records of that side one record of the other has. */
export type Count = "one" | "optional" | "many"

export interface End {
  readonly resource: string
  /** The relation that is declared there, if there is one. */
  readonly relation?: string
  readonly count: Count
}

export type Tie = readonly [End, End]

/** In the order of the declaration; the side where the foreign key is, is the second where it is known. */
export function tiesOf(model: Model): readonly Tie[] {
  const open = new Map<string, Ended[]>()
  const ties: { readonly near: Ended; far?: Ended }[] = []
  for (const resource of model.resources.values())
    for (const relation of resource.relations.values()) {
      const target = model.resources.get(relation.target)
      if (!target) continue
      const near = { resource, relation, target }
      const waiting = open.get(keyOf(near, "far"))?.shift()
      const tie = waiting && ties.find((each) => each.near === waiting)
      if (tie) tie.far = near
      else {
        ties.push({ near })
        const key = keyOf(near, "near")
        open.set(key, [...(open.get(key) ?? []), near])
      }
    }
  return ties.map(({ near, far }) => tieOf(near, far))
}

interface Ended {
  readonly resource: Resource
  readonly relation: Relation
  readonly target: Resource
}

/** The columns that a relation goes by, seen from where it is declared (`near`) or from where it leads. */
function keyOf({ resource, relation, target }: Ended, seen: "near" | "far"): string {
  const steps =
    relation.kind === "many" && relation.through
      ? [
          stepOf(resource.table, relation.through.near, relation.through.table),
          stepOf(relation.through.table, relation.through.far, target.table),
        ]
      : [stepOf(resource.table, relation.join, target.table)]
  return JSON.stringify(seen === "near" ? steps : steps.toReversed().map((step) => step.toReversed()))
}

const stepOf = (from: TableName, pairs: readonly ColumnPair[], to: TableName): readonly unknown[] => [
  [from.schema, from.name, ...pairs.map((pair) => pair.from)],
  [to.schema, to.name, ...pairs.map((pair) => pair.to)],
]

function tieOf(near: Ended, far: Ended | undefined): Tie {
  const there: End = {
    resource: near.target.name,
    count: countOf(near.relation),
    ...(far && { relation: far.relation.name }),
  }
  const here: End = {
    resource: near.resource.name,
    count: far ? countOf(far.relation) : holders(near),
    relation: near.relation.name,
  }
  return isKeyHere(near.relation) ? [there, here] : [here, there]
}

const countOf = (relation: Relation): Count =>
  relation.kind === "many" ? "many" : relation.optional ? "optional" : "one"

const isKeyHere = (relation: Relation): boolean =>
  relation.kind === "one" && (relation.reference !== undefined || !relation.optional)

/** How many records name one by a relation that is declared on their side only. */
function holders({ resource, relation }: Ended): Count {
  if (relation.kind === "many") return relation.through ? "many" : "one"
  const isUnique = resource.uniques.some(
    ({ members: [only, ...more] }) =>
      more.length === 0 && only?.kind === "reference" && only.relation === relation.name,
  )
  return isUnique ? "optional" : "many"
}
