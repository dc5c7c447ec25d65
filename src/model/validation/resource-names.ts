// Resources and their plurals are camelCase: types, addresses and tables are made from them.
import { camelCase } from "../names.ts"
import { type Rule, resourcesOf } from "./context.ts"

export const resourceNames: Rule = (service, report) => {
  for (const { name, resource, place } of resourcesOf(service)) {
    if (!isCamelCase(name)) report(place, `"${name}" cannot be the name of a resource.`, spelling(name))
    const { plural } = resource
    if (plural === undefined) continue
    if (!isCamelCase(plural))
      report([...place, "plural"], `"${plural}" cannot be a plural.`, spelling(plural))
    else if (plural === name)
      report(
        [...place, "plural"],
        `The plural of "${name}" must differ from "${name}".`,
        `Such as "${name}List".`,
      )
  }
}

const isCamelCase = (name: string): boolean => /^[a-z][A-Za-z0-9]*$/.test(name)

function spelling(name: string): string {
  const better = camelCase(name)
  return isCamelCase(better)
    ? `Write it in camelCase: "${better}".`
    : "Write it in camelCase, beginning with a letter."
}
