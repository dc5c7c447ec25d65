// JSON Schema of answers: records, lists of them, figures and transitions.

import type { Field, Relation, Resource } from "../../model/model.ts"
import { isSortable, sumScalar } from "../../model/operators.ts"
import { resourceNamed, transitionsOf } from "../../plan/lookup.ts"
import { etag, hasEtag, hasTransitions, transitions } from "../../plan/member.ts"
import { isMeasurable, measures } from "../../plan/read/groups.ts"
import type { AggregateFunction } from "../../plan/read-plan.ts"
import {
  described,
  isCompact,
  type Json,
  nullableWhen,
  objectSchema,
  type Schemas,
  valueSchema,
} from "./values.ts"

/** A member that newer versions do not have, or by another name. */
const deprecatedBy = ({ deprecated }: { readonly deprecated?: string }): Json =>
  deprecated === undefined ? {} : { deprecated: true, "x-deprecated": deprecated }

/**
 * A record: the members that it has when `fields` names none, and those that it has when `fields` does. Relations are
 * there when included; unless all levels are described, they are among the members of `answerSchema` only.
 */
export function recordSchema(schemas: Schemas, resource: Resource): Json {
  const isFull = schemas.depth === "full"
  return schemas.named(resource.type, () =>
    objectSchema(
      [
        ...ownMembers(schemas, resource),
        ...namedMembers(schemas, resource),
        ...(isFull ? relatedMembers(schemas, resource) : []),
      ],
      { ...described({}, descriptionOf(resource, isFull)), ...requiredOf(schemas, resource) },
    ),
  )
}

/** A record as a request is answered with it: with its relations. */
export function answerSchema(schemas: Schemas, resource: Resource): Json {
  const record = recordSchema(schemas, resource)
  if (schemas.depth === "full" || resource.relations.size === 0) return record
  return schemas.derived(`${resource.type}WithRelated`, () => ({
    allOf: [record, objectSchema(relatedMembers(schemas, resource))],
  }))
}

function descriptionOf({ description, relations }: Resource, isFull: boolean): string {
  const chosen =
    isFull && relations.size > 0
      ? "`fields` chooses among the members; relations are there when included."
      : "`fields` chooses among the members."
  return description === undefined ? chosen : `${description} ${chosen}`
}

/** Members that every answer has, when none are chosen by `fields`; that may leave out all but `id`. */
function requiredOf({ purpose }: Schemas, resource: Resource): Json {
  const id = resource.key ? ["id"] : []
  const required =
    purpose === "validation"
      ? id
      : [...id, ...resource.fields.keys(), ...references(resource).map(({ name }) => name)]
  return required.length > 0 ? { required } : {}
}

type Members = readonly (readonly [name: string, schema: Json])[]

function ownMembers(schemas: Schemas, resource: Resource): Members {
  const id = { type: "string" }
  return [
    ...(resource.key ? [["id", id] as const] : []),
    ...[...resource.fields.values()].map(
      (field) =>
        [
          field.name,
          {
            ...described(valueSchema(schemas, field), field.description),
            ...(field.computed && !field.lens && { readOnly: true }),
            ...deprecatedBy(field),
          },
        ] as const,
    ),
    ...references(resource).map(
      ({ name, relation }) =>
        [
          name,
          {
            ...described(nullableWhen(relation.optional, { type: "string" }), aboutReference(name, relation)),
            ...deprecatedBy(relation),
          },
        ] as const,
    ),
  ]
}

/** Members that are there when `fields` names them. */
function namedMembers(schemas: Schemas, resource: Resource): Members {
  const whenNamed = "Present when `fields` names it."
  const version = isCompact(schemas) ? { type: "string" } : { type: "string", description: whenNamed }
  return [
    ...[...(resource.computed?.values() ?? [])].map(
      ({ field }) =>
        [
          field.name,
          {
            ...described(
              valueSchema(schemas, field),
              [field.description, whenNamed].filter(Boolean).join(" "),
            ),
            readOnly: true,
          },
        ] as const,
    ),
    ...(hasEtag(resource) ? [[etag, version] as const] : []),
    ...(hasTransitions(resource)
      ? [
          [
            transitions,
            described(
              transitionsSchema(schemas, resource),
              "Transitions available to the caller; present when `fields` names it.",
            ),
          ] as const,
        ]
      : []),
  ]
}

const relatedMembers = (schemas: Schemas, resource: Resource): Members =>
  [...resource.relations.values()].map((relation) => [
    relation.name,
    { ...relatedSchema(schemas, relation), ...deprecatedBy(relation) },
  ])

/** A record's transitions, for the caller. */
export function transitionsSchema(schemas: Schemas, resource: Resource): Json {
  const all = transitionsOf(resource)
  const text: Json = { type: "string" }
  const one = schemas.derived(`${resource.type}Transition`, () =>
    objectSchema(
      [
        ["name", { ...text, ...(all.length > 0 && { enum: all.map(({ name }) => name) }) }],
        ["to", { ...text, description: "The target state." }],
        ["machine", { ...text, description: "The field that holds the state." }],
        ["allowed", { type: "boolean", description: "Whether the caller may fire it now." }],
        ["reasons", { type: "array", items: reasonSchema(schemas), description: "Reasons for refusal." }],
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

function reasonSchema(schemas: Schemas): Json {
  return schemas.derived("TransitionReason", () =>
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

/** Undefined where the name says it. */
export const aboutReference = (name: string, relation: Relation): string | undefined =>
  name === `${relation.name}Id` ? undefined : `The id of \`${relation.name}\`.`

export function references(
  resource: Resource,
): readonly { name: string; relation: Extract<Relation, { kind: "one" }> }[] {
  return [...resource.relations.values()].flatMap((relation) =>
    relation.kind === "one" && relation.reference !== undefined
      ? [{ name: relation.reference, relation }]
      : [],
  )
}

function relatedSchema(schemas: Schemas, relation: Relation): Json {
  const target = targetOf(schemas, relation)
  const schema =
    relation.kind === "many"
      ? relatedListSchema(schemas, target)
      : nullableWhen(relation.optional, recordSchema(schemas, target))
  return described(schema, relation.description)
}

export function targetOf({ model }: Schemas, relation: Relation): Resource {
  return resourceNamed(model, relation.target)
}

/** The envelope of a list that answers a request. */
export const listSchema = (schemas: Schemas, resource: Resource): Json =>
  envelopeSchema(schemas, resource, `${resource.type}List`, answerSchema)

/** The same below a record. */
const relatedListSchema = (schemas: Schemas, resource: Resource): Json =>
  schemas.depth === "full" || resource.relations.size === 0
    ? listSchema(schemas, resource)
    : envelopeSchema(schemas, resource, `${resource.type}RelatedList`, recordSchema)

function envelopeSchema(
  schemas: Schemas,
  resource: Resource,
  name: string,
  itemOf: (schemas: Schemas, resource: Resource) => Json,
): Json {
  return schemas.derived(name, () =>
    objectSchema(
      [
        ["data", { type: "array", items: itemOf(schemas, resource) }],
        ["page", pageSchema(schemas)],
        ["aggregate", figuresSchema(schemas, resource)],
        ["groups", { type: "array", items: groupSchema(schemas, resource) }],
      ],
      { required: ["data", "page"] },
    ),
  )
}

function pageSchema(schemas: Schemas): Json {
  const cursor = (where: string): Json => ({
    type: ["string", "null"],
    description: `Give it as \`${where}\`; null: there is no such page.`,
  })
  return schemas.derived("PageInfo", () =>
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

/** Figures over all rows that meet the condition; those that were asked for are there. */
function figuresSchema(schemas: Schemas, resource: Resource): Json {
  return schemas.derived(`${resource.type}Figures`, () => objectSchema(figures(schemas, resource)))
}

function figures(schemas: Schemas, resource: Resource): (readonly [string, Json] | undefined)[] {
  return [
    ["count", { type: "integer" }],
    ...measures.map((measure): readonly [string, Json] | undefined => {
      const fields = [...resource.fields.values()].filter((field) => isMeasurable(measure, field))
      if (fields.length === 0) return undefined
      const members = fields.map((field) => [field.name, measureSchema(schemas, measure, field)] as const)
      const schema = objectSchema(members)
      if (measure !== "min" && measure !== "max") return [measure, schema]
      return [measure, schemas.derived(`${resource.type}Extremes`, () => schema)]
    }),
  ]
}

/** A value whose form the record's own schema describes; clients need no more than its type. */
function compactSchema(schemas: Schemas, type: Field): Json {
  const { pattern, ...schema } = valueSchema(schemas, type)
  return pattern === undefined || schemas.purpose === "clients" ? schema : { ...schema, pattern }
}

function measureSchema(schemas: Schemas, measure: AggregateFunction, field: Field): Json {
  const own = { ...field, optional: true }
  if (measure === "avg") return { type: ["number", "null"] }
  if (measure !== "sum") return compactSchema(schemas, own)
  const scale = field.scalar === "int64" ? 0 : field.constraints.scale
  const constraints = { ...field.constraints, ...(scale !== undefined && { scale }) }
  return compactSchema(schemas, { ...own, scalar: sumScalar(field.scalar), constraints })
}

function groupSchema(schemas: Schemas, resource: Resource): Json {
  const key = objectSchema([
    ...[...resource.fields.values()]
      .filter(isSortable)
      .map((field) => [field.name, compactSchema(schemas, field)] as const),
    ...references(resource).map(
      ({ name, relation }) => [name, nullableWhen(relation.optional, { type: "string" })] as const,
    ),
  ])
  return schemas.derived(`${resource.type}Group`, () =>
    schemas.depth === "full"
      ? objectSchema([["key", key], ...figures(schemas, resource)], { required: ["key"] })
      : { allOf: [figuresSchema(schemas, resource), objectSchema([["key", key]], { required: ["key"] })] },
  )
}
