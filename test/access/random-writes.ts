// Random requests that write: one record and many, nested, in batches and in documents of several mutations, as PUT, as
// links and transitions, by both faces. Equal chance gives equal requests.
import type { Model, Resource } from "../../src/model/model.ts"
import { kebabCase } from "../../src/model/names.ts"
import type { Entry, Store } from "../support/naive-access.ts"
import { transitionsIn } from "../support/naive-states.ts"
import type { TextResponse } from "../support/text-face.ts"
import type { Doors } from "./doors.ts"
import { type Guarded, resourceOf } from "./guarded.ts"
import type { Change } from "./naive-writes.ts"
import { drawStep } from "./step-doors.ts"
import type { Door } from "./write-doors.ts"
import {
  attemptsAt,
  drawRow,
  memberValue,
  neededOf,
  newKey,
  type Place,
  parentsOf,
  referencesOf,
} from "./writes.ts"

export interface RandomWrite {
  readonly what: string
  /** What it comes to in a world of these records. */
  changes(store: Store): readonly Change[]
  /** @param everybody where versions are looked up: their own doors, since a version tells of values that they may not see */
  ask(doors: Doors, everybody: Doors): Promise<TextResponse>
}

interface Drawing extends Place {
  readonly service: Guarded
  /** The service as they know it. */
  readonly own: Model
  /** Their own record, where they are one. */
  readonly viewer?: string | undefined
}

/** The keys of the records that one request makes: those after the number of its place. */
export const keysOfOne = 100

export function drawWrite(drawing: Drawing): RandomWrite {
  const { random } = drawing
  const kind = random.between(0, 15)
  if (kind >= 12) {
    const door = drawStep(drawing)
    return throughDoor(door, door.name)
  }
  if (kind <= 2) return byDoor(drawing)
  if (kind <= 5) return severalCreated(drawing)
  if (kind <= 7) return inBatch(drawing)
  if (kind <= 9) return nested(drawing)
  return kind === 10 ? inDocument(drawing) : replaced(drawing)
}

function byDoor(drawing: Drawing): RandomWrite {
  const { service, random } = drawing
  const attempt = random.pick(attemptsAt(service.whole) as never) as ReturnType<typeof attemptsAt>[number]
  const doors = attempt.doors(drawing)
  const door = doors[random.between(0, doors.length - 1)]
  if (!door) return severalCreated(drawing)
  return throughDoor(door, `${attempt.action} ${attempt.resource}.${attempt.member} by ${door.name}`)
}

function throughDoor(door: Door, what: string): RandomWrite {
  return {
    what,
    changes: () => door.changes,
    async ask(doors, everybody) {
      let last: TextResponse | undefined
      const heard = async (answer: Promise<TextResponse>): Promise<TextResponse> => {
        last = await answer
        return last
      }
      await door.ask(
        {
          ...doors,
          graphql: (...asked) => heard(doors.graphql(...asked)),
          rest: (asked) => heard(doors.rest(asked)),
        },
        everybody,
      )
      if (!last) throw new Error("a door asks")
      return last
    },
  }
}

/** One operation, as it stands by itself, in a batch, or in a document. */
interface Part {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly changes: (store: Store) => readonly Change[]
  /** As a field of a mutation: what it is given by variables, with their types. */
  readonly field: string
  readonly given: readonly (readonly [name: string, type: string, value: unknown])[]
  readonly payload: string
}

type Action = "create" | "update" | "delete"

/** Mostly one of which they may do this to some records. */
function drawResource({ service, own, random }: Drawing, action: Action): Resource {
  const all = [...service.whole.resources.values()]
  const theirs = all.filter(({ name }) => own.resources.get(name)?.access?.[action])
  const from = theirs.length > 0 && !random.oneIn(12) ? theirs : all
  return resourceOf(service.whole, from[random.between(0, from.length - 1)]?.name ?? "")
}

/** What they may set, of all kinds. */
function someMembers(drawing: Drawing, resource: Resource, most: number): Entry {
  const { service, own, random } = drawing
  const known = own.resources.get(resource.name)
  const fields = [...(known?.settable?.keys() ?? [])].filter((name) => !resource.fields.get(name)?.readonly)
  const references = referencesOf(resource)
    .filter(({ target }) => own.resources.has(target))
    .map(({ reference }) => reference)
  const names = random.shuffle([...fields, ...references, ...references])
  return Object.fromEntries(
    names
      .slice(0, random.between(1, most))
      .map((name) => [name, referenceOr(drawing, resource, name)] as const)
      .concat(random.oneIn(40) ? [["nonsense", 1]] : []),
  )
  function referenceOr(of: Drawing, one: Resource, name: string): unknown {
    const reference = references.includes(name) && of.random.oneIn(4)
    const target = referencesOf(one).find((it) => it.reference === name)?.target ?? ""
    // One that is nowhere.
    return reference
      ? `${resourceOf(service.whole, target).prefix}_${newKey(7)}`
      : memberValue(service.whole, one, name, of)
  }
}

function newRecord(drawing: Drawing, resource: Resource): Entry {
  const { service, random } = drawing
  const some = random.oneIn(2) ? someMembers(drawing, resource, 2) : {}
  return { ...neededOf(service.whole, resource, drawing), ...some }
}

/** Each new record of a request has a number of its own. */
function numbered(drawing: Drawing): () => Drawing {
  let made = 0
  return () => ({ ...drawing, number: drawing.number + made++ })
}

const idOf = (resource: Resource, given: Entry, number: number): string =>
  `${resource.prefix}_${resource.key?.origin === "natural" ? naturalKey(resource, given) : newKey(number)}`

function naturalKey(resource: Resource, given: Entry): string {
  const members = (resource.key?.parts ?? []).map(({ column }) => {
    const field = [...resource.fields.values()].find((one) => one.column === column)
    const reference = referencesOf(resource).find(({ columns }) => columns.includes(column))?.reference ?? ""
    const value = String(given[field?.name ?? reference])
    return field ? value : value.slice(value.indexOf("_") + 1)
  })
  return members.join("~")
}

function created(drawing: Drawing, resource: Resource): Part {
  const given = newRecord(drawing, resource)
  const id = idOf(resource, given, drawing.number)
  return {
    method: "POST",
    path: `/${resource.path}`,
    body: given,
    changes: () => [{ kind: "create", resource: resource.name, id, given }],
    field: `create${resource.type}`,
    given: [["input", `${resource.type}CreateInput!`, given]],
    payload: `${resource.name} { ${shown(drawing, resource)} }`,
  }
}

const shown = ({ own }: Drawing, { name }: Resource): string =>
  ["id", ...(own.resources.get(name)?.fields.keys() ?? [])].join(" ")

const at = (resource: Resource, id: string): string => `/${resource.path}/${encodeURIComponent(id)}`

function updated(drawing: Drawing, resource: Resource): Part {
  const id = String(drawRow(drawing, resource.name)["id"])
  const given = someMembers(drawing, resource, 3)
  return {
    method: "PATCH",
    path: at(resource, id),
    body: given,
    changes: () => [{ kind: "update", resource: resource.name, id, given }],
    field: `update${resource.type}`,
    given: [
      ["id", "ID!", id],
      ["input", `${resource.type}UpdateInput!`, given],
    ],
    payload: `${resource.name} { ${shown(drawing, resource)} }`,
  }
}

function removed(drawing: Drawing, resource: Resource): Part {
  const id = String(drawRow(drawing, resource.name)["id"])
  return {
    method: "DELETE",
    path: at(resource, id),
    changes: () => [{ kind: "delete", resource: resource.name, id }],
    field: `delete${resource.type}`,
    given: [["id", "ID!", id]],
    payload: "deletedId",
  }
}

function fired(drawing: Drawing): Part | undefined {
  const { service, random } = drawing
  const all = [...service.whole.resources.keys()].flatMap((name) =>
    transitionsIn(service.declared, name).map((transition) => ({ name, transition })),
  )
  const chosen = all[random.between(0, all.length - 1)]
  if (!chosen) return undefined
  const resource = resourceOf(service.whole, chosen.name)
  const id = String(drawRow(drawing, resource.name)["id"])
  const { name } = chosen.transition
  return {
    method: "POST",
    path: `${at(resource, id)}/transitions/${kebabCase(name)}`,
    body: {},
    changes: () => [{ kind: "fire", resource: resource.name, ids: [id], transition: name, given: {} }],
    field: `${name}${resource.type}`,
    given: [["id", "ID!", id]],
    payload: `${resource.name} { ${shown(drawing, resource)} }`,
  }
}

function drawPart(drawing: Drawing): Part {
  const kind = drawing.random.between(0, 9)
  if (kind <= 4) return created(drawing, drawResource(drawing, "create"))
  if (kind <= 7) return updated(drawing, drawResource(drawing, "update"))
  return (kind === 8 && fired(drawing)) || removed(drawing, drawResource(drawing, "delete"))
}

/** Of several operations, with what stands between them. */
const allChanges =
  (parts: readonly Pick<Part, "changes">[], kind: "step" | "another") =>
  (store: Store): readonly Change[] =>
    parts.flatMap((part, index) => [...(index > 0 ? [{ kind }] : []), ...part.changes(store)])

function severalCreated(drawing: Drawing): RandomWrite {
  const { random } = drawing
  const resource = drawResource(drawing, "create")
  const next = numbered(drawing)
  const parts = Array.from({ length: random.between(1, 4) }, () => created(next(), resource))
  const body = parts.map((part) => part.body)
  const changes = allChanges(parts, "another")
  if (random.oneIn(2))
    return {
      what: `POST several of ${resource.name} ${JSON.stringify(body)}`,
      changes,
      ask: (doors) => doors.rest({ method: "POST", path: `/${resource.path}`, body }),
    }
  const name = `create${resource.collection.charAt(0).toUpperCase()}${resource.collection.slice(1)}`
  const text = `mutation ($input: [${resource.type}CreateInput!]!) { ${name}(input: $input) { ${resource.collection} { ${shown(drawing, resource)} } } }`
  return {
    what: `${name} ${JSON.stringify(body)}`,
    changes,
    ask: (doors) => doors.graphql(text, { input: body }),
  }
}

function someParts(drawing: Drawing): readonly Part[] {
  const next = numbered(drawing)
  return Array.from({ length: drawing.random.between(1, 3) }, () => drawPart(next()))
}

function inBatch(drawing: Drawing): RandomWrite {
  const parts = someParts(drawing)
  const requests = parts.map(({ method, path, body }) => ({
    method,
    path,
    ...(body !== undefined && { body }),
  }))
  return {
    what: `batch ${JSON.stringify(requests)}`,
    changes: allChanges(parts, "step"),
    ask: (doors) => doors.rest({ method: "POST", path: "/batch", body: { requests } }),
  }
}

function inDocument(drawing: Drawing): RandomWrite {
  const parts = someParts(drawing)
  const heads: string[] = []
  const variables: Record<string, unknown> = {}
  const fields = parts.map(({ field, given, payload }, index) => {
    const args = given.map(([name, type, value]) => {
      heads.push(`$${name}${index}: ${type}`)
      variables[`${name}${index}`] = value
      return `${name}: $${name}${index}`
    })
    return `f${index}: ${field}(${args.join(", ")}) { ${payload} }`
  })
  const text = `mutation (${heads.join(", ")}) { ${fields.join(" ")} }`
  return {
    what: `${text} ${JSON.stringify(variables)}`,
    changes: allChanges(parts, "step"),
    ask: (doors) => doors.graphql(text, variables),
  }
}

/** Records that belong to another one, written with it: made, changed, moved there, deleted. */
function nested(drawing: Drawing): RandomWrite {
  const { service, random } = drawing
  const child = drawResource(drawing, "create")
  const parents = parentsOf(service.whole, child)
  const chosen = parents[random.between(0, parents.length - 1)]
  if (!chosen) return severalCreated(drawing)
  const { parent, relation, back } = chosen
  const next = numbered(drawing)
  const isNew = random.oneIn(3)
  const around = isNew ? created(next(), parent) : updated(next(), parent)
  const [first] = around.changes(drawing.store)
  const parentId = first && "id" in first ? first.id : ""
  const own = isNew || random.oneIn(2) ? around.body : {}
  const made = Array.from({ length: random.between(0, 3) }, () => created(next(), child))
  const create = made.map(({ body }) => {
    const { [back]: _, ...given } = body as Entry
    return given
  })
  const other = (): string => String(drawRow(drawing, child.name)["id"])
  const linked = random.oneIn(3) ? [other()] : []
  const changedOnes =
    !isNew && random.oneIn(3) ? [{ id: other(), input: someMembers(drawing, child, 2) }] : []
  const gone = !isNew && random.oneIn(5) ? [other()] : []
  const verbs = {
    ...(create.length > 0 && { create }),
    ...(linked.length > 0 && { link: linked }),
    ...(changedOnes.length > 0 && { update: changedOnes }),
    ...(gone.length > 0 && { delete: gone }),
  }
  const input = { ...(own as Entry), [relation]: verbs }
  const outer: readonly Change[] = isNew
    ? around.changes(drawing.store)
    : [{ kind: "update", resource: parent.name, id: parentId, given: own as Entry }]
  const belongs = (id: string): Change => ({
    kind: "belongs",
    resource: parent.name,
    id: parentId,
    relation,
    other: id,
  })
  const inner: readonly Change[] = [
    ...gone.flatMap((id): Change[] => [belongs(id), { kind: "delete", resource: child.name, id }]),
    ...changedOnes.flatMap(({ id, input: given }): Change[] => [
      belongs(id),
      { kind: "update", resource: child.name, id, given },
    ]),
    ...linked.map(
      (id): Change => ({ kind: "update", resource: child.name, id, given: { [back]: parentId } }),
    ),
    ...made.flatMap((part) =>
      part
        .changes(drawing.store)
        .map((change) =>
          change.kind === "create" ? { ...change, given: { ...change.given, [back]: parentId } } : change,
        ),
    ),
  ]
  const byRest = random.oneIn(2)
  const type = `${parent.type}${isNew ? "Create" : "Update"}Input!`
  const field = `${isNew ? "create" : "update"}${parent.type}`
  const text = `mutation (${isNew ? "" : "$id: ID!, "}$input: ${type}) { ${field}(${isNew ? "" : "id: $id, "}input: $input) { ${parent.name} { id } } }`
  return {
    what: `${around.method} ${around.path} ${JSON.stringify(input)}`,
    changes: () => [...outer, ...inner],
    ask: (doors) =>
      byRest
        ? doors.rest({ method: around.method, path: around.path, body: input })
        : doors.graphql(text, { ...(!isNew && { id: parentId }), input }),
  }
}

/** PUT to an id or to a unique key, of what is there or not. */
function replaced(drawing: Drawing): RandomWrite {
  const { random } = drawing
  const resource = drawResource(drawing, "update")
  const row = drawRow(drawing, resource.name)
  const given = newRecord(drawing, resource)
  const unique = resource.uniques.flatMap(({ members: [one, ...more] }) =>
    one?.kind === "field" && more.length === 0 ? [one.field] : [],
  )[0]
  const byKey = unique !== undefined && random.oneIn(2)
  const { [unique ?? ""]: value, ...others } = given
  const path = byKey
    ? `/${resource.path}/${unique}=${encodeURIComponent(String(value))}`
    : at(resource, String(row["id"]))
  const body = byKey ? others : given
  return {
    what: `PUT ${path} ${JSON.stringify(body)}`,
    changes(store) {
      const id = byKey ? idOf(resource, given, drawing.number) : String(row["id"])
      const isThere = store.records[resource.name]?.some((one) => one["id"] === id)
      return [{ kind: isThere ? "update" : "create", resource: resource.name, id, given }]
    },
    ask: (doors) => doors.rest({ method: "PUT", path, body }),
  }
}
