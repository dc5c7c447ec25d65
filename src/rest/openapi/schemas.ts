// JSON Schema of conditions, questions and problems: what only REST has besides its records.

import { references, targetOf } from "../../http/schemas/records.ts"
import { closed, described, isCompact, objectSchema, openObject } from "../../http/schemas/values.ts"
import type { Relation, Resource } from "../../model/model.ts"
import { type MemberName, memberNames, parameters } from "../question/rest-query.ts"
import type { Json } from "./components.ts"
import { comparisonSchema, type Describing, identitySchema } from "./values.ts"

/** A condition on records of the resource (docs/guide/reading.md, "Conditions"). */
export function filterSchema(describing: Describing, resource: Resource): Json {
  const self = (): Json =>
    describing.depth === "full" ? filterSchema(describing, resource) : innerCondition(describing)
  const junctions = (): readonly (readonly [string, Json])[] => [
    ["and", { type: "array", items: self() }],
    ["or", { type: "array", items: self() }],
    ["not", self()],
  ]
  const common = (): Json => ({
    allOf: [describing.derived("Junctions", () => objectSchema(junctions()))],
  })
  return describing.derived(`${resource.type}Filter`, () =>
    objectSchema(
      [
        ...(isCompact(describing) ? [] : junctions()),
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
      isCompact(describing) ? common() : closed(describing),
    ),
  )
}

/** A condition within another one, where not all levels are described. */
const innerCondition = (describing: Describing): Json =>
  describing.derived("Condition", () =>
    openObject(
      "A condition on the same records, on the related one, or on related ones by `some`, `every` and `none`.",
    ),
  )

function relationFilter(describing: Describing, relation: Relation): Json {
  if (describing.depth === "flat") return innerCondition(describing)
  const target = filterSchema(describing, targetOf(describing, relation))
  if (relation.kind === "one") return target
  const quantifiers = ["some", "every", "none"].map((quantifier) => [quantifier, target] as const)
  return objectSchema(quantifiers, { additionalProperties: false })
}

/** The body of `POST …/query`. */
export function questionSchema(describing: Describing, resource: Resource): Json {
  const ownSchemas: Partial<Record<MemberName, () => Json>> = {
    filter: () => filterSchema(describing, resource),
    include: () =>
      describing.depth === "flat"
        ? openObject(aboutInclude)
        : objectSchema(
            [...resource.relations.values()].map(
              (relation) =>
                [relation.name, questionSchema(describing, targetOf(describing, relation))] as const,
            ),
            { additionalProperties: false, description: aboutInclude },
          ),
  }
  const schemaOf = (name: MemberName): Json => {
    const { form, names } = parameters[name]
    return (
      ownSchemas[name]?.() ??
      (form?.kind === "one"
        ? form.schema(describing.model.limits.page.max)
        : described({ type: "array", items: { type: "string" } }, names?.inBody))
    )
  }
  const description = "The list parameters as JSON."
  const membersOf = (names: readonly MemberName[]) => names.map((name) => [name, schemaOf(name)] as const)
  if (describing.depth === "full")
    return describing.derived(`${resource.type}Question`, () =>
      objectSchema(membersOf(memberNames), { description, additionalProperties: false }),
    )
  const common = describing.derived("Question", () =>
    objectSchema(membersOf(memberNames.filter((name) => name !== "filter")), { description }),
  )
  return { allOf: [common, objectSchema(membersOf(["filter"]))] }
}

const aboutInclude = "Relations, each with parameters of its own; for a single record `fields` and `include`."

/** The schema of a problem (RFC 9457). */
export function problemSchema(describing: Describing): Json {
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
  return describing.derived("Problem", () =>
    objectSchema(
      [
        ["type", { type: "string", format: "uri" }],
        ["title", text],
        ["status", { type: "integer" }],
        ["detail", text],
        ["code", { type: "string", description: "Machine-readable; a code never changes." }],
        ["requestId", { type: "string", description: "Identifies the request in the operator's logs." }],
        ["traceId", { type: "string", description: "The id of the request's trace, if it has one." }],
        ["errors", { type: "array", items: error }],
      ],
      { required: ["type", "title", "status", "detail", "code", "requestId", "errors"] },
    ),
  )
}
