// Computed fields have no column, have a value of their type, and are not computed from themselves.
import type { Place } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import type {
  ComputedDeclaration,
  FieldDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
} from "../declaration/declaration.ts"
import { referenceName } from "../declaration/default-names.ts"
import { foreignKey, isNaturalKey, keyOf, namesKey, own } from "../declaration/keys.ts"
import { readExpression } from "../expression.ts"
import { camelCase } from "../names.ts"
import { type ComputedExpression, refuseCycles } from "./computed-cycles.ts"
import { mayBeNull } from "./computed-types.ts"
import { fieldsOf, type Placed, type Report, type Rule } from "./context.ts"
import { constraints, enumerations, fieldForms, patterns } from "./fields.ts"
import { memberNames } from "./names.ts"

export const computedFields: Rule = (service, report) => {
  const found: ComputedExpression[] = []
  for (const field of fieldsOf(service)) {
    const { name, member, place, of } = field
    if (member.computed === undefined) continue
    refuseStored(field, report)
    refuseKeys(field, report)
    const at: Place = [...place, "computed"]
    const expression = readExpression(member.computed, report, at)
    if (!expression) continue
    found.push({ field, expression })
    const missing = mayBeNull({ service, resource: of.resource, name, report }, member, expression, at)
    if (missing && member.optional !== true)
      report(
        at,
        `"${name}" may come to no value, and is not optional.`,
        "Say `optional: true`, or give what stands instead with `coalesce` or `else`.",
      )
  }
  refuseCycles(service, found, report)
}

/** As many as a whole number of 64 bits holds. */
const mostDigits = 18

const onlyStored = [
  "unique",
  "immutable",
  "generated",
  "default",
  "was",
  "from",
  "column",
  "stored",
  "write",
  "min",
  "max",
  "items",
  "pattern",
] as const

function refuseStored({ name, member, place, of }: Placed<FieldDeclaration>, report: Report): void {
  for (const said of onlyStored)
    if (member[said] !== undefined && member[said] !== false)
      report(
        [...place, said],
        `"${name}" is computed, so it cannot have \`${said}\`: it has no column and cannot be set.`,
        "Leave it out.",
      )
  const { scalar, precision, scale } = member
  // Where Bifold makes the table every decimal needs both.
  const made = of.resource.key === undefined
  if (
    scalar === "decimal" &&
    !made &&
    (precision === undefined || scale === undefined || precision > mostDigits)
  )
    report(
      place,
      `"${name}" is computed, so it needs a precision of at most ${mostDigits} and a scale.`,
      "Such as `{ precision: 12, scale: 2 }`.",
    )
  if (member.readonly === false)
    report([...place, "readonly"], `"${name}" is computed, so it is always read-only.`, "Leave it out.")
  if (member.list) report(place, `"${name}" is computed, so it cannot be a list.`)
  if (member.scalar === "json" || member.scalar === "bytes")
    report(place, `"${name}" cannot be computed: ${member.scalar} values are not computed with.`)
}

/** Keys and indexes are made of columns. */
function refuseKeys({ name, of }: Placed<FieldDeclaration>, report: Report): void {
  const { key, unique, indexes, secret } = of.resource
  const listed = (called: string, lists: readonly (readonly string[])[] = []): readonly Place[] =>
    lists.flatMap((members, at) => (members.includes(name) ? [[called, at, members.indexOf(name)]] : []))
  const places: readonly Place[] = [
    ...(isNaturalKey(key) && key.includes(name) ? [["key", key.indexOf(name)]] : []),
    ...listed("unique", unique),
    ...listed("indexes", indexes),
    ...Object.entries(secret ?? {}).flatMap(([what, field]) => (field === name ? [["secret", what]] : [])),
  ]
  for (const place of places)
    report([...of.place, ...place], `"${name}" cannot stand here: it is computed, and has no column.`)
}

// Fields that user code computes: they have existing records, a name of their own, and visible needs.

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
  // Checked as a field of a resource, whose name no message shows.
  const alone = { ...service, resources: { own: { fields: { [name]: type } } } }
  for (const rule of [memberNames, fieldForms, constraints, patterns, enumerations])
    rule(alone, (place, ...words) => {
      if (place[0] === "resources") report([...at, "type", ...place.slice(4)], ...words)
    })
}
