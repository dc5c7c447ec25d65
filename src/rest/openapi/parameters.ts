// Parameters of the OpenAPI document: what parameters.ts reads, in the words of a client generator.

import type { JsonValue } from "../../base/json.ts"
import type { Resource } from "../../model/model.ts"
import { pascalCase } from "../../model/names.ts"
import { isSortable } from "../../model/operators.ts"
import { listed } from "../../plan/hints.ts"
import { etag, hasEtag, hasTransitions, transitions } from "../../plan/member.ts"
import { groupable } from "../../plan/read/groups.ts"
import { aggregateNames } from "../read/aggregate.ts"
import { scalarNames } from "../read/select.ts"
import type { Json } from "./components.ts"
import { exampleFilter, exampleId, exampleSort } from "./examples.ts"
import { filterSchema } from "./schemas.ts"
import type { Describing } from "./values.ts"

/** Parameters of a list. `include[path][…]` has as many names as there are paths; `include` describes it. */
export function listParameters(describing: Describing, resource: Resource): readonly Json[] {
  return [
    // A history has an order of its own, and is returned as a whole.
    ...(resource.historyOf
      ? []
      : [filterParameter(describing, resource), sortParameter(describing, resource)]),
    ...recordParameters(describing, resource),
    ...pageParameters(describing),
    aggregateParameter(describing, resource),
    ...groupParameters(describing, resource),
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
}

/** Parameters of a single record. */
export function recordParameters(describing: Describing, resource: Resource): readonly Json[] {
  const relations = [...resource.relations.keys()]
  const named = [
    ...(resource.computed?.keys() ?? []),
    ...(hasEtag(resource) ? [etag] : []),
    ...(hasTransitions(resource) ? [transitions] : []),
  ]
  const fields = [...scalarNames(resource), ...named]
  return [
    ...(fields.length === 0
      ? []
      : [
          ofResource(describing, resource, "Fields", () =>
            listOf(
              "fields",
              { type: "string", enum: [...(resource.key ? ["id"] : []), ...fields] },
              `All when absent${named.length > 0 ? `, but ${listed(named.map(asCode), "and")}` : ""}.`,
              { example: fields[0] },
            ),
          ),
        ]),
    ...(relations.length === 0 ? [] : [includeParameter(describing, resource, relations)]),
  ]
}

/** Paths are without number, so that clients have one form for all resources. */
function includeParameter(describing: Describing, resource: Resource, relations: readonly string[]): Json {
  const pattern = "^[\\w.]+$"
  if (describing.purpose === "clients")
    return ofResource(describing, resource, "Include", () =>
      compactList(describing, "include", {
        of: [
          "Paths",
          { type: "string", pattern },
          "Related records, by paths such as `customer,lines.product`.",
        ],
        example: relations[0],
      }),
    )
  const description = "Related records, by paths such as `customer,lines.product`."
  return ofResource(describing, resource, "Include", () =>
    listOf("include", openList(relations, pattern), description, { example: relations[0] }),
  )
}

const asCode = (name: string): string => `\`${name}\``

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

/** Names through relations are without number, so that clients have one form for all resources. */
function sortParameter(describing: Describing, resource: Resource): Json {
  const description =
    "Order, most significant first: `-` for descending, `:nulls-first` for missing values first, `customer.name` through a relation."
  const pattern = "^-?[\\w.]+(:nulls-(first|last))?$"
  if (describing.purpose === "clients" && resource.key)
    return describing.components.refer("parameters", "sort", () =>
      listOf("sort", { type: "string", pattern }, description, { example: "-id" }),
    )
  const sortable = [...resource.fields.values()].filter(isSortable).map(({ name }) => name)
  const all = [...(resource.key ? ["id"] : []), ...sortable]
  const names = all.flatMap((name) => [name, `-${name}`])
  return ofResource(describing, resource, "Sort", () =>
    listOf("sort", openList(names, pattern), description, { example: exampleSort(resource) }),
  )
}

function aggregateParameter(describing: Describing, resource: Resource): Json {
  const description = "Figures over all records that meet the filter, on all pages: `count`, `sum.total`."
  const listOfFigures = (items: Json): Json => listOf("aggregate", items, description, { example: "count" })
  if (describing.purpose === "clients")
    return describing.components.refer("parameters", "aggregate", () =>
      listOfFigures({ type: "string", pattern: "^(count|(sum|avg|min|max)\\.\\w+)$" }),
    )
  return ofResource(describing, resource, "Aggregate", () =>
    listOfFigures({ type: "string", enum: aggregateNames(resource) }),
  )
}

function groupParameters(describing: Describing, resource: Resource): readonly Json[] {
  const groups = groupable(resource)
  if (groups.length === 0) return []
  const { max } = describing.model.limits.page
  return [
    groupByParameter(describing, resource, groups),
    shared(describing, "groups", {
      schema: { type: "integer", minimum: 0, maximum: max },
      description: "Groups at the most.",
      example: Math.min(10, max),
    }),
  ]
}

function groupByParameter(describing: Describing, resource: Resource, groups: readonly string[]): Json {
  const description = "One to three members, by which `aggregate` is given."
  if (describing.purpose === "clients")
    return ofResource(describing, resource, "GroupBy", () =>
      compactList(describing, "groupBy", {
        of: ["GroupMembers", { type: "string", pattern: "^\\w+$" }, description],
        example: groups[0],
      }),
    )
  return ofResource(describing, resource, "GroupBy", () =>
    listOf("groupBy", { type: "string", enum: groups }, description, { example: groups[0] }),
  )
}

/** Values worth offering, and the form of those that there are too many of. */
function openList(values: readonly string[], pattern: string): Json {
  return {
    anyOf: [
      { type: "string", enum: values },
      { type: "string", pattern },
    ],
  }
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

interface CompactList {
  /** The schema that the lists of all resources share: its name, items and description. */
  readonly of: readonly [name: string, items: Json, description: string]
  /** An item; tools send examples, so each resource has one of its own. */
  readonly example: JsonValue | undefined
}

/** A comma-separated list of names that no schema enumerates. */
const compactList = (
  describing: Describing,
  name: string,
  { of: [schema, items, description], example }: CompactList,
): Json => ({
  ...{ name, in: "query", explode: false },
  schema: describing.derived(schema, () => ({ type: "array", items, description })),
  ...(example !== undefined && { example: [example] }),
})

export function limitParameter(describing: Describing): Json {
  const { default: usual, max } = describing.model.limits.page
  return shared(describing, "limit", {
    schema: { type: "integer", minimum: 0, maximum: max, default: usual },
    description: "Records per page.",
    example: Math.min(10, max),
  })
}

/** Cursors are those of earlier answers: an invented one as the parameter's example would be refused. */
const cursor = { type: "string", examples: ["the page.next of an answer"] }

function pageParameters(describing: Describing): readonly Json[] {
  const rows: Readonly<Record<string, Shared>> = {
    after: {
      schema: cursor,
      description: "A cursor, `page.next` of an earlier answer: the records behind it.",
    },
    before: {
      schema: cursor,
      description: "A cursor, `page.prev` of an earlier answer: the records in front of it.",
    },
    from: {
      schema: { type: "string", enum: ["start", "end"] },
      description: "`end` for the last page.",
      example: "start",
    },
    total: {
      schema: { type: "boolean", default: false },
      description: "Whether `page.total` is given.",
      example: true,
    },
  }
  return [
    limitParameter(describing),
    ...Object.entries(rows).map(([name, row]) => shared(describing, name, row)),
  ]
}

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
