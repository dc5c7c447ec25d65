// Computed fields: the conditions in their expressions, read once, and the columns that decide them.

import { invariant } from "../../base/invariant.ts"
import type { Place, Problems } from "../../base/problem.ts"
import { type ConditionField, type Expression, operandsOf } from "../../model/expression.ts"
import type { Field, Model, Resource, ToOne } from "../../model/model.ts"
import type { RuleObject } from "../../model/policy-declaration.ts"
import { noCursors } from "../draft/cursor.ts"
import { startDraft } from "../draft/draft.ts"
import { partsIn } from "../fold.ts"
import { fieldNamed, relationNamed, targetOf } from "../lookup.ts"
import { memberOf } from "../member.ts"
import type { Filter } from "../read-plan.ts"
import { columnsOf } from "../selectivity.ts"
import { readCondition } from "./condition.ts"

const known = new WeakMap<RuleObject, Filter>()

/** Reads the conditions of all that is computed; adds every mistake in them. */
export function readComputed(model: Model, problems: Problems): void {
  for (const resource of model.resources.values())
    for (const { name, computed } of resource.fields.values())
      for (const { when, place } of computed ? choicesIn(computed, []) : []) {
        const at = ["resources", resource.name, "fields", name, "computed", ...place]
        const found = readWhen(model, resource, when, at)
        for (const one of found.problems) problems.found.push({ ...one, code: "invalid_declaration" })
      }
}

/** The condition of an expression, with its resource. Its values are its own, and no plan binds them. */
export function whenOf(model: Model, own: Resource, { when, fields }: Choice): When {
  const resource = fields ? withFields(own, fields) : own
  const { filter } = known.has(when) ? { filter: known.get(when) } : readWhen(model, resource, when, [])
  invariant(filter, "a service whose conditions have mistakes is not opened")
  return { filter, resource }
}

type Choice = Extract<Expression, { readonly kind: "choice" }>

interface When {
  readonly filter: Filter
  /** A change of a version has the fields of its version beside the resource's own. */
  readonly resource: Resource
}

const withFields = (resource: Resource, fields: ReadonlyMap<string, ConditionField>): Resource => ({
  ...resource,
  fields: new Map([
    ...resource.fields,
    ...[...fields].map(([name, field]): [string, Field] => [name, { ...asField(resource, field), name }]),
  ]),
})

/** The newest version's field, which may have another enumeration's name; or a former one, whose values are texts. */
function asField({ fields }: Resource, { enumeration, ...field }: ConditionField): Field {
  const newest = field.computed ? undefined : fields.get(field.current ?? field.name)
  if (newest) return newest
  return {
    ...field,
    ...(enumeration !== undefined && { scalar: "text" }),
    readonly: true,
    immutable: false,
    unique: false,
    generated: false,
  }
}

function readWhen(model: Model, resource: Resource, when: RuleObject, place: Place) {
  const draft = startDraft({ model, cursors: noCursors })
  const bind = (value: unknown) => ({ slot: noSlot, known: value })
  const filter = readCondition({ ...draft, bind }, resource, { input: when, encoding: "json", place })
  if (filter) known.set(when, filter)
  return { filter, problems: draft.problems.found }
}

/** For a value that is bound without a slot. */
export const noSlot = -1

function choicesIn(
  expression: Expression,
  place: Place,
): readonly { readonly when: RuleObject; readonly place: Place }[] {
  switch (expression.kind) {
    case "choice": {
      const { when, give, otherwise } = expression
      const at = [...place, "if"]
      return [
        { when, place: [...at, "when"] },
        ...choicesIn(give, [...at, "give"]),
        ...(otherwise ? choicesIn(otherwise, [...at, "else"]) : []),
      ]
    }
    case "letters":
      return choicesIn(expression.of, [...place, expression.letters])
    case "text":
      return choicesIn(expression.of, [...place, "textOf"])
    case "part":
      return choicesIn(expression.of, [...place, expression.side, 0])
    case "mapped":
      return choicesIn(expression.of, [...place, "map", 0])
    case "arithmetic":
      return expression.of.flatMap((one, index) => choicesIn(one, [...place, expression.operator, index]))
    case "concat":
    case "coalesce":
      return expression.of.flatMap((one, index) => choicesIn(one, [...place, expression.kind, index]))
    default:
      return []
  }
}

/** A column that decides the value of a computed member, and its table. */
export interface Looked {
  readonly resource: Resource
  readonly column: string
}

/** A relation whose records decide it. */
interface Followed {
  readonly resource: Resource
  readonly relation: string
}

/** Every column that the field's value comes from: its own, where it is not computed. @param model of the whole service */
export const columnsBehind = (model: Model, resource: Resource, field: Field): readonly Looked[] =>
  behind(model, resource, field).columns

/** Relations that have to be followed to compute the field. @param model of the whole service */
export const relationsBehind = (model: Model, resource: Resource, field: Field): readonly Followed[] =>
  behind(model, resource, field).relations

interface Behind {
  readonly columns: Looked[]
  readonly relations: Followed[]
}

function behind(
  model: Model,
  resource: Resource,
  { column, computed }: Field,
  found: Behind = { columns: [], relations: [] },
): Behind {
  const add = (of: Resource, columns: readonly string[]): void =>
    void found.columns.push(...columns.map((one) => ({ resource: of, column: one })))
  if (!computed) add(resource, [column])
  for (const part of computed ? partsOf(computed) : []) {
    if (part.kind === "field") {
      const reference = referenceOf(resource, part.field)
      if (reference)
        add(
          resource,
          reference.join.map(({ from }) => from),
        )
      else behind(model, resource, fieldNamed(resource, part.field), found)
    } else if (part.kind === "choice") {
      const { filter, resource: of } = whenOf(model, resource, part)
      for (const subject of partsIn(filter).flatMap((one) => ("subject" in one ? [one.subject] : [])))
        if (subject.kind === "field") behind(model, of, fieldNamed(of, subject.field), found)
        else add(of, columnsOf(of, subject))
    } else if (part.kind === "count" || part.kind === "sum" || part.kind === "related") {
      const target = targetOf(model, resource, part.relation)
      found.relations.push({ resource, relation: part.relation })
      for (const { from, to } of relationNamed(resource, part.relation).join) {
        add(resource, [from])
        add(target, [to])
      }
      if (part.kind !== "count") behind(model, target, fieldNamed(target, part.field), found)
    }
  }
  return found
}

/** User code of versions is given references by the names of their scalars. */
function referenceOf(resource: Resource, name: string): ToOne | undefined {
  const member = memberOf(resource, name)
  return member?.kind === "reference" ? member.relation : undefined
}

/** The leaves of an expression, and the choices on the way to them. */
function partsOf(expression: Expression): readonly Expression[] {
  const operands = operandsOf(expression)
  const own = expression.kind === "choice" || operands.length === 0 ? [expression] : []
  return [...own, ...operands.flatMap(partsOf)]
}
