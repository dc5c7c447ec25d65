// The schema of a resource: its table and key, relations, states and rules.
import * as z from "zod"
import { grantKinds, type WriteAction } from "../policy-declaration.ts"
import { field, stored } from "./fields.ts"
import {
  columns,
  either,
  flag,
  formerNames,
  isObject,
  json,
  members,
  names,
  number,
  orObject,
  record,
  rule,
  text,
} from "./shapes.ts"

const table = orObject(
  z.string("a table's name, or { schema, name }"),
  members({ schema: text.optional(), name: text }, "a table"),
)

const part = {
  column: text,
  type: z.enum(["text", "integer", "int64", "uuid", "date"], '"text", "integer", "int64", "uuid" or "date"'),
  stored: stored.optional(),
}
const keyPart = members(part, "a key's column and type")
const given = z.literal(true, "true").optional()

const key = either((input) => {
  if (Array.isArray(input) && input.length > 0) return names
  if (!isObject(input) || Array.isArray(input))
    return z.literal(false, "{ column, type }, { parts: […] }, a list of members, or false")
  return "parts" in input
    ? members({ parts: z.tuple([keyPart], keyPart, "a list of parts"), given }, "parts")
    : members({ ...part, given }, "a key's column and type")
})

const grant = z.looseObject(
  { kind: z.enum(grantKinds), name: text.or(z.null()), lacks: rule, allow: rule.optional() },
  "a grant",
)
/** A member that there is not is told by the rule allowedActions, beside the mistakes of what the others hold. */
const allow = z.looseObject(
  { read: rule.optional(), create: rule.optional(), update: rule.optional(), delete: rule.optional() },
  "{ read, create, update, delete }",
)

const writeActions = ["create", "update", "delete"] as const satisfies readonly WriteAction[]
const withheld = z.union(
  [flag, z.tuple([z.enum(writeActions)], z.enum(writeActions))],
  'true, false, or a list of "create", "update" and "delete"',
)

const one = members(
  {
    kind: z.literal("one"),
    target: text,
    optional: flag.optional(),
    was: formerNames.optional(),
    column: text.optional(),
    columns: columns.optional(),
    by: text.optional(),
    description: text.optional(),
  },
  "a relation",
)

const many = members(
  {
    kind: z.literal("many"),
    target: text,
    by: text.optional(),
    through: z
      .union(
        [text, members({ table, near: columns, far: columns }, "a join table")],
        "a join table's name, or { table, near, far }",
      )
      .optional(),
    owned: flag.optional(),
    description: text.optional(),
  },
  "a relation",
)

const relation = z.discriminatedUnion("kind", [one, many], {
  error: ({ input }) => (isObject(input) ? `"one" or "many"` : "a relation, as `one` or `many` gives it"),
})

const machine = members(
  {
    initial: text,
    final: z.union([text, z.array(text)], "a state, or a list of states").optional(),
    states: record(
      members({ description: text.optional(), was: formerNames.optional() }, "{ description, was }"),
      "an object of states",
    ).optional(),
    transitions: record(
      members(
        {
          from: z.union([text, names], 'a state, a list of states, or "any"'),
          to: text,
          description: text.optional(),
          when: rule.optional(),
          reason: text.optional(),
          input: record(field, "an object of fields").optional(),
          set: record(json, "an object of values").optional(),
          allow: rule.optional(),
        },
        "{ from, to }",
      ),
      "an object of transitions",
    ),
  },
  "{ initial, transitions }",
)
const machines = record(machine, "a machine, or an object of machines")
/** One machine says where it begins; several are named. */
const states = either((input) => {
  const isMachine = isObject(input) && !isObject(input["initial"]) && Object.hasOwn(input, "initial")
  return isMachine ? machine : machines
})

export const resource = members(
  {
    id: text.optional(),
    key: key.optional(),
    plural: text.optional(),
    description: text.optional(),
    was: formerNames.optional(),
    table: table.optional(),
    readonly: withheld.optional(),
    versioned: z.literal("required", { error: '"required"' }).optional(),
    cache: members({ public: number }, "{ public }, in seconds").optional(),
    rows: flag.optional(),
    onConflict: z.literal("refuse", { error: '"refuse"' }).optional(),
    fields: record(field, "an object of fields"),
    relations: record(relation, "an object of relations").optional(),
    unique: z.array(names, "a list of lists of members").optional(),
    indexes: z.array(names, "a list of lists of members").optional(),
    secret: members(
      { digest: text, hint: text, form: z.literal("signing", '"signing"').optional() },
      "{ digest, hint }",
    ).optional(),
    conditions: text.optional(),
    address: members(
      { member: text, networks: z.array(text, "a list of networks") },
      "{ member, networks }",
    ).optional(),
    ends: members({ member: text, within: text.optional() }, "{ member, within }").optional(),
    grants: z.array(grant, "a list of grants").optional(),
    unlogged: names.optional(),
    internal: z.literal(true, "true").optional(),
    states: states.optional(),
    history: flag.optional(),
    events: record(
      members(
        { description: text.optional(), payload: record(field, "an object of fields").optional() },
        "{ description, payload }",
      ),
      "an object of events",
    ).optional(),
    allow: allow.optional(),
  },
  "a resource, as `resource` gives it",
)
