// Parameters of the OpenAPI document: what parameters.ts reads, in the words of a client generator.

import type { Resource } from "../../model/model.ts"
import { isSortable } from "../../model/operators.ts"
import { listed } from "../../plan/hints.ts"
import { etag, hasEtag, hasTransitions, transitions } from "../../plan/member.ts"
import { groupable } from "../../plan/read/groups.ts"
import { aggregateNames } from "../read/aggregate.ts"
import { scalarNames } from "../read/select.ts"
import type { Json } from "./components.ts"
import { filterSchema } from "./schemas.ts"
import type { Describing } from "./values.ts"

/** Parameters of a list. `include[path][…]` has as many names as there are paths; `include` describes it. */
export function listParameters(describing: Describing, resource: Resource): readonly Json[] {
  const aggregates = aggregateNames(resource)
  const groups = groupable(resource)
  return [
    // A history has an order of its own, and is returned as a whole.
    ...(resource.historyOf
      ? []
      : [
          filterParameter(describing, resource),
          listOf(
            "sort",
            sortItems(resource),
            "Order, most significant first: `-` for descending, `:nulls-first` for missing values first; through to-one relations too, as in `customer.name`.",
          ),
        ]),
    ...recordParameters(resource),
    ...pageParameters(describing),
    listOf(
      "aggregate",
      { type: "string", enum: aggregates },
      "Figures over all records that meet the filter, on all pages.",
    ),
    ...(groups.length === 0
      ? []
      : [
          listOf(
            "groupBy",
            { type: "string", enum: groups },
            "Forms groups, one to three members; `aggregate` is then given for each group.",
          ),
          shared(
            describing,
            "groups",
            { type: "integer", minimum: 0, maximum: describing.model.limits.page.max },
            "Groups at the most.",
          ),
        ]),
    shared(
      describing,
      "Prefer",
      { type: "string", examples: ["count=exact"] },
      "`count=exact` asks for `page.total` (RFC 7240).",
      "header",
    ),
  ]
}

/** Parameters of a single record. */
export function recordParameters(resource: Resource): readonly Json[] {
  const relations = [...resource.relations.keys()]
  const named = [
    ...(resource.computed?.keys() ?? []),
    ...(hasEtag(resource) ? [etag] : []),
    ...(hasTransitions(resource) ? [transitions] : []),
  ]
  const fields = [...scalarNames(resource), ...named]
  const include =
    "Related records to put into each record, with paths such as `customer,lines.product`. `include[path][fields]`, and for lists `include[path][limit]`, `[filter]`, `[sort]`, `[after]` and so on, ask of them what the parameters of the same names ask of the whole."
  return [
    ...(fields.length === 0
      ? []
      : [
          listOf(
            "fields",
            { type: "string", enum: [...(resource.key ? ["id"] : []), ...fields] },
            `Members of each record; all when absent${named.length > 0 ? `, but ${listed(named.map(asCode), "and")}` : ""}. \`id\` is always there.`,
          ),
        ]),
    ...(relations.length === 0
      ? []
      : [listOf("include", openList(relations, "^[A-Za-z0-9_]+(\\.[A-Za-z0-9_]+)*$"), include)]),
  ]
}

const asCode = (name: string): string => `\`${name}\``

export const ifNoneMatch = (describing: Describing): Json =>
  shared(
    describing,
    "If-None-Match",
    { type: "string" },
    "The `ETag` of an earlier answer: 304 when nothing has changed.",
    "header",
  )

export function pathParameter(name: string, description: string): Json {
  return { name, in: "path", required: true, description, schema: { type: "string" } }
}

export function filterParameter(describing: Describing, resource: Resource): Json {
  return {
    name: "filter",
    in: "query",
    description:
      "A condition as JSON. The same in brackets, one parameter each: `filter[total][gte]=10.00`, `filter[customer.email]=a@x.org` (short for `[eq]`), `filter[status][in]=paid,placed`, `filter[lines.some.quantity][gt]=2`; all must hold.",
    content: { "application/json": { schema: filterSchema(describing, resource) } },
  }
}

function sortItems(resource: Resource): Json {
  const sortable = [...resource.fields.values()].filter(isSortable).map(({ name }) => name)
  const all = [...(resource.key ? ["id"] : []), ...sortable]
  return openList(
    all.flatMap((name) => [name, `-${name}`]),
    "^-?[A-Za-z0-9_]+(\\.[A-Za-z0-9_]+)*(:nulls-(first|last))?$",
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

/** A comma-separated list. */
export const listOf = (name: string, items: Json, description: string, bounds: Json = {}): Json => ({
  ...{ name, in: "query", description, style: "form", explode: false },
  schema: { type: "array", items, ...bounds },
})

export function limitParameter(describing: Describing): Json {
  const { default: usual, max } = describing.model.limits.page
  const schema = { type: "integer", minimum: 0, maximum: max, default: usual }
  return shared(describing, "limit", schema, "Records per page.")
}

function pageParameters(describing: Describing): readonly Json[] {
  const text = { type: "string" }
  const rows: readonly (readonly [name: string, schema: Json, description: string])[] = [
    ["after", text, "A cursor, `page.next` of an earlier answer: the records behind it."],
    ["before", text, "A cursor, `page.prev` of an earlier answer: the records in front of it."],
    ["from", { ...text, enum: ["start", "end"] }, "`end` for the last page."],
    ["total", { type: "boolean", default: false }, "Whether `page.total` is given."],
  ]
  return [limitParameter(describing), ...rows.map((row) => shared(describing, ...row))]
}

const mostAffected =
  "`max-affected` says how many records may be changed: with more, nothing is. `return=minimal` asks for no body (RFC 7240)."

interface SharedName {
  /** The component's name. */
  readonly name: string
  /** The parameter's name in requests; the component's name when absent. */
  readonly called?: string
  readonly where: "query" | "header"
}

function sharedParameter(
  { components }: Describing,
  { name, called = name, where }: SharedName,
  schema: Json,
  description: string,
  required = false,
): Json {
  return components.refer("parameters", name, () => ({
    name: called,
    in: where,
    description,
    ...(required ? { required } : {}),
    schema,
  }))
}

const shared = (
  describing: Describing,
  name: string,
  schema: Json,
  description: string,
  where: "query" | "header" = "query",
): Json => sharedParameter(describing, { name, where }, schema, description)

const preferences = {
  one: ["PreferWrite", "`return=minimal` asks for no body (RFC 7240)."],
  /** Nothing else says how many records are meant. */
  many: ["PreferMany", mostAffected],
  several: ["PreferSeveral", mostAffected],
} as const

/** `Prefer` of a write. */
export function prefer(describing: Describing, kind: keyof typeof preferences): Json {
  const [name, description] = preferences[kind]
  const bounded = kind !== "one"
  const schema: Json = {
    type: "string",
    ...(kind === "many" && { pattern: 'max-affected *= *"?[0-9]+' }),
    examples: bounded ? ["max-affected=10", "return=minimal, max-affected=10"] : ["return=minimal"],
  }
  return sharedParameter(
    describing,
    { name, called: "Prefer", where: "header" },
    schema,
    description,
    kind === "many",
  )
}

export const idempotencyKey = (describing: Describing): Json =>
  shared(
    describing,
    "Idempotency-Key",
    { type: "string", minLength: 1, maxLength: 255 },
    "The same request with the same key is done once, however often it is sent.",
    "header",
  )

export function ifMatch(describing: Describing, { needsVersion }: Resource): Json {
  return sharedParameter(
    describing,
    { name: needsVersion ? "IfMatchRequired" : "IfMatch", called: "If-Match", where: "header" },
    { type: "string" },
    "The `ETag` of the record as it was read: 412 when it has changed.",
    needsVersion,
  )
}

/** For a PUT that may create. */
export const ifNoneMatchAny = (describing: Describing): Json =>
  sharedParameter(
    describing,
    { name: "IfNoneMatchAny", called: "If-None-Match", where: "header" },
    { type: "string", enum: ["*"] },
    "The record must not exist yet; 412 if it does.",
  )
