// JSON Schema of records, lists, figures and conditions: what the answers and the questions of a resource look like.

import { described, nullableWhen, objectSchema, valueSchema } from "../../http/json-schema.ts"
import { hasTransitions, transitions } from "../../http/transitions.ts"
import type { Field, Relation, Resource } from "../../model/model.ts"
import { isSortable, sumScalar } from "../../model/operators.ts"
import { resourceNamed, transitionsOf } from "../../plan/lookup.ts"
import { etag, hasEtag } from "../../plan/member.ts"
import type { AggregateFunction } from "../../plan/read-plan.ts"
import { memberNames } from "../question/rest-query.ts"
import { isMeasurable, measures } from "../read/aggregate.ts"
import { freeName, type Json } from "./components.ts"
import { comparisonSchema, type Describing, identitySchema } from "./values.ts"

/** A record. `id` is always there; what `fields` leaves out is absent, and relations are there when included. */
export function recordSchema(describing: Describing, resource: Resource): Json {
  return describing.components.refer("schemas", resource.type, () =>
    objectSchema(
      [
        resource.key ? ["id", { type: "string", description: "The record's global id." }] : undefined,
        ...[...resource.fields.values()].map(
          (field) =>
            [
              field.name,
              {
                ...described(valueSchema(describing, field), field.description),
                ...(field.computed && { readOnly: true }),
              },
            ] as const,
        ),
        ...[...(resource.computed?.values() ?? [])].map(
          ({ field }) =>
            [
              field.name,
              {
                ...described(
                  valueSchema(describing, field),
                  [field.description, "There when `fields` names it."].filter(Boolean).join(" "),
                ),
                readOnly: true,
              },
            ] as const,
        ),
        ...references(resource).map(
          ({ name, relation }) =>
            [
              name,
              described(
                nullableWhen(relation.optional, { type: "string" }),
                `The id of \`${relation.name}\`.`,
              ),
            ] as const,
        ),
        hasEtag(resource)
          ? [etag, { type: "string", description: "The record's version; present when `fields` names it." }]
          : undefined,
        hasTransitions(resource)
          ? [
              transitions,
              described(
                transitionsSchema(describing, resource),
                "Transitions available to the caller; present when `fields` names it.",
              ),
            ]
          : undefined,
        ...[...resource.relations.values()].map(
          (relation) => [relation.name, relatedSchema(describing, relation)] as const,
        ),
      ],
      {
        description: [
          resource.description,
          "`fields` chooses among the members; relations are there when included.",
        ]
          .filter(Boolean)
          .join(" "),
        ...(resource.key ? { required: ["id"] } : {}),
      },
    ),
  )
}

/** A record's transitions, for whoever asks. */
export function transitionsSchema(describing: Describing, resource: Resource): Json {
  const { components, taken } = describing
  const all = transitionsOf(resource)
  const text: Json = { type: "string" }
  const one = components.refer("schemas", freeName(taken, `${resource.type}Transition`), () =>
    objectSchema(
      [
        ["name", { ...text, ...(all.length > 0 && { enum: all.map(({ name }) => name) }) }],
        ["to", { ...text, description: "The target state." }],
        ["machine", { ...text, description: "The field that holds the state." }],
        ["allowed", { type: "boolean", description: "Whether the caller may fire it now." }],
        ["reasons", { type: "array", items: reasonSchema(describing), description: "Reasons for refusal." }],
        ["description", { type: ["string", "null"] }],
        [
          "input",
          {
            type: ["object", "null"],
            description: "JSON Schema of its input; null if it takes none.",
          },
        ],
      ],
      { required: ["name", "to", "machine", "allowed", "reasons", "description", "input"] },
    ),
  )
  return { type: "array", items: one }
}

function reasonSchema({ components, taken }: Describing): Json {
  return components.refer("schemas", freeName(taken, "TransitionReason"), () =>
    objectSchema(
      [
        [
          "code",
          { type: "string", description: "Machine-readable; the code that firing it would be refused with." },
        ],
        ["message", { type: "string" }],
      ],
      { required: ["code", "message"] },
    ),
  )
}

function references(
  resource: Resource,
): readonly { name: string; relation: Extract<Relation, { kind: "one" }> }[] {
  return [...resource.relations.values()].flatMap((relation) =>
    relation.kind === "one" && relation.reference !== undefined
      ? [{ name: relation.reference, relation }]
      : [],
  )
}

function relatedSchema(describing: Describing, relation: Relation): Json {
  const target = targetOf(describing, relation)
  const schema =
    relation.kind === "many"
      ? listSchema(describing, target)
      : nullableWhen(relation.optional, recordSchema(describing, target))
  return described(schema, relation.description)
}

export function targetOf({ model }: Describing, relation: Relation): Resource {
  return resourceNamed(model, relation.target)
}

/** The envelope of a list. */
export function listSchema(describing: Describing, resource: Resource): Json {
  const { components, taken } = describing
  return components.refer("schemas", freeName(taken, `${resource.type}List`), () =>
    objectSchema(
      [
        ["data", { type: "array", items: recordSchema(describing, resource) }],
        ["page", pageSchema(describing)],
        ["aggregate", figuresSchema(describing, resource)],
        ["groups", { type: "array", items: groupSchema(describing, resource) }],
      ],
      { required: ["data", "page"] },
    ),
  )
}

function pageSchema({ components, taken }: Describing): Json {
  const cursor = (where: string): Json => ({
    type: ["string", "null"],
    description: `Give it as \`${where}\`; null: there is no such page.`,
  })
  return components.refer("schemas", freeName(taken, "PageInfo"), () =>
    objectSchema(
      [
        ["next", cursor("after")],
        ["prev", cursor("before")],
        ["total", { type: "integer", description: "Number of records on all pages; present if requested." }],
      ],
      { required: ["next", "prev"] },
    ),
  )
}

const measureDescriptions: Readonly<Record<AggregateFunction, string>> = {
  sum: "Sums; null when there is no value.",
  avg: "Averages; null when there is no value.",
  min: "Least values; null when there is none.",
  max: "Greatest values; null when there is none.",
}

/** Figures over all rows that meet the condition; those that were asked for are there. */
function figuresSchema(describing: Describing, resource: Resource): Json {
  const { components, taken } = describing
  return components.refer("schemas", freeName(taken, `${resource.type}Figures`), () =>
    objectSchema(figures(describing, resource)),
  )
}

function figures(describing: Describing, resource: Resource): (readonly [string, Json] | undefined)[] {
  return [
    ["count", { type: "integer" }],
    ...measures.map((measure): readonly [string, Json] | undefined => {
      const fields = [...resource.fields.values()].filter((field) => isMeasurable(measure, field))
      if (fields.length === 0) return undefined
      const members = fields.map((field) => [field.name, measureSchema(describing, measure, field)] as const)
      return [measure, objectSchema(members, { description: measureDescriptions[measure] })]
    }),
  ]
}

function measureSchema(describing: Describing, measure: AggregateFunction, field: Field): Json {
  const own = { ...field, optional: true }
  if (measure === "avg") return { type: ["number", "null"] }
  if (measure !== "sum") return valueSchema(describing, own)
  const scale = field.scalar === "int64" ? 0 : field.constraints.scale
  const constraints = { ...field.constraints, ...(scale !== undefined && { scale }) }
  return valueSchema(describing, { ...own, scalar: sumScalar(field.scalar), constraints })
}

function groupSchema(describing: Describing, resource: Resource): Json {
  const { components, taken } = describing
  return components.refer("schemas", freeName(taken, `${resource.type}Group`), () =>
    objectSchema(
      [
        [
          "key",
          objectSchema(
            [
              ...[...resource.fields.values()]
                .filter(isSortable)
                .map((field) => [field.name, valueSchema(describing, field)] as const),
              ...references(resource).map(
                ({ name, relation }) => [name, nullableWhen(relation.optional, { type: "string" })] as const,
              ),
            ],
            { description: "The values that the rows of the group share." },
          ),
        ],
        ...figures(describing, resource),
      ],
      { required: ["key"] },
    ),
  )
}

/** A condition on records of the resource (docs/guide/reading.md, "Conditions"). */
export function filterSchema(describing: Describing, resource: Resource): Json {
  const { components, taken } = describing
  const self = (): Json => filterSchema(describing, resource)
  return components.refer("schemas", freeName(taken, `${resource.type}Filter`), () =>
    objectSchema(
      [
        ["and", { type: "array", items: self() }],
        ["or", { type: "array", items: self() }],
        ["not", self()],
        resource.key ? ["id", identitySchema(describing, false)] : undefined,
        ...[...resource.fields.values()].map((field): readonly [string, Json] | undefined => {
          const schema = comparisonSchema(describing, field)
          return schema && [field.name, schema]
        }),
        ...references(resource).map(
          ({ name, relation }) => [name, identitySchema(describing, relation.optional)] as const,
        ),
        ...[...resource.relations.values()].map(
          (relation) => [relation.name, relationFilter(describing, relation)] as const,
        ),
      ],
      { description: "All members must hold; {} holds for every record.", additionalProperties: false },
    ),
  )
}

function relationFilter(describing: Describing, relation: Relation): Json {
  const target = filterSchema(describing, targetOf(describing, relation))
  if (relation.kind === "one") return target
  const quantifiers = ["some", "every", "none"].map((quantifier) => [quantifier, target] as const)
  return objectSchema(quantifiers, { additionalProperties: false })
}

/** The body of `POST …/query`. */
export function questionSchema(describing: Describing, resource: Resource): Json {
  const { components, taken, model } = describing
  const names: Json = { type: "array", items: { type: "string" } }
  const count: Json = { type: "integer", minimum: 0, maximum: model.limits.page.max }
  const members: Readonly<Record<(typeof memberNames)[number], () => Json>> = {
    filter: () => filterSchema(describing, resource),
    sort: () => ({ ...names, description: "As in the parameter: `-placedAt`, `customer.name:nulls-first`." }),
    fields: () => ({ ...names, description: "Members of each record; `id` is always there." }),
    include: () =>
      objectSchema(
        [...resource.relations.values()].map(
          (relation) => [relation.name, questionSchema(describing, targetOf(describing, relation))] as const,
        ),
        {
          additionalProperties: false,
          description:
            "Relations, each with parameters of its own; for a single record `fields` and `include`.",
        },
      ),
    limit: () => count,
    after: () => ({ type: "string" }),
    before: () => ({ type: "string" }),
    from: () => ({ type: "string", enum: ["start", "end"] }),
    total: () => ({ type: "boolean" }),
    aggregate: () => ({ ...names, description: "`count`, or a measure and a field: `sum.total`." }),
    groupBy: () => names,
    groups: () => count,
  }
  return components.refer("schemas", freeName(taken, `${resource.type}Question`), () =>
    objectSchema(
      memberNames.map((name) => [name, members[name]()] as const),
      { description: "The list parameters as JSON.", additionalProperties: false },
    ),
  )
}

/** What is wrong with a request (RFC 9457). */
export function problemSchema({ components, taken }: Describing): Json {
  const text: Json = { type: "string" }
  const error = objectSchema(
    [
      ["code", text],
      ["detail", text],
      ["hint", { type: "string", description: "How to correct the request." }],
      ["parameter", { type: "string", description: "The parameter as sent." }],
      [
        "pointer",
        {
          type: "string",
          format: "json-pointer",
          description: "JSON pointer (RFC 6901) into the body or the parameter.",
        },
      ],
    ],
    { required: ["code", "detail"] },
  )
  return components.refer("schemas", freeName(taken, "Problem"), () =>
    objectSchema(
      [
        ["type", { type: "string", format: "uri" }],
        ["title", text],
        ["status", { type: "integer" }],
        ["detail", text],
        ["code", { type: "string", description: "Machine-readable; a code never changes." }],
        ["requestId", { type: "string", description: "Identifies the request in the operator's logs." }],
        ["errors", { type: "array", items: error }],
      ],
      { required: ["type", "title", "status", "detail", "code", "requestId", "errors"] },
    ),
  )
}
