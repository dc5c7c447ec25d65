// A walk over any service that is open to everybody: each list by both faces, each record by its id, each value as a filter,
// each order in both directions by cursors. The walk knows nothing of the database but the answers of the service.
import { isDeepStrictEqual } from "node:util"
import type { Resource, Unique } from "../../src/model/model.ts"
import { kebabCase } from "../../src/model/names.ts"
import { isSortable, operatorsOf } from "../../src/model/operators.ts"
import { subjectName } from "../../src/plan/lookup.ts"
import type { OpenService } from "../support/open-service.ts"

type Row = Readonly<Record<string, unknown>>

export interface Walked {
  records: number
  values: number
  pages: number
  relations: number
  /** One line for each answer that is not as it has to be. */
  readonly faults: string[]
}

/** A member of a record that has a value. */
interface Leaf {
  readonly name: string
  readonly list: boolean
  readonly operators: readonly string[]
  readonly sortable: boolean
}

interface Step {
  readonly service: OpenService
  readonly resource: Resource
  readonly walked: Walked
}

export async function walk(service: OpenService): Promise<Walked> {
  const walked: Walked = { records: 0, values: 0, pages: 0, relations: 0, faults: [] }
  for (const resource of service.model.resources.values()) await walkResource({ service, resource, walked })
  return walked
}

async function walkResource(step: Step): Promise<void> {
  const { service, resource, walked } = step
  const leaves = leavesOf(resource)
  const records = await listed(step, leaves)
  if (records === undefined) return
  walked.records += records.length
  await eachById(step, leaves, records)
  for (const leaf of leaves) {
    await eachValue(step, leaf, records)
    if (leaf.sortable) await eachOrder(step, leaf, records)
  }
  for (const relation of resource.relations.values()) {
    walked.relations += 1
    const target = service.model.resources.get(relation.target)
    const selected = `${relation.name} ${relation.kind === "one" ? "{ __typename }" : "{ nodes { __typename } }"}`
    await graphql(step, `{ ${resource.collection} { nodes { ${selected} } } }`)
    if (target?.key && relation.kind === "one") await eachTarget(step, relation.name, relation.reference)
    if (target?.key && resource.key) await eachRelated(step, relation.name, relation.kind)
  }
  for (const unique of resource.uniques) await eachUnique(step, unique, records)
}

function leavesOf(resource: Resource): readonly Leaf[] {
  const identity = ["eq", "in"]
  const fields = [...resource.fields.values()].map((field) => ({
    name: field.name,
    list: field.list,
    operators: operatorsOf(field),
    sortable: isSortable(field),
  }))
  const references = [...resource.relations.values()].flatMap((relation) =>
    relation.kind === "one" && relation.reference !== undefined
      ? [{ name: relation.reference, list: false, operators: identity, sortable: true }]
      : [],
  )
  const id = resource.key ? [{ name: "id", list: false, operators: identity, sortable: true }] : []
  return [...id, ...fields, ...references]
}

/** All records, which both faces have alike. */
async function listed(step: Step, leaves: readonly Leaf[]): Promise<readonly Row[] | undefined> {
  const { resource } = step
  const members = leaves.map(({ name }) => name).join(" ") || "__typename"
  const data = await graphql(
    step,
    `{ ${resource.collection}(first: 100) { nodes { ${members} } totalCount } }`,
  )
  const rest = await get(step, "", { limit: "100" })
  const found = data?.[resource.collection] as { nodes: Row[]; totalCount: number } | undefined
  if (!found || !rest) return undefined
  expect(step, "the list of both faces", rest["data"], found.nodes)
  expect(step, "totalCount", found.totalCount, found.nodes.length)
  return found.nodes
}

async function eachById(step: Step, leaves: readonly Leaf[], records: readonly Row[]): Promise<void> {
  const { resource } = step
  if (!resource.key) return
  const ids = records.map(({ id }) => String(id))
  expect(step, "ids that are different", new Set(ids).size, ids.length)
  const members = leaves.map(({ name }) => name).join(" ")
  for (const record of records) {
    const id = String(record["id"])
    const said = `the record ${id}`
    expect(step, `${said} by its address`, await get(step, `/${encodeURIComponent(id)}`), record)
    const query = `{ own: ${resource.name}(id: ${JSON.stringify(id)}) { ${members} } node(id: ${JSON.stringify(id)}) { ... on ${typeOf(resource)} { ${members} } } nodes(ids: [${JSON.stringify(id)}]) { id } }`
    const data = await graphql(step, query)
    if (data) expect(step, said, data, { own: record, node: record, nodes: [{ id }] })
  }
}

const typeOf = ({ type }: Resource): string => type

/** Each value that a record shows finds it. */
async function eachValue(step: Step, leaf: Leaf, records: readonly Row[]): Promise<void> {
  const seen = new Set<string>()
  for (const record of records) {
    const value = record[leaf.name]
    const text = JSON.stringify(value)
    if (seen.has(text)) continue
    seen.add(text)
    const alike = records.filter((other) => isDeepStrictEqual(other[leaf.name], value))
    for (const [condition, exact] of conditionsOf(leaf, value)) {
      step.walked.values += 1
      await finds(step, { [leaf.name]: condition }, exact ? alike : [record])
    }
  }
}

/** Conditions that hold for the value, and whether for records with another one they do not. */
function conditionsOf({ list, operators }: Leaf, value: unknown): readonly (readonly [object, boolean])[] {
  const has = (name: string): boolean => operators.includes(name)
  if (value === null) return has("isNull") ? [[{ isNull: true }, true]] : []
  if (list) {
    const items = (value as readonly unknown[]).filter((item) => item !== null)
    return has("has")
      ? [...items.map((item): [object, boolean] => [{ has: item }, false]), [{ hasAll: items }, false]]
      : []
  }
  const found: [object, boolean][] = []
  if (has("eq")) found.push([{ eq: value }, true])
  if (has("in")) found.push([{ in: [value] }, true])
  if (has("gte")) found.push([{ gte: value, lte: value }, true])
  for (const name of ["contains", "startsWith", "endsWith"])
    if (has(name)) found.push([{ [name]: value }, false])
  return found
}

async function finds(step: Step, where: object, wanted: readonly Row[]): Promise<void> {
  const { resource } = step
  const said = `filter ${JSON.stringify(where)}`
  const rest = await get(step, "", { filter: JSON.stringify(where), limit: "100" })
  if (!rest) return
  const found = rest["data"] as readonly Row[]
  const missing = wanted.filter((record) => !found.some((other) => isDeepStrictEqual(other, record)))
  expect(step, `${said}: not found`, missing, [])
  if (wanted.length > 1 || "eq" in (Object.values(where)[0] as object))
    expect(step, `${said}: how many`, found.length, wanted.length)
  const data = await graphql(
    step,
    `query ($where: ${typeOf(resource)}Where) { ${resource.collection}(first: 100, where: $where) { totalCount } }`,
    { where },
  )
  const total = (data?.[resource.collection] as { totalCount: number } | undefined)?.totalCount
  expect(step, `${said} by GraphQL`, total, found.length)
}

/** By pages of two, forwards and backwards: each record once, missing values last, and min and max at the ends. */
async function eachOrder(step: Step, leaf: Leaf, records: readonly Row[]): Promise<void> {
  const { resource } = step
  const ascending = await pagesOf(step, leaf.name)
  const descending = await pagesOf(step, `-${leaf.name}`)
  const whole = (rows: readonly Row[] | undefined) => rows?.map((row) => JSON.stringify(row)).toSorted()
  const all = whole(records)
  expect(step, `sort=${leaf.name}: every record once`, whole(ascending), all)
  expect(step, `sort=-${leaf.name}: every record once`, whole(descending), all)
  if (!ascending || !descending) return
  const present = (rows: readonly Row[]) =>
    rows.flatMap((row) => (row[leaf.name] === null ? [] : [row[leaf.name]]))
  expect(
    step,
    `sort=-${leaf.name} against sort=${leaf.name}`,
    present(descending),
    present(ascending).toReversed(),
  )
  if (!resource.fields.has(leaf.name) || !leaf.operators.includes("lt")) return
  const rest = await get(step, "", { aggregate: `min.${leaf.name},max.${leaf.name}`, limit: "1" })
  const { min, max } = (rest?.["aggregate"] ?? {}) as Record<string, Row>
  const [first = null, last = null] = [present(ascending)[0], present(ascending).at(-1)]
  expect(step, `min and max of ${leaf.name}`, [min?.[leaf.name], max?.[leaf.name]], [first, last])
  await eachBound(step, leaf, present(ascending))
}

/** As many records are below a value as stand before it. */
async function eachBound(step: Step, { name }: Leaf, values: readonly unknown[]): Promise<void> {
  for (const [index, value] of values.entries()) {
    if (index > 0 && isDeepStrictEqual(values[index - 1], value)) continue
    const filter = JSON.stringify({ [name]: { lt: value } })
    const below = await get(step, "", { filter, limit: "100" })
    expect(step, `filter ${filter}: how many`, (below?.["data"] as Row[] | undefined)?.length, index)
  }
}

async function pagesOf(step: Step, sort: string): Promise<readonly Row[] | undefined> {
  const rows: Row[] = []
  let query: Record<string, string> = { sort, limit: "2" }
  for (;;) {
    const page = await get(step, "", query)
    if (!page) return undefined
    step.walked.pages += 1
    rows.push(...(page["data"] as Row[]))
    const { next } = page["page"] as { next: string | null }
    if (next === null) return rows
    if (rows.length > 200) {
      step.walked.faults.push(`${step.resource.name}: sort=${sort} has no end`)
      return undefined
    }
    query = { sort, limit: "2", after: next }
  }
}

/** What a reference names is the record that the relation leads to. */
async function eachTarget(step: Step, relation: string, reference: string | undefined): Promise<void> {
  if (reference === undefined) return
  const { resource } = step
  const data = await graphql(
    step,
    `{ ${resource.collection}(first: 100) { nodes { ${reference} ${relation} { id } } } }`,
  )
  const nodes = (data?.[resource.collection] as { nodes: Row[] } | undefined)?.nodes ?? []
  for (const node of nodes) {
    const target = node[relation] as Row | null
    if (target !== null) expect(step, `${reference} and ${relation}`, node[reference], target["id"])
  }
}

/** What a record is related to stands under its address as it stands in the record. */
async function eachRelated(step: Step, relation: string, kind: "one" | "many"): Promise<void> {
  const { resource } = step
  const members = kind === "one" ? "{ id }" : "{ nodes { id } }"
  const data = await graphql(
    step,
    `{ ${resource.collection}(first: 100) { nodes { id ${relation} ${members} } } }`,
  )
  const nodes = (data?.[resource.collection] as { nodes: Row[] } | undefined)?.nodes ?? []
  const segment = kebabCase(relation)
  for (const { id, [relation]: related } of nodes) {
    if (related === null) continue
    const below = await get(step, `/${encodeURIComponent(String(id))}/${segment}`)
    const found =
      kind === "one" ? below?.["id"] : (below?.["data"] as Row[] | undefined)?.map((row) => row["id"])
    const nested = related as { id: string; nodes: Row[] }
    expect(step, `${id}/${segment}`, found, kind === "one" ? nested.id : nested.nodes.map((row) => row["id"]))
  }
}

/** Each unique key finds the record that shows it. */
async function eachUnique(step: Step, unique: Unique, records: readonly Row[]): Promise<void> {
  const { resource } = step
  const names = unique.members.map((member) => subjectName(resource, member))
  for (const record of records) {
    if (names.some((name) => record[name] === null)) continue
    const pairs = names.map((name) => `${name}=${encodeURIComponent(String(record[name]))}`)
    expect(step, `the record ${pairs}`, await get(step, `/${pairs.join(",")}`), record)
  }
}

async function graphql(step: Step, query: string, variables = {}): Promise<Row | undefined> {
  const response = await step.service.graphql({ body: { query, variables } })
  const { data, errors } = JSON.parse(response.body)
  if (response.status === 200 && !errors && response.fault === undefined) return data
  step.walked.faults.push(
    `${step.resource.name}: ${query} ${JSON.stringify(variables)}: ${response.body} ${response.fault ?? ""}`,
  )
  return undefined
}

async function get(
  step: Step,
  below: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Row | undefined> {
  const path = `/${step.resource.path}${below}`
  const query = new URLSearchParams(parameters).toString().replaceAll("+", "%20")
  const response = await step.service.rest({ method: "GET", path, query })
  if (response.status === 200) return JSON.parse(response.body)
  step.walked.faults.push(
    `${path}?${decodeURIComponent(query)}: ${response.status} ${response.body} ${response.fault ?? ""}`,
  )
  return undefined
}

function expect({ walked, resource }: Step, what: string, found: unknown, wanted: unknown): void {
  if (
    isDeepStrictEqual(JSON.parse(JSON.stringify(found ?? null)), JSON.parse(JSON.stringify(wanted ?? null)))
  )
    return
  walked.faults.push(`${resource.name}: ${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`)
}
