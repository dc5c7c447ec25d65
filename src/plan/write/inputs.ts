// Members of each resource's inputs. Both faces describe these, and write.ts reads by them.

import { perObject } from "../../base/caches.ts"
import type { Subject } from "../../model/condition.ts"
import type { Field, KeyPart, Model, Relation, Resource, Through, ToMany, ToOne } from "../../model/model.ts"
import type { ValueType } from "../../model/scalars.ts"
import { newestOf, resourceNamed, wholeOf } from "../lookup.ts"
import { valueTypeOf } from "../values/values.ts"

export type Action = "create" | "update"

export type InputMember = {
  readonly name: string
  /** The member is required; for a reference: it, or the nested record of its relation. */
  readonly required: boolean
} & (
  | {
      readonly kind: "field"
      readonly field: Field
      /** The type of its values. */
      readonly type: ValueType
      readonly subject: Subject
      /** References that have its column too: where one of them is given, the field need not be. */
      readonly sharers?: readonly ToOne[]
    }
  /** The key of a new record, which the client chooses. */
  | { readonly kind: "id"; readonly subject: { readonly kind: "id" } }
  /** The id of a to-one relation's target, such as `customerId`; null clears it. */
  | { readonly kind: "reference"; readonly relation: ToOne; readonly subject: Subject }
  /** Nested writes, by their verbs. */
  | { readonly kind: "relation"; readonly relation: Relation; readonly verbs: readonly Verb[] }
)

export type Verb = "create" | "link" | "unlink" | "update" | "delete"

type InputMembers = ReadonlyMap<string, InputMember> | undefined

/** By name: fields, then each relation after its reference. Undefined when no actor may do this to the resource. */
export const inputMembers = (model: Model, resource: Resource, action: Action): InputMembers =>
  settled[action](resource, model)

/** A resource belongs to one model, and both are frozen. */
const settled = {
  create: perObject((resource: Resource, model: Model) => findMembers(model, resource, "create")),
  update: perObject((resource: Resource, model: Model) => findMembers(model, resource, "update")),
}

function findMembers(model: Model, resource: Resource, action: Action): InputMembers {
  if (!isWritable(resource) || !isAllowed(resource, action)) return undefined
  if (action === "create" && !isCreatable(model, resource)) return undefined
  const members = new Map<string, InputMember>()
  if (action === "create" && resource.key?.origin === "given")
    members.set("id", { kind: "id", name: "id", subject: { kind: "id" }, required: true })
  for (const member of fieldMembers(model, resource, action)) members.set(member.name, member)
  for (const relation of resource.relations.values()) {
    const reference = referenceMember(model, resource, relation, action)
    // Members of the record's key are not changed, nor is a relation by them.
    if (relation.kind === "one" && relation.reference !== undefined && !reference) continue
    if (reference) members.set(reference.name, reference)
    const verbs = verbsOf(model, resource, relation, action)
    if (verbs.length > 0)
      members.set(relation.name, {
        kind: "relation",
        name: relation.name,
        relation,
        verbs,
        required: false,
      })
  }
  return members
}

const isFree = (resource: Resource, action: Action, column: string): boolean =>
  action === "create" || !keyParts(resource).some((part) => part.column === column)

const fieldMembers = (model: Model, resource: Resource, action: Action): readonly InputMember[] =>
  [...(resource.settable ?? resource.fields).values()]
    .filter((field) => isSettable(field, action) && isFree(resource, action, field.column))
    .map((field) => {
      const isRequired = action === "create" && isNeeded(field)
      const sharers = action === "create" ? sharersOf(resource, field) : []
      return {
        kind: "field",
        name: field.name,
        field,
        type: valueTypeOf(model, field),
        subject: { kind: "field", field: field.name },
        required: isRequired && sharers.length === 0,
        ...(sharers.length > 0 && { sharers }),
      }
    })

const sharersOf = ({ relations }: Resource, { column }: Field): readonly ToOne[] =>
  [...relations.values()].filter(
    (relation) =>
      relation.kind === "one" &&
      relation.reference !== undefined &&
      !relation.first &&
      relation.join.some(({ from }) => from === column),
  ) as readonly ToOne[]

/** Whether a link alone leads to the record that an older version knows of. */
function linkOfFirst(model: Model, resource: Resource, { first, target }: ToOne): boolean {
  const newest = first && resourceNamed(newestOf(model), resource.name).relations.get(first.relation)
  const through = newest?.kind === "many" ? newest.through : undefined
  return through !== undefined && namesKeys(through, resource, resourceNamed(model, target))
}

function referenceMember(
  model: Model,
  resource: Resource,
  relation: Relation,
  action: Action,
): InputMember | undefined {
  if (relation.kind !== "one" || relation.reference === undefined) return undefined
  if (!relation.join.every(({ from }) => isFree(resource, action, from))) return undefined
  if (relation.first && !linkOfFirst(model, resource, relation)) return undefined
  const required = action === "create" && !relation.optional
  const subject = { kind: "reference", relation: relation.name } as const
  return { kind: "reference", name: relation.reference, relation, subject, required }
}

/** Whether every required member of a new record can be filled. */
function isCreatable(model: Model, resource: Resource): boolean {
  if (!isWritable(resource) || !isAllowed(resource, "create") || !hasKeyMade(model, resource)) return false
  const references = [...resource.relations.values()].flatMap(
    (relation) => referenceMember(model, resource, relation, "create") ?? [],
  )
  const whole = resourceNamed(wholeOf(model), resource.name)
  return canBeMade(whole, [...fieldMembers(model, resource, "create"), ...references], resource.supplied)
}

/** Only a record that can be named can be written. */
const isWritable = (resource: Resource): boolean => resource.writable && resource.key !== undefined

/** Without a rule of its own, visibility suffices. */
const isAllowed = ({ access }: Resource, action: Action | "delete"): boolean =>
  access === undefined || access[action] !== undefined

/** A record with a secret must show it, and only the answer to the creation of a single record has a place for it. */
export const isMadePlainly = ({ secret }: Resource): boolean => secret === undefined

export const isDeletable = (resource: Resource): boolean =>
  isWritable(resource) && isAllowed(resource, "delete")

const isSettable = (field: Field, action: Action): boolean =>
  !field.readonly &&
  !field.generated &&
  (action === "create" ? field.creatable !== false : !field.immutable && field.changeable !== false)

/** A former field that is ignored need not be given. */
const isNeeded = (field: Field): boolean =>
  !field.optional && field.default === undefined && field.lens?.writes.size !== 0

export const keyParts = (resource: Resource): readonly KeyPart[] => resource.key?.parts ?? []

/** Whether callers choose the key of a new record: none of its parts is made by the database alone. */
export const isKeyChosen = ({ key, fields }: Resource): boolean =>
  key?.origin === "given" ||
  (key?.origin === "natural" &&
    ![...fields.values()].some(
      (field) =>
        field.readonly &&
        field.default?.kind === "database" &&
        key.parts.some(({ column }) => column === field.column),
    ))

/** In tables of Bifold's own, keys are made of whole numbers and uuids; elsewhere the database knows how. */
function hasKeyMade({ managed }: Model, { key }: Resource): boolean {
  if (key?.origin !== "database" || !managed) return true
  const [part, ...more] = key.parts
  return more.length === 0 && part !== undefined && ["integer", "int64", "uuid"].includes(part.scalar)
}

/** Every required column is filled by the client, a default, or the database. */
function canBeMade(
  resource: Resource,
  members: readonly InputMember[],
  supplied: Resource["supplied"],
): boolean {
  const given = new Set<string>()
  const { digest, hint } = resource.secret ?? {}
  const add = (name: string | undefined): void => {
    const field = name === undefined ? undefined : resource.fields.get(name)
    if (field) given.add(field.column)
  }
  for (const name of [digest, hint]) add(name)
  for (const name of supplied?.keys() ?? []) add(name)
  for (const member of members) {
    if (member.kind === "field" && member.field.lens)
      for (const name of member.field.lens.writes.keys()) add(name)
    else if (member.kind === "field") given.add(member.field.column)
    else if (member.kind === "reference") for (const { from } of member.relation.join) given.add(from)
  }
  // A key may have a part that the database makes.
  for (const field of resource.fields.values())
    if (field.default?.kind === "database") given.add(field.column)
  const fields = [...resource.fields.values()].every(
    (field) => given.has(field.column) || field.generated || !isNeeded(field),
  )
  const relations = [...resource.relations.values()].every(
    (relation) =>
      relation.kind === "many" || relation.optional || relation.join.every(({ from }) => given.has(from)),
  )
  const key = resource.key?.origin !== "natural" || keyParts(resource).every((part) => given.has(part.column))
  return fields && relations && key
}

function verbsOf(model: Model, resource: Resource, relation: Relation, action: Action): readonly Verb[] {
  const target = resourceNamed(model, relation.target)
  if (!target.key) return []
  const existing = action === "update"
  const ownKey = relation.join.some(({ from }) => keyParts(resource).some(({ column }) => column === from))
  if (relation.kind === "one" && relation.first)
    return pick(model, target, {
      ...noVerbs,
      create: true,
      link: true,
      unlink: existing && relation.optional,
    })
  if (relation.kind === "one" && relation.reference !== undefined) {
    if (existing && ownKey) return pick(model, target, { ...noVerbs, update: true })
    const cleared = existing && relation.optional
    return pick(model, target, {
      create: true,
      link: true,
      unlink: cleared,
      update: existing,
      delete: cleared,
    })
  }
  if (relation.kind === "many" && relation.through)
    return namesKeys(relation.through, resource, target)
      ? pick(model, target, {
          create: true,
          link: true,
          unlink: existing,
          update: existing,
          delete: existing,
        })
      : []
  const back = backOf(model, resource, relation)
  if (!back || !target.writable) return []
  // A child whose key holds its parent's cannot be given to another parent.
  const mayChange = isAllowed(target, "update")
  const bound = back.join.some(({ from }) => keyParts(target).some(({ column }) => column === from))
  return pick(model, target, {
    create: true,
    link: !bound && mayChange,
    unlink: existing && back.optional && !bound && mayChange,
    update: existing,
    delete: existing,
  })
}

/** A link is written with the keys of both ends. */
function namesKeys({ near, far }: Through, resource: Resource, target: Resource): boolean {
  const isKey = (of: Resource, column: string): boolean => keyParts(of).some((part) => part.column === column)
  return near.every(({ from }) => isKey(resource, from)) && far.every(({ to }) => isKey(target, to))
}

/** The verbs that hold. A verb that changes the target needs one that may be changed without a version. */
function pick(model: Model, target: Resource, verbs: Readonly<Record<Verb, boolean>>): readonly Verb[] {
  const allowed: Readonly<Record<Verb, boolean>> = {
    create: isCreatable(model, target) && isMadePlainly(target),
    link: true,
    unlink: true,
    update: target.writable && !target.needsVersion && isAllowed(target, "update"),
    delete: target.writable && !target.needsVersion && isAllowed(target, "delete"),
  }
  return allVerbs.filter((verb) => verbs[verb] && allowed[verb])
}

const allVerbs: readonly Verb[] = ["create", "link", "unlink", "update", "delete"]

const noVerbs = { create: false, link: false, unlink: false, update: false, delete: false }

/** The target's to-one relation that leads back, by a foreign key that names this resource's key. */
export function backOf(model: Model, resource: Resource, relation: ToOne | ToMany): ToOne | undefined {
  for (const back of resourceNamed(model, relation.target).relations.values()) {
    if (back.kind !== "one" || back.reference === undefined || back.first) continue
    if (back.target !== resource.name) continue
    const mirrored =
      back.join.length === relation.join.length &&
      back.join.every(({ from, to }) => relation.join.some((pair) => pair.from === to && pair.to === from))
    if (mirrored) return back
  }
  return undefined
}
