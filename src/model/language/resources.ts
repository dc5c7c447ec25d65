// The tables of a resource and its relations.
import * as z from "zod"
import { omitUndefined } from "../../base/compact.ts"
import type {
  KeyDeclaration,
  KeyPartDeclaration,
  ManyDeclaration,
  OneDeclaration,
  RelationDeclaration,
  ResourceDeclaration,
  TableDeclaration,
  ThroughDeclaration,
} from "../declaration/declaration.ts"
import { defaultForeignKey, defaultTable } from "../declaration/default-names.ts"
import { collectionOf, snakeCase } from "../names.ts"
import { type AllowDeclaration, grantKinds, type WriteAction } from "../policy-declaration.ts"
import type { KeyScalar } from "../scalars.ts"
import { field, stored } from "./fields.ts"
import {
  columns,
  either,
  type Form,
  filled,
  flag,
  formerNames,
  isObject,
  list,
  maybe,
  members,
  membersSource,
  names,
  number,
  oneOf,
  only,
  orObject,
  plain,
  record,
  rule,
  text,
  textOr,
  unlessNot,
  unwritten,
} from "./forms.ts"
import { allowSource } from "./print-rules.ts"
import { call, object, openObject, string } from "./source-text.ts"
import { events, states } from "./states.ts"

type Own<Name extends keyof ResourceDeclaration> = NonNullable<ResourceDeclaration[Name]>

const schemaAndName = members<Exclude<TableDeclaration, string>>("a table", {
  schema: maybe(text),
  name: text,
})
const tableOrName = orObject(plain<string>(z.string("a table's name, or { schema, name }")), schemaAndName)
const shortest = (table: TableDeclaration): TableDeclaration => {
  const { schema, name } = defaultTable(table)
  return schema === undefined ? name : { schema, name }
}
const table: Form<TableDeclaration> = {
  ...tableOrName,
  print: (value, name) => tableOrName.print(shortest(value), name),
}

const keyScalars = ["text", "integer", "int64", "uuid", "date"] as const satisfies readonly KeyScalar[]
const part = {
  column: text,
  type: oneOf<KeyScalar>(keyScalars, '"text", "integer", "int64", "uuid" or "date"'),
  stored: maybe(stored),
}
const given = maybe(only(true))
const keyPart = members<KeyPartDeclaration>("a key's column and type", part)
const keyParts: Form<readonly [KeyPartDeclaration, ...KeyPartDeclaration[]]> = {
  schema: z.tuple([keyPart.schema], keyPart.schema, "a list of parts"),
  print: list(keyPart, "").print,
}
type OfKind<Kind extends string> = Extract<KeyDeclaration, { readonly [Name in Kind]: unknown }>
const key = either<Own<"key">>((input) => {
  if (Array.isArray(input) && input.length > 0) return names
  if (!isObject(input) || Array.isArray(input))
    return plain<false>(z.literal(false, "{ column, type }, { parts: […] }, a list of members, or false"))
  return "parts" in input
    ? members<OfKind<"parts">>("parts", { parts: keyParts, given })
    : members<OfKind<"column">>("a key's column and type", { ...part, given })
})

const grant = unwritten({
  schema: z.looseObject(
    {
      kind: z.enum(grantKinds),
      name: text.schema.or(z.null()),
      lacks: rule.schema,
      allow: rule.schema.optional(),
    },
    "a grant",
  ),
})
/** The rule allowedActions reports unknown actions, beside mistakes in the known ones. */
const allow: Form<AllowDeclaration> = {
  schema: z.looseObject(
    Object.fromEntries(["read", "create", "update", "delete"].map((action) => [action, maybe(rule).schema])),
    "{ read, create, update, delete }",
  ),
  print: allowSource,
}

const writeActions = ["create", "update", "delete"] as const satisfies readonly WriteAction[]
const withheld: Form<Own<"readonly">> = {
  schema: z.union(
    [flag.schema, z.tuple([z.enum(writeActions)], z.enum(writeActions))],
    'true, false, or a list of "create", "update" and "delete"',
  ),
  print: (value, name) => (typeof value === "boolean" ? flag.print(value, name) : names.print(value, name)),
}

export const toOneMembers = members<OneDeclaration>("a relation", {
  kind: unwritten(only("one")),
  target: unwritten(text),
  by: maybe(text),
  optional: maybe(flag),
  was: maybe(formerNames),
  column: maybe(text),
  columns: maybe(columns),
  description: maybe(text),
})

export const toManyMembers = members<ManyDeclaration>("a relation", {
  kind: unwritten(only("many")),
  target: unwritten(text),
  by: maybe(text),
  through: maybe(
    textOr(
      members<ThroughDeclaration>("a join table", { table, near: columns, far: columns }),
      "a join table's name, or { table, near, far }",
    ),
  ),
  owned: maybe(flag),
  description: maybe(text),
})

/** A call of its builder. */
const relation: Form<RelationDeclaration> = {
  schema: z.discriminatedUnion("kind", [toOneMembers.schema, toManyMembers.schema] as never, {
    error: ({ input }) => (isObject(input) ? '"one" or "many"' : "a relation, as `one` or `many` gives it"),
  }),
  print(value, name) {
    const usual = defaultForeignKey(name, { kind: "one", target: value.target })
    const options =
      value.kind === "many"
        ? membersSource(toManyMembers.table, value)
        : membersSource(
            toOneMembers.table,
            value.column === usual ? { ...value, column: undefined as never } : value,
          )
    return call(value.kind, string(value.target), ...(options.length > 0 ? [object(options)] : []))
  },
}
const several = record(relation, "an object of relations", "open")
const relations: typeof several = {
  ...several,
  print: (value, name) =>
    Object.keys(value).length > 1 ? several.print(value, name) : record(relation, "").print(value, name),
}
const membersLists = filled(list(names, "a list of lists of members"))

export const resourceMembers = members<ResourceDeclaration>(
  "a resource, as `resource` gives it",
  {
    id: maybe(text),
    key: maybe(key),
    plural: maybe(text),
    description: maybe(text),
    was: maybe(formerNames),
    table: maybe(table),
    readonly: maybe(withheld),
    versioned: maybe(only("required")),
    cache: maybe(members<Own<"cache">>("{ public }, in seconds", { public: number })),
    rows: maybe(unlessNot),
    onConflict: maybe(only("refuse")),
    fields: record(field, "an object of fields", "open"),
    relations: maybe(filled(relations)),
    states: maybe(states),
    history: maybe(flag),
    events: maybe(events),
    unique: maybe(membersLists),
    indexes: maybe(membersLists),
    secret: maybe(
      unwritten(
        members<Own<"secret">>("{ digest, hint }", {
          digest: text,
          hint: text,
          form: maybe(only("signing")),
        }),
      ),
    ),
    conditions: maybe(unwritten(text)),
    address: maybe(
      unwritten(
        members<Own<"address">>("{ member, networks }", {
          member: text,
          networks: list(text, "a list of networks"),
        }),
      ),
    ),
    ends: maybe(unwritten(members<Own<"ends">>("{ member, within }", { member: text, within: maybe(text) }))),
    grants: maybe(unwritten(list(grant, "a list of grants"))),
    unlogged: maybe(unwritten(names)),
    internal: maybe(unwritten(only(true))),
    allow: maybe(allow),
  },
  "open",
)

/** A call of its builder; settings that its name implies are left out. */
export const resource: Form<ResourceDeclaration> = {
  schema: resourceMembers.schema,
  print({ id, plural, table, ...rest }, name) {
    const unlessUsual = <Value>(value: Value, usual: Value) => (value === usual ? undefined : value)
    const set = omitUndefined<ResourceDeclaration>({
      ...rest,
      id: unlessUsual(id, name.toLowerCase()),
      plural: unlessUsual(plural, collectionOf(name)),
      table: table && unlessUsual(shortest(table), snakeCase(name)),
    })
    return call("resource", openObject(membersSource(resourceMembers.table, set)))
  },
}
