// Random steps by both faces: one record with all that is nested in it, several at once, and several steps in a batch or in a
// document. Equal chance gives equal steps.
import type { Resource } from "../../src/model/model.ts"
import { apiName, kebabCase, pascalCase } from "../../src/model/names.ts"
import { modelAt } from "../../src/model/versions/model-at.ts"
import { transitionsIn } from "../support/naive-states.ts"
import type { Change } from "./changes.ts"
import type { Doors } from "./doors.ts"
import { resourceOf } from "./guarded.ts"
import { draw } from "./small-service.ts"
import {
  changedNode,
  type Drawing,
  drawResource,
  drawTarget,
  drawTheirs,
  isNatural,
  madeNode,
  type Node,
  oneIn,
  type StepDrawing,
} from "./step-nodes.ts"
import { changesSince, older, storeAt } from "./versioned.ts"
import { type Door, mutation, refusedFor, rest } from "./write-doors.ts"
import { referencesOf } from "./writes.ts"

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
  | "keyed"

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
  ...Array<Shape>(3).fill("keyed"),
]

const faces = ["rest", "graphql"] as const

type FaceName = (typeof faces)[number]

/** One operation, by itself or as one of several. */
interface Operation {
  readonly resource: Resource
  /** Where its changes are those of one face. */
  readonly only?: FaceName
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE"
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

/** The most records that one request makes. */
export const keysOfStep = 100

/** @param shapes of any kind when absent */
export function drawStep({
  shapes = allShapes,
  ...given
}: StepDrawing & { readonly shapes?: readonly Shape[] }): Door {
  let [made, valued] = [0, 0]
  const drawing: Drawing = {
    ...given,
    next: () => given.number + made++,
    value: () => given.number + keysOfStep - ++valued,
    named: [],
  }
  switch (draw(drawing.random, shapes)) {
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
    case "keyed":
      return alone(drawing, upserts(drawing, drawing.random.pick(faces)))
    case "removed":
      return alone(drawing, removes(drawing))
    case "fired":
      return alone(drawing, fires(drawing) ?? makes(drawing))
  }
}

/** The same with the names of an older version. */
export function drawOlderStep({ service, own, store, ...drawing }: Parameters<typeof drawStep>[0]): Door {
  const whole = modelAt(service.whole, older)
  const { name, changes, ask } = drawStep({
    ...drawing,
    service: { ...service, whole },
    own: modelAt(own, older),
    store: storeAt(whole, store),
  })
  return {
    name: `${older}: ${name}`,
    older: true,
    changes: changesSince(whole, changes),
    async ask(...doors) {
      // It has the names of then, and states as they were called.
      const { record: _, ...result } = await ask(...doors)
      return result
    },
  }
}

export const at = (resource: Resource, id: string): string => `/${resource.path}/${encodeURIComponent(id)}`

const shown = ({ own }: Drawing, { name }: Resource): string =>
  ["id", ...(own.resources.get(name)?.fields.keys() ?? [])].join(" ")

/** One of a record that an earlier step of the request writes, now and then. */
function drawAgain(drawing: Drawing, action: "update" | "delete"): Resource {
  const { touched = [], random, service } = drawing
  if (touched.length === 0 || !random.oneIn(2)) return drawResource(drawing, action)
  return resourceOf(service.whole, draw(random, touched).resource)
}

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
    payload: `${apiName(resource)} { ${shown(drawing, resource)} }`,
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
    payload: `${apiName(resource)} { ${shown(drawing, resource)} }`,
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

/** PUT or an upsert by a unique field, of what is there or not. */
function upserts(drawing: Drawing, only: FaceName): Operation {
  const suits = (one: Resource): boolean => uniqueOf(one) !== undefined
  const resource = drawResource({ ...drawing, suits }, drawing.random.oneIn(2) ? "update" : "create")
  const unique = uniqueOf(resource) ?? ""
  const node = madeNode(drawing, resource, 0)
  const [change] = node.changes
  const given = change?.kind === "create" ? { ...change.given } : {}
  const body = { ...node.input }
  const row = drawTheirs(drawing, resource.name, "update")
  for (const { reference, relation } of referencesOf(resource)) {
    const { [relation]: nested } = body
    // Nothing is nested in what may be there.
    if (nested) body[reference] = (nested as { readonly link: unknown }).link
    delete body[relation]
    if (reference in given && oneIn(drawing, 2)) given[reference] = body[reference] = row[reference] ?? null
  }
  const isNew = oneIn(drawing, 3)
  if (!isNew) given[unique] = row[unique]
  const value = String(given[unique])
  delete body[unique]
  const by = `By${pascalCase(unique)}`
  const isRest = only === "rest"
  return {
    resource,
    only,
    method: "PUT",
    path: `/${resource.path}/${unique}=${encodeURIComponent(value)}`,
    body,
    changes: [
      {
        kind: "upsert",
        resource: resource.name,
        id: node.id,
        unique,
        given,
        ...(isRest && { clears: true }),
      },
    ],
    field: `upsert${resource.type}${by}`,
    given: [
      [unique, `${resource.fields.get(unique)?.scalar === "email" ? "Email" : "String"}!`, value],
      ["input", `${resource.type}Upsert${by}Input!`, body],
    ],
    payload: `${apiName(resource)} { ${shown(drawing, resource)} }`,
    ...(isNew && { made: { resource: resource.name, id: node.id } }),
  }
}

/** A field that no two records share. */
const uniqueOf = ({ fields }: Resource): string | undefined =>
  [...fields.values()].find(({ unique, immutable }) => unique && !immutable)?.name

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
    payload: `${apiName(resource)} { ${shown(drawing, resource)} }`,
  }
}

/** By either face, by itself or as the only one of a batch. */
function alone(drawing: Drawing, operation: Operation): Door {
  const { only } = operation
  const kind = drawing.random.between(only === "rest" ? 1 : 0, only === "graphql" ? 0 : 3)
  if (kind === 0) return documentOf([operation])
  if (kind === 1) return batchOf([operation])
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
    const kind = drawing.random.between(0, 11)
    const touched = all.flatMap(({ changes }) => changes.flatMap(recordsOf))
    const now: Drawing = { ...drawing, named: [], touched, ...(refer && { earlier }) }
    const one =
      kind <= 5
        ? makes(now)
        : kind <= 7
          ? changesOne(now)
          : kind === 8
            ? removes(now)
            : kind === 9
              ? (fires(now) ?? makes(now))
              : upserts(now, refer ? "rest" : "graphql")
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
