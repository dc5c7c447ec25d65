// A relation leads to a resource of the service.
import { suggest } from "../../base/suggest.ts"
import { own } from "../declaration/keys.ts"
import { type Rule, relationsOf } from "./context.ts"

export const relationTargets: Rule = (service, report) => {
  for (const { member, place } of relationsOf(service))
    if (!own(service.resources, member.target))
      report(
        [...place, "target"],
        `No resource is called "${member.target}".`,
        suggest(member.target, Object.keys(service.resources)),
      )
}
