import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { after, before, test } from "node:test"
import { promisify } from "node:util"
import type { JsonValue } from "../../src/base/json.ts"
import { f, resource, service } from "../../src/model/declaration/service.ts"
import { load } from "../../src/model/load.ts"
import { openapi } from "../../src/rest/openapi/openapi.ts"
import { described } from "../support/described.ts"
import { chinook, chinookModel, describedModels } from "../support/described-models.ts"
import { kiosk } from "./kiosk.ts"

const redocly = join(
  dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")),
  "bin/cli.js",
)

let folder = ""
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "bifold-openapi-"))
})
after(() => rm(folder, { recursive: true }))

interface Lint {
  readonly errors: number
  readonly warnings: number
  readonly rules: readonly string[]
}

const documents: JsonValue[] = []
let all: Promise<readonly Lint[]> | undefined

/** The linter takes longer to start than to lint: it is given all documents at once, when the first test asks. */
function linted(document: JsonValue): () => Promise<Lint | undefined> {
  const index = documents.push(document) - 1
  return async () => {
    all ??= lintAll()
    return (await all)[index]
  }
}

/** Runs the linter's recommended rules on the documents, in a folder without a configuration of its own. */
async function lintAll(): Promise<readonly Lint[]> {
  const files = documents.map((_, index) => `${index}.json`)
  await Promise.all(
    files.map((file, index) => writeFile(join(folder, file), JSON.stringify(documents[index]))),
  )
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  }
  const args = [redocly, "lint", ...files, "--extends=recommended", "--format=json"]
  const run = promisify(execFile)(process.execPath, args, { env, cwd: folder, maxBuffer: 2 ** 26 })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  // One object a document, in order, with nothing between them.
  const told = stdout.split(/(?<=^\})(?=\{$)/m).map((text) => JSON.parse(text))
  assert.equal(told.length, files.length)
  return told.map(({ totals: { errors, warnings }, problems }) => {
    const rules = problems.map(({ ruleId }: { ruleId: string }) => ruleId)
    return { errors, warnings, rules }
  })
}

const clean: Lint = { errors: 0, warnings: 0, rules: [] }

const notes = { name: "notes", resources: { note: resource({ fields: { text: f.text() } }) } }
const about = {
  version: "2.3.0",
  licence: { name: "MIT", identifier: "MIT" },
  contact: { name: "Shop team", email: "api@example.org" },
}
const told = openapi(load(service({ ...notes, about })))
const lintOfTold = linted(told)

test("a service says its release, licence and contact", async () => {
  const info = (document: JsonValue) => (document as { info: Record<string, unknown> }).info
  const { description, ...rest } = info(told)
  assert.match(String(description), /^Resources of the service, and their operations\.\n\n/)
  assert.deepEqual(rest, {
    title: "Notes",
    version: about.version,
    license: about.licence,
    contact: about.contact,
  })
  assert.equal((await lintOfTold())?.errors, 0)
  const silent = openapi(load(service(notes)))
  assert.deepEqual(info(silent)["version"], "1")
  assert.equal(info(silent)["contact"], undefined)
})

for (const [name, model] of Object.entries(describedModels)) {
  const lints = [
    linted(openapi(model)),
    linted(openapi(model, { base: "/api", depth: "full", purpose: "validation" })),
  ]
  test(`the description of the ${name} passes the linter's recommended rules without a warning`, async () => {
    for (const lint of lints) assert.deepEqual(await lint(), clean)
  })
}

const lintOfChinook = existsSync(chinook) ? linted(openapi(await chinookModel())) : undefined

test("the description of an introspected database passes the linter as well", {
  skip: lintOfChinook === undefined && "no ../shared",
}, async () => {
  assert.deepEqual(await lintOfChinook?.(), clean)
})

const lintOfTiny = linted(
  openapi(
    load(
      service({ name: "tiny", resources: { blob: resource({ key: false, fields: { data: f.json() } }) } }),
    ),
  ),
)

test("the description of one resource without a key or anything to compare passes the linter", async () => {
  assert.deepEqual(await lintOfTiny(), clean)
})

const broken = JSON.parse(JSON.stringify(openapi(kiosk)))
const unnamed = structuredClone(broken)
broken.components.responses["OrderList"].content["application/json"].schema.$ref =
  "#/components/schemas/Nothing"
delete unnamed.paths["/orders"].get.operationId
delete unnamed.info.license
const [lintOfBroken, lintOfUnnamed] = [linted(broken), linted(unnamed)]

test("the linter sees what is broken", async () => {
  const found = await lintOfBroken()
  assert.ok(found && found.errors > 0)
  assert.ok(found.rules.includes("no-unresolved-refs"))
  assert.deepEqual((await lintOfUnnamed())?.rules.toSorted(), ["info-license", "operation-operationId"])
})

const ownNames = openapi(
  load(
    service({
      name: "names",
      resources: {
        problem: resource({ fields: { text: f.text() } }),
        problemList: resource({ fields: { text: f.text() } }),
        textMatch: resource({ fields: { text: f.text() } }),
      },
    }),
  ),
)
const lintOfOwnNames = linted(ownNames)

test("names that the document needs give way to the service's own", async () => {
  assert.deepEqual(await lintOfOwnNames(), clean)
  const { schemas } = (ownNames as { components: { schemas: Record<string, { properties: object }> } })
    .components
  assert.deepEqual(Object.keys(schemas["Problem"]?.properties ?? {}), ["id", "text", "etag"])
  assert.deepEqual(Object.keys(schemas["ProblemList_"]?.properties ?? {}).slice(0, 2), ["data", "page"])
})

test("every address of a service is described, and its values are what parameters take", () => {
  const document = described(kiosk) as {
    paths: Record<string, { get?: { parameters: { name?: string; schema?: JsonValue }[] } }>
  }
  assert.deepEqual(
    Object.keys(document.paths).filter((path) => /order|address|nodes|visit/.test(path)),
    [
      "/customers/{id}/orders",
      "/orders",
      "/orders/query",
      "/orders/{id}",
      "/orders/number={number}",
      "/orders/{id}/customer",
      "/orders/{id}/billing-address",
      "/orders/{id}/lines",
      "/orders/{id}/tags",
      "/order-lines",
      "/order-lines/query",
      "/order-lines/{id}",
      "/order-lines/{id}/order",
      "/addresses",
      "/addresses/query",
      "/addresses/{id}",
      "/addresses/street={street},number={number}",
      "/tags/{id}/orders",
      "/visits",
      "/visits/query",
      "/nodes",
      "/nodes/{id}",
      "/orders/bulk",
      "/orders/{id}/tags/{otherId}",
      "/order-lines/bulk",
      "/addresses/bulk",
      "/tags/{id}/orders/{otherId}",
    ],
  )
  const aggregate = document.paths["/order-lines"]?.get?.parameters.find(({ name }) => name === "aggregate")
  assert.deepEqual(aggregate?.schema, {
    type: "array",
    items: {
      type: "string",
      enum: [
        "count",
        ...["sum", "avg", "min", "max"].flatMap((measure) =>
          ["position", "quantity", "weight"].map((field) => `${measure}.${field}`),
        ),
      ],
    },
  })
})
