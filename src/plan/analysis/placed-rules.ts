// Every rule of a service with its place in the declaration, and the relations that a rule follows.
import { present } from "../../base/invariant.ts"
import type { Place } from "../../base/problem.ts"
import type { Model, Resource } from "../../model/model.ts"
import { noResource } from "../access/policies.ts"
import type { ActionName, ResourceRules, Rule, Rules } from "../access/policy-types.ts"
import { machinePlace } from "../access/transition-rules.ts"
import { resourceNamed, targetOf, transitionsOf } from "../lookup.ts"
import type { Filter } from "../read-plan.ts"

export interface PlacedRule {
  readonly resource: Resource
  readonly rule: Rule
  readonly place: Place
  /** The action that it allows, as one of several rules. */
  readonly action?: ActionName
}

export const placedRules = (model: Model, { resources, operations }: Rules): readonly PlacedRule[] => [
  ...[...resources].flatMap(([name, rules]) => rulesOn(resourceNamed(model, name), rules)),
  ...[...operations].map(([name, rule]) => ({
    resource: noResource,
    rule,
    place: ["code", "operations", name, "allow"],
  })),
]

function rulesOn(resource: Resource, rules: ResourceRules): readonly PlacedRule[] {
  const at: Place = ["resources", resource.name]
  const allowed = Object.entries(rules.actions).flatMap(([action, grants]) =>
    grants.map(({ rule, place }) => ({ resource, rule, place, action: action as ActionName })),
  )
  const others: readonly (readonly [Place, Rule | undefined])[] = [
    ...[...rules.fields].flatMap(([name, { read, write }]) => [
      [[...at, "fields", name, "read"], read] as const,
      [[...at, "fields", name, "write"], write] as const,
    ]),
    ...transitionsOf(resource).map(({ name, machine }) => {
      const of = present(resource.machines.get(machine), `${name} belongs to a machine`)
      return [[...machinePlace(resource, of), name, "allow"], rules.transitions.get(name)?.allow] as const
    }),
    ...rules.grants.map(({ declared, allow }) => [[...at, "grants", declared.name ?? ""], allow] as const),
    ...[...rules.payloads].flatMap(([event, payload]) =>
      [...payload].map(([name, rule]) => [[...at, "events", event, "payload", name, "read"], rule] as const),
    ),
    ...[...rules.own].map(
      ([name, rule]) => [["code", "actions", resource.name, name, "allow"], rule] as const,
    ),
  ]
  return [...allowed, ...others.flatMap(([place, rule]) => (rule ? [{ resource, rule, place }] : []))]
}

/** A relation that a rule follows, and the resource that it is of. */
interface RuleStep {
  readonly of: Resource
  readonly relation: string
  readonly target: Resource
}

export function stepsOf(model: Model, of: Resource, rule: Rule | Filter): readonly RuleStep[] {
  switch (rule.kind) {
    case "and":
    case "or":
      return rule.of.flatMap((part) => stepsOf(model, of, part))
    case "not":
      return stepsOf(model, of, rule.of)
    case "records":
      return stepsOf(model, of, rule.where)
    case "related":
    case "quantified": {
      const { relation } = rule
      const target = targetOf(model, of, relation)
      return [{ of, relation, target }, ...stepsOf(model, target, rule.of)]
    }
    default:
      return []
  }
}
