// Rows of a resource in a picture of a model: its id, its fields and its relations.
import type { Field, Relation, Resource } from "../model/model.ts"

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

/** A history comes by itself. */
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
