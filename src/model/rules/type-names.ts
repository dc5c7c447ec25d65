// Every resource and enumeration has a GraphQL type of its own name. Types that faces derive, such as `OrderConnection`,
// give way to these; only what every service has is reserved.
import { isGraphqlName } from "../names.ts"
import { reservedTypes } from "../reserved.ts"
import { enumerationName, settleResourceNames } from "../settled-names.ts"
import { claims, fieldsOf, type Report, type Rule, resourcesOf } from "./rule.ts"

export const typeNames: Rule = (service, report) => {
  const types = claims<string>()
  const claim = claimType(types, report)
  for (const { name, resource, place } of resourcesOf(service))
    claim(settleResourceNames(name, resource).type, `resource "${name}"`, place)
  for (const name of Object.keys(service.enums ?? {}))
    claim(enumerationName("", "", { scalar: "oneOf", of: name }), `enumeration "${name}"`, ["enums", name])
  for (const { name, member, place, of } of fieldsOf(service))
    if (Array.isArray(member.of))
      claim(enumerationName(of.name, name, member), `enumeration of "${of.name}.${name}"`, [...place, "of"])
}

const claimType =
  (types: ReturnType<typeof claims<string>>, report: Report) =>
  (type: string, owner: string, place: readonly (string | number)[]): void => {
    if (!isGraphqlName(type))
      return report(place, `The ${owner} would have the type "${type}", which is no GraphQL name.`)
    if (reservedTypes.has(type))
      return report(place, `The ${owner} would have the type "${type}", which every service has.`)
    const first = types.claim(type, owner)
    if (first !== undefined)
      report(place, `The ${owner} and the ${first} would both have the type "${type}".`)
  }
