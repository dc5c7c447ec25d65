// Own operations in the OpenAPI document.

import { json } from "../../http/accept.ts"
import { described, objectSchema, valueSchema } from "../../http/json-schema.ts"
import { givenSchema, needsNothing } from "../../http/transitions.ts"
import type { Action, Resource } from "../../model/model.ts"
import { kebabCase, pascalCase } from "../../model/names.ts"
import { freeName, type Json } from "./components.ts"
import { generalTag, type NameOperation, type PathItem } from "./operations.ts"
import { pathParameter } from "./parameters.ts"
import type { Describing } from "./values.ts"
import { body, failures, idempotencyKey, ifMatch, replayed } from "./writes.ts"

export function callPaths(describing: Describing, name: NameOperation): readonly PathItem[] {
  const { model } = describing
  const actions = [...model.resources.values()].flatMap((resource) =>
    [...(resource.actions?.values() ?? [])].map((action): PathItem => {
      const id = pathParameter("id", `The id of the ${resource.name}, with or without its prefix.`)
      return [
        `/${resource.path}/{id}/actions/${kebabCase(action.name)}`,
        callItem(describing, { action, resource, id: name(`${action.name}${resource.type}`) }, [
          id,
          ifMatch(describing, resource),
        ]),
      ]
    }),
  )
  const operations = [...(model.operations?.values() ?? [])].map(
    (action): PathItem => [
      `/actions/${kebabCase(action.name)}`,
      callItem(describing, { action, id: name(action.name) }, []),
    ],
  )
  return [...actions, ...operations]
}

interface Called {
  readonly action: Action
  readonly resource?: Resource
  /** The operation's name in the document. */
  readonly id: string
}

function callItem(
  describing: Describing,
  { action, resource, id }: Called,
  parameters: readonly Json[],
): Json {
  const of = `${resource?.type ?? ""}${pascalCase(action.name)}`
  const about = resource ? `Do ${action.name} with one ${resource.name}` : `Do ${action.name}`
  const missing = resource ? ["404", "412", ...(resource.needsVersion ? ["428"] : [])] : []
  return {
    post: {
      tags: [resource?.type ?? generalTag],
      operationId: id,
      summary: action.description ?? about,
      parameters: [...parameters, idempotencyKey(describing)],
      ...(action.input.size > 0 && { requestBody: inputBody(describing, action, of) }),
      responses: {
        ...(action.output.size > 0
          ? {
              200: {
                description: "Done.",
                headers: replayed(describing),
                content: { [json.name]: { schema: outputSchema(describing, action, of) } },
              },
            }
          : { 204: { description: "Done.", headers: replayed(describing) } }),
        ...failures(describing, [...missing, "409", "415", "422"]),
      },
    },
  }
}

function inputBody(describing: Describing, action: Action, of: string): Json {
  const { components, taken } = describing
  const schema = components.refer(
    "schemas",
    freeName(taken, `${of}Input`),
    () => givenSchema(describing, action) ?? {},
  )
  return { ...body({ [json.name]: { schema } }), required: !needsNothing(action) }
}

function outputSchema(describing: Describing, { output }: Action, of: string): Json {
  const { components, taken } = describing
  const fields = [...output.values()]
  return components.refer("schemas", freeName(taken, `${of}Output`), () =>
    objectSchema(
      fields.map(
        (field) => [field.name, described(valueSchema(describing, field), field.description)] as const,
      ),
      { required: fields.map(({ name }) => name) },
    ),
  )
}
