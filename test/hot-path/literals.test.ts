// Documents that differ in literals share what is kept of them, which never shows: each is answered as if it were the first.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import fc from "fast-check"
import { musicData, quickSizes } from "../../bench/data.ts"
import music from "../../bench/service.ts"
import { seeded } from "../../examples/storefront/random.ts"
import { Refusal } from "../../src/base/problem.ts"
import { createDocumentCache, type DocumentCache } from "../../src/graphql/document/document-cache.ts"
import { planOperation } from "../../src/graphql/planning/plan.ts"
import { buildSchema } from "../../src/graphql/schema/schema.ts"
import { cleanUp } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import {
  connectFaces,
  exampleRecords,
  type OpenService,
  openExample,
  openService,
} from "../support/open-service.ts"
import { drawTemplate, type Samples, spell, type Template } from "./literal-documents.ts"

const hooks = cleanUp(after)
const warm = new Map<string, OpenService>()
before(async () => {
  for (const name of ["storefront", "gallery"] as const)
    warm.set(name, await openExample(hooks, name, "sqlite"))
  const model = loadOpen(music)
  const records = musicData(quickSizes)
  warm.set("music", await openService(hooks, { model, records, database: "sqlite" }))
})

const serviceOf = (name: string): OpenService => {
  const service = warm.get(name)
  assert.ok(service)
  return service
}

/** Ids and texts that are there. */
function samplesOf(name: string): Samples {
  if (name === "music") return { ID: ['"1"', "2", '"17"', "18"], String: ['"Amber 1"'] }
  const { bare } = exampleRecords(name === "gallery" ? "gallery" : "storefront")
  const rows = [...bare.records.values()].flatMap((all) => all.slice(0, 3))
  const texts = rows.flatMap((row) => Object.values(row)).filter((value) => typeof value === "string")
  return {
    ID: rows.flatMap(({ id }) => (id === undefined ? [] : [JSON.stringify(id)])),
    String: texts.slice(0, 20).map((text) => JSON.stringify(text)),
  }
}

/** As a new process would answer. */
const cold = ({ model, storage }: OpenService): OpenService => connectFaces(model, storage)

interface Spelt extends Omit<Template, "parts"> {
  readonly query: string
}

/** What is asked of the engine, or what is refused. */
function planned(service: OpenService, documents: DocumentCache, spelt: Spelt): unknown {
  const ask = (of: ReturnType<DocumentCache["read"]>): unknown => {
    if (of.errors.length > 0) return of.errors
    try {
      const prepared = of.operation(spelt.operationName)
      const { plan, outputs, isNew } = planOperation(
        service.context,
        prepared,
        prepared.readVariables(spelt.variables),
      )
      if (isNew) of.planned?.()
      const shown = outputs.map(({ label, kind }) => [label, kind])
      return plan.kind === "read" ? [plan.roots, plan.values, shown] : [plan.steps, plan.values.length, shown]
    } catch (error) {
      if (error instanceof Refusal) return of.isShared ? ask(documents.readOwn(spelt.query)) : error.problems
      throw error
    }
  }
  return ask(documents.read(spelt.query))
}

for (const name of ["storefront", "gallery", "music"]) {
  describe(`documents of the ${name} that differ in literals`, () => {
    test("have the plan, the answer, the mistakes and the price that each has alone", async () => {
      const service = serviceOf(name)
      const schema = buildSchema(service.model)
      const samples = samplesOf(name)
      const options = { introspection: true, limits: service.model.limits }
      const documents = createDocumentCache(schema, options)
      const counted = { shared: 0, answered: 0, refused: 0 }
      const check = async (spelt: Spelt): Promise<void> => {
        const { query, variables, operationName, isMutation } = spelt
        const alone = planned(service, createDocumentCache(schema, options), spelt)
        assert.deepEqual(planned(service, documents, spelt), alone, query)
        if (documents.read(query).isShared) counted.shared += 1
        for (const dryRun of isMutation ? [true] : [false, true]) {
          const body = { query, variables, operationName, extensions: { dryRun } }
          const expected = await cold(service).graphql({ body })
          assert.deepEqual(await service.graphql({ body }), expected, query)
          counted[expected.code === undefined ? "answered" : "refused"] += 1
        }
      }
      const several = async (seed: number): Promise<void> => {
        const random = seeded(seed)
        const template = drawTemplate(random, schema)
        const texts = Array.from({ length: 7 }, () => spell(random, template, samples))
        for (const query of [...texts, ...texts.slice(2, 5)]) await check({ ...template, query })
      }
      await fc.assert(fc.asyncProperty(fc.integer(), several), {
        numRuns: 60,
        seed: 20_261_127,
        endOnFailure: true,
      })
      assert.ok(
        counted.shared > 60 && counted.answered > 100 && counted.refused > 100,
        JSON.stringify(counted),
      )
    })
  })
}

test("pages are followed by cursors in the text as by cursors in variables", async () => {
  const service = serviceOf("music")
  const nodes = "{ nodes { id name } pageInfo { endCursor } }"
  let after: string | null = null
  for (let page = 0; page < 6; page += 1) {
    const literal: string = JSON.stringify(after)
    const text = `{ tracks(first: 3, orderBy: [{field: name}], after: ${literal}) ${nodes} }`
    const answered = await service.graphql({ body: { query: text } })
    const query = `query ($after: String) { tracks(first: 3, orderBy: [{field: name}], after: $after) ${nodes} }`
    assert.deepEqual(answered, await cold(service).graphql({ body: { query, variables: { after } } }))
    after = (JSON.parse(answered.body) as Tracks).data.tracks.pageInfo.endCursor
  }
})

interface Tracks {
  readonly data: { readonly tracks: { readonly pageInfo: { readonly endCursor: string } } }
}
