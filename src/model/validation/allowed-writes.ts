// Rules are about what can be done at all: nobody writes what is read-only, or changes what has no key.
import type { Place } from "../../base/problem.ts"
import type { FieldDeclaration, ResourceDeclaration } from "../declaration/declaration.ts"
import { isNaturalKey, own } from "../declaration/keys.ts"
import type { RuleDeclaration } from "../policy-declaration.ts"
import { fieldsOf, type Report, type Rule, resourcesOf } from "./context.ts"

export const allowedWrites: Rule = (service, report) => {
  for (const { name, resource, place } of resourcesOf(service)) {
    const why = fixed(resource)
    for (const action of ["create", "update", "delete"] as const) {
      const given = resource.allow?.[action]
      const at = [...place, "allow", action]
      if (given === undefined) continue
      if (why === undefined) checkFields(resource, { action, given, at }, report)
      else report(at, `"${name}" ${why}, so its records cannot be ${action}d.`, "Leave out the rule.")
    }
  }
  for (const { name, member, place, of } of fieldsOf(service)) {
    const why = member.write === undefined ? undefined : (fixed(of.resource) ?? unwritten(member))
    if (why !== undefined)
      report(
        [...place, "write"],
        `"${fixed(of.resource) ? of.name : name}" ${why}, so "${name}" cannot be set.`,
      )
  }
}

interface Allowed {
  readonly action: "create" | "update" | "delete"
  readonly given: RuleDeclaration
  readonly at: Place
}

function checkFields(resource: ResourceDeclaration, { action, given, at }: Allowed, report: Report): void {
  for (const { fields, place } of onlyIn(given, at)) {
    if (action === "delete")
      report(place, "A record is deleted as a whole, not by its fields.", "Write the rule without only(…).")
    else
      for (const [index, field] of fields.entries()) {
        const unset = unsettable(resource, String(field), action)
        if (unset !== undefined)
          report([...place, "fields", index], `"${field}" ${unset}, so it cannot be ${action}d.`)
      }
  }
}

const fixed = ({ readonly, key }: ResourceDeclaration): string | undefined =>
  readonly === true ? "is read-only" : key === false ? "has no key" : undefined

const unwritten = ({ readonly, generated, computed }: FieldDeclaration): string | undefined =>
  computed !== undefined
    ? "is computed"
    : generated === true
      ? "is computed by the database"
      : readonly === true
        ? "is read-only"
        : undefined

function unsettable(
  resource: ResourceDeclaration,
  name: string,
  action: "create" | "update",
): string | undefined {
  const field = own(resource.fields, name)
  if (!field) return undefined
  const inKey = isNaturalKey(resource.key) && resource.key.includes(name)
  const later = inKey ? "is in the key" : field.immutable === true ? "is immutable" : undefined
  return unwritten(field) ?? (action === "update" ? later : undefined)
}

/** Members that `only` gave, each with its place. */
function onlyIn(
  given: RuleDeclaration,
  at: Place,
): readonly { readonly fields: readonly unknown[]; readonly place: Place }[] {
  const several: readonly unknown[] = Array.isArray(given) ? given : [given]
  return several.flatMap((rule, index) => {
    const fields: unknown =
      typeof rule === "object" && rule !== null && "fields" in rule ? rule.fields : undefined
    return Array.isArray(fields) ? [{ fields, place: Array.isArray(given) ? [...at, index] : at }] : []
  })
}
