// Warnings about a service's rules, each with its place in the declaration.
import type { Place } from "../../base/problem.ts"
import type { Model, Resource } from "../../model/model.ts"
import type { RuleDeclaration } from "../../model/policy-declaration.ts"
import { severalOf } from "../access/parse-policy.ts"
import { rulesOf } from "../access/policies.ts"
import type { ActionName, Rule, Rules } from "../access/policy-types.ts"
import { whyUnsatisfiable } from "../access/unsatisfiable.ts"
import { mirrorNotes } from "./mirror-notes.ts"
import { pathNotes, togetherNotes } from "./path-notes.ts"
import { placedRules } from "./placed-rules.ts"
import type { RuleNote } from "./rule-note.ts"

/** Throws a Refusal when the rules have mistakes. */
export function ruleNotes(model: Model): readonly RuleNote[] {
  const rules = rulesOf(model)
  return [
    ...unasked(model, rules),
    ...exceeding(model, rules),
    ...[...model.resources.values()].flatMap((it) => notesOf(model, it, rules)),
    ...mirrorNotes(model, rules),
  ]
}

/** Roles and scopes that no rule asks for. */
function unasked(model: Model, rules: Rules): readonly RuleNote[] {
  const asked = new Set(placedRules(model, rules).flatMap(({ rule }) => credentialsIn(rule)))
  return (["role", "scope"] as const).flatMap((kind) =>
    (kind === "role" ? model.roles : model.scopes).flatMap((name, index): readonly RuleNote[] =>
      asked.has(`${kind} ${name}`)
        ? []
        : [
            {
              place: [`${kind}s`, index],
              what: `no rule asks for the ${kind} "${name}"`,
              hint: `Ask with ${kind}(${JSON.stringify(name)}), or leave it out.`,
            },
          ],
    ),
  )
}

/** Declared grants by which a caller gives what it does not have. */
const exceeding = (model: Model, rules: Rules): readonly RuleNote[] =>
  [...model.resources.values()].flatMap((resource) =>
    (rules.resources.get(resource.name)?.grants ?? []).flatMap(({ declared: { kind, name }, allow }) => {
      if (!allow || name === null) return []
      const lacking: Rule =
        kind === "tier" ? allow : { kind: "and", of: [allow, { kind: "not", of: { kind, name } }] }
      if (whyUnsatisfiable(model, resource, lacking, rules.seats) !== undefined) return []
      return [
        {
          place: ["resources", resource.name, "grants", name],
          what: `callers without the ${kind} ${JSON.stringify(name)} may grant it`,
          hint: `If that is not meant, ask for ${kind === "tier" ? "more" : `${kind}(${JSON.stringify(name)}) too`}.`,
        },
      ]
    }),
  )

function credentialsIn(rule: Rule): readonly string[] {
  switch (rule.kind) {
    case "and":
    case "or":
      return rule.of.flatMap(credentialsIn)
    case "not":
      return credentialsIn(rule.of)
    case "role":
    case "scope":
      return [`${rule.kind} ${rule.name}`]
    default:
      return []
  }
}

function notesOf(model: Model, resource: Resource, rules: Rules): readonly RuleNote[] {
  const place: Place = ["resources", resource.name]
  const { actions } = rules.resources.get(resource.name) ?? {}
  if (!actions || actions.read.length === 0)
    return [
      {
        place,
        what: "no actor may read it, so it is never served",
        hint: "Say who may, as in allow: { read: anyone }.",
      },
    ]
  const updates = actions.update.map(({ rule }) => rule)
  const unmet = togetherNotes(updates, [...place, "allow", "update"])
  const others = Object.entries(resource.allow ?? {}).flatMap(([name, given]: [string, RuleDeclaration]) => {
    const action = name as ActionName
    return actions[action].flatMap(({ rule, place: at }, index): readonly RuleNote[] => {
      const declared = severalOf(given)[index]
      const paths = pathNotes(model, { resource, action, rule, place: at })
      const says = rule.kind === "and" && rule.of.length === 0 && isSaid(declared)
      const denied: Rule = { kind: "not", of: rule }
      if (says || whyUnsatisfiable(model, resource, denied, rules.seats) === undefined) return paths
      return [
        {
          place: at,
          what: "this rule holds for every actor, although it looks like a condition",
          hint: "If that is meant, write anyone.",
        },
      ]
    })
  })
  return [...unmet, ...others]
}

/** Whether it says `anyone` in as many words, alone or for some fields. */
function isSaid(declared: unknown): boolean {
  if (typeof declared !== "object" || declared === null) return false
  if ("when" in declared) return severalOf(declared.when as RuleDeclaration).some(isSaid)
  return "anyone" in declared && declared.anyone === true
}
