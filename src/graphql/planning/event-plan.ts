// Plans the root field of pages of events: the question to the feed, and the members of its answer.
import { type GraphQLObjectType, getNamedType, isObjectType } from "graphql"
import type { JsonText } from "../../base/json.ts"
import type { Place } from "../../base/problem.ts"
import { readLimit } from "../../plan/read/page.ts"
import type { FieldArguments } from "../document/arguments.ts"
import { collectFields, type FieldGroup, subselections } from "../document/operation.ts"
import type { PlannedEvents, SelectedPart } from "../document/planned-operation.ts"
import { fieldOf, type Planning, placeOf } from "./planning.ts"

interface EventsSpot {
  readonly query: GraphQLObjectType
  readonly group: FieldGroup
  readonly place: Place
  /** None where graphql-js refuses them: then nothing is asked. */
  readonly args: FieldArguments
}

export function planEvents(planning: Planning, { query, group, place, args }: EventsSpot): PlannedEvents {
  const limit = planning.ask({
    read(draft, asked) {
      // Each is read, so that a request of the same shape is refused for any of them.
      const [first] = (["first", "after", "types", "where"] as const).map((name) => args.read(asked, name))
      const given = typeof first === "number" ? first : undefined
      readLimit(draft, given, { name: "first", place: [...place, "first"] })
      return given ?? draft.model.limits.page.default
    },
    keyOf: String,
    constant: args.isConstant("first", "after", "types", "where"),
  })
  const at = (name: string): Place => [...place, name]
  return {
    limit,
    read(asked) {
      const where = args.read(asked, "where") as Readonly<Record<string, unknown>> | undefined
      const [resource] = Object.keys(where ?? {})
      const after = args.read(asked, "after")
      const types = args.read(asked, "types") as readonly string[] | undefined
      return {
        limit,
        ...(resource !== undefined && { resource, where: where?.[resource] }),
        ...(typeof after === "string" && { after }),
        ...(types && { types }),
        places: { where: at("where"), after: at("after"), types: at("types") },
      }
    },
    parts: partsOf(planning, query, group, place),
  }
}

function partsOf(
  planning: Planning,
  parent: GraphQLObjectType,
  group: FieldGroup,
  place: Place,
): readonly SelectedPart[] | undefined {
  const type = getNamedType(fieldOf(parent, group).type)
  if (!isObjectType(type)) return undefined
  return collectFields(planning, type, subselections(group)).map((inner): SelectedPart => {
    const { key, name } = inner
    if (name === "__typename") return { key, name, json: JSON.stringify(type.name) satisfies JsonText }
    const of = partsOf(planning, type, inner, placeOf(planning, place, inner))
    return { key, name, ...(of && { of }) }
  })
}
