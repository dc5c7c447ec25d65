// A list question at both doors of a house: the answer in the common form, or that a name was refused.
import assert from "node:assert/strict"
import type { Resource } from "../../src/model/model.ts"
import type { ListAnswer, ListQuestion } from "../properties/question.ts"
import { type Bounds, readGraphql, spellGraphql } from "../properties/spell-graphql.ts"
import { readRest, spellRest } from "../properties/spell-rest.ts"
import type { Doors } from "./doors.ts"

/** `refused` when a name in it does not exist for whoever asks. */
export type Verdict = ListAnswer | "refused"

export const faces = ["graphql", "rest"] as const
export type FaceName = (typeof faces)[number]

/** @param resource with the names of the whole service: what somebody does not know is asked for all the same */
export async function askList(
  doors: Doors,
  face: FaceName,
  resource: Resource,
  list: ListQuestion,
): Promise<Verdict> {
  const bounds = await boundsOf(doors, resource, list)
  if (bounds === "refused") return bounds
  return face === "graphql"
    ? askGraphql(doors, resource, list, bounds)
    : askRest(doors, resource, list, bounds)
}

async function askGraphql(
  doors: Doors,
  resource: Resource,
  list: ListQuestion,
  bounds: Bounds,
): Promise<Verdict> {
  const { query, variables } = spellGraphql(doors.whole, resource, list, bounds)
  const { body } = await doors.graphql(query, variables)
  const { data, errors } = JSON.parse(body)
  if (isRefusal(data, errors)) return "refused"
  assert.equal(errors, undefined, `${query}\n${JSON.stringify(variables)}\n${body}`)
  return readGraphql(list, data.list)
}

/** By GraphQL: a name that does not exist for the caller; a stranger is asked to sign in, whatever the name. */
export const isNameRefused = (code: string): boolean => ["invalid_document", "unauthenticated"].includes(code)

const refusals = ["invalid_document", "unauthenticated", "invalid_value"]

const isRefusal = (
  data: unknown,
  errors: readonly { readonly extensions: { readonly code: string } }[] | undefined,
): boolean =>
  !data && errors !== undefined && errors.every(({ extensions }) => refusals.includes(extensions.code))

async function askRest(
  doors: Doors,
  resource: Resource,
  list: ListQuestion,
  bounds: Bounds,
): Promise<Verdict> {
  const address = spellRest(resource, list, bounds)
  const [path = "", query = ""] = address.split("?")
  const { status, body } = await doors.rest({ path, query })
  if ([400, 401, 404].includes(status)) return "refused"
  assert.equal(status, 200, `${decodeURIComponent(address)}\n${body}`)
  return readRest(list, JSON.parse(body))
}

/** The cursors at the question's positions, from the list in the same order without its condition. */
async function boundsOf(doors: Doors, resource: Resource, list: ListQuestion): Promise<Bounds | "refused"> {
  const bounds: { after?: string; before?: string } = {}
  for (const side of ["after", "before"] as const) {
    const position = list.page[side]
    if (position === undefined) continue
    const { where: _, measures: __, groups: ___, ...rest } = list
    const upTo = {
      ...rest,
      page: { size: position + 1, backward: false },
      total: false,
      select: { scalars: [], ones: [], manys: [] },
    }
    const { query, variables } = spellGraphql(doors.whole, resource, upTo, {})
    const { body } = await doors.graphql(query, variables)
    const cursor = JSON.parse(body).data?.list.pageInfo.endCursor
    if (cursor === undefined) return "refused"
    // Of a list with fewer records there is no such position.
    if (cursor !== null) bounds[side] = cursor
  }
  return bounds
}
