// Lookup of the names in a plan: subjects, and targets of relations. A plan with a name that its model lacks is our bug.
import { present } from "../base/invariant.ts"
import type { Subject } from "../model/condition.ts"
import { referenceName } from "../model/declaration/default-names.ts"
import { fieldsIn } from "../model/expression.ts"
import { isFormerField } from "../model/former-fields.ts"
import type { Field, Model, Relation, Resource, TableName, Transition } from "../model/model.ts"
import type { Setting } from "./write-plan.ts"

export function resourceNamed(model: Model, name: string): Resource {
  return present(model.resources.get(name) ?? model.histories.get(name), `there is no resource ${name}`)
}

export const isSameTable = (a: TableName, b: TableName): boolean => a.name === b.name && a.schema === b.schema

/** The service as declared, from any visible model; of an older version's it is the newest. */
export const wholeOf = (model: Model): Model => model.audience?.whole ?? model.newest ?? model

/** The same caller's model of the newest version, in whose names user code asks and the log is written. */
export const newestOf = (model: Model): Model => model.newest ?? model

export function fieldNamed(resource: Resource, name: string): Field {
  return present(resource.fields.get(name), `${resource.name} has no field ${name}`)
}

/**
 * A field of a visible model, as the whole service has it. A field of an older version gives the newest version's field, or
 * itself if it is computed from the newest version's fields.
 */
export function wholeField(model: Model, { name: called }: Pick<Resource, "name">, name: string): Field {
  const whole = resourceNamed(wholeOf(model), called)
  const own = model.newest && resourceNamed(model, called).fields.get(name)
  return own && isFormerField(own) ? own : fieldNamed(whole, own?.current ?? name)
}

/** A field that user code gives, and the members of the newest version that it needs: computed, or a former one. */
export function codeComputedOf(
  { fields, computed }: Resource,
  name: string,
): { readonly field: Field; readonly needs: readonly string[] } {
  const field = fields.get(name)
  if (field?.byCode && field.computed) return { field, needs: [...new Set(fieldsIn(field.computed))] }
  return present(computed?.get(name), `user code computes ${name}`)
}

export function relationNamed(resource: Resource, name: string): Relation {
  return present(resource.relations.get(name), `${resource.name} has no relation ${name}`)
}

/** Transitions of all its machines. */
export const transitionsOf = ({ machines }: Resource): readonly Transition[] =>
  [...machines.values()].flatMap(({ transitions }) => [...transitions.values()])

export function transitionNamed(resource: Resource, name: string): Transition {
  const found = transitionsOf(resource).find((transition) => transition.name === name)
  return present(found, `${resource.name} has no transition ${name}`)
}

export function targetOf(model: Model, resource: Resource, relation: string): Resource {
  return resourceNamed(model, relationNamed(resource, relation).target)
}

/** Where a path of relations leads. */
export function endOf(model: Model, resource: Resource, path: readonly string[]): Resource {
  return path.reduce((holder, relation) => targetOf(model, holder, relation), resource)
}

/** The API's name of a subject: `id`, the field's name, or the reference such as `customerId`. */
export function subjectName(resource: Resource, subject: Subject): string {
  switch (subject.kind) {
    case "id":
      return "id"
    case "field":
      return subject.field
    case "reference": {
      const relation = relationNamed(resource, subject.relation)
      const reference = relation.kind === "one" ? relation.reference : undefined
      return present(reference, `${subject.relation} of ${resource.name} has no reference`)
    }
  }
}

/** A subject of an older version's resource by the names of the newest one; itself of any other. */
export function newestSubject(resource: Resource, subject: Subject): Subject {
  if (subject.kind === "id") return subject
  if (subject.kind === "reference")
    return { ...subject, relation: newestRelation(resource, subject.relation) }
  const field = resource.settable?.get(subject.field) ?? resource.fields.get(subject.field)
  return { ...subject, field: field?.current ?? subject.field }
}

/** The member of an input that a setting comes from; of several that are written together, the first. */
export function inputName(resource: Resource, { subject, newest }: Setting): string {
  if (!newest || subject.kind === "id") return subjectName(resource, subject)
  const written = subject.kind === "field" ? subject.field : referenceName(subject.relation)
  for (const { name, current = name, lens } of (resource.settable ?? resource.fields).values())
    if (lens ? lens.writes.has(written) : current === written) return lens?.inputs[0] ?? name
  for (const relation of resource.relations.values())
    if (relation.kind === "one" && (relation.current ?? relation.name) === referredBy(subject))
      return relation.reference ?? written
  return written
}

const referredBy = (subject: Subject): string | undefined =>
  subject.kind === "reference" ? subject.relation : undefined

/** A relation, likewise. */
export const newestRelation = ({ relations }: Resource, name: string): string =>
  relations.get(name)?.current ?? name
