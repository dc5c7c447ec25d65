// Random records that a step writes, with all that is nested in them, and with references of every form to what is there, seen
// or not, and to what is made along.
import type { Field, Model, Relation, Resource } from "../../src/model/model.ts"
import type { Entry, Interpreter } from "../support/naive-access.ts"
import type { Change } from "./changes.ts"
import { type Guarded, resourceOf } from "./guarded.ts"
import { draw } from "./small-service.ts"
import { drawRow, keyOf, memberValue, newKey, type Place, referencesOf } from "./writes.ts"

export interface StepDrawing extends Place {
  readonly service: Guarded
  /** The service as they know it. */
  readonly own: Model
  /** Their own record: what they make is mostly about themselves. */
  readonly viewer?: string | undefined
  /** What the interpreter says of them: then records are mostly drawn that they see, or may change. */
  readonly rules?: Interpreter
  /** What is written is of such a resource; of any when absent. */
  readonly suits?: (resource: Resource) => boolean
  /** Unique values of one of two worlds alone, of which a new record is given the first that is drawn. */
  readonly taken?: { values(resource: string, member: string): readonly unknown[]; readonly given: Taken[] }
}

/** A unique value, or a part of a key. */
export interface Taken {
  readonly resource: string
  readonly member: string
  readonly value: unknown
}

export interface Drawing extends StepDrawing {
  /** The number of the next record that is made. */
  next(): number
  /** The number of a value of a record that is there. */
  value(): number
  /** Records of the operation at hand whose keys the caller chooses, in the order in which it makes them. */
  readonly named: { readonly resource: string; readonly id: string }[]
  /** Nothing is nested in it. */
  readonly plain?: true
  /** What another one beside it refers to, by reference. */
  readonly like?: Entry
  /** Records that earlier steps of the request write. */
  readonly touched?: readonly { readonly resource: string; readonly id: string }[]
  /** Records that earlier steps make. */
  readonly earlier?: readonly { readonly resource: string; readonly id: string; readonly name: string }[]
}

export const oneIn = ({ random }: Drawing, count: number): boolean => random.between(1, count) === 1

type Many = Extract<Relation, { readonly kind: "many" }>
type One = Extract<Relation, { readonly kind: "one" }>

/** A record that is written, with all that is nested in it. */
export interface Node {
  readonly id: string
  readonly input: Entry
  readonly changes: readonly Change[]
}

/** Mostly one of which they may do this to some records. */
export function drawResource(
  { service, own, random, suits = () => true }: StepDrawing,
  action: "create" | "update" | "delete",
): Resource {
  const all = [...service.whole.resources.values()].filter(suits)
  const theirs = all.filter(({ name }) => own.resources.get(name)?.access?.[action])
  const from = theirs.length > 0 && !random.oneIn(16) ? theirs : all
  return resourceOf(service.whole, from[random.between(0, from.length - 1)]?.name ?? "")
}

/** Mostly one that they see, or to which they may do this. */
export function drawTheirs(drawing: Drawing, name: string, action?: "update" | "delete"): Entry {
  const { rules, store, random } = drawing
  const rows = store.records[name] ?? []
  const touched = rows.filter(({ id }) =>
    drawing.touched?.some((one) => one.resource === name && one.id === id),
  )
  if (touched.length > 0 && random.oneIn(2)) return draw(random, touched)
  const isTheirs = (row: Entry): boolean =>
    rules === undefined || (action ? rules.may(action, name, row) : rules.sees(name, row))
  const theirs = rules && !random.oneIn(5) ? rows.filter(isTheirs) : []
  return theirs.length > 0 ? draw(random, theirs) : drawRow(drawing, name)
}

const isKnown = ({ own }: Drawing, resource: string): boolean => own.resources.has(resource)

/** A relation by a reference of the record's own. */
const isReference = (relation: Relation): relation is One & { readonly reference: string } =>
  relation.kind === "one" && relation.reference !== undefined

/** The reference by which the records of a to-many relation belong to one; none of a join table. */
function backOf({ service }: Drawing, relation: Many): string | undefined {
  if (relation.through) return undefined
  const columns = relation.join.map(({ to }) => to).join()
  return referencesOf(resourceOf(service.whole, relation.target)).find(
    (one) => one.columns.join() === columns,
  )?.reference
}

/** What somebody may give of fields: all that is needed, and some of what is not. */
function fieldsGiven(drawing: Drawing, resource: Resource, number: number): Record<string, unknown> {
  const { service, own } = drawing
  const settable = own.resources.get(resource.name)?.settable
  const given: Record<string, unknown> = {}
  for (const field of resource.fields.values()) {
    const isNeeded = !field.optional && field.default === undefined && !field.readonly && !field.computed
    const isGiven = isNeeded || (settable?.has(field.name) === true && oneIn(drawing, 3))
    if (isGiven && !field.readonly && !field.computed)
      given[field.name] =
        takenValue(drawing, resource, field) ??
        memberValue(service.whole, resource, field.name, { ...drawing, number })
  }
  return given
}

function takenValue(drawing: Drawing, resource: Resource, { name: member, unique, column }: Field): unknown {
  const { taken } = drawing
  const isKey = isNatural(resource) && resource.key?.parts.some((part) => part.column === column)
  if (!taken || taken.given.length > 0 || !(unique || isKey)) return undefined
  const values = taken.values(resource.name, member)
  if (values.length === 0 || oneIn(drawing, 4)) return undefined
  const value = draw(drawing.random, values)
  taken.given.push({ resource: resource.name, member, value })
  return value
}

/** Mostly a record that is there; of an earlier step, or one that is nowhere. */
export function drawTarget(
  drawing: Drawing,
  target: string,
): { readonly id: string; readonly said: unknown } {
  const earlier = drawing.earlier?.filter(({ resource }) => resource === target) ?? []
  const [last] = earlier.slice(-1)
  const named = drawing.named.filter(({ resource }) => resource === target)
  if (named.length > 0 && !oneIn(drawing, 4)) {
    const { id } = draw(drawing.random, named)
    return { id, said: id }
  }
  if (last && !oneIn(drawing, 4)) return { id: last.id, said: { $ref: `${last.name}.id` } }
  const { viewer } = drawing
  if (viewer !== undefined && target === drawing.service.whole.viewer && oneIn(drawing, 2))
    return { id: viewer, said: viewer }
  const { prefix } = resourceOf(drawing.service.whole, target)
  const id = oneIn(drawing, 24) ? `${prefix}_${newKey(7)}` : String(drawTheirs(drawing, target)["id"])
  return { id, said: id }
}

/** @param back the reference that the surrounding record gives */
export function madeNode(
  drawing: Drawing,
  resource: Resource,
  depth: number,
  back?: { readonly reference: string; readonly id: string },
): Node {
  const number = drawing.next()
  const fields = fieldsGiven(drawing, resource, number)
  const members: Record<string, unknown> = { ...fields }
  const input: Record<string, unknown> = { ...fields }
  const before: Change[] = []
  const after: Change[] = []
  const chosen: string[] = []
  const id = `${resource.prefix}_${keyOf(resource, members, { ...drawing, number })}`
  for (const relation of resource.relations.values()) {
    if (isReference(relation)) {
      if (relation.reference === back?.reference) {
        members[relation.reference] = back.id
        continue
      }
      const target = resourceOf(drawing.service.whole, relation.target)
      if (depth > 0 && oneIn(drawing, relation.optional ? 6 : 4)) {
        const node = madeNode(drawing, target, depth - 1)
        members[relation.reference] = node.id
        input[relation.name] = { create: node.input }
        before.push(...node.changes)
      } else if (!relation.optional || oneIn(drawing, 2)) {
        // A record may try to refer to itself.
        const isItself = relation.target === resource.name && isNatural(resource) && oneIn(drawing, 6)
        const like = drawing.like?.[relation.reference]
        const { id: value, said } = isItself
          ? { id, said: id }
          : typeof like === "string" && oneIn(drawing, 2)
            ? { id: like, said: like }
            : drawTarget(drawing, relation.target)
        members[relation.reference] = value
        chosen.push(relation.reference)
        if (oneIn(drawing, 4)) input[relation.name] = { link: said }
        else input[relation.reference] = said
      }
    }
  }
  if (isNatural(resource)) drawing.named.push({ resource: resource.name, id })
  for (const relation of resource.relations.values()) {
    if (relation.kind !== "many" || depth === 0 || !isKnown(drawing, relation.target) || relation.history)
      continue
    if (!oneIn(drawing, 3)) continue
    const nested = nestedIn(drawing, { resource, id, relation, depth })
    if (Object.keys(nested.verbs).length > 0) input[relation.name] = nested.verbs
    after.push(...nested.changes)
  }
  const own: Change = { kind: "create", resource: resource.name, id, given: members, chosen }
  return { id, input, changes: [...before, own, ...after] }
}

export const isNatural = ({ key }: Resource): boolean => key?.origin === "natural"

/** Of a to-many relation: new records and some that are there already. */
function nestedIn(drawing: Drawing, { resource, id, relation, depth, there }: Around): Nested {
  const target = resourceOf(drawing.service.whole, relation.target)
  const reference = backOf(drawing, relation)
  if (reference === undefined && !relation.through) return none
  const drawn = oneIn(drawing, 3) ? [drawTarget(drawing, relation.target)] : []
  // No record is changed twice.
  const link = drawn.filter((one) => !(there && one.id === id))
  const others =
    there && reference !== undefined ? changedIn(drawing, { resource, id, relation }, link) : none
  const made = Array.from({ length: drawing.random.between(link.length > 0 ? 0 : 1, 2) }, () =>
    madeNode(drawing, target, depth - 1, reference === undefined ? undefined : { reference, id }),
  )
  const linking = (other: string): Change =>
    reference === undefined
      ? { kind: "link", resource: resource.name, id, relation: relation.name, other }
      : { kind: "update", resource: target.name, id: other, given: { [reference]: id } }
  return {
    verbs: {
      ...others.verbs,
      ...(link.length > 0 && { link: link.map(({ said }) => said) }),
      ...(made.length > 0 && { create: made.map(({ input }) => input) }),
    },
    changes: [
      ...others.changes,
      ...link.map((one) => linking(one.id)),
      ...made.flatMap((node) => [...node.changes, ...(reference === undefined ? [linking(node.id)] : [])]),
    ],
  }
}

interface Around {
  readonly resource: Resource
  readonly id: string
  readonly relation: Many
  readonly depth: number
  /** It is there already. */
  readonly there?: true
}

interface Nested {
  readonly verbs: Entry
  readonly changes: readonly Change[]
}

const none: Nested = { verbs: {}, changes: [] }

/** A record that mostly belongs to this one is changed with it, or goes. */
function changedIn(
  drawing: Drawing,
  { resource, id, relation }: Pick<Around, "resource" | "id" | "relation">,
  linked: readonly { readonly id: string }[],
): Nested {
  const kind = drawing.random.between(0, 7)
  if (kind > 2) return none
  const target = resourceOf(drawing.service.whole, relation.target)
  const back = backOf(drawing, relation) ?? ""
  const own = drawing.store.records[target.name]?.filter((row) => row[back] === id) ?? []
  const row = own.length > 0 && !oneIn(drawing, 4) ? draw(drawing.random, own) : drawRow(drawing, target.name)
  const other = String(row["id"])
  if (other === id || linked.some((one) => one.id === other)) return none
  const belongs: Change = { kind: "belongs", resource: resource.name, id, relation: relation.name, other }
  if (kind === 0)
    return {
      verbs: { delete: [other] },
      changes: [belongs, { kind: "delete", resource: target.name, id: other }],
    }
  const [change] = changedNode({ ...drawing, plain: true }, target, row).changes
  if (change?.kind !== "update") return none
  return { verbs: { update: [{ id: other, input: change.given }] }, changes: [belongs, change] }
}

/** A change of a record with what is nested in it. */
export function changedNode(drawing: Drawing, resource: Resource, row: Entry): Node {
  const { service, own, random } = drawing
  const id = String(row["id"])
  const given: Record<string, unknown> = {}
  const input: Record<string, unknown> = {}
  const before: Change[] = []
  const after: Change[] = []
  const chosen: string[] = []
  const settable = [...(own.resources.get(resource.name)?.settable?.keys() ?? [])]
  const fields = settable.filter((name) => {
    const field = resource.fields.get(name)
    return field && !field.readonly && !field.immutable && !field.computed && !(drawing.plain && field.unique)
  })
  for (const name of random.shuffle(fields).slice(0, random.between(0, 2)))
    given[name] = input[name] = memberValue(service.whole, resource, name, {
      ...drawing,
      number: drawing.value(),
    })
  // A name that is nowhere.
  if (oneIn(drawing, 60)) given["nonsense"] = input["nonsense"] = 1
  for (const relation of resource.relations.values()) {
    if (!isKnown(drawing, relation.target)) continue
    if (relation.kind === "many") {
      if (drawing.plain || relation.history || !oneIn(drawing, 4)) continue
      const nested = nestedIn(drawing, { resource, id, relation, depth: 1, there: true })
      if (Object.keys(nested.verbs).length > 0) input[relation.name] = nested.verbs
      after.push(...nested.changes)
    } else if (isReference(relation) && oneIn(drawing, 3)) {
      const kind = random.between(drawing.plain ? 1 : 0, 5)
      if (kind === 0) {
        const node = madeNode(drawing, resourceOf(service.whole, relation.target), 1)
        input[relation.name] = { create: node.input }
        given[relation.reference] = node.id
        before.push(...node.changes)
      } else if (kind === 1 && relation.optional) {
        input[relation.reference] = given[relation.reference] = null
      } else if (kind === 2) {
        // What it has already.
        input[relation.reference] = given[relation.reference] = row[relation.reference] ?? null
        if (input[relation.reference] === null && !relation.optional) delete input[relation.reference]
      } else {
        const { id: value, said } = drawTarget(drawing, relation.target)
        given[relation.reference] = value
        chosen.push(relation.reference)
        if (kind === 3) input[relation.name] = { link: said }
        else input[relation.reference] = said
      }
    }
  }
  const change: Change = { kind: "update", resource: resource.name, id, given, chosen }
  return { id, input, changes: [...before, change, ...after] }
}
