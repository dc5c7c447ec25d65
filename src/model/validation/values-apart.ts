// Checks of values that no column holds: inputs and outputs of user code, and payloads of events.
import type { Place } from "../../base/problem.ts"
import type { FieldDeclaration, ServiceDeclaration } from "../declaration/declaration.ts"
import type { Report } from "./context.ts"
import { constraints, defaultValues, enumerations, fieldForms, patterns } from "./fields.ts"
import { memberNames } from "./names.ts"

const valueRules = [memberNames, fieldForms, constraints, patterns, enumerations, defaultValues]

/** @param of.without settings that such a value cannot have */
export function checkValues(
  service: ServiceDeclaration,
  fields: Readonly<Record<string, FieldDeclaration>> | undefined,
  { place, without }: { readonly place: Place; readonly without: readonly (keyof FieldDeclaration)[] },
  report: Report,
): void {
  if (!fields) return
  // Checked as fields of a resource, whose name no message shows.
  const alone = { ...service, resources: { own: { fields } } }
  for (const rule of valueRules)
    rule(alone, (at, ...words) => {
      if (at[0] === "resources") report([...place, ...at.slice(3)], ...words)
    })
  for (const [name, field] of Object.entries(fields))
    for (const said of without)
      if (field[said] !== undefined)
        report([...place, name, said], `"${name}" is not stored, so it has no \`${said}\`.`)
}
