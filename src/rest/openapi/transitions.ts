// What OpenAPI says of transitions: which there are, and how they are fired on one record or on several.

import { json } from "../../http/accept.ts"
import { objectSchema } from "../../http/json-schema.ts"
import { givenSchema, hasTransitions, needsNothing, startsOf, transitions } from "../../http/transitions.ts"
import { transitionInputName, transitionNames } from "../../model/declaration/mutation-names.ts"
import type { Resource, Transition, Unique } from "../../model/model.ts"
import { pascalCase } from "../../model/names.ts"
import { mostWrites } from "../../plan/write/write.ts"
import { transitionSegments } from "../http/route.ts"
import { freeName, type Json } from "./components.ts"
import { type NameOperation, type PathItem, uniquePath } from "./operations.ts"
import { pathParameter, recordParameters } from "./parameters.ts"
import { problemOf } from "./responses.ts"
import { listSchema, recordSchema, transitionsSchema } from "./schemas.ts"
import type { Describing } from "./values.ts"
import {
  applied,
  failures,
  idempotencyKey,
  ifMatch,
  nothing,
  preferMany,
  recordHeaders,
  severalParameters,
  writeParameters,
} from "./writes.ts"

export function transitionPaths(
  describing: Describing,
  resource: Resource,
  name: NameOperation,
): readonly PathItem[] {
  if (!hasTransitions(resource)) return []
  const at: At = { describing, resource, name }
  const id = pathParameter("id", `The id of the ${resource.name}, with or without its prefix.`)
  return [
    ...recordPaths(at, { path: `/${resource.path}/{id}`, parameters: [id], suffix: "" }),
    ...resource.uniques.flatMap((unique) => recordPaths(at, byUnique(resource, unique))),
    ...(resource.needsVersion ? [] : severalPaths(at)),
  ]
}

interface At {
  readonly describing: Describing
  readonly resource: Resource
  readonly name: NameOperation
}

interface Addressed {
  readonly path: string
  readonly parameters: readonly Json[]
  /** Of operations' names. */
  readonly suffix: string
}

const byUnique = (resource: Resource, unique: Unique): Addressed => ({
  ...uniquePath(resource, unique),
  suffix: `By${pascalCase(unique.name)}`,
})

function recordPaths(at: At, addressed: Addressed): readonly PathItem[] {
  const below = `${addressed.path}/${transitions}`
  return [
    [below, { get: listOf(at, addressed) }],
    ...[...transitionSegments(at.resource)].map(
      ([segment, transition]): PathItem => [`${below}/${segment}`, { post: fire(at, addressed, transition) }],
    ),
  ]
}

/** What there is of a resource is told as a whole, and depends on the moment. */
function listOf({ describing, resource, name }: At, { parameters, suffix }: Addressed): Json {
  const schema = describing.components.refer(
    "schemas",
    freeName(describing.taken, `${resource.type}TransitionList`),
    () => objectSchema([["data", transitionsSchema(describing, resource)]], { required: ["data"] }),
  )
  return {
    tags: [resource.type],
    operationId: name(`list${resource.type}Transitions${suffix}`),
    summary: `List the transitions of one ${resource.name}, with reasons for refusal`,
    parameters,
    responses: {
      200: { description: "Found.", content: { [json.name]: { schema } } },
      ...failures(describing, ["404"]),
      406: problemOf(describing, "NotAcceptable", "None of the media types in Accept is available."),
    },
  }
}

function fire(at: At, { parameters, suffix }: Addressed, transition: Transition): Json {
  const { describing, resource, name } = at
  const { fire: called } = transitionNames(resource, transition.name)
  const version = resource.needsVersion ? ["428"] : []
  return {
    tags: [resource.type],
    operationId: name(`${called}${suffix}`),
    ...aboutTransition(transition, `one ${resource.name}`),
    parameters: [
      ...parameters,
      ...recordParameters(resource),
      ifMatch(describing, resource),
      ...writeParameters(describing),
    ],
    ...inputBody(at, transition),
    responses: {
      200: {
        description: "Done.",
        headers: recordHeaders(describing),
        content: { [json.name]: { schema: recordSchema(describing, resource) } },
      },
      ...nothing(describing),
      ...failures(describing, ["403", "404", "409", "412", "415", "422", ...version]),
    },
  }
}

function severalPaths(at: At): readonly PathItem[] {
  const { describing, resource, name } = at
  const ids = {
    name: "ids",
    in: "query",
    description: "The records to write, unless `filter` selects them; all or nothing.",
    style: "form",
    explode: false,
    schema: { type: "array", items: { type: "string" }, minItems: 1, maxItems: mostWrites },
  }
  return [...transitionSegments(resource)].map(
    ([segment, transition]): PathItem => [
      `/${resource.path}/${transitions}/${segment}`,
      {
        post: {
          tags: [resource.type],
          operationId: name(transitionNames(resource, transition.name).fireMany),
          ...aboutTransition(transition, `the ${resource.collection} that \`ids\` or \`filter\` names`),
          parameters: [
            ids,
            ...severalParameters(describing, resource),
            preferMany(describing, false),
            idempotencyKey(describing),
          ],
          ...inputBody(at, transition),
          responses: {
            200: {
              description: "Done: to all of them.",
              headers: applied(describing),
              content: { [json.name]: { schema: listSchema(describing, resource) } },
            },
            ...nothing(describing),
            ...failures(describing, ["403", "404", "409", "415", "422"]),
          },
        },
      },
    ],
  )
}

const aboutTransition = (transition: Transition, records: string): Json => ({
  summary: `Do \`${transition.name}\` to ${records}: ${startsOf(transition)} becomes \`${transition.to}\``,
  ...(transition.description === undefined ? {} : { description: transition.description }),
})

/** Nothing where the transition takes nothing. */
function inputBody({ describing, resource }: At, transition: Transition): Json {
  const { components, taken } = describing
  const made = givenSchema(describing, transition)
  if (!made) return {}
  const called = transitionInputName(resource, transition.name)
  const schema = components.refer("schemas", freeName(taken, called), () => made)
  return { requestBody: { required: !needsNothing(transition), content: { [json.name]: { schema } } } }
}
