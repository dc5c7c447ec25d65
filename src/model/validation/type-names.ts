// Every resource and enumeration has a GraphQL type of its own name. Types that faces derive, such as `OrderConnection`,
// give way to these; only what every service has is reserved.
import type { Place } from "../../base/problem.ts"
import { inputOwner } from "../build/build-state-machines.ts"
import type { FieldDeclaration, ServiceDeclaration } from "../declaration/declaration.ts"
import { defaultResourceNames, enumerationName } from "../declaration/default-names.ts"
import { ownEventType, payloadFields } from "../declaration/own-events.ts"
import { isGraphqlName, pascalCase } from "../names.ts"
import { reservedTypes } from "../reserved.ts"
import { claims, fieldsOf, inputsOf, type Rule, resourcesOf } from "./context.ts"

export const typeNames: Rule = (service, report) => {
  const types = claims<string>()
  for (const { type, owner, place } of typesOf(service)) {
    if (!isGraphqlName(type)) {
      report(place, `The ${owner} would have the type "${type}", which is no GraphQL name.`)
    } else if (reservedTypes.has(type)) {
      report(place, `The ${owner} would have the type "${type}", which every service has.`)
    } else {
      const first = types.claim(type, owner)
      if (first !== undefined)
        report(place, `The ${owner} and the ${first} would both have the type "${type}".`)
    }
  }
}

interface OwnType {
  readonly type: string
  readonly owner: string
  readonly place: Place
}

function typesOf(service: ServiceDeclaration): readonly OwnType[] {
  return [
    ...resourcesOf(service).map(({ name, resource, place }) => ({
      type: defaultResourceNames(name, resource).type,
      owner: `resource "${name}"`,
      place,
    })),
    ...Object.keys(service.enums ?? {}).map((name) => ({
      type: pascalCase(name),
      owner: `enumeration "${name}"`,
      place: ["enums", name],
    })),
    ...fieldsOf(service).flatMap(({ name, member, place, of }) =>
      hasOwnValues(member)
        ? [
            {
              type: enumerationName(of.name, name, member),
              owner: `enumeration of "${of.name}.${name}"`,
              place: [...place, "of"],
            },
          ]
        : [],
    ),
    ...payloadFields(service).flatMap(({ resource, event, owner, name, field }) =>
      hasOwnValues(field)
        ? [
            {
              type: enumerationName(owner, name, field),
              owner: `enumeration of "${name}" of the event "${ownEventType(resource, event)}"`,
              place: ["resources", resource, "events", event, "payload", name, "of"],
            },
          ]
        : [],
    ),
    ...inputsOf(service).flatMap(({ name, member, place, of, transition }) =>
      hasOwnValues(member)
        ? [
            {
              type: enumerationName(inputOwner(of.name, transition.name), name, member),
              owner: `enumeration of the input "${name}" of "${of.name}.${transition.name}"`,
              place: [...place, "of"],
            },
          ]
        : [],
    ),
  ]
}

const hasOwnValues = ({ of }: FieldDeclaration): boolean => of !== undefined && typeof of !== "string"
