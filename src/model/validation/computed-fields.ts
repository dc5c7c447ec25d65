// Computed fields have no column, have a value of their type, and are not computed from themselves.
import type { Place } from "../../base/problem.ts"
import type { FieldDeclaration } from "../declaration/declaration.ts"
import { isNaturalKey } from "../declaration/keys.ts"
import { readExpression } from "../expression.ts"
import { type ComputedDeclaration, refuseCycles } from "./computed-cycles.ts"
import { mayBeNull } from "./computed-types.ts"
import { fieldsOf, type Placed, type Report, type Rule } from "./context.ts"

export const computedFields: Rule = (service, report) => {
  const found: ComputedDeclaration[] = []
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
