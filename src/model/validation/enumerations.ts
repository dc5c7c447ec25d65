// Each value of an enumeration is there once; `f.oneOf("name")` names one of the service's.
import type { Place } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import { formerNames } from "../declaration/build-field.ts"
import type { FormerValues, ServiceDeclaration } from "../declaration/declaration.ts"
import { own } from "../declaration/keys.ts"
import { claims, type Report, type Rule, valuesOf } from "./context.ts"

export const enumerations: Rule = (service, report) => {
  for (const [name, { values, formerly }] of Object.entries(service.enums ?? {})) {
    checkValues(`The enumeration "${name}"`, values, ["enums", name, "values"], report)
    if (formerly) checkFormer(service, { values, formerly, place: ["enums", name, "formerly"] }, report)
  }
  for (const { name, member, place, of } of valuesOf(service)) {
    const { formerly, of: values } = member
    const at = [...place, "formerly"]
    if (formerly && (values === undefined || typeof values === "string"))
      report(at, "The values are not the field's own.", "Put `formerly` beside the `values` in `enums`.")
    else if (formerly && typeof values === "object")
      checkFormer(service, { values, formerly, place: at }, report)
    if (member.list && (typeof values === "string" ? own(service.enums, values)?.formerly : formerly))
      report(
        typeof values === "string" ? [...place, "of"] : at,
        `"${of.name}.${name}" is a list, whose values are not renamed in records.`,
        "Keep the old values, or have a field of one value.",
      )
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

interface Renamed {
  readonly values: readonly string[]
  readonly formerly: FormerValues
  readonly place: Place
}

/** Former values became one of today's, and are not among these. */
function checkFormer(
  { managed }: ServiceDeclaration,
  { values, formerly, place }: Renamed,
  report: Report,
): void {
  if (managed === false) {
    report(
      place,
      "Bifold does not manage these tables, so it renames nothing in them.",
      "Leave out `formerly`.",
    )
    return
  }
  const claimed = claims<string>()
  for (const [value, was] of Object.entries(formerly)) {
    const at = [...place, value]
    if (!values.includes(value)) report(at, `There is no value "${value}".`, suggest(value, values))
    for (const one of formerNames(was) ?? []) {
      const first = claimed.claim(one, value)
      if (values.includes(one))
        report(at, `"${value}" cannot have been "${one}", which is a value now.`, "Rename in two steps.")
      else if (first !== undefined)
        report(at, `"${value}" and "${first}" cannot both have been "${one}".`, "Leave out one of the two.")
    }
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
