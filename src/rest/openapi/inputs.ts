// JSON Schema of what writes take: inputs of creates, updates and replacements, nested writes, JSON Patch and batches.

import { described, inputValue, nullableWhen, objectSchema } from "../../http/json-schema.ts"
import type { Relation, Resource } from "../../model/model.ts"
import { pascalCase } from "../../model/names.ts"
import { type Action, backOf, type InputMember, inputMembers, type Verb } from "../../plan/write/inputs.ts"
import { headerNames, mostRequests } from "../write/batch-body.ts"
import { freeName, type Json } from "./components.ts"
import { targetOf } from "./schemas.ts"
import { type Describing, idInput } from "./values.ts"

interface Input {
  readonly action: Action
  /** What the component is called after the resource's type. */
  readonly suffix: string
  /** Members that follow from elsewhere, and so are not in the input. */
  readonly without?: readonly string[]
  /** PUT: what is not given is cleared, so what cannot be missing must be given. */
  readonly whole?: boolean
}

export const createSchema = (describing: Describing, resource: Resource): Json =>
  inputSchema(describing, resource, { action: "create", suffix: "Create" })

export const updateSchema = (describing: Describing, resource: Resource): Json =>
  inputSchema(describing, resource, { action: "update", suffix: "Update" })

/** The body of PUT; `named`: members that the address gives, where it names the record by them. */
export function replaceSchema(
  describing: Describing,
  resource: Resource,
  { named, creates }: { readonly named: readonly string[]; readonly creates: boolean },
): Json {
  return inputSchema(describing, resource, {
    action: creates ? "create" : "update",
    suffix: `Replace${named.map((name) => `Without${pascalCase(name)}`).join("")}`,
    without: named,
    whole: true,
  })
}

/** A new record under another one: the way back to that one is known. */
export function childSchema(describing: Describing, parent: Resource, relation: Relation): Json {
  const target = targetOf(describing, relation)
  const back =
    relation.kind === "many" && relation.through ? undefined : backOf(describing.model, parent, relation)
  if (back?.reference === undefined) return createSchema(describing, target)
  return inputSchema(describing, target, {
    action: "create",
    suffix: `CreateWithout${pascalCase(back.name)}`,
    without: [back.name, back.reference],
  })
}

function inputSchema(
  describing: Describing,
  resource: Resource,
  { action, suffix, without = [], whole }: Input,
): Json {
  const { components, taken, model } = describing
  return components.refer("schemas", freeName(taken, `${resource.type}${suffix}`), () => {
    const all = inputMembers(model, resource, action) ?? new Map<string, InputMember>()
    // A replacement of a record that may not be there yet has no nested writes.
    const members = [...all.values()].filter(
      ({ name, kind }) => !without.includes(name) && !(whole && action === "create" && kind === "relation"),
    )
    const nested = new Set(
      members.flatMap((member) => (member.kind === "relation" ? [member.relation.name] : [])),
    )
    const required = members.filter((member) => {
      if (member.kind === "reference" && nested.has(member.relation.name)) return false
      return member.required || (whole && isNeeded(member))
    })
    return objectSchema(
      members.map((member) => [member.name, memberSchema(describing, resource, member)] as const),
      {
        additionalProperties: false,
        ...(required.length > 0 ? { required: required.map(({ name }) => name) } : {}),
      },
    )
  })
}

function isNeeded(member: InputMember): boolean {
  if (member.kind === "field")
    return !member.field.optional && member.field.default === undefined && member.sharers === undefined
  return member.kind === "reference" && !member.relation.optional
}

function memberSchema(describing: Describing, resource: Resource, member: InputMember): Json {
  switch (member.kind) {
    case "id":
      return { type: "string", description: "The id of the new record, with or without its prefix." }
    case "field":
      return described(inputValue(describing, member.field), member.field.description)
    case "reference":
      return described(
        nullableWhen(member.relation.optional, idInput(targetOf(describing, member.relation))),
        `The id of \`${member.relation.name}\`.`,
      )
    case "relation":
      return objectSchema(
        member.verbs.map(
          (verb) => [verb, verbSchema(describing, { resource, relation: member.relation, verb })] as const,
        ),
        {
          // Where the reference is the record's own there is one thing to do, and it has to be said.
          ...(member.relation.kind === "one" &&
            member.relation.reference !== undefined && { minProperties: 1, maxProperties: 1 }),
          additionalProperties: false,
          description: member.relation.description ?? `Changes to \`${member.relation.name}\`.`,
        },
      )
  }
}

interface NestedWrite {
  readonly resource: Resource
  readonly relation: Relation
  readonly verb: Verb
}

function verbSchema(describing: Describing, { resource, relation, verb }: NestedWrite): Json {
  const target = targetOf(describing, relation)
  const many = relation.kind === "many"
  const id = idInput(target)
  const one = (): Json => {
    switch (verb) {
      case "create":
        return relation.kind === "one" && relation.reference !== undefined
          ? createSchema(describing, target)
          : childSchema(describing, resource, relation)
      case "update": {
        const input = updateSchema(describing, target)
        return many
          ? objectSchema(
              [
                ["id", id],
                ["input", input],
              ],
              { required: ["id", "input"], additionalProperties: false },
            )
          : input
      }
      case "link":
        return id
      case "unlink":
      case "delete":
        return many ? id : { type: "boolean", const: true }
    }
  }
  return many ? { type: "array", items: one() } : one()
}

/** RFC 6902 section 4. */
export function jsonPatchSchema({ components, taken }: Describing): Json {
  const pointer: Json = { type: "string", format: "json-pointer" }
  return components.refer("schemas", freeName(taken, "JsonPatch"), () => ({
    type: "array",
    maxItems: 100,
    items: objectSchema(
      [
        ["op", { type: "string", enum: ["add", "remove", "replace", "move", "copy", "test"] }],
        ["path", pointer],
        ["from", pointer],
        ["value", {}],
      ],
      { required: ["op", "path"] },
    ),
  }))
}

/** The body of POST /batch. */
export function batchSchema({ components, taken }: Describing): Json {
  const request = objectSchema(
    [
      [
        "id",
        {
          type: "string",
          description:
            'What later requests call its record: `$c.id` in a path, `{"$ref": "c.id"}` in a body.',
        },
      ],
      ["method", { type: "string", enum: ["GET", "POST", "PATCH", "PUT", "DELETE"] }],
      ["path", { type: "string", description: "Below the server's address, with its parameters." }],
      [
        "headers",
        objectSchema(
          headerNames.map((name) => [name, { type: "string" }] as const),
          { additionalProperties: false },
        ),
      ],
      ["body", { description: "The request body, in the form of application/json." }],
    ],
    { required: ["method", "path"], additionalProperties: false },
  )
  return components.refer("schemas", freeName(taken, "Batch"), () =>
    objectSchema([["requests", { type: "array", minItems: 1, maxItems: mostRequests, items: request }]], {
      required: ["requests"],
      additionalProperties: false,
    }),
  )
}

/** What POST /batch answers. */
export function batchAnswerSchema({ components, taken }: Describing): Json {
  const text: Json = { type: "string" }
  const response = objectSchema(
    [
      ["id", text],
      ["status", { type: "integer" }],
      ["headers", { type: "object", additionalProperties: text }],
      ["body", {}],
    ],
    { required: ["status", "headers"] },
  )
  return components.refer("schemas", freeName(taken, "BatchAnswer"), () =>
    objectSchema([["responses", { type: "array", items: response }]], { required: ["responses"] }),
  )
}
