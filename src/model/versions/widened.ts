// A to-one relation that became a to-many one: it leads to the first of the related records that the caller sees.
import { suggest } from "../../base/suggest.ts"
import type { Subject } from "../condition.ts"
import { referenceName } from "../declaration/default-names.ts"
import { isFormerField, isFormerRelation } from "../former-fields.ts"
import type { Relation, Resource, ToOne } from "../model.ts"
import { apiName } from "../names.ts"
import { isSortable } from "../operators.ts"
import { find, lacksMember, type Of, pathNames, taken, type Undoing } from "./undoing.ts"

export function undoWidened(undoing: Undoing, change: Of<"widened">): void {
  const { resources, since, report } = undoing
  const resource = find(undoing, change.resource)
  if (!resource) return
  const { before, now, required } = change
  const relation = resource.relations.get(now)
  if (relation?.kind !== "many" || relation.history) {
    refuseRelation(undoing, resource, now, relation)
    return
  }
  const target = resources.get(relation.target)
  const reference = referenceName(before)
  const left = new Map([...resource.relations].filter(([name]) => name !== now))
  for (const name of [before, reference])
    if (namesOf({ ...resource, relations: left }).includes(name)) taken(undoing, resource, name)
  const order =
    target && change.first.map((term) => ({ ...term, subject: subjectOf(undoing, target, term.member) }))
  // A caller who does not see a member of the order cannot know the first record.
  const known = order?.flatMap(({ descending, subject }) => (subject ? [{ descending, subject }] : []))
  if (!known || known.length < change.first.length) {
    resources.set(resource.name, { ...resource, relations: left })
    return
  }
  const named = known.map(({ subject }) => JSON.stringify(subject))
  if (new Set(named).size < named.length) report?.("`first` names a member twice.", "Name each once.")
  const former: ToOne = {
    kind: "one",
    name: before,
    current: relation.current ?? relation.name,
    deprecated: `Since ${since} there are ${now} in its place: this is the first of them.`,
    target: relation.target,
    join: [],
    optional: !required,
    reference,
    first: { relation: relation.current ?? relation.name, order: known },
  }
  const relations = [...resource.relations].map(([name, one]): [string, Relation] =>
    name === now ? [before, former] : [name, one],
  )
  resources.set(resource.name, { ...resource, relations: new Map(relations) })
}

function refuseRelation(
  undoing: Undoing,
  resource: Resource,
  name: string,
  relation: Relation | undefined,
): void {
  if (!relation) {
    lacksMember(undoing, resource, name)
    return
  }
  undoing.report?.(
    `"${name}" of ${apiName(resource)} is no to-many relation in this version.`,
    isFormerRelation(relation)
      ? "A later change made it one: say `widened` of that one alone."
      : "`to` is the relation that has several records since.",
  )
}

/** Also the scalars that come with to-one relations. */
const namesOf = (resource: Resource): readonly string[] => [
  ...pathNames(resource),
  ...[...resource.relations.values()].flatMap((one) =>
    one.kind === "one" && one.reference !== undefined ? [one.reference] : [],
  ),
]

/** By the name of the newest version. A member without an order is reported, and gives undefined. */
function subjectOf({ report }: Undoing, target: Resource, name: string): Subject | undefined {
  if (name === "id") return { kind: "id" }
  const field = target.fields.get(name)
  const of = apiName(target)
  if (!field) {
    const known = [...target.fields.values()].filter((one) => isSortable(one)).map((one) => one.name)
    report?.(`${of} has no field "${name}" in this version.`, suggest(name, ["id", ...known]))
    return undefined
  }
  if (isFormerField(field)) {
    report?.(
      `"${name}" of ${of} was changed since, and the newest version has no such order.`,
      "Order by a field that the newest version has, or by id.",
    )
    return undefined
  }
  if (!isSortable(field)) {
    report?.(`"${name}" of ${of} has no order.`, "Name a field that lists can be ordered by, or id.")
    return undefined
  }
  return { kind: "field", field: field.current ?? name }
}
