// Parameters of the OpenAPI document: what parameters.ts reads, in the words of a client generator.

import type { JsonValue } from "../../base/json.ts"
import type { Resource } from "../../model/model.ts"
import { pascalCase } from "../../model/names.ts"
import {
  type MemberName,
  memberNames,
  type NamesRow,
  parameters,
  recordMemberNames,
} from "../question/rest-query.ts"
import type { Json } from "./components.ts"
import { exampleFilter, exampleId } from "./examples.ts"
import { filterSchema } from "./schemas.ts"
import type { Describing } from "./values.ts"

/** Parameters of a list. `include[path][…]` has as many names as there are paths; `include` describes it. */
export const listParameters = (describing: Describing, resource: Resource): readonly Json[] => [
  ...parametersOf(describing, resource, memberNames),
  // The same as `total`.
  ...(describing.purpose === "validation"
    ? [
        shared(describing, "Prefer", {
          where: "header",
          schema: { type: "string" },
          description: "`count=exact` asks for `page.total` (RFC 7240).",
          example: "count=exact",
        }),
      ]
    : []),
]

/** Parameters of a single record. */
export const recordParameters = (describing: Describing, resource: Resource): readonly Json[] =>
  parametersOf(describing, resource, recordMemberNames)

const parametersOf = (
  describing: Describing,
  resource: Resource,
  taken: readonly MemberName[],
): readonly Json[] =>
  taken
    .filter((name) => parameters[name].isTaken?.(resource) ?? true)
    .map((name) => {
      const { names } = parameters[name]
      if (name === "filter") return filterParameter(describing, resource)
      return names ? namesParameter(describing, resource, name, names) : valueParameter(describing, name)
    })

/** Names through relations are without number, so that clients have one form for all resources. */
function namesParameter(
  describing: Describing,
  resource: Resource,
  name: MemberName,
  { of, pattern, isOpen, alike, schema, ...about }: NamesRow,
): Json {
  const description = about.describe?.(resource) ?? parameters[name].description ?? ""
  const patterned: Json = { type: "string", ...(pattern !== undefined && { pattern }) }
  const ofClients = describing.purpose === "clients"
  if (ofClients && alike?.isAlike(resource))
    return describing.components.refer("parameters", name, () =>
      listOf(name, patterned, description, { example: alike.example }),
    )
  return ofResource(describing, resource, pascalCase(name), () => {
    // Tools send examples, so each resource has one of its own.
    const example = about.example(resource)
    if (ofClients && schema !== undefined)
      return {
        ...{ name, in: "query", explode: false },
        schema: describing.derived(schema, () => ({ type: "array", items: patterned, description })),
        ...(example !== undefined && { example: [example] }),
      }
    const named = { type: "string", enum: of(resource) }
    return listOf(name, isOpen ? { anyOf: [named, patterned] } : named, description, { example })
  })
}

/** A parameter with one value. */
export function valueParameter(describing: Describing, name: MemberName): Json {
  const { form, schema, description = "", example } = parameters[name]
  const { page } = describing.model.limits
  return shared(describing, name, {
    schema: { ...(form?.kind === "one" && form.schema(page.max)), ...schema?.(page) },
    description,
    ...(example !== undefined && {
      example: typeof example === "number" ? Math.min(example, page.max) : example,
    }),
  })
}

export const ifNoneMatch = (describing: Describing): Json =>
  shared(describing, "If-None-Match", {
    where: "header",
    schema: { type: "string", examples: ['"1"'] },
    description: "The `ETag` of an earlier answer: 304 when nothing has changed.",
  })

export function pathParameter(name: string, description: string, example: JsonValue): Json {
  return { name, in: "path", required: true, description, schema: { type: "string" }, example }
}

/** @param name of the parameter: "id", unless there are two in one path */
export const idParameter = (
  describing: Describing,
  resource: Resource,
  { name = "id", of }: { readonly name?: string; readonly of: string },
): Json =>
  ofResource(describing, resource, name === "id" ? "Id" : pascalCase(name), () =>
    pathParameter(
      name,
      describing.purpose === "clients"
        ? "With or without its prefix."
        : `The id of the ${of}, with or without its prefix.`,
      exampleId(resource),
    ),
  )

/** Deep descriptions have the condition's own schema, to which flat ones lead by name. */
export function filterParameter(describing: Describing, resource: Resource): Json {
  const example = exampleFilter(describing.model, resource)
  const schema = filterSchema(describing, resource)
  return ofResource(describing, resource, "Filter", () => ({
    name: "filter",
    in: "query",
    description: `\`${describing.free(`${resource.type}Filter`)}\` as JSON, or in brackets: \`filter[lines.some.quantity][gt]=2\`.`,
    ...(describing.depth === "full"
      ? { content: { "application/json": { schema, example } } }
      : {
          schema: { type: "string", contentMediaType: "application/json" },
          example: JSON.stringify(example),
        }),
  }))
}

interface ListRest {
  /** An item. */
  readonly example?: JsonValue | undefined
  readonly bounds?: Json
}

/** A comma-separated list. */
export const listOf = (
  name: string,
  items: Json,
  description: string,
  { example, bounds }: ListRest = {},
): Json => ({
  ...{ name, in: "query", description, explode: false },
  schema: { type: "array", items, ...bounds },
  ...(example !== undefined && { example: [example] }),
})

const mostAffected =
  "`max-affected` says how many records may be changed: with more, nothing is. `return=minimal` asks for no body (RFC 7240)."

interface Shared {
  /** The parameter's name in requests; the component's name when absent. */
  readonly called?: string
  /** `query` when absent. */
  readonly where?: "query" | "header"
  readonly schema: Json
  readonly description: string
  readonly required?: boolean
  /** Absent for what only an earlier answer can say: the schema has examples then. */
  readonly example?: JsonValue
}

/** @param name the component's */
export const shared = (
  { components }: Describing,
  name: string,
  { called = name, where = "query", required, ...rest }: Shared,
): Json =>
  components.refer("parameters", name, () => ({
    name: called,
    in: where,
    ...(required ? { required } : {}),
    ...rest,
  }))

/** A parameter of all operations that are about the resource. */
const ofResource = ({ components }: Describing, { type }: Resource, suffix: string, make: () => Json): Json =>
  components.refer("parameters", `${type}${suffix}`, make)

const preferences = {
  one: ["PreferWrite", "`return=minimal` asks for no body (RFC 7240)."],
  /** Nothing else says how many records are meant. */
  many: ["PreferMany", mostAffected],
  several: ["PreferSeveral", mostAffected],
} as const

/** `Prefer` of a write. */
export function prefer(describing: Describing, kind: keyof typeof preferences): Json {
  const [name, description] = preferences[kind]
  return shared(describing, name, {
    ...{ called: "Prefer", where: "header", description },
    schema: { type: "string", ...(kind === "many" && { pattern: 'max-affected *= *"?[0-9]+' }) },
    required: kind === "many",
    example: kind === "one" ? "return=representation" : "max-affected=10",
  })
}

export const idempotencyKey = (describing: Describing): Json =>
  shared(describing, "Key", {
    ...{ called: "Idempotency-Key", where: "header" },
    // An example of the parameter would be sent with every request that is tried out.
    schema: {
      type: "string",
      minLength: 1,
      maxLength: 255,
      examples: ["5f0c1c5e-6a0d-4c9f-8a52-3f4a0c9e7b11"],
    },
    description: "The same request with the same key is done once, however often it is sent.",
  })

export function ifMatch(describing: Describing, { needsVersion }: Resource): Json {
  return shared(describing, needsVersion ? "IfMatchRequired" : "IfMatch", {
    ...{ called: "If-Match", where: "header", required: needsVersion === true },
    schema: { type: "string", examples: ['"1"'] },
    description: "The `ETag` of the record as it was read: 412 when it has changed.",
  })
}

/** For a PUT that may create. */
export const ifNoneMatchAny = (describing: Describing): Json =>
  shared(describing, "IfNoneMatchAny", {
    ...{ called: "If-None-Match", where: "header" },
    schema: { type: "string", enum: ["*"] },
    description: "The record must not exist yet; 412 if it does.",
  })
