// Roles and scopes in `as` of user code are declared.
import type { Place } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import type { RunAsDeclaration, ServiceDeclaration } from "../declaration/declaration.ts"
import type { Report } from "./context.ts"

/** @param place of the code that has `as` */
export function checkRunAs(
  service: ServiceDeclaration,
  as: RunAsDeclaration | undefined,
  place: Place,
  report: Report,
): void {
  for (const kind of ["roles", "scopes"] as const)
    for (const [index, name] of (as?.[kind] ?? []).entries())
      if (!service[kind]?.includes(name))
        report(
          [...place, "as", kind, index],
          `There is no ${kind.slice(0, -1)} "${name}".`,
          suggest(name, service[kind] ?? []),
        )
}
