// Isolated policies: each rule of an action, field or operation by itself, as the engine would apply it alone.
import { present } from "../../base/invariant.ts"
import type { Place } from "../../base/problem.ts"
import type { Action, Model, Resource, Transition } from "../../model/model.ts"
import type { RuleDeclaration, RuleObject } from "../../model/policy-declaration.ts"
import { noResource, rulesOf } from "../access/policies.ts"
import type { ActionName } from "../access/policy-types.ts"
import { machinePlace } from "../access/transition-rules.ts"
import { type Claims, openModel, visibleModelOf } from "../access/visible-model.ts"
import { resourceNamed } from "../lookup.ts"
import type { Filter } from "../read-plan.ts"
import { printCondition, printGrant, wordingOf } from "./print-policy.ts"

export interface IsolatedPolicy {
  /** In the declaration. */
  readonly place: Place
  readonly text: string
  /** Names of the fields that it is about, where that is not all. */
  readonly fields?: ReadonlySet<string>
  /** For which records it holds; null for none, whatever is in them. */
  readonly holds: RecordsOf | null
}

/** Some records of a resource. */
export interface RecordsOf {
  /** `all`, or the condition in words. */
  readonly text: string
  /** An open service, but for the resource: there are those records only. */
  readonly model: Model
  readonly where: Filter
  /** The model that the condition is of. */
  readonly audience: Model
}

/** Any of an action's rules is enough. */
export function rulesOfAction(
  whole: Model,
  standing: Claims,
  { resource, action }: { readonly resource: Resource; readonly action: ActionName },
): readonly IsolatedPolicy[] {
  const place = ["resources", resource.name, "allow", action]
  const slot = action === "create" || action === "update" ? "update" : "read"
  return singleRules(whole, standing, { resource, declared: resource.allow?.[action], place, slot })
}

/** Any of them is enough: its own, or those of update where it has none. */
export function rulesOfTransition(
  whole: Model,
  standing: Claims,
  { resource, transition }: { readonly resource: Resource; readonly transition: Transition },
): readonly IsolatedPolicy[] {
  const { name, allow } = transition
  if (allow === undefined) return rulesOfAction(whole, standing, { resource, action: "update" })
  const machine = present(resource.machines.get(transition.machine), `${name} belongs to a machine`)
  const place = [...machinePlace(resource, machine), name, "allow"]
  return singleRules(whole, standing, { resource, declared: allow, place })
}

/** Any of them is enough. */
export function rulesOfUserAction(
  whole: Model,
  standing: Claims,
  { resource, action }: { readonly resource: Resource; readonly action: Action },
): readonly IsolatedPolicy[] {
  const place = ["code", "actions", resource.name, action.name, "allow"]
  return singleRules(whole, standing, { resource, declared: action.allow, place })
}

/** Any of them is enough. */
export function rulesOfOperation(
  whole: Model,
  standing: Claims,
  operation: Action,
): readonly IsolatedPolicy[] {
  const { name, allow } = operation
  return placedRules(allow, ["code", "operations", name, "allow"]).map(({ rule, place }): IsolatedPolicy => {
    const only: Model = {
      ...whole,
      operations: new Map([...(whole.operations ?? []), [name, { ...operation, allow: rule }]]),
    }
    const { seats, operations } = rulesOf(only)
    const read = present(operations.get(name), `${name} has a rule`)
    const left = visibleModelOf(only, standing)
    const access = left.operations?.get(name)?.access
    return {
      place,
      text: printGrant({ model: only, seats }, noResource, { rule: read }),
      holds: access
        ? {
            text: printCondition(wordingOf(left), noResource, access),
            model: left,
            where: access,
            audience: left,
          }
        : null,
    }
  })
}

/** Any of them is enough; none when the field goes with the record. */
export function rulesOfField(
  whole: Model,
  standing: Claims,
  asked: { readonly resource: Resource; readonly field: string; readonly access: "read" | "write" },
): readonly IsolatedPolicy[] {
  const { resource, field, access } = asked
  const declared = resource.fields.get(field)?.[access]
  return singleRules(whole, standing, {
    resource,
    declared,
    place: ["resources", resource.name, "fields", field, access],
    slot: access === "write" ? "update" : "read",
  })
}

function singleRules(
  whole: Model,
  standing: Claims,
  given: {
    readonly resource: Resource
    readonly declared: RuleDeclaration | undefined
    readonly place: Place
    /** Some forms belong to rules of writes only. */
    readonly slot?: "read" | "update"
  },
): readonly IsolatedPolicy[] {
  const { declared, slot = "read" } = given
  const { withheld: _, grants: __, ...resource } = given.resource
  return placedRules(declared, given.place).map(({ rule, place }): IsolatedPolicy => {
    const allow = { read: { anyone: true }, [slot]: rule } as const
    const only = withResource(whole, { ...resource, allow, machines: new Map() })
    const { seats, resources } = rulesOf(only)
    const [grant] = resources.get(resource.name)?.actions[slot] ?? []
    const left = visibleModelOf(only, standing)
    const where = left.resources.get(resource.name)?.access?.[slot]
    return {
      place,
      text: grant ? printGrant({ model: only, seats }, resource, grant) : "",
      ...(grant?.fields && { fields: grant.fields }),
      holds: where ? recordsOf(left, resource.name, where) : null,
    }
  })
}

function placedRules(
  declared: RuleDeclaration | undefined,
  place: Place,
): readonly { readonly rule: RuleObject; readonly place: Place }[] {
  if (declared === undefined) return []
  const several: readonly RuleObject[] = Array.isArray(declared) ? declared : [declared]
  return several.map((rule, index) => ({ rule, place: Array.isArray(declared) ? [...place, index] : place }))
}

/** @param audience whose condition it is: of its rules, over the whole service */
export function recordsOf(audience: Model, name: string, where: Filter): RecordsOf {
  const whole = audience.audience?.whole ?? audience
  const open = openModel(whole)
  const resource = resourceNamed(open, name)
  const only = withResource(open, {
    ...resource,
    ...(resource.access && { access: { ...resource.access, read: where } }),
  })
  return {
    text: printCondition(wordingOf(audience), resourceNamed(whole, name), where),
    model: { ...only, ...(audience.audience && { audience: audience.audience }) },
    where,
    audience,
  }
}

const withResource = (model: Model, resource: Resource): Model => ({
  ...model,
  resources: new Map([...model.resources, [resource.name, resource]]),
})
