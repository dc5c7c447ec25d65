// A transition is called by its name in both faces, so that it is a name there, and one transition's in its resource.
import { isGraphqlName, kebabCase } from "../names.ts"
import { readAction } from "../reserved.ts"
import { claims, type Rule, resourcesOf, transitionsOf } from "./context.ts"

export const transitionNames: Rule = (service, report) => {
  const all = transitionsOf(service)
  for (const { name, member, place } of all) {
    if (!isGraphqlName(name) || kebabCase(name) === "")
      report(
        place,
        `"${name}" cannot be the name of a transition.`,
        "Letters, digits and underscores, not beginning with a digit or with two underscores.",
      )
    if (name === readAction)
      report(
        place,
        '"read" is what rules call looking at a record, so no transition is.',
        "Give it another name.",
      )
    if (member.reason !== undefined && member.when === undefined)
      report(
        [...place, "reason"],
        `The reason of "${name}" is never told: it has no \`when\` that could fail.`,
        "Leave it out, or say what the record must meet.",
      )
  }
  for (const { name: resource } of resourcesOf(service)) {
    const segments = claims<string>()
    for (const { name, place, machine } of all.filter(({ of }) => of.name === resource)) {
      const first = segments.claim(kebabCase(name), machine.name)
      if (first !== undefined)
        report(
          place,
          first === machine.name
            ? `"${resource}" has two transitions that would be asked for as "${kebabCase(name)}".`
            : `"${first}" and "${machine.name}" both have a transition that is asked for as "${kebabCase(name)}".`,
          "Give one of them another name.",
        )
    }
  }
}
