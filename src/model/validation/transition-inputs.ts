// Inputs of a transition are values without columns, with only the settings that such a value can have.
import { isDatabaseDefault } from "../declaration/build-field.ts"
import { isGraphqlName } from "../names.ts"
import { inputsOf, ofColumns, type Rule } from "./context.ts"

export const transitionInputs: Rule = (service, report) => {
  for (const { name, member, place, transition } of inputsOf(service)) {
    if (!isGraphqlName(name))
      report(
        place,
        `"${name}" cannot be the name of an input.`,
        "Letters, digits and underscores, not beginning with a digit or with two underscores.",
      )
    for (const said of ofColumns)
      if (member[said] !== undefined)
        report(
          [...place, said],
          `"${name}" is given with "${transition.name}", and no column holds it: it cannot have \`${said}\`.`,
        )
    if (member.default !== undefined && isDatabaseDefault(member.default))
      report([...place, "default"], `"${name}" has no default in the database, where no column holds it.`)
  }
}
