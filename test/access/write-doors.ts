// The doors by which one change can be asked for: mutations for one, several and nested records, and REST by every method,
// media type, address, condition and batch.
import type { Resource } from "../../src/model/model.ts"
import { apiName, kebabCase } from "../../src/model/names.ts"
import type { Entry } from "../support/naive-access.ts"
import type { TextResponse } from "../support/text-face.ts"
import type { Change, Outcome, Reason } from "./changes.ts"
import type { Doors } from "./doors.ts"

export interface Door {
  readonly name: string
  readonly changes: readonly Change[]
  /** It is asked by names of an older version. */
  readonly older?: true
  /** @param everybody where versions are looked up */
  ask(doors: Doors, everybody: Doors): Promise<Result>
}

/** `odd: …` for what no rule could have said. */
export interface Result {
  readonly reason: Reason | "done" | `odd: ${string}`
  /** The record that came back, where one did. */
  readonly record?: Entry
  /** What own code gave. */
  readonly output?: Entry
  /** What was said where it was not done. */
  readonly text?: string
}

/** A record that another one is written under, and the to-many relation that leads there. */
export interface Under {
  readonly parent: Resource
  readonly parentId: string
  readonly relation: string
  /** The reference that leads back, such as `orderId`. */
  readonly back: string
}

const upper = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
const at = (resource: Resource, id: string): string => `/${resource.path}/${encodeURIComponent(id)}`
const few = { prefer: "max-affected=5" }

export function createDoors(
  resource: Resource,
  { id, given, under }: { readonly id: string; readonly given: Entry; readonly under: readonly Under[] },
): readonly Door[] {
  const changes: readonly Change[] = [{ kind: "create", resource: resource.name, id, given }]
  const path = `/${resource.path}`
  return [
    mutation({
      name: `create${resource.type}`,
      resource,
      changes,
      input: [given, `${resource.type}CreateInput!`],
    }),
    mutation({
      name: `create${upper(resource.collection)}`,
      resource,
      changes,
      several: true,
      input: [[given], `[${resource.type}CreateInput!]!`],
    }),
    rest({ method: "POST", path, body: given, changes }),
    rest({ method: "POST", path, body: [given], changes, note: "of several" }),
    batch({ method: "POST", path, body: given, changes }),
    ...under.flatMap(({ parent, parentId, relation, back }): readonly Door[] => {
      const { [back]: _, ...child } = given
      const own: Change = {
        kind: "create",
        resource: resource.name,
        id,
        given: { ...given, [back]: parentId },
      }
      const nested: readonly Change[] = [
        { kind: "update", resource: parent.name, id: parentId, given: {} },
        own,
      ]
      return [
        rest({
          method: "POST",
          path: `${at(parent, parentId)}/${kebabCase(relation)}`,
          body: child,
          changes: [{ kind: "see", resource: parent.name, id: parentId }, own],
        }),
        ...nestedDoors(parent, parentId, nested, { [relation]: { create: [child] } }),
      ]
    }),
  ]
}

export function updateDoors(
  resource: Resource,
  given: {
    readonly id: string
    readonly given: Entry
    readonly under: readonly Under[]
  },
): readonly Door[] {
  const { id, given: input, under } = given
  const change = { kind: "update", resource: resource.name, id, given: input } as const
  const changes: readonly Change[] = [change]
  const several: readonly Change[] = [{ ...change, several: true }]
  const path = at(resource, id)
  const patch = (type: string) => ({ "content-type": `application/${type}` })
  const typed = [input, `${resource.type}UpdateInput!`] as const
  const name = `update${resource.type}`
  const stale: readonly Change[] = [{ ...change, stale: true }]
  const patched: readonly Change[] = [{ ...change, patched: true }]
  const operations = Object.entries(input).map(([member, value]) => ({
    op: "add",
    path: `/${member}`,
    value,
  }))
  return [
    mutation({ name, resource, changes, id, input: typed }),
    mutation({ name, resource, changes, id, input: typed, ifMatch: current }),
    mutation({ name, resource, changes: stale, id, input: typed, ifMatch: "999" }),
    mutation({
      name: `update${upper(resource.collection)}`,
      resource,
      changes: several,
      several: true,
      where: [id],
      input: typed,
    }),
    rest({ method: "PATCH", path, body: input, changes }),
    rest({ method: "PATCH", path, body: input, changes, headers: patch("merge-patch+json") }),
    rest({ method: "PATCH", path, body: operations, changes: patched, headers: patch("json-patch+json") }),
    rest({ method: "PATCH", path, body: input, changes, record: id, resource }),
    rest({ method: "PATCH", path, body: input, changes: stale, headers: { "if-match": '"999"' } }),
    rest({
      method: "PATCH",
      path: `/${resource.path}`,
      query: named(id),
      body: input,
      changes: several,
      headers: few,
    }),
    batch({ method: "PATCH", path, body: input, changes }),
    ...under.flatMap(({ parent, parentId, relation }) =>
      nestedDoors(
        parent,
        parentId,
        [
          { kind: "update", resource: parent.name, id: parentId, given: {} },
          { kind: "belongs", resource: parent.name, id: parentId, relation, other: id },
          change,
        ],
        { [relation]: { update: [{ id, input }] } },
      ),
    ),
  ]
}

export function deleteDoors(
  resource: Resource,
  { id, under }: { readonly id: string; readonly under: readonly Under[] },
): readonly Door[] {
  const change = { kind: "delete", resource: resource.name, id } as const
  const changes: readonly Change[] = [change]
  const stale: readonly Change[] = [{ ...change, stale: true }]
  const several: readonly Change[] = [{ ...change, several: true }]
  const path = at(resource, id)
  const name = `delete${resource.type}`
  return [
    mutation({ name, resource, changes, id }),
    mutation({ name, resource, changes: stale, id, ifMatch: "999" }),
    mutation({
      name: `delete${upper(resource.collection)}`,
      resource,
      changes: several,
      several: true,
      where: [id],
    }),
    rest({ method: "DELETE", path, changes, record: id, resource }),
    rest({ method: "DELETE", path, changes: stale, headers: { "if-match": '"999"' } }),
    rest({ method: "DELETE", path: `/${resource.path}`, query: named(id), changes: several, headers: few }),
    batch({ method: "DELETE", path, changes }),
    ...under.flatMap(({ parent, parentId, relation }) =>
      nestedDoors(
        parent,
        parentId,
        [
          { kind: "update", resource: parent.name, id: parentId, given: {} },
          { kind: "belongs", resource: parent.name, id: parentId, relation, other: id },
          change,
        ],
        { [relation]: { delete: [id] } },
      ),
    ),
  ]
}

export function linkDoors(
  resource: Resource,
  { id, relation, other }: { readonly id: string; readonly relation: string; readonly other: string },
): readonly Door[] {
  const change = { resource: resource.name, id, relation, other }
  const path = `${at(resource, id)}/${kebabCase(relation)}/${encodeURIComponent(other)}`
  const touch: Change = { kind: "update", resource: resource.name, id, given: {} }
  return [
    rest({ method: "PUT", path, changes: [touch, { kind: "link", ...change }] }),
    rest({ method: "DELETE", path, changes: [touch, { kind: "unlink", ...change }] }),
    ...nestedDoors(resource, id, [touch, { kind: "link", ...change }], { [relation]: { link: [other] } }),
    ...nestedDoors(resource, id, [touch, { kind: "unlink", ...change }], { [relation]: { unlink: [other] } }),
  ]
}

function nestedDoors(
  resource: Resource,
  id: string,
  changes: readonly Change[],
  input: Readonly<Record<string, unknown>>,
): readonly Door[] {
  const name = `update${resource.type}`
  return [
    mutation({ name, resource, changes, id, input: [input, `${resource.type}UpdateInput!`], note: "nested" }),
    rest({ method: "PATCH", path: at(resource, id), body: input, changes, note: "nested" }),
  ]
}

const named = (id: string): string => `filter[id][eq]=${encodeURIComponent(id)}`

interface Mutation {
  readonly name: string
  readonly resource: Resource
  readonly changes: readonly Change[]
  readonly id?: string
  /** Of the records that a condition names. */
  readonly where?: readonly string[]
  /** Records named by their ids. */
  readonly ids?: readonly string[]
  readonly several?: true
  readonly input?: readonly [value: unknown, type: string]
  readonly ifMatch?: string
  readonly note?: string
}

export function mutation({
  name,
  resource,
  changes,
  id,
  ids,
  where,
  several,
  input,
  ifMatch,
  note,
}: Mutation): Door {
  const variables = { ...(id !== undefined && { id }), ...(input && { input: input[0] }) }
  const declared = [...(id === undefined ? [] : ["$id: ID!"]), ...(input ? [`$input: ${input[1]}`] : [])]
  const args = [
    ...(id === undefined ? [] : ["id: $id"]),
    ...(where === undefined ? [] : [`where: { id: { in: ${JSON.stringify(where)} } }`, "maxAffected: 5"]),
    ...(ids === undefined ? [] : [`ids: ${JSON.stringify(ids)}`]),
    ...(input ? ["input: $input"] : []),
  ]
  return {
    name: [name, note, ids && "by ids", where && "where", ifMatch && `ifMatch ${ifMatch}`]
      .filter(Boolean)
      .join(" "),
    changes,
    async ask(doors, everybody) {
      const version = ifMatch === current ? await versionOf(everybody, resource, String(id)) : ifMatch
      const members = ["id", ...(doors.own.resources.get(resource.name)?.fields.keys() ?? [])].join(" ")
      const payload = several ? resource.collection : apiName(resource)
      const head = declared.length > 0 ? `(${declared.join(", ")})` : ""
      const text = `mutation ${head} { done: ${name}(${[...args, ...(version === undefined ? [] : [`ifMatch: "${version}"`])].join(", ")}) { ${payload} { ${members} } } }`
      const { data, errors } = JSON.parse((await doors.graphql(text, variables)).body)
      if (errors) return refusedFor(errors[0].extensions.code, JSON.stringify(errors))
      const found = data.done[payload]
      const record = several ? found[0] : found
      return { reason: "done", ...(record && { record }) }
    },
  }
}

interface Rest {
  readonly method: string
  readonly path: string
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly changes: readonly Change[]
  readonly note?: string
  /** The record whose version is said, as it is. */
  readonly record?: string
  readonly resource?: Resource
}

export const rest = ({ changes, note, record, resource, ...asked }: Rest): Door => ({
  name: [asked.method, note, JSON.stringify(asked.headers), record && current].filter(Boolean).join(" "),
  changes,
  async ask(doors, everybody) {
    if (record === undefined || !resource) return resultOf(await doors.rest(asked))
    const version = await versionOf(everybody, resource, record)
    return resultOf(await doors.rest({ ...asked, headers: { "if-match": `"${version}"` } }))
  },
})

/** The version that the record is of. */
export const current = "current"

export async function versionOf(everybody: Doors, { name }: Resource, id: string): Promise<string> {
  const { body } = await everybody.graphql(`{ found: ${name}(id: ${JSON.stringify(id)}) { etag } }`)
  return JSON.parse(body).data?.found?.etag ?? "1"
}

export const batch = ({ changes, ...request }: Rest): Door => ({
  name: `batch of ${request.method}`,
  changes,
  async ask(doors) {
    const body = { requests: [request] }
    const { status, body: text } = await doors.rest({ method: "POST", path: "/batch", body })
    const answer = JSON.parse(text)
    if (status !== 200) return refusedFor(answer.code, text)
    const [{ body: record }] = answer.responses
    return { reason: "done", ...(record?.id && { record }) }
  },
})

function resultOf({ status, body }: TextResponse): Result {
  const answer = body === "" ? undefined : JSON.parse(body)
  if (status >= 300) return refusedFor(answer.code, body)
  const record = Array.isArray(answer?.data) ? answer.data[0] : answer
  return { reason: "done", ...(record?.id && { record }) }
}

const closed = [
  "invalid_document",
  "invalid_value",
  "unauthenticated",
  "method_not_allowed",
  "unknown_field",
  "unknown_parameter",
  "readonly_field",
  "missing_field",
]

/** What hooks say where they refuse. */
export const declined = "Not for this hook."

/** What was said, whichever face said it. */
export function reasonIn({ status, body }: TextResponse): Result["reason"] {
  const { errors, code } = body === "" ? {} : JSON.parse(body)
  const said = errors?.[0].extensions?.code ?? (status < 300 ? undefined : code)
  return said === undefined ? "done" : reasonOf(said, body)
}

/** Whether the interpreter accepts what was said. */
export function isOutcome(said: Result["reason"], { reasons, twice }: Outcome): boolean {
  if (said === "done") return reasons.size === 0
  if (said !== "forbidden") return [...reasons].some((reason) => reason === said)
  // What is offered to nobody like them is forbidden, where they see such records. Where an unseen record is in the way, it is
  // where the write may end what its maker's sight looks at.
  return ["forbidden", "closed", "violated"].some((one) => reasons.has(one as Reason)) || twice === true
}

export const refusedFor = (code: string, text: string): Result => ({ reason: reasonOf(code, text), text })

function reasonOf(code: string, text: string): Result["reason"] {
  if (closed.includes(code)) return "closed"
  if (code === "not_found") return text.includes("Nothing is served") ? "closed" : "absent"
  if (code === "missing_reference") return "absent"
  if (code === "illegal_transition") return "illegal"
  if (code === "condition_not_met") return "unmet"
  if (code === "forbidden") return "forbidden"
  if (code === "stale_version") return "stale"
  if (code === "conflict" && text.includes(declined)) return "declined"
  if (["already_exists", "rule_violated", "still_referenced"].includes(code)) return "violated"
  return `odd: ${text}`
}
