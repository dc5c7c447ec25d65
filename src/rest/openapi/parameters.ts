// Parameters of the OpenAPI document: what parameters.ts reads, in the words of a client generator.

import { hasTransitions, transitions } from "../../http/transitions.ts"
import type { Resource } from "../../model/model.ts"
import { isSortable } from "../../model/operators.ts"
import { listed } from "../../plan/hints.ts"
import { etag, hasEtag } from "../../plan/member.ts"
import { groupable } from "../../plan/read/groups.ts"
import { aggregateNames } from "../read/aggregate.ts"
import { scalarNames } from "../read/select.ts"
import type { Json } from "./components.ts"
import { filterSchema } from "./schemas.ts"
import type { Describing } from "./values.ts"

/** What a list can be asked. `include[path][…]` has as many names as there are paths; `include` describes it. */
export function listParameters(describing: Describing, resource: Resource): readonly Json[] {
  const aggregates = aggregateNames(resource)
  const groups = groupable(resource)
  return [
    // What became of a record has its order, and is told as a whole.
    ...(resource.historyOf
      ? []
      : [
          filterParameter(describing, resource),
          names(
            "sort",
            sortItems(resource),
            "Order, most significant first: `-` for descending, `:nulls-first` for missing values first; through to-one relations too, as in `customer.name`.",
          ),
        ]),
    ...recordParameters(resource),
    ...sharedParameters(describing),
    names(
      "aggregate",
      { type: "string", enum: aggregates },
      "Figures over all records that meet the filter, on all pages.",
    ),
    ...(groups.length === 0
      ? []
      : [
          names(
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

/** What a single record can be asked. */
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
          names(
            "fields",
            { type: "string", enum: [...(resource.key ? ["id"] : []), ...fields] },
            `Members of each record; all when absent${named.length > 0 ? `, but ${listed(named.map(asCode), "and")}` : ""}. \`id\` is always there.`,
          ),
        ]),
    ...(relations.length === 0
      ? []
      : [names("include", openList(relations, "^[A-Za-z0-9_]+(\\.[A-Za-z0-9_]+)*$"), include)]),
  ]
}

const asCode = (name: string): string => `\`${name}\``

/** Parameters that take part in conditional requests. */
export function conditionalParameters(describing: Describing): readonly Json[] {
  return [
    shared(
      describing,
      "If-None-Match",
      { type: "string" },
      "The `ETag` of an earlier answer: 304 when nothing has changed.",
      "header",
    ),
  ]
}

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
function names(name: string, items: Json, description: string): Json {
  return { name, in: "query", description, style: "form", explode: false, schema: { type: "array", items } }
}

function sharedParameters(describing: Describing): readonly Json[] {
  const { default: usual, max } = describing.model.limits.page
  return [
    shared(
      describing,
      "limit",
      { type: "integer", minimum: 0, maximum: max, default: usual },
      "Records per page.",
    ),
    shared(
      describing,
      "after",
      { type: "string" },
      "A cursor, `page.next` of an earlier answer: the records behind it.",
    ),
    shared(
      describing,
      "before",
      { type: "string" },
      "A cursor, `page.prev` of an earlier answer: the records in front of it.",
    ),
    shared(describing, "from", { type: "string", enum: ["start", "end"] }, "`end` for the last page."),
    shared(describing, "total", { type: "boolean", default: false }, "Whether `page.total` is given."),
  ]
}

interface SharedName {
  /** Of the component. */
  readonly name: string
  /** What it is called in requests; the component's name when absent. */
  readonly called?: string
  readonly where: "query" | "header"
}

export function sharedParameter(
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
