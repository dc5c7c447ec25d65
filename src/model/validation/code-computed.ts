// Fields that user code computes: of records that there are, called what nothing else is, of what can be looked at.
import type { Place } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import type {
  ComputedDeclaration,
  FieldDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
} from "../declaration/declaration.ts"
import { referenceName } from "../declaration/default-names.ts"
import { foreignKey, keyOf, namesKey, own } from "../declaration/keys.ts"
import { camelCase } from "../names.ts"
import { constraints } from "./constraints.ts"
import type { Report, Rule } from "./context.ts"
import { enumerations } from "./enumerations.ts"
import { fieldForms } from "./field-forms.ts"
import { memberNames } from "./member-names.ts"
import { patterns } from "./patterns.ts"

/** Milliseconds: the client waits for it. */
const longestDeadline = 60_000

export const codeComputed: Rule = (service, report) => {
  for (const [resource, fields] of Object.entries(service.code?.computed ?? {})) {
    const declared = own(service.resources, resource)
    const place: Place = ["code", "computed", resource]
    if (!declared) {
      report(place, `There is no resource "${resource}".`, suggest(resource, Object.keys(service.resources)))
      continue
    }
    const scalars = scalarNames(service, declared)
    const others = Object.keys(declared.relations ?? {})
    const taken = new Set([...scalars, ...others, ...ownMembers].map(camelCase))
    for (const [name, computed] of Object.entries(fields)) {
      const at = [...place, name]
      if (taken.has(camelCase(name))) report(at, `"${resource}" has a member "${name}" without user code.`)
      taken.add(camelCase(name))
      checkNeeds(computed, scalars, at, report)
      checkType(service, { name, type: computed.type, at }, report)
    }
  }
}

/** Bifold's own members that every record may have. */
const ownMembers = ["etag", "transitions", "history"]

/** Readable values: fields, and the references of relations that have them. */
function scalarNames(
  service: ServiceDeclaration,
  { fields, relations }: ResourceDeclaration,
): readonly string[] {
  const references = Object.entries(relations ?? {}).flatMap(([name, relation]) => {
    const join = relation.kind === "one" ? foreignKey(service, name, relation) : undefined
    return join && namesKey(keyOf(service, relation.target), join) ? [referenceName(name)] : []
  })
  return [...Object.keys(fields), ...references]
}

function checkNeeds(
  { needs, deadline }: ComputedDeclaration,
  scalars: readonly string[],
  at: Place,
  report: Report,
): void {
  for (const [index, need] of needs.entries())
    if (!scalars.includes(need))
      report(
        [...at, "needs", index],
        need === "id" ? "The id is given anyway." : `There is no field "${need}" to be looked at.`,
        need === "id" ? "Leave it out." : suggest(need, scalars),
      )
  if (deadline !== undefined && !(Number.isInteger(deadline) && deadline >= 1 && deadline <= longestDeadline))
    report(
      [...at, "deadline"],
      `A deadline is a whole number of milliseconds from 1 to ${longestDeadline}, not ${deadline}.`,
    )
}

const stored = [
  "unique",
  "readonly",
  "immutable",
  "generated",
  "computed",
  "default",
  "was",
  "column",
  "stored",
  "write",
] as const

function checkType(
  service: ServiceDeclaration,
  { name, type, at }: { readonly name: string; readonly type: FieldDeclaration; readonly at: Place },
  report: Report,
): void {
  for (const said of stored)
    if (type[said] !== undefined)
      report([...at, "type", said], `"${name}" is computed by user code, so it has no \`${said}\`.`)
  if (type.read !== undefined)
    report(
      [...at, "type", "read"],
      `"${name}" is visible where its \`needs\` are visible, so it has no rule of its own.`,
      "Give the rule to a field that it needs.",
    )
  // As if it were a field of a resource: whose name is told to nobody.
  const alone = { ...service, resources: { own: { fields: { [name]: type } } } }
  for (const rule of [memberNames, fieldForms, constraints, patterns, enumerations])
    rule(alone, (place, ...words) => {
      if (place[0] === "resources") report([...at, "type", ...place.slice(4)], ...words)
    })
}
