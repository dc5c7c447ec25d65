// The prefix of public ids tells resources apart for ever. https://github.com/jetify-com/typeid/tree/main/spec
import { defaultResourceNames } from "../declaration/default-names.ts"
import { claims, type Rule, resourcesOf } from "./context.ts"

export const idPrefixes: Rule = (service, report) => {
  const prefixes = claims<string>()
  for (const { name, resource, place } of resourcesOf(service)) {
    const { prefix } = defaultResourceNames(name, resource)
    if (resource.id !== undefined && !/^[a-z][a-z0-9]{0,62}$/.test(prefix))
      report(
        [...place, "id"],
        `"${prefix}" cannot be the prefix of ids.`,
        "Up to 63 lower-case letters and digits, beginning with a letter.",
      )
    const first = prefixes.claim(prefix, name)
    if (first !== undefined)
      report([...place, "id"], `The ids of "${name}" would begin like those of "${first}": "${prefix}_".`)
  }
}
