// Within a resource no two members have the same name, however it is cased; a to-one relation brings `<name>Id` along,
// states bring `transitions`, and what is kept of changes `history`.
import { isLogged } from "../build/history.ts"
import { referenceName } from "../declaration/default-names.ts"
import { camelCase } from "../names.ts"
import { historyMember, transitionsMember } from "../reserved.ts"
import { claims, type Rule, resourcesOf } from "./context.ts"

export const memberClashes: Rule = (service, report) => {
  for (const { resource, place } of resourcesOf(service)) {
    const names = claims<string>()
    const claim = (name: string, owner: string, at: readonly string[]) => {
      const first = names.claim(camelCase(name), owner)
      if (first !== undefined) report([...place, ...at], `The ${owner} and the ${first} have the same name.`)
    }
    if (resource.states !== undefined)
      names.claim(transitionsMember, "list of what can be done with a record")
    if (isLogged(resource)) names.claim(historyMember, "history of a record")
    for (const name of Object.keys(resource.fields)) claim(name, `field "${name}"`, ["fields", name])
    for (const name of Object.keys(resource.relations ?? {}))
      claim(name, `relation "${name}"`, ["relations", name])
    for (const [name, relation] of Object.entries(resource.relations ?? {}))
      if (relation.kind === "one" && relation.by === undefined)
        claim(referenceName(name), `reference "${referenceName(name)}" of the relation "${name}"`, [
          "relations",
          name,
        ])
  }
}
