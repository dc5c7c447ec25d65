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

test("a service says its release, licence and contact", async () => {
  const about = {
    version: "2.3.0",
    licence: { name: "MIT", identifier: "MIT" },
    contact: { name: "Shop team", email: "api@example.org" },
  }
  const notes = { name: "notes", resources: { note: resource({ fields: { text: f.text() } }) } }
  const info = (document: JsonValue) => (document as { info: Record<string, unknown> }).info
  const told = openapi(load(service({ ...notes, about })))
  const { description, ...rest } = info(told)
  assert.match(String(description), /^Resources of the service, and their operations\.\n\n/)
  assert.deepEqual(rest, {
    title: "Notes",
    version: about.version,
    license: about.licence,
    contact: about.contact,
  })
  assert.equal((await lint(told)).errors, 0)
  const silent = openapi(load(service(notes)))
  assert.deepEqual(info(silent)["version"], "1")
  assert.equal(info(silent)["contact"], undefined)
})

interface Lint {
  readonly errors: number
  readonly warnings: number
  readonly rules: readonly string[]
}

/** Runs the linter's recommended rules on the document, in a folder without a configuration of its own. */
async function lint(document: JsonValue): Promise<Lint> {
  const file = join(folder, `${crypto.randomUUID()}.json`)
  await writeFile(file, JSON.stringify(document))
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  }
  const args = [redocly, "lint", file, "--extends=recommended", "--format=json"]
  const run = promisify(execFile)(process.execPath, args, { env, cwd: folder, maxBuffer: 2 ** 24 })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  const { totals, problems } = JSON.parse(stdout)
  return { ...totals, rules: problems.map(({ ruleId }: { ruleId: string }) => ruleId) }
}

const clean: Lint = { errors: 0, warnings: 0, rules: [] }
const counted = ({ errors, warnings, rules }: Lint): Lint => ({ errors, warnings, rules })

for (const [name, model] of Object.entries(describedModels))
  test(`the description of the ${name} passes the linter's recommended rules without a warning`, async () => {
    assert.deepEqual(counted(await lint(openapi(model))), clean)
    const exact = { base: "/api", depth: "full", purpose: "validation" } as const
    assert.deepEqual(counted(await lint(openapi(model, exact))), clean)
  })

test("the description of an introspected database passes the linter as well", {
  skip: !existsSync(chinook) && "no ../shared",
}, async () => {
  assert.deepEqual(counted(await lint(openapi(await chinookModel()))), clean)
})

test("the description of one resource without a key or anything to compare passes the linter", async () => {
  const model = load(
    service({ name: "tiny", resources: { blob: resource({ key: false, fields: { data: f.json() } }) } }),
  )
  assert.deepEqual(counted(await lint(openapi(model))), clean)
})

test("the linter sees what is broken", async () => {
  const document = JSON.parse(JSON.stringify(openapi(kiosk)))
  const broken = structuredClone(document)
  broken.components.responses["OrderList"].content["application/json"].schema.$ref =
    "#/components/schemas/Nothing"
  const { errors, rules } = await lint(broken)
  assert.ok(errors > 0)
  assert.ok(rules.includes("no-unresolved-refs"))
  const unnamed = structuredClone(document)
  delete unnamed.paths["/orders"].get.operationId
  delete unnamed.info.license
  assert.deepEqual((await lint(unnamed)).rules.toSorted(), ["info-license", "operation-operationId"])
})

test("names that the document needs give way to the service's own", async () => {
  const model = load(
    service({
      name: "names",
      resources: {
        problem: resource({ fields: { text: f.text() } }),
        problemList: resource({ fields: { text: f.text() } }),
        textMatch: resource({ fields: { text: f.text() } }),
      },
    }),
  )
  const document = openapi(model)
  assert.deepEqual(counted(await lint(document)), clean)
  const { schemas } = (document as { components: { schemas: Record<string, { properties: object }> } })
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
