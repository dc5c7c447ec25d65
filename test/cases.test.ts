// Runs every folder of test/cases on both databases by both faces; test/cases/README.md says what is in a folder.
import assert from "node:assert/strict"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, before, describe, test } from "node:test"
import { format } from "sql-formatter"
import { planQuery } from "../src/graphql/planning/plan.ts"
import type { FaceResponse } from "../src/http/face.ts"
import { printPlan } from "../src/plan/analysis/print.ts"
import { explainCharge } from "../src/plan/cost/points.ts"
import type { ReadPlan } from "../src/plan/read-plan.ts"
import { planRequest } from "../src/rest/read/plan.ts"
import { postgres } from "../src/sql/dialects/postgres.ts"
import { sqlite } from "../src/sql/dialects/sqlite.ts"
import { compile } from "../src/sql/read/compile.ts"
import { type Case, caseFolder, caseNames, placeCursors, readCase } from "./support/cases.ts"
import { cleanUp } from "./support/database.ts"
import { type Database, dialects, type OpenService, openExample } from "./support/open-service.ts"
import { readHttp } from "./support/spelling.ts"

const statementFiles = {
  sqlite: { file: "sqlite.sql", dialect: sqlite, language: "sqlite" },
  postgres: { file: "postgres.sql", dialect: postgres, language: "postgresql" },
} as const

const update = process.env["BIFOLD_UPDATE"] === "1"

test("there are at least sixty behaviours, each asked by a face at least", () => {
  assert.ok(caseNames.length >= 60, `${caseNames.length}`)
  for (const name of caseNames) assert.ok(readCase(name).graphql ?? readCase(name).http, name)
})

test("a case keeps its SQL exactly where it says why the statement's form is the behaviour", () => {
  const reasons = caseNames.filter((name) => readCase(name).reasonForSql !== undefined)
  assert.ok(reasons.length >= 30, `${reasons.length}`)
  for (const name of caseNames) {
    const { reasonForSql } = readCase(name)
    assert.notEqual(reasonForSql, "", `${name}/sql.txt gives the reason`)
    for (const { file } of Object.values(statementFiles))
      assert.equal(existsSync(join(caseFolder, name, file)), reasonForSql !== undefined, `${name}/${file}`)
  }
})

/** Compares with the golden file, or writes it when asked to. */
function golden(name: string, file: string, text: string): void {
  const path = join(caseFolder, name, file)
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
    for (const name of caseNames) {
      test(name.replaceAll("-", " "), async () => {
        const found = readCase(name)
        const service = open.get(found.service)
        assert.ok(service)
        await runCase(found, found.as === undefined ? service : service.as(found.as), database)
      })
    }
  })
}

/** Bytes of the answer differ by the faces' envelopes. */
function priceOf(plan: ReadPlan) {
  const { points, records } = explainCharge(plan)
  return { points, records }
}

async function runCase(found: Case, service: OpenService, database: Database): Promise<void> {
  const graphql = found.graphql && {
    query: await placeCursors(found.graphql.query, service),
    variables: found.graphql.variables,
  }
  const http = found.http === undefined ? undefined : readHttp(await placeCursors(found.http, service))
  const plans: ReadPlan[] = [
    ...(graphql ? [planQuery(service.context, graphql)] : []),
    ...(http ? [planRequest(service.context, { ...http, body: new Uint8Array() })] : []),
  ]
  for (const plan of plans) golden(found.name, "plan.txt", `${printPlan(plan)}\n`)
  const [plan, same] = plans
  if (plan && same) assert.deepEqual(priceOf(same), priceOf(plan), "both faces ask the same price")
  assert.ok(plan)
  if (found.reasonForSql !== undefined) {
    const { file, dialect, language } = statementFiles[database]
    const statement = format(compile(plan, dialect).text, { language, tabWidth: 2 })
    golden(found.name, file, `${statement}\n`)
  }
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
  await isKnownNow(service, response, () => service.graphql({ body: request }))
  return JSON.parse(response.body).data
}

async function answerRest(name: string, service: OpenService, request: ReturnType<typeof readHttp>) {
  const sent = service.storage.sent
  const response = await service.rest(request)
  assert.equal(service.storage.sent - sent, 1, "one statement answers the request")
  await isKnownNow(service, response, () => service.rest(request))
  const body: unknown = response.status === 200 ? JSON.parse(response.body) : null
  golden(
    name,
    "answer.rest.json",
    response.status === 200 ? `${JSON.stringify(body, null, 2)}\n` : `${response.status}\n`,
  )
  return { body }
}

/** Asked again, a request has the same answer by the same statement: nothing is planned, checked or compiled anew. */
async function isKnownNow(
  { engine }: OpenService,
  first: FaceResponse,
  askAgain: () => Promise<FaceResponse>,
): Promise<void> {
  const { compiled } = engine
  assert.ok(compiled > 0)
  assert.deepEqual(await askAgain(), first)
  assert.equal(engine.compiled, compiled, "the statement is known")
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
