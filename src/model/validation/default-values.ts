// A default is a value that the field could be given.
import { isDatabaseDefault } from "../declaration/build-field.ts"
import { own } from "../declaration/keys.ts"
import { machinesIn } from "../declaration/states.ts"
import { type Rule, valuesOf } from "./context.ts"
import { wrongValue } from "./wrong-value.ts"

export const defaultValues: Rule = (service, report) => {
  for (const { name, member, place, of } of valuesOf(service)) {
    const value = member.default
    if (value === undefined || isDatabaseDefault(value)) continue
    // A field that holds states begins with the machine's first, which is that rule's matter.
    if (own(of.resource.fields, name) === member && own(machinesIn(of.resource.states), name)) continue
    if (value === null) {
      report(
        [...place, "default"],
        `The default of "${name}" is null.`,
        "A field without a default is null if it is `optional`.",
      )
      continue
    }
    const wrong = wrongValue(service, member, value)
    if (wrong !== undefined)
      report(
        [...place, "default"],
        `The default of "${name}" must be ${wrong}, not ${JSON.stringify(value)}.`,
      )
  }
}
