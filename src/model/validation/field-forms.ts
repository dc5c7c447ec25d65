// A field says only what its scalar can have.
import type { FieldDeclaration } from "../declaration/declaration.ts"
import { type ScalarOption, scalars } from "../scalars.ts"
import { type Rule, valuesOf } from "./context.ts"

type Said = ScalarOption | "items"

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

function allowed({ scalar, list }: FieldDeclaration): ReadonlySet<Said> {
  const { options } = scalars[scalar]
  return new Set<Said>([
    ...options,
    ...(list ? (["min", "max"] as const) : []),
    ...(list && options.includes("min") ? (["items"] as const) : []),
  ])
}
