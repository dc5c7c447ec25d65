// JSON Schema of inputs: of creates, updates and replacements, nested writes, and values by name.

import type { Field, Relation, Resource, Transition } from "../../model/model.ts"
import { pascalCase } from "../../model/names.ts"
import { resourceNamed, subjectName } from "../../plan/lookup.ts"
import { memberNames } from "../../plan/member.ts"
import { incrementable, incrementMeaning, incrementName } from "../../plan/write/increments.ts"
import {
  type Action,
  backOf,
  type InputMember,
  inputMembers,
  keyParts,
  type Verb,
} from "../../plan/write/inputs.ts"
import { aboutReference } from "./records.ts"
import {
  closed,
  described,
  inputMember,
  inputValue,
  isCompact,
  type Json,
  nullableWhen,
  objectSchema,
  openObject,
  type Schemas,
} from "./values.ts"

/** Whether it must be given with the transition. */
export const isRequired = ({ optional, default: given }: Field): boolean => !optional && given === undefined

/** Whether the transition can be fired without giving anything. */
export const needsNothing = ({ input }: Pick<Transition, "input">): boolean =>
  ![...input.values()].some(isRequired)

/** The input of a transition, an action or an operation; undefined without input. */
export function callInputSchema(schemas: Schemas, { input }: Pick<Transition, "input">): Json | undefined {
  const fields = [...input.values()]
  if (fields.length === 0) return undefined
  const required = fields.filter(isRequired).map(({ name }) => name)
  return objectSchema(
    fields.map((field) => [field.name, inputMember(schemas, field)] as const),
    { ...closed(schemas), ...(required.length > 0 ? { required } : {}) },
  )
}

interface Input {
  readonly action: Action
  /** The component's name, after the resource's type. */
  readonly suffix: string
  /** Members that follow from elsewhere, and so are not in the input. */
  readonly without?: readonly string[]
  /** Members that the address says; the input may repeat them. */
  readonly repeated?: readonly string[]
  /** PUT: absent members are cleared, so required members must be given. */
  readonly whole?: boolean
  /** Part of another input: flat schemas have its own relations as plain objects. */
  readonly isNested?: boolean
}

export const createSchema = (schemas: Schemas, resource: Resource): Json =>
  inputSchema(schemas, resource, { action: "create", suffix: "Create" })

/** The body of PATCH. @param unique names of members that the address has instead of the id */
export function updateSchema(schemas: Schemas, resource: Resource, unique?: readonly string[]): Json {
  const takes = inputMembers(schemas.model, resource, "update")
  const repeated = (unique ?? keyNames(resource)).filter((name) => !takes?.has(name))
  if (unique && repeated.length === 0) return updateOfMany(schemas, resource)
  const suffix = unique ? `UpdateBy${unique.map(pascalCase).join("And")}` : "Update"
  return inputSchema(schemas, resource, { action: "update", suffix, repeated })
}

/** The same where no id is known that an input could repeat. */
export function updateOfMany(schemas: Schemas, resource: Resource): Json {
  const update = updateSchema(schemas, resource)
  if (schemas.purpose === "clients") return update
  return { allOf: [update], ...objectSchema(keyNames(resource).map((name) => [name, { not: {} }] as const)) }
}

/** `id`, and the members that a natural key consists of. */
export function keyNames(resource: Resource): readonly string[] {
  if (resource.key?.origin !== "natural") return ["id"]
  const columns = new Set(keyParts(resource).map(({ column }) => column))
  const fields = [...resource.fields.values()].flatMap(({ name, column }) =>
    columns.has(column) ? [name] : [],
  )
  const references = [...resource.relations.values()].flatMap((relation) =>
    relation.kind === "one" &&
    relation.reference !== undefined &&
    !relation.first &&
    relation.join.every(({ from }) => columns.has(from))
      ? [relation.reference]
      : [],
  )
  const named = new Set([...fields, ...references])
  return ["id", ...memberNames(resource).filter((name) => named.has(name))]
}

const nestedCreate = (schemas: Schemas, resource: Resource): Json =>
  inputSchema(schemas, resource, { action: "create", suffix: "Create", isNested: true })

/** Inputs below nested ones, in flat schemas. */
const furtherInput = (schemas: Schemas): Json =>
  schemas.derived("Changes", () =>
    openObject("Changes to related records, as in the input of the record that they belong to."),
  )

interface Replacement {
  /** Members that the address gives, where it names the record by them. */
  readonly named: readonly string[]
  /** Members that the address says, named or not, which the body may repeat. */
  readonly repeated: readonly string[]
  readonly creates: boolean
}

/** The body of PUT. */
export function replaceSchema(
  schemas: Schemas,
  resource: Resource,
  { named, repeated, creates }: Replacement,
): Json {
  const isUpdate = !creates && named.length === 0
  // An update has the same members; a replacement requires more of them.
  if (isUpdate && schemas.depth === "flat") {
    const members = [...(inputMembers(schemas.model, resource, "update")?.values() ?? [])]
    const required = requiredOf(members, true)
    const update = updateSchema(schemas, resource)
    return required.length === 0 ? update : { allOf: [update], required }
  }
  const said = named.filter((name) => repeated.includes(name))
  return inputSchema(schemas, resource, {
    action: creates ? "create" : "update",
    suffix: named.length === 0 ? "Replace" : `ReplaceBy${said.map(pascalCase).join("And")}`,
    without: named,
    repeated,
    whole: true,
  })
}

/** A new record under another one: the way back to that one is known. */
export function childSchema(schemas: Schemas, parent: Resource, relation: Relation): Json {
  const target = resourceNamed(schemas.model, relation.target)
  const back =
    relation.kind === "many" && relation.through ? undefined : backOf(schemas.model, parent, relation)
  if (back?.reference === undefined) return nestedCreate(schemas, target)
  return inputSchema(schemas, target, {
    ...{ action: "create", isNested: true },
    suffix: `CreateWithout${pascalCase(back.name)}`,
    without: [back.name, back.reference],
  })
}

function inputSchema(
  schemas: Schemas,
  resource: Resource,
  { action, suffix, without = [], repeated = [], whole, isNested }: Input,
): Json {
  const all = inputMembers(schemas.model, resource, action) ?? new Map<string, InputMember>()
  // A replacement of a record that may not be there yet has no nested writes.
  const members = [...all.values()].filter(
    ({ name, kind }) => !without.includes(name) && !(whole && action === "create" && kind === "relation"),
  )
  const isCut = isNested && schemas.depth === "flat" && members.some(({ kind }) => kind === "relation")
  // An input without relations is the same wherever it stands.
  const name = isCut && without.length === 0 ? `${suffix}Nested` : suffix
  return schemas.derived(`${resource.type}${name}`, () => {
    const required = requiredOf(members, whole === true)
    const reference = members.find((member) => member.kind === "reference")?.relation
    if (isCut && isCompact(schemas) && without.length === 0 && reference)
      return referring(schemas, resource, { reference, members, required })
    const common = commonFields(schemas, resource)
    return objectSchema(
      [
        ...repeated.map((name) => [name, repeatedSchema(schemas, resource, name)] as const),
        ...members
          .filter((member) => !common.has(member.name))
          .map((member): readonly [string, Json] => [
            member.name,
            isCut && member.kind === "relation"
              ? furtherInput(schemas)
              : memberSchema(schemas, resource, member),
          ]),
        action === "update" && !whole ? incrementSchema(schemas, resource) : undefined,
      ],
      {
        ...(common.size > 0 && { allOf: [commonSchema(schemas, resource, common)] }),
        ...closed(schemas),
        ...(required.length > 0 ? { required } : {}),
      },
    )
  })
}

function incrementSchema(schemas: Schemas, resource: Resource): readonly [string, Json] | undefined {
  const members = incrementable(schemas.model, resource)
  if (members.length === 0) return undefined
  const numbers = members.map(({ name, field: { constraints, ...field } }) => {
    const { min: _, max: __, ...digits } = constraints
    return [name, inputValue(schemas, { ...field, optional: false, constraints: digits })] as const
  })
  return [incrementName, objectSchema(numbers, { ...closed(schemas), description: incrementMeaning })]
}

interface Referring {
  readonly reference: Relation
  readonly members: readonly InputMember[]
  readonly required: readonly string[]
}

/** A nested input: the one without the reference, and the reference. */
function referring(schemas: Schemas, resource: Resource, { reference, members, required }: Referring): Json {
  const own = members.filter((member) => "relation" in member && member.relation === reference)
  const names = own.map(({ name }) => name)
  const rest = inputSchema(schemas, resource, {
    ...{ action: "create", isNested: true, without: names },
    suffix: `CreateWithout${pascalCase(reference.name)}`,
  })
  const needed = required.filter((name) => names.includes(name))
  return objectSchema(
    own.map((member) => [
      member.name,
      member.kind === "relation" ? furtherInput(schemas) : memberSchema(schemas, resource, member),
    ]),
    { allOf: [rest], ...(needed.length > 0 && { required: needed }) },
  )
}

/**
 * Fields that all inputs of the resource have; clients have them as one schema. None are among them that an address may
 * say, nor where they are too few to be worth a schema.
 */
function commonFields(schemas: Schemas, resource: Resource): ReadonlyMap<string, Field> {
  const [created, updated] = (["create", "update"] as const).map((action) =>
    inputMembers(schemas.model, resource, action),
  )
  if (!isCompact(schemas) || !created || !updated) return new Map()
  const said = new Set([
    ...keyNames(resource),
    ...resource.uniques.flatMap(({ members }) => members.map((member) => subjectName(resource, member))),
  ])
  const fields = [...created.values()].flatMap((member): [string, Field][] =>
    member.kind === "field" && updated.has(member.name) && !said.has(member.name)
      ? [[member.name, member.field]]
      : [],
  )
  return new Map(fields.length < 2 ? [] : fields)
}

const commonSchema = (schemas: Schemas, { type }: Resource, fields: ReadonlyMap<string, Field>): Json =>
  schemas.derived(`${type}Input`, () =>
    objectSchema([...fields].map(([name, field]) => [name, inputMember(schemas, field)] as const)),
  )

function repeatedSchema(schemas: Schemas, resource: Resource, name: string): Json {
  const field = resource.fields.get(name)
  const relation = [...resource.relations.values()].find(
    (one) => one.kind === "one" && one.reference === name,
  )
  const target = relation ? resourceNamed(schemas.model, relation.target) : resource
  return described(
    field ? inputValue(schemas, field) : idInput(target),
    isCompact(schemas) ? undefined : "The same as in the address.",
  )
}

/** Names; a reference is not among them where the relation may be given in its place. */
function requiredOf(members: readonly InputMember[], isWhole: boolean): readonly string[] {
  const nested = new Set(
    members.flatMap((member) => (member.kind === "relation" ? [member.relation.name] : [])),
  )
  const required = members.filter((member) => {
    if (member.kind === "reference" && nested.has(member.relation.name)) return false
    return member.required || (isWhole && isNeeded(member))
  })
  return required.map(({ name }) => name)
}

function isNeeded(member: InputMember): boolean {
  if (member.kind === "field")
    return !member.field.optional && member.field.default === undefined && member.sharers === undefined
  return member.kind === "reference" && !member.relation.optional
}

function memberSchema(schemas: Schemas, resource: Resource, member: InputMember): Json {
  switch (member.kind) {
    case "id":
      return { type: "string", description: "The id of the new record, with or without its prefix." }
    case "field":
      return inputMember(schemas, member.field)
    case "reference":
      return described(
        nullableWhen(member.relation.optional, idInput(resourceNamed(schemas.model, member.relation.target))),
        aboutReference(member.name, member.relation),
      )
    case "relation":
      return relationSchema(schemas, resource, member)
  }
}

type RelationMember = Extract<InputMember, { kind: "relation" }>

/** Nested writes; a flat document has one schema of a relation for all inputs with the same verbs. */
function relationSchema(schemas: Schemas, resource: Resource, { relation, verbs }: RelationMember): Json {
  const schema = (): Json =>
    objectSchema(
      verbs.map((verb) => [verb, verbSchema(schemas, { resource, relation, verb })] as const),
      {
        // Where the reference is the record's own there is one thing to do, and it has to be said.
        ...(relation.kind === "one" &&
          relation.reference !== undefined && { minProperties: 1, maxProperties: 1 }),
        ...closed(schemas),
        ...described({}, relation.description),
      },
    )
  if (schemas.depth === "full") return schema()
  const isOwn = relation.kind === "one" && relation.reference !== undefined
  if (isOwn && relation.description === undefined) {
    // References to one resource are alike, whose record they belong to.
    const { type } = resourceNamed(schemas.model, relation.target)
    return schemas.derived(`${type}${verbs.map(pascalCase).join("Or")}`, schema)
  }
  const suffix = verbs.includes("update") || verbs.includes("unlink") ? "Changes" : "Additions"
  return schemas.derived(`${resource.type}${pascalCase(relation.name)}${suffix}`, schema)
}

interface NestedWrite {
  readonly resource: Resource
  readonly relation: Relation
  readonly verb: Verb
}

function verbSchema(schemas: Schemas, { resource, relation, verb }: NestedWrite): Json {
  const target = resourceNamed(schemas.model, relation.target)
  const many = relation.kind === "many"
  const id = idInput(target)
  const one = (): Json => {
    switch (verb) {
      case "create":
        return relation.kind === "one" && relation.reference !== undefined
          ? nestedCreate(schemas, target)
          : childSchema(schemas, resource, relation)
      case "update": {
        const input = schemas.depth === "full" ? updateOfMany(schemas, target) : furtherInput(schemas)
        if (!many) return input
        const change = objectSchema(
          [
            ["id", id],
            ["input", input],
          ],
          {
            ...{ required: ["id", "input"], ...closed(schemas) },
          },
        )
        // The same for all resources whose ids are alike.
        return schemas.depth === "full"
          ? change
          : schemas.derived(isNumbered(target) ? "RelatedUpdateByNumber" : "RelatedUpdate", () => change)
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

/** The schema of an id in a body: whole numbers need no quotes. */
const idInput = (resource: Resource): Json => ({
  type: isNumbered(resource) ? ["string", "integer"] : "string",
})

/** Whether ids are whole numbers. */
function isNumbered({ key }: Resource): boolean {
  const [only, ...more] = key?.parts ?? []
  return more.length === 0 && (only?.scalar === "integer" || only?.scalar === "int64")
}
