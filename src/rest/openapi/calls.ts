// Operations of the OpenAPI document that are not about one record's members: transitions, actions, batches.

import { json } from "../../http/accept.ts"
import { callInputSchema, needsNothing } from "../../http/schemas/inputs.ts"
import { transitionsSchema } from "../../http/schemas/records.ts"
import { described, objectSchema, valueSchema } from "../../http/schemas/values.ts"
import { startsOf } from "../../http/transitions.ts"
import { transitionInputName, transitionNames } from "../../model/declaration/mutation-names.ts"
import type { Action, Resource, Transition } from "../../model/model.ts"
import { apiName, kebabCase, pascalCase } from "../../model/names.ts"
import { transitions } from "../../plan/member.ts"
import { transitionSegments } from "../http/route.ts"
import { batchAnswerSchema, batchSchema } from "./bodies.ts"
import type { Json } from "./components.ts"
import { exampleId } from "./examples.ts"
import {
  addressesOf,
  batchAddress,
  generalTag,
  type Operation,
  problemsOf,
  type RecordAddress,
} from "./operations.ts"
import { filterParameter, listOf } from "./parameters.ts"
import type { Describing } from "./values.ts"
import { bodyOf, done, replayed, type Writing, writeOf, writtenMany, writtenOne } from "./writing.ts"

export function transitionOperations(
  describing: Describing,
  resource: Resource,
  addresses: readonly RecordAddress[],
): readonly Operation[] {
  const { type, collection, path } = resource
  const name = apiName(resource)
  // A unique key leads to all that the id does.
  const listed = describing.purpose === "clients" ? addresses.slice(0, 1) : addresses
  const several = resource.needsVersion ? [] : [...transitionSegments(resource)]
  const about = (transition: Transition, records: string) => ({
    ...{ tag: type, answered: resource },
    description: transition.description ?? "Refused in another state, or while a requirement is not met.",
    summary: `Do \`${transition.name}\` to ${records}: ${startsOf(transition)} becomes \`${transition.to}\``,
    body: inputBody(describing, transition, transitionInputName(resource, transition.name)),
  })
  return [
    ...listed.flatMap(({ path, parameters, suffix }) => [
      transitionList(describing, resource, { path: `${path}/${transitions}`, parameters, suffix }),
      ...[...transitionSegments(resource)].map(([segment, transition]) =>
        writeOf(describing, {
          kind: "fire",
          ...about(transition, `one ${name}`),
          path: `${path}/${transitions}/${segment}`,
          id: `${transitionNames(resource, transition.name).fire}${suffix}`,
          ...{ address: parameters, changed: resource, prefers: "one", refusals: [403] },
          answers: writtenOne(describing, resource),
        }),
      ),
    ]),
    ...several.map(([segment, transition]) =>
      writeOf(describing, {
        kind: "fireMany",
        ...about(transition, `the ${collection} that \`ids\` or \`filter\` names`),
        path: `/${path}/${transitions}/${segment}`,
        id: transitionNames(resource, transition.name).fireMany,
        which: [idsParameter(describing, resource), filterParameter(describing, resource)],
        ...{ prefers: "several", refusals: [403, 404] },
        answers: writtenMany(describing, resource),
      }),
    ),
  ]
}

const idsParameter = (describing: Describing, resource: Resource): Json =>
  describing.components.refer("parameters", `${resource.type}Ids`, () =>
    listOf("ids", { type: "string" }, "The records to write, unless `filter` selects them; all or nothing.", {
      bounds: { minItems: 1, maxItems: describing.model.limits.writes },
      example: exampleId(resource),
    }),
  )

/** Depends on the moment, so that no answer has an entity tag. */
function transitionList(
  describing: Describing,
  resource: Resource,
  { path, parameters, suffix }: RecordAddress,
): Operation {
  const { type } = resource
  const name = apiName(resource)
  const schema = describing.named(`${describing.free(`${type}Transition`)}List`, () =>
    objectSchema([["data", transitionsSchema(describing, resource)]], { required: ["data"] }),
  )
  return {
    ...{ method: "get", path, tag: type, id: `list${type}Transitions${suffix}`, parameters },
    summary: `List the transitions of one ${name}, with reasons for refusal`,
    description: "Says of each transition whether the caller may fire it now, and why not.",
    responses: {
      200: describing.components.refer("responses", `${type}TransitionsListed`, () => ({
        ...{ description: "Found.", content: { [json.name]: { schema } } },
      })),
      ...problemsOf(describing, [404, 406]),
    },
  }
}

/** Actions on records, and operations of the service. */
export function callOperations(describing: Describing): readonly Operation[] {
  const { resources, operations } = describing.model
  return [
    ...[...resources.values()].flatMap((resource) =>
      [...(resource.actions?.values() ?? [])].map((action) => {
        const [{ path, parameters }] = addressesOf(describing, resource)
        return callOf(describing, action, {
          path: `${path}/actions/${kebabCase(action.name)}`,
          ...{ id: `${action.name}${resource.type}`, tag: resource.type },
          summary: `Do ${action.name} with one ${apiName(resource)}`,
          description: action.description ?? ownCode,
          ...{ address: parameters, changed: resource },
        })
      }),
    ),
    ...[...(operations?.values() ?? [])].map((action) =>
      callOf(describing, action, {
        ...{ path: `/actions/${kebabCase(action.name)}`, id: action.name, tag: generalTag },
        summary: `Do ${action.name}`,
        description: action.description ?? ownCode,
      }),
    ),
  ]
}

const ownCode = "Runs an operation of the service's own, in one transaction."

function callOf(
  describing: Describing,
  action: Action,
  writing: Omit<Writing, "kind" | "body" | "answers">,
): Operation {
  const of = `${writing.changed?.type ?? ""}${pascalCase(action.name)}`
  const fields = [...action.output.values()]
  const output = (): Json =>
    describing.derived(`${of}Output`, () =>
      objectSchema(
        fields.map((field) => [field.name, described(valueSchema(describing, field), field.description)]),
        { required: fields.map(({ name }) => name) },
      ),
    )
  return writeOf(describing, {
    ...{ ...writing, kind: "call" },
    body: inputBody(describing, action, `${of}Input`),
    answers:
      fields.length === 0
        ? done(describing)
        : {
            200: {
              description: "Done.",
              headers: replayed(describing),
              content: { [json.name]: { schema: output() } },
            },
          },
  })
}

/** The body of what takes values by name; undefined for what takes none. */
function inputBody(describing: Describing, action: Pick<Action, "input">, name: string): Json | undefined {
  if (action.input.size === 0) return undefined
  const schema = describing.derived(name, () => callInputSchema(describing, action) ?? {})
  return { required: !needsNothing(action), content: { [json.name]: { schema } } }
}

export function batchOperation(describing: Describing): Operation {
  const versioned = [...describing.model.resources.values()].some(({ needsVersion }) => needsVersion)
  return writeOf(describing, {
    ...{ kind: "batch", path: batchAddress, id: "doBatch", tag: generalTag },
    summary: "Do several requests together, or none of them",
    description:
      "Runs the requests in their order, in one transaction. The first that is refused undoes all of them.",
    body: bodyOf(describing, "create", batchSchema(describing)),
    answers: {
      200: {
        description: "All are done.",
        headers: replayed(describing),
        content: { [json.name]: { schema: batchAnswerSchema(describing) } },
      },
    },
    refusals: [404, 405, 412, ...(versioned ? ([428] as const) : [])],
  })
}
