// A list's records without their envelope: as CSV (RFC 4180) and as newline-delimited JSON.
import { setImmediate } from "node:timers/promises"
import { present } from "../../base/invariant.ts"
import type { JsonText } from "../../base/json.ts"
import { lateModule } from "../../base/lazily.ts"
import { type Problem, Refusal } from "../../base/problem.ts"
import type { BodyStream } from "../../http/answer.ts"
import type { Model, Resource } from "../../model/model.ts"
import { fieldNamed, resourceNamed, targetOf } from "../../plan/lookup.ts"
import type { List, Member, ReadPlan } from "../../plan/read-plan.ts"
import { itemsOf, membersOf } from "./json-text.ts"

/** The form in which a list is sent, with a label that tells it from other forms of the same list. */
export interface Form {
  readonly label: string
  pieces(list: JsonText): BodyStream
}

/** One record per line. A raw line break in JSON text stands between its tokens, where a space does as well. */
export const ndjsonForm: Form = {
  label: "ndjson",
  async *pieces(list) {
    for await (const records of groupsOf(list))
      yield records.map((record) => `${record.replace(/[\r\n]+/g, " ")}\n`).join("")
  },
}

export const csvModule = lateModule(() => import("csv-stringify/sync"))

/**
 * A header line, then a line per record; a missing value is empty, an empty text is `""`, lists and JSON are their
 * JSON. Included members of a to-one relation have their own columns, such as `customer.name`.
 */
export function csvForm(columns: readonly Column[]): Form {
  const header = columns.map(({ path }) => path.join("."))
  return {
    label: `csv ${JSON.stringify(header)}`,
    async *pieces(list) {
      const { stringify } = await csvModule()
      const lines = (rows: readonly (readonly (string | null)[])[]): string =>
        stringify([...rows], { record_delimiter: "windows", quoted_match: /^$|[\r\n]/ })
      yield lines([header])
      for await (const records of groupsOf(list))
        yield lines(records.map((record) => columns.map((column) => cell(record, column))))
    },
  }
}

/** Characters of a piece, from which on it is sent: other requests are served between two pieces. */
const pieceLength = 32 * 1024

async function* groupsOf(list: JsonText): AsyncGenerator<readonly JsonText[]> {
  let group: JsonText[] = []
  let length = 0
  for (const record of recordsOf(list)) {
    group.push(record)
    length += record.length
    if (length < pieceLength) continue
    yield group
    group = []
    length = 0
    await setImmediate()
  }
  if (group.length > 0) yield group
}

function recordsOf(list: JsonText): Iterable<JsonText> {
  const [begin] = present(/^\s*\{\s*"data"\s*:/.exec(list), "a list begins with `data`")
  return itemsOf(list, begin.length)
}

export interface Column {
  /** Member names from the record down to the value. */
  readonly path: readonly string[]
  /** Its values are JSON, whose texts stay texts: `"1.5"` is not the number. */
  readonly json?: true
}

/** A missing value is null, which csv-stringify writes as nothing. */
function cell(record: JsonText, { path, json }: Column): string | null {
  let text = record
  for (const name of path) {
    if (text.trim() === "null") return null
    text = present(membersOf(text).get(name), `a record has \`${name}\``).trim()
  }
  if (text === "null") return null
  return text.startsWith('"') && !json ? (JSON.parse(text) as string) : text
}

/** The columns of the plan's list. Throws a Refusal when it asks for what has no place in a table. */
export function csvColumns(plan: ReadPlan): readonly Column[] {
  const { list, resource } = present(plannedList(plan), "a list was asked for")
  const rows = list.members.find((member) => member.kind === "rows")
  return rows?.kind === "rows" ? columnsOf(plan.model, resource, rows.members, []) : []
}

function columnsOf(
  model: Model,
  resource: Resource,
  members: readonly Member[],
  around: Column["path"],
): readonly Column[] {
  return members.flatMap((member) => {
    const path = [...around, member.key]
    if (member.kind === "one")
      return columnsOf(model, targetOf(model, resource, member.relation), member.members, path)
    return [{ path, ...(isJson(resource, member) && { json: true }) }]
  })
}

function isJson(resource: Resource, member: Member): boolean {
  if (member.kind === "computed") return resource.computed?.get(member.field)?.field.scalar === "json"
  return member.kind === "field" && fieldNamed(resource, member.field).scalar === "json"
}

/** Parts that only the envelope can carry are refused, and so is a list within a record of a table. */
export function refuseEnvelope(plan: ReadPlan, { name }: { readonly name: string }): void {
  const { list } = present(plannedList(plan), "a list was asked for")
  const problems: Problem[] = []
  const refuse = (parameter: string, message: string): void => {
    const hint = "Ask for application/json, or leave it out."
    problems.push({ code: "invalid_value", message, hint, place: [parameter] })
  }
  for (const member of list.members) {
    if (member.kind === "aggregate" || member.kind === "groups")
      refuse("aggregate", `${name} holds records only, so it has no place for aggregates.`)
    if (member.kind === "object" && member.members.some((inner) => inner.kind === "total"))
      refuse("total", `${name} holds records only, so it has no place for the total.`)
    if (member.kind === "rows" && name === "text/csv")
      for (const relation of manyWithin(member.members))
        refuse("include", `${name} has no place for the list \`${relation}\` within a record.`)
  }
  const [first, ...rest] = problems
  if (first) throw new Refusal([first, ...rest])
}

function manyWithin(members: readonly Member[]): readonly string[] {
  return members.flatMap((member) => {
    if (member.kind === "many") return [member.key]
    return member.kind === "one" ? manyWithin(member.members) : []
  })
}

interface Planned {
  readonly list: List
  readonly resource: Resource
}

function plannedList({ model, roots: [root] }: ReadPlan): Planned | undefined {
  if (root?.kind === "list") return { list: root.list, resource: resourceNamed(model, root.resource) }
  const member = root?.kind === "record" && root.bare ? root.members[0] : undefined
  if (root?.kind !== "record" || member?.kind !== "many") return undefined
  const resource = targetOf(model, resourceNamed(model, root.resource), member.relation)
  return { list: member.list, resource }
}
