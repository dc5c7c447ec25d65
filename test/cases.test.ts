// Runs every folder of test/cases on both databases by both faces; test/cases/README.md says what is in a folder.
import assert from "node:assert/strict"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, before, describe, test } from "node:test"
import { format } from "sql-formatter"
import { planDocument } from "../src/faces/graphql/plan.ts"
import { planRequest } from "../src/faces/rest/plan.ts"
import { printPlan } from "../src/plan/print.ts"
import type { ReadPlan } from "../src/plan/types.ts"
import { compile } from "../src/sql/compile.ts"
import { postgres } from "../src/sql/postgres.ts"
import { sqlite } from "../src/sql/sqlite.ts"
import { cleanUp } from "./support/database.ts"
import { dialects, type OpenService, openExample } from "./support/open-service.ts"
import { readHttp } from "./support/spelling.ts"

const folder = join(import.meta.dirname, "cases")
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
const update = process.env["BIFOLD_UPDATE"] === "1"

interface Case {
  readonly name: string
  readonly service: "storefront" | "gallery"
  readonly graphql?: { readonly query: string; readonly variables: Record<string, unknown> }
  readonly http?: string
}

test("there are at least sixty behaviours, each asked by a face at least", () => {
  assert.ok(names.length >= 60, `${names.length}`)
  for (const name of names) assert.ok(readCase(name).graphql ?? readCase(name).http, name)
})

function readCase(name: string): Case {
  const read = (file: string): string | undefined =>
    existsSync(join(folder, name, file)) ? readFileSync(join(folder, name, file), "utf8") : undefined
  const query = read("request.graphql")
  const http = read("request.http")
  return {
    name,
    service: read("service")?.trim() === "gallery" ? "gallery" : "storefront",
    ...(query === undefined
      ? {}
      : { graphql: { query, variables: JSON.parse(read("variables.json") ?? "{}") } }),
    ...(http === undefined ? {} : { http }),
  }
}

/** Compares with the golden file, or writes it when asked to. */
function golden(name: string, file: string, text: string): void {
  const path = join(folder, name, file)
  if (update) writeFileSync(path, text)
  assert.equal(text, existsSync(path) ? readFileSync(path, "utf8") : undefined, `${name}/${file}`)
}

for (const database of dialects) {
  describe(`cases on ${database}`, () => {
    const open = new Map<string, OpenService>()
    const hooks = cleanUp(after)
    before(async () => {
      for (const service of ["storefront", "gallery"] as const)
        open.set(service, await openExample(hooks, service, database))
    })
    for (const name of names) {
      test(name.replaceAll("-", " "), async () => {
        const found = readCase(name)
        const service = open.get(found.service)
        assert.ok(service)
        await runCase(found, service)
      })
    }
  })
}

async function runCase(found: Case, service: OpenService): Promise<void> {
  const graphql = found.graphql && {
    query: await placeCursors(found.graphql.query, service),
    variables: found.graphql.variables,
  }
  const http = found.http === undefined ? undefined : readHttp(await placeCursors(found.http, service))
  const plans: ReadPlan[] = [
    ...(graphql ? [planDocument(service.context, graphql)] : []),
    ...(http ? [planRequest(service.context, { ...http, body: new Uint8Array() })] : []),
  ]
  for (const plan of plans) golden(found.name, "plan.txt", `${printPlan(plan)}\n`)
  const [plan] = plans
  assert.ok(plan)
  golden(
    found.name,
    "sqlite.sql",
    `${format(compile(plan, sqlite).text, { language: "sqlite", tabWidth: 2 })}\n`,
  )
  golden(
    found.name,
    "postgres.sql",
    `${format(compile(plan, postgres).text, { language: "postgresql", tabWidth: 2 })}\n`,
  )
  const byGraphql = graphql ? await answerGraphql(found.name, service, graphql) : undefined
  const byRest = http ? await answerRest(found.name, service, http) : undefined
  if (byGraphql && byRest)
    assert.deepEqual(Object.values(byGraphql).map(asRest).map(unwrapped), [byRest.body])
}

async function answerGraphql(
  name: string,
  service: OpenService,
  request: object,
): Promise<Record<string, unknown>> {
  const sent = service.storage.sent
  const response = await service.graphql({ body: request })
  assert.equal(response.status, 200)
  assert.equal(service.storage.sent - sent, 1, "one statement answers the request")
  golden(name, "answer.graphql.json", `${JSON.stringify(JSON.parse(response.body), null, 2)}\n`)
  return JSON.parse(response.body).data
}

async function answerRest(name: string, service: OpenService, request: ReturnType<typeof readHttp>) {
  const sent = service.storage.sent
  const response = await service.rest(request)
  assert.equal(service.storage.sent - sent, 1, "one statement answers the request")
  const body: unknown = response.status === 200 ? JSON.parse(response.body) : null
  golden(
    name,
    "answer.rest.json",
    response.status === 200 ? `${JSON.stringify(body, null, 2)}\n` : `${response.status}\n`,
  )
  return { body }
}

/** GraphQL's connection as REST's envelope, all the way down. */
function asRest(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asRest)
  if (typeof value !== "object" || value === null) return value
  const members = value as Record<string, unknown>
  const inner = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, asRest(member)]))
  if (!("nodes" in members && "pageInfo" in members)) return inner
  const info = members["pageInfo"] as Record<string, unknown>
  return {
    data: inner["nodes"],
    page: {
      next: info["hasNextPage"] === true ? info["endCursor"] : null,
      prev: info["hasPreviousPage"] === true ? info["startCursor"] : null,
      ...("totalCount" in members ? { total: members["totalCount"] } : {}),
    },
    ...("aggregate" in members ? { aggregate: inner["aggregate"] } : {}),
    ...("groups" in members ? { groups: inner["groups"] } : {}),
  }
}

/** `/orders/{id}/lines` gives what GraphQL has as the only member of the order. */
function unwrapped(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  const members = Object.values(value)
  return members.length === 1 && !("id" in value) && typeof members[0] === "object" ? members[0] : value
}

/** `<after:products:-price:6>`: the cursor of the sixth row of that list. */
async function placeCursors(text: string, service: OpenService): Promise<string> {
  let placed = text
  for (const [whole, path = "", sort = "", position = ""] of text.matchAll(
    /<after:([a-z-]+):(?:([^>]*):)?(\d+)>/g,
  ))
    placed = placed.replace(whole, await cursorAfter(service, { path, sort, position: Number(position) }))
  return placed
}

async function cursorAfter(
  service: OpenService,
  list: { readonly path: string; readonly sort: string; readonly position: number },
): Promise<string> {
  let cursor = ""
  for (let left = list.position; left > 0; left -= 100) {
    const query = new URLSearchParams({ limit: String(Math.min(left, 100)), fields: "id" })
    if (list.sort !== "") query.set("sort", list.sort)
    if (cursor !== "") query.set("after", cursor)
    const response = await service.rest({ method: "GET", path: `/${list.path}`, query: String(query) })
    assert.equal(response.status, 200, response.body)
    cursor = JSON.parse(response.body).page.next
  }
  return cursor
}
