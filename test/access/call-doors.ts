// The doors by which an own operation can be called: a mutation, its address, and a batch, with and without the version
// that is meant; and the names by which they show that it is there.
import type { Resource } from "../../src/model/model.ts"
import { kebabCase, pascalCase } from "../../src/model/names.ts"
import type { Entry } from "../support/naive-access.ts"
import type { Doors } from "./doors.ts"
import { declines, type OwnAction } from "./own-actions.ts"
import { current, type Door, type Result, refusedFor, versionOf } from "./write-doors.ts"

interface Calling {
  readonly action: OwnAction
  readonly input: Entry
  /** Of an action. */
  readonly on?: { readonly resource: Resource; readonly id: string }
}

export interface CallDoor extends Door {
  /** It names another version than the record is of. */
  readonly stale: boolean
}

export function callDoors(calling: Calling): readonly CallDoor[] {
  const ways = calling.on ? [undefined, current, stale] : [undefined]
  return [
    ...ways.map((match) => byMutation(calling, match)),
    ...ways.map((match) => byAddress(calling, match)),
    inBatch(calling),
  ]
}

/** What the schema and the OpenAPI document call it. */
export const namesOf = ({ name, resource }: OwnAction, of: Resource | undefined) => ({
  mutation: resource === undefined ? name : `${name}${pascalCase(resource)}`,
  path: `${of ? `/${of.path}/{id}` : ""}/actions/${kebabCase(name)}`,
})

/** A version that no record has. */
const stale = "999"

/** @param ask is given the version to name, if any */
const door = (
  { on }: Calling,
  { name, match }: { readonly name: string; readonly match: string | undefined },
  ask: (doors: Doors, version: string | undefined) => Promise<Result>,
): CallDoor => ({
  name: [name, match && `of version ${match}`].filter(Boolean).join(" "),
  changes: [],
  stale: match === stale,
  async ask(doors, everybody) {
    const version = on && match === current ? await versionOf(everybody, on.resource, on.id) : match
    return ask(doors, version)
  },
})

function byMutation(calling: Calling, match: string | undefined): CallDoor {
  const { action, input, on } = calling
  const { mutation } = namesOf(action, on?.resource)
  const takes = action.input.length > 0
  const variables = { ...(on && { id: on.id }), ...(takes && { input }) }
  const declared = [
    ...(on ? ["$id: ID!"] : []),
    ...(takes ? [`$input: ${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input!`] : []),
  ]
  return door(calling, { name: mutation, match }, async (doors, version) => {
    const args = [
      ...(on ? ["id: $id"] : []),
      ...(takes ? ["input: $input"] : []),
      ...(version === undefined ? [] : [`ifMatch: "${version}"`]),
    ]
    const fields = on ? [...(doors.own.resources.get(on.resource.name)?.fields.keys() ?? [])] : []
    const members = [
      ...action.output,
      ...(on ? [`${on.resource.name} { id ${fields.join(" ")} }`] : action.output.length > 0 ? [] : ["done"]),
    ]
    const head = declared.length > 0 ? `(${declared.join(", ")})` : ""
    const given = args.length > 0 ? `(${args.join(", ")})` : ""
    const document = `mutation ${head} { called: ${mutation}${given} { ${members.join(" ")} } }`
    const { data, errors } = JSON.parse((await doors.graphql(document, variables)).body)
    if (errors) return refused(errors[0].extensions.code, JSON.stringify(errors))
    return done(action, data.called, on && data.called[on.resource.name])
  })
}

function requestOf({ action, input, on }: Calling) {
  const path = `${on ? `/${on.resource.path}/${encodeURIComponent(on.id)}` : ""}/actions/${kebabCase(action.name)}`
  return { method: "POST", path, ...(action.input.length > 0 && { body: input }) }
}

function byAddress(calling: Calling, match: string | undefined): CallDoor {
  const { action } = calling
  const request = requestOf(calling)
  return door(calling, { name: `POST ${action.name}`, match }, async (doors, version) => {
    const headers = version === undefined ? {} : { "if-match": `"${version}"` }
    const { status, body } = await doors.rest({ ...request, headers })
    if (status >= 300) return refused(JSON.parse(body).code, body)
    return done(action, body === "" ? {} : JSON.parse(body))
  })
}

function inBatch(calling: Calling): CallDoor {
  const { action } = calling
  return door(calling, { name: `batch of ${action.name}`, match: undefined }, async (doors) => {
    const body = { requests: [requestOf(calling)] }
    const { status, body: answer } = await doors.rest({ method: "POST", path: "/batch", body })
    const given = JSON.parse(answer)
    return status === 200 ? done(action, given.responses[0].body ?? {}) : refused(given.code, answer)
  })
}

const done = ({ output }: OwnAction, given: Entry, record?: Entry | null): Result => ({
  reason: "done",
  output: Object.fromEntries(output.map((name) => [name, given[name]])),
  ...(record && { record }),
})

/** What the code refuses is told in its words. */
const refused = (code: string, text: string): Result =>
  declines.some((words) => text.includes(words)) ? { reason: "declined", text } : refusedFor(code, text)
