// Records by what names them, at every address that names one: what the doors answered, and what the rules say.

import { present } from "../../src/base/invariant.ts"
import type { Relation, Resource } from "../../src/model/model.ts"
import { kebabCase } from "../../src/model/names.ts"
import type { World } from "../properties/evaluate.ts"
import type { Entry, Interpreter } from "../support/naive-access.ts"
import { isNameRefused } from "./ask.ts"
import type { Doors } from "./doors.ts"
import { resourceOf } from "./guarded.ts"
import type { Judge } from "./judged.ts"
import { isDeclared } from "./twin.ts"
import { knowsMember, knowsRelation, scalarsOf } from "./verdict.ts"

export interface Looking {
  readonly judge: Judge
  readonly doors: Doors
  readonly interpreter: Interpreter
  readonly world: World
  /** The world as whoever looks sees it. */
  readonly seen: World
  readonly label: string
}

/** `missing` for what is not there, `refused` for names that do not exist. */
type Found = Readonly<Record<string, unknown>> | readonly unknown[] | "missing" | "refused"

/** Asks for one record in every way, whether it is seen or not. */
export async function lookUp(looking: Looking, name: string, row: Entry): Promise<void> {
  const { judge, interpreter, seen, label } = looking
  const resource = resourceOf(seen.model, name)
  const id = String(row["id"])
  const mask = seen.rows.get(name)?.find((one) => one["id"] === id)
  const known = interpreter.knows(name)
  const members = scalarsOf(resource).filter((member) => knowsMember(interpreter, resource, member))
  const record: Found = known ? (mask ? pick(mask, members) : "missing") : "refused"
  const say = (way: string, answered: unknown, expected: unknown): void =>
    judge.judge(`${label}: ${way} of ${id}`, answered, expected)

  const rest = (path: string, query = "") => restAnswer(looking.doors, path, query)
  const graphql = (query: string) => graphqlAnswer(looking.doors, query, { id })
  say("GET", await rest(`/${resource.path}/${encodeURIComponent(id)}`), record)
  say("GET /nodes/…", await rest(`/nodes/${encodeURIComponent(id)}`), known ? record : "missing")
  const one = `{ ${members.join(" ")} }`
  say("record", await graphql(`query ($id: ID!) { found: ${name}(id: $id) ${one} }`), record)
  const onType = known ? `{ ... on ${resource.type} ${one} }` : "{ id }"
  const none = ![...seen.model.resources.keys()].some((one) => interpreter.knows(one))
  const node = known ? record : none ? "refused" : "missing"
  say("node", await graphql(`query ($id: ID!) { found: node(id: $id) ${onType} }`), node)
  const nodes = await graphql(`query ($id: ID!) { found: nodes(ids: [$id]) ${onType} }`)
  say("nodes", nodes, none ? "refused" : [node === "missing" ? null : node])
  for (const {
    members: [only, ...more],
  } of resource.uniques) {
    if (only?.kind !== "field" || more.length > 0) continue
    await lookUpUnique(looking, { resource, row, field: only.field, record, one })
  }
  for (const relation of [...resource.relations.values()].filter(isDeclared))
    await lookUpRelated(looking, { resource, relation, row, mask })
}

async function lookUpUnique(
  { judge, doors, interpreter, label }: Looking,
  given: {
    readonly resource: Resource
    readonly row: Entry
    readonly field: string
    readonly record: Found
    readonly one: string
  },
): Promise<void> {
  const { resource, row, field, record, one } = given
  const value = row[field]
  if (typeof value !== "string") return
  const known = interpreter.knows(resource.name) && interpreter.knowsField(resource.name, field)
  // A value that is not seen is no way to find the record that has it.
  const expected = known && !interpreter.seesValue(resource.name, row, field) ? "missing" : record
  const found = await restAnswer(doors, `/${resource.path}/${field}=${encodeURIComponent(value)}`, "")
  // A key that is not known is an id that nobody has.
  const byAddress = interpreter.knows(resource.name) ? (known ? expected : "missing") : "refused"
  judge.judge(`${label}: GET by ${field} ${value}`, found, byAddress)
  const root = `${resource.name}By${field.charAt(0).toUpperCase()}${field.slice(1)}`
  const asked = `{ found: ${root}(${field}: ${JSON.stringify(value)}) ${one} }`
  judge.judge(`${label}: ${asked}`, await graphqlAnswer(doors, asked, {}), known ? expected : "refused")
}

/** The addresses below a record's: its relations. */
async function lookUpRelated(
  { judge, doors, interpreter, world, seen, label }: Looking,
  given: {
    readonly resource: Resource
    readonly relation: Relation
    readonly row: Entry
    readonly mask: Entry | undefined
  },
): Promise<void> {
  const { resource, relation, row, mask } = given
  const path = `/${resource.path}/${encodeURIComponent(String(row["id"]))}/${kebabCase(relation.name)}`
  const target = resourceOf(world.model, relation.target)
  const members = scalarsOf(target).filter((member) => knowsMember(interpreter, target, member))
  const known = interpreter.knows(resource.name) && knowsRelation(interpreter, relation)
  const rows = mask ? seen.related(resource.name, relation.name, mask) : []
  const many = relation.kind === "many"
  const answered = await restAnswer(doors, path, many ? "sort=id&limit=100" : "")
  const records = rows
    .map((one) => pick(one, members))
    .sort((a, b) => compareIds(String(a["id"]), String(b["id"])))
  const found = many ? records : (records[0] ?? "missing")
  const data = many && typeof answered === "object" ? (answered as { data?: unknown }).data : answered
  judge.judge(`${label}: GET ${path}`, data, known ? (mask ? found : "missing") : "refused")
}

/** Parts that are numbers by value, others by code point. */
function compareIds(a: string, b: string): number {
  const [left, right] = [a, b].map((id) => id.split("~")) as [string[], string[]]
  for (const [index, part] of left.entries()) {
    const other = right[index] ?? ""
    const numbers = /^\d+$/.test(part) && /^\d+$/.test(other)
    const order = numbers
      ? Number(part) - Number(other)
      : Buffer.compare(Buffer.from(part), Buffer.from(other))
    if (order !== 0) return order
  }
  return 0
}

const pick = (row: Entry, members: readonly string[]): Entry =>
  Object.fromEntries(members.map((member) => [member, row[member] ?? null]))

async function restAnswer(doors: Doors, path: string, query: string): Promise<Found> {
  const { status, body } = await doors.rest({ path, query })
  const answer = JSON.parse(body)
  if (status === 200) return answer
  // A record that is not seen and one that is not there are the same; an address that is not served says so.
  if (status === 404 && !body.includes("Nothing is served")) return "missing"
  return status < 500 ? "refused" : answer
}

async function graphqlAnswer(
  doors: Doors,
  query: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<Found> {
  const { data, errors } = JSON.parse((await doors.graphql(query, variables)).body)
  if (errors) return isNameRefused(errors[0].extensions.code) ? "refused" : errors
  return data.found ?? "missing"
}

/** Lists of one member in the other forms that an answer may have. */
export async function listForms(
  { judge, doors, interpreter, seen, label }: Looking,
  name: string,
): Promise<void> {
  const resource = resourceOf(seen.model, name)
  const rows = [...(seen.rows.get(name) ?? [])].sort((a, b) => compareIds(String(a["id"]), String(b["id"])))
  for (const member of scalarsOf(resource)) {
    const known = interpreter.knows(name) && knowsMember(interpreter, resource, member)
    const fields = member === "id" ? ["id"] : ["id", member]
    const records = rows.map((row) => pick(row, fields))
    const query = `fields=${fields.join(",")}&sort=id&limit=100`
    const get = async (accept: string): Promise<string> => {
      const { status, body } = await doors.rest({ path: `/${resource.path}`, query, headers: { accept } })
      return status === 200 ? body : "refused"
    }
    const say = (form: string, answered: unknown, expected: unknown): void =>
      judge.judge(`${label}: ${form} of ${name}.${member}`, answered, known ? expected : "refused")
    say("CSV", await get("text/csv"), csvOf(fields, records))
    say(
      "NDJSON",
      await get("application/x-ndjson"),
      records.map((one) => `${JSON.stringify(one)}\n`).join(""),
    )
    const body = { fields, sort: ["id"], limit: 100 }
    const asked = await doors.rest({ method: "POST", path: `/${resource.path}/query`, body })
    say("query", asked.status === 200 ? JSON.parse(asked.body).data : "refused", records)
  }
}

/** RFC 4180: a missing value is empty, an empty text is quoted. */
function csvOf(fields: readonly string[], records: readonly Entry[]): string {
  const cell = (value: unknown): string => {
    if (value === null) return ""
    const text = typeof value === "string" ? value : JSON.stringify(value)
    return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  const lines = [fields, ...records.map((record) => fields.map((field) => record[field]))]
  return lines.map((line) => `${line.map(cell).join(",")}\r\n`).join("")
}

/** The names that the schema and the OpenAPI description show, and those that the rules leave. */
export async function shownNames({ judge, doors, interpreter, seen, label }: Looking): Promise<void> {
  const known = [...seen.model.resources.values()].filter(({ name }) => interpreter.knows(name))
  const expected = new Map(
    known.map((resource): [string, readonly string[]] => [
      resource.type,
      [
        ...scalarsOf(resource).filter((member) => knowsMember(interpreter, resource, member)),
        ...[...resource.relations.values()]
          .filter(isDeclared)
          .filter((relation) => knowsRelation(interpreter, relation))
          .map(({ name }) => name),
        ...(resource.logged ? ["history"] : []),
      ].sort(),
    ]),
  )
  const { body } = await doors.graphql("{ __schema { types { name fields { name } } } }")
  const types: readonly { name: string; fields: readonly { name: string }[] | null }[] =
    JSON.parse(body).data.__schema.types
  const openapi = JSON.parse(
    (await doors.rest({ path: "/openapi.json", query: "depth=full&purpose=validation" })).body,
  )
  for (const resource of seen.model.resources.values()) {
    const { type } = resource
    const names = types.find(({ name }) => name === type)?.fields?.map(({ name }) => name)
    judge.judge(`${label}: the schema's ${type}`, names?.filter(isOfResource).sort(), expected.get(type))
    const properties = openapi.components.schemas[type]?.properties
    judge.judge(
      `${label}: OpenAPI's ${type}`,
      properties && Object.keys(properties).filter(isOfResource).sort(),
      expected.get(type),
    )
    const path = `/${present(resource.path, "resources have paths")}`
    judge.judge(`${label}: OpenAPI's ${path}`, path in openapi.paths, interpreter.knows(resource.name))
  }
}

/** What is possible with a record is looked at by transitions.test.ts. */
const isOfResource = (name: string): boolean => name !== "etag" && name !== "transitions"
