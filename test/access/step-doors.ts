// Random steps: records with all that is nested in them, several at once, and several steps in a batch or in a document,
// with references of every form to what is there, seen or not, and to what is made along. Equal chance gives equal steps.
import type { Model, Relation, Resource } from "../../src/model/model.ts"
import { kebabCase } from "../../src/model/names.ts"
import type { Entry, Interpreter } from "../support/naive-access.ts"
import { transitionsIn } from "../support/naive-states.ts"
import type { Doors } from "./doors.ts"
import { type Guarded, resourceOf } from "./guarded.ts"
import type { Change } from "./naive-writes.ts"
import { draw } from "./small-service.ts"
import { type Door, mutation, refusedFor, rest } from "./write-doors.ts"
import { drawRow, keyOf, memberValue, newKey, type Place, referencesOf } from "./writes.ts"

export interface StepDrawing extends Place {
  readonly service: Guarded
  /** The service as they know it. */
  readonly own: Model
  /** Their own record: what they make is mostly about themselves. */
  readonly viewer?: string | undefined
  /** What the interpreter says of them: then records are mostly drawn that they see, or may change. */
  readonly rules?: Interpreter
  /** Of any kind when absent. */
  readonly shapes?: readonly Shape[]
}

export type Shape =
  | "made"
  | "changed"
  | "severalMade"
  | "severalChanged"
  | "batch"
  | "document"
  | "removed"
  | "fired"
  | "replaced"

const allShapes: readonly Shape[] = [
  ...Array<Shape>(6).fill("made"),
  ...Array<Shape>(3).fill("changed"),
  ...Array<Shape>(2).fill("severalMade"),
  ...Array<Shape>(2).fill("severalChanged"),
  ...Array<Shape>(3).fill("batch"),
  ...Array<Shape>(2).fill("document"),
  "removed",
  "fired",
  ...Array<Shape>(2).fill("replaced"),
]

/** The most records that one request makes. */
export const keysOfStep = 100

type Many = Extract<Relation, { readonly kind: "many" }>
type One = Extract<Relation, { readonly kind: "one" }>

/** A record that is written, with all that is nested in it. */
interface Node {
  readonly id: string
  readonly input: Entry
  readonly changes: readonly Change[]
}

/** One operation, by itself or as one of several. */
interface Operation {
  readonly resource: Resource
  readonly method: "POST" | "PATCH" | "DELETE"
  readonly path: string
  readonly body?: unknown
  readonly changes: readonly Change[]
  /** As a field of a mutation. */
  readonly field: string
  readonly given: readonly (readonly [name: string, type: string, value: unknown])[]
  readonly payload: string
  /** What later ones of a batch may refer to. */
  readonly made?: { readonly resource: string; readonly id: string }
}

export function drawStep(given: StepDrawing): Door {
  let [made, valued] = [0, 0]
  const drawing: Drawing = {
    ...given,
    next: () => given.number + made++,
    value: () => given.number + keysOfStep - ++valued,
    named: [],
  }
  switch (draw(drawing.random, given.shapes ?? allShapes)) {
    case "made":
      return alone(drawing, makes(drawing))
    case "changed":
      return alone(drawing, changesOne(drawing))
    case "severalMade":
      return severalMade(drawing)
    case "severalChanged":
      return severalChanged(drawing)
    case "batch":
      return inBatch(drawing)
    case "document":
      return inDocument(drawing)
    case "replaced":
      return replaces(drawing)
    case "removed":
      return alone(drawing, removes(drawing))
    case "fired":
      return alone(drawing, fires(drawing) ?? makes(drawing))
  }
}

interface Drawing extends StepDrawing {
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

const oneIn = ({ random }: Drawing, count: number): boolean => random.between(1, count) === 1

/** Mostly one of which they may do this to some records. */
export function drawResource(
  { service, own, random }: StepDrawing,
  action: "create" | "update" | "delete",
): Resource {
  const all = [...service.whole.resources.values()]
  const theirs = all.filter(({ name }) => own.resources.get(name)?.access?.[action])
  const from = theirs.length > 0 && !random.oneIn(16) ? theirs : all
  return resourceOf(service.whole, from[random.between(0, from.length - 1)]?.name ?? "")
}

/** One of a record that an earlier step of the request writes, now and then. */
function drawAgain(drawing: Drawing, action: "update" | "delete"): Resource {
  const { touched = [], random, service } = drawing
  if (touched.length === 0 || !random.oneIn(2)) return drawResource(drawing, action)
  return resourceOf(service.whole, draw(random, touched).resource)
}

/** Mostly one that they see, or to which they may do this. */
function drawTheirs(drawing: Drawing, name: string, action?: "update" | "delete"): Entry {
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
      given[field.name] = memberValue(service.whole, resource, field.name, { ...drawing, number })
  }
  return given
}

/** Mostly a record that is there; of an earlier step, or one that is nowhere. */
function drawTarget(drawing: Drawing, target: string): { readonly id: string; readonly said: unknown } {
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
function madeNode(
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

const isNatural = ({ key }: Resource): boolean => key?.origin === "natural"

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
function changedNode(drawing: Drawing, resource: Resource, row: Entry): Node {
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

export const at = (resource: Resource, id: string): string => `/${resource.path}/${encodeURIComponent(id)}`

const shown = ({ own }: Drawing, { name }: Resource): string =>
  ["id", ...(own.resources.get(name)?.fields.keys() ?? [])].join(" ")

function makes(drawing: Drawing): Operation {
  const resource = drawResource(drawing, "create")
  const { id, input, changes } = madeNode(drawing, resource, 2)
  return {
    resource,
    method: "POST",
    path: `/${resource.path}`,
    body: input,
    changes,
    field: `create${resource.type}`,
    given: [["input", `${resource.type}CreateInput!`, input]],
    payload: `${resource.name} { ${shown(drawing, resource)} }`,
    made: { resource: resource.name, id },
  }
}

function changesOne(drawing: Drawing): Operation {
  const resource = drawAgain(drawing, "update")
  const { id, input, changes } = changedNode(drawing, resource, drawTheirs(drawing, resource.name, "update"))
  return {
    resource,
    method: "PATCH",
    path: at(resource, id),
    body: input,
    changes,
    field: `update${resource.type}`,
    given: [
      ["id", "ID!", id],
      ["input", `${resource.type}UpdateInput!`, input],
    ],
    payload: `${resource.name} { ${shown(drawing, resource)} }`,
  }
}

export const keyFields = ({ fields, key }: Resource) =>
  [...fields.values()].filter(({ column }) => key?.parts.some((part) => part.column === column))

/** PUT to what is there, or to what people choose the key of. */
function replaces(drawing: Drawing): Door {
  const resource = drawResource(drawing, "update")
  const number = drawing.next()
  const node = madeNode({ ...drawing, next: () => number }, resource, 0)
  const row = drawTheirs(drawing, resource.name, "update")
  const [change] = node.changes
  const given = change?.kind === "create" ? { ...change.given } : {}
  for (const { reference } of referencesOf(resource))
    if (reference in given && oneIn(drawing, 2)) given[reference] = row[reference] ?? null
  const isNew = resource.key?.origin === "natural" && oneIn(drawing, 3)
  for (const { name } of isNew ? [] : keyFields(resource)) given[name] = row[name]
  const id = isNew ? node.id : String(row["id"])
  return rest({
    ...{ method: "PUT", path: at(resource, id), body: given, note: JSON.stringify(given) },
    changes: [{ kind: "put", resource: resource.name, id, given }],
  })
}

function removes(drawing: Drawing): Operation {
  const resource = drawAgain(drawing, "delete")
  const id = String(drawTheirs(drawing, resource.name, "delete")["id"])
  return {
    resource,
    method: "DELETE",
    path: at(resource, id),
    changes: [{ kind: "delete", resource: resource.name, id }],
    field: `delete${resource.type}`,
    given: [["id", "ID!", id]],
    payload: "deletedId",
  }
}

function fires(drawing: Drawing): Operation | undefined {
  const { service, random } = drawing
  const all = [...service.whole.resources.keys()].flatMap((name) =>
    transitionsIn(service.declared, name).map((transition) => ({ name, transition })),
  )
  const chosen = all[random.between(0, all.length - 1)]
  if (!chosen) return undefined
  const resource = resourceOf(service.whole, chosen.name)
  const { transition } = chosen
  const id = String(drawTheirs(drawing, resource.name)["id"])
  const input = Object.fromEntries(
    Object.keys(transition.input).map((name) => [name, drawTarget(drawing, service.whole.viewer ?? "").said]),
  )
  const type = `${transition.name.charAt(0).toUpperCase()}${transition.name.slice(1)}${resource.type}Input!`
  const hasInput = Object.keys(input).length > 0
  const said = Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, typeof value === "string" ? value : ""]),
  )
  return {
    resource,
    method: "POST",
    path: `${at(resource, id)}/transitions/${kebabCase(transition.name)}`,
    body: said,
    changes: [{ kind: "fire", resource: resource.name, ids: [id], transition: transition.name, given: said }],
    field: `${transition.name}${resource.type}`,
    given: [["id", "ID!", id], ...(hasInput ? ([["input", type, said]] as const) : [])],
    payload: `${resource.name} { ${shown(drawing, resource)} }`,
  }
}

/** By either face, by itself or as the only one of a batch. */
function alone(drawing: Drawing, operation: Operation): Door {
  const kind = drawing.random.between(0, 3)
  if (kind === 0) return batchOf([operation])
  if (kind === 1) return documentOf([operation])
  const { method, path, body, changes } = operation
  const isPatch = method === "PATCH" && oneIn(drawing, 2)
  const headers = isPatch ? { headers: { "content-type": "application/merge-patch+json" } } : {}
  return rest({
    method,
    path,
    changes,
    ...(body !== undefined && { body }),
    ...headers,
    note: JSON.stringify(body),
  })
}

function severalMade(drawing: Drawing): Door {
  const resource = drawResource(drawing, "create")
  const nodes: Node[] = []
  while (nodes.length < 2 || (nodes.length < 5 && oneIn(drawing, 2)))
    nodes.push(madeNode({ ...drawing, like: nodes[0]?.input ?? {} }, resource, 1))
  // Then keys lead to records that come later; other keys follow the order.
  const isBare = isNatural(resource) && nodes.every(({ changes }) => changes.length === 1)
  if (isBare && oneIn(drawing, 6)) nodes.reverse()
  const body = nodes.map(({ input }) => input)
  const changes = nodes.flatMap((node, index) => [
    ...(index > 0 ? [{ kind: "another" } as const] : []),
    ...node.changes,
  ])
  const note = JSON.stringify(body)
  if (oneIn(drawing, 2)) return rest({ method: "POST", path: `/${resource.path}`, body, changes, note })
  const name = `create${resource.collection.charAt(0).toUpperCase()}${resource.collection.slice(1)}`
  return mutation({
    ...{ name, resource, changes, several: true, note },
    input: [body, `[${resource.type}CreateInput!]!`],
  })
}

/** All of some ids, changed alike. */
function severalChanged(drawing: Drawing): Door {
  const resource = drawResource(drawing, "update")
  const row = drawTheirs(drawing, resource.name, "update")
  const [change] = changedNode({ ...drawing, plain: true }, resource, row).changes
  const given = change?.kind === "update" ? change.given : {}
  if (Object.keys(given).length === 0) return alone(drawing, changesOne(drawing))
  const ids = [...new Set([0, 1, 2].map(() => String(drawTheirs(drawing, resource.name, "update")["id"])))]
  const note = JSON.stringify(given)
  const all = ids.map((id): Change => ({ kind: "update", resource: resource.name, id, given, several: true }))
  if (oneIn(drawing, 2))
    return rest({
      method: "PATCH",
      path: `/${resource.path}`,
      query: `filter[id][in]=${ids.map(encodeURIComponent).join()}`,
      headers: { prefer: "max-affected=5" },
      body: given,
      changes: all,
      note,
    })
  return mutation({
    name: `update${resource.collection.charAt(0).toUpperCase()}${resource.collection.slice(1)}`,
    ...{ resource, changes: all, several: true, where: ids, note },
    input: [given, `${resource.type}UpdateInput!`],
  })
}

function operations(drawing: Drawing, refer: boolean): readonly Operation[] {
  const all: Operation[] = []
  const earlier: { resource: string; id: string; name: string }[] = []
  const count = drawing.random.between(2, 3)
  while (all.length < count) {
    const kind = drawing.random.between(0, 9)
    const touched = all.flatMap(({ changes }) => changes.flatMap(recordsOf))
    const now: Drawing = { ...drawing, named: [], touched, ...(refer && { earlier }) }
    const one =
      kind <= 5
        ? makes(now)
        : kind <= 7
          ? changesOne(now)
          : kind === 8
            ? removes(now)
            : (fires(now) ?? makes(now))
    if (one.made) earlier.push({ ...one.made, name: `r${all.length}` })
    all.push(one)
  }
  return all
}

const recordsOf = (change: Change): readonly { readonly resource: string; readonly id: string }[] =>
  change.kind === "fire"
    ? change.ids.map((id) => ({ resource: change.resource, id }))
    : change.kind === "update" || change.kind === "delete"
      ? [{ resource: change.resource, id: change.id }]
      : []

const stepped = (all: readonly Operation[]): readonly Change[] =>
  all.flatMap(({ changes }, index) => [...(index > 0 ? [{ kind: "step" } as const] : []), ...changes])

const inBatch = (drawing: Drawing): Door => batchOf(operations(drawing, true))
const inDocument = (drawing: Drawing): Door => documentOf(operations(drawing, false))

function batchOf(all: readonly Operation[]): Door {
  const requests = all.map(({ method, path, body }, index) => ({
    id: `r${index}`,
    method,
    path,
    ...(body !== undefined && { body }),
  }))
  return {
    name: `batch ${JSON.stringify(requests)}`,
    changes: stepped(all),
    async ask(doors: Doors) {
      const { status, body: text } = await doors.rest({ method: "POST", path: "/batch", body: { requests } })
      const answer = JSON.parse(text)
      return status === 200 ? { reason: "done" } : refusedFor(answer.code, text)
    },
  }
}

function documentOf(all: readonly Operation[]): Door {
  const heads: string[] = []
  const variables: Record<string, unknown> = {}
  const fields = all.map(({ field, given, payload }, index) => {
    const args = given.map(([name, type, value]) => {
      heads.push(`$${name}${index}: ${type}`)
      variables[`${name}${index}`] = value
      return `${name}: $${name}${index}`
    })
    return `f${index}: ${field}(${args.join(", ")}) { ${payload} }`
  })
  const text = `mutation (${heads.join(", ")}) { ${fields.join(" ")} }`
  return {
    name: `${text} ${JSON.stringify(variables)}`,
    changes: stepped(all),
    async ask(doors: Doors) {
      const { errors } = JSON.parse((await doors.graphql(text, variables)).body)
      return errors ? refusedFor(errors[0].extensions.code, JSON.stringify(errors)) : { reason: "done" }
    },
  }
}
