// Each value of an enumeration is there once; `f.oneOf("name")` names one of the service's.
import type { Place } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import { own } from "../declaration/keys.ts"
import { type Report, type Rule, valuesOf } from "./context.ts"

export const enumerations: Rule = (service, report) => {
  for (const [name, { values }] of Object.entries(service.enums ?? {}))
    checkValues(`The enumeration "${name}"`, values, ["enums", name, "values"], report)
  for (const { name, member, place, of } of valuesOf(service)) {
    if (member.of === undefined) continue
    if (typeof member.of !== "string")
      checkValues(`"${of.name}.${name}"`, member.of, [...place, "of"], report)
    else if (!own(service.enums, member.of))
      report(
        [...place, "of"],
        `No enumeration is called "${member.of}".`,
        suggest(member.of, Object.keys(service.enums ?? {})),
      )
  }
}

function checkValues(owner: string, values: readonly string[], place: Place, report: Report): void {
  for (const [index, value] of values.entries()) {
    if (value === "") report([...place, index], `${owner} has an empty value.`)
    else if (value.includes("\u0000") || !value.isWellFormed())
      report([...place, index], `${owner} has a value with U+0000 or a lone surrogate.`)
    else if (values.indexOf(value) < index)
      report([...place, index], `${owner} has the value "${value}" twice.`)
  }
}
