// A resource says who may do what there is to be done. Rules are looked at beside it, so that theirs are told at once.
import { suggest } from "../../base/suggest.ts"
import { actions } from "../policy-declaration.ts"
import { type Rule, resourcesOf } from "./context.ts"

export const allowedActions: Rule = (service, report) => {
  for (const { resource, place } of resourcesOf(service))
    for (const name of Object.keys(resource.allow ?? {}))
      if (!(actions as readonly string[]).includes(name))
        report([...place, "allow", name], `There is no member "${name}" here.`, suggest(name, actions))
}
