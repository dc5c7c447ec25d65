// No field is computed from itself, however many fields and relations lie between.

import type { FieldDeclaration, ServiceDeclaration } from "../declaration/declaration.ts"
import { own } from "../declaration/keys.ts"
import { type Expression, namesIn, operandsOf } from "../expression.ts"
import type { Placed, Report } from "./context.ts"

export interface ComputedExpression {
  readonly field: Placed<FieldDeclaration>
  readonly expression: Expression
}

interface Step {
  readonly resource: string
  readonly field: string
}

const keyOf = ({ resource, field }: Step): string => JSON.stringify([resource, field])

export function refuseCycles(
  service: ServiceDeclaration,
  computed: readonly ComputedExpression[],
  report: Report,
): void {
  const looked = new Map(
    computed.map(({ field, expression }) => [
      keyOf({ resource: field.of.name, field: field.name }),
      lookedAt(service, field.of.name, expression),
    ]),
  )
  const told = new Set<string>()
  const follow = (step: Step, way: readonly Step[], start: ComputedExpression): void => {
    const key = keyOf(step)
    const known = way.findIndex((before) => keyOf(before) === key)
    if (known >= 0) {
      const circle = way.slice(known)
      if (circle.some((one) => told.has(keyOf(one)))) return
      for (const one of circle) told.add(keyOf(one))
      const { name, place } = start.field
      const names = [...circle, step].map(({ resource, field }) => `${resource}.${field}`)
      report([...place, "computed"], `"${name}" is computed from itself: ${names.join(" → ")}.`)
      return
    }
    for (const next of looked.get(key) ?? []) follow(next, [...way, step], start)
  }
  for (const one of computed)
    if (!told.has(keyOf({ resource: one.field.of.name, field: one.field.name })))
      follow({ resource: one.field.of.name, field: one.field.name }, [], one)
}

/** The fields whose values decide the value of the expression. */
export function lookedAt(
  service: ServiceDeclaration,
  resource: string,
  expression: Expression,
): readonly Step[] {
  const inner = (of: Expression): readonly Step[] => lookedAt(service, resource, of)
  switch (expression.kind) {
    case "field":
      return [{ resource, field: expression.field }]
    case "constant":
    case "count":
      return []
    case "sum":
    case "related": {
      const relation = own(own(service.resources, resource)?.relations, expression.relation)
      return relation ? [{ resource: relation.target, field: expression.field }] : []
    }
    case "letters":
    case "part":
    case "mapped":
      return inner(expression.of)
    case "choice":
      return [
        ...namesIn(expression.when).map((field) => ({ resource, field })),
        ...inner(expression.give),
        ...(expression.otherwise ? inner(expression.otherwise) : []),
      ]
    default:
      return operandsOf(expression).flatMap(inner)
  }
}
