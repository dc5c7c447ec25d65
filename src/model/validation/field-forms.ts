// A field says only what its scalar can have.
import type { FieldDeclaration } from "../declaration/declaration.ts"
import type { ScalarName } from "../scalars.ts"
import { scalars } from "../scalars.ts"
import { type Rule, valuesOf } from "./context.ts"

type Said = "of" | "min" | "max" | "items" | "pattern" | "precision" | "scale"

export const fieldForms: Rule = (service, report) => {
  for (const { name, member, place } of valuesOf(service)) {
    const can = allowed(member)
    for (const said of ["of", "min", "max", "items", "pattern", "precision", "scale"] as const)
      if (member[said] !== undefined && !can.has(said))
        report([...place, said], `"${name}" cannot have \`${said}\`: ${kind(member)} has none.`)
    if (member.scalar === "oneOf" && member.of === undefined)
      report(place, `"${name}" does not say what it is one of.`, 'Give the values: `f.oneOf(["a", "b"])`.')
    if (member.generated && member.default !== undefined)
      report([...place, "default"], `"${name}" is computed by the database, so it has no default.`)
    if (member.generated && member.readonly === false)
      report([...place, "readonly"], `"${name}" is computed by the database, so it is always read-only.`)
    if (member.readonly && member.immutable)
      report([...place, "immutable"], `"${name}" is read-only, so it is never written, not even once.`)
  }
}

const kind = ({ scalar, list }: FieldDeclaration): string => (list ? `a list of ${scalar}` : scalar)

/** Scalars whose values have a length, beside numbers, which have a least and a greatest value. */
const measured: ReadonlySet<ScalarName> = new Set(["text", "email", "url", "slug", "bytes"])

function allowed({ scalar, list }: FieldDeclaration): ReadonlySet<Said> {
  const sized = measured.has(scalar) || scalars[scalar].family === "number"
  const can = new Set<Said>()
  if (list || sized) can.add("min").add("max")
  if (list && sized) can.add("items")
  if (scalar === "oneOf") can.add("of")
  if (scalar === "text") can.add("pattern")
  if (scalar === "decimal") can.add("precision").add("scale")
  if (scalar === "time" || scalar === "timestamp") can.add("precision")
  return can
}
