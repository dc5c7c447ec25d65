// What a service answers is what its OpenAPI document says: bodies, statuses, headers, and what parameters may be.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { computed, f, resource, role, service, withCode } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { cleanUp } from "../support/database.ts"
import { described } from "../support/described.ts"
import { type OpenService, openExample } from "../support/open-service.ts"
import type { TextResponse } from "../support/text-face.ts"
import { desk } from "./desk.ts"

interface Response {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, unknown>>
}
interface Operation {
  readonly parameters: readonly {
    readonly name?: string
    readonly schema?: { items?: { enum?: string[] } }
  }[]
  readonly responses: Readonly<Record<string, Response>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly responses: Readonly<Record<string, Response>> }
}

const documentOf = (model: Model): Document => described(model) as unknown as Document

function responseOf(document: Document, path: string, method: string, status: number): Response {
  const response = document.paths[path]?.[method]?.responses[status]
  assert.ok(response, `${method} ${path} may answer ${status}`)
  const { $ref } = response
  return $ref === undefined ? response : (document.components.responses[$ref.split("/").at(-1) ?? ""] ?? {})
}

/** Those that every answer has, or that say how it is sent. */
const general = new Set(["content-type", "content-length", "cache-control", "vary"])

interface Asked {
  readonly method?: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

for (const example of ["storefront", "gallery"] as const)
  describe(`what the ${example} answers is described`, () => {
    const hooks = cleanUp(after)
    let opened: OpenService
    let document: Document
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    formats.default(ajv)
    before(async () => {
      opened = await openExample(hooks, example, "sqlite", { writes: "unsafe" })
      document = documentOf(opened.model)
      ajv.addSchema({ $id: "service", ...document })
    })

    async function answered(
      path: string,
      { method = "GET", target, headers, body }: Asked,
    ): Promise<TextResponse> {
      const [address = "", query = ""] = target.split("?")
      const sent = body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body))
      const type = body === undefined ? {} : { "content-type": "application/json" }
      const response = await opened.rest({
        method,
        path: address,
        query,
        headers: { ...type, ...headers },
        body: sent,
      })
      const told = responseOf(document, path, method.toLowerCase(), response.status)
      const declared = new Set(Object.keys(told.headers ?? {}).map((name) => name.toLowerCase()))
      for (const name of Object.keys(response.headers))
        assert.ok(general.has(name) || declared.has(name), `${method} ${path} ${response.status} has ${name}`)
      if (response.body === "" || response.status >= 400) return response
      const steps = ["paths", path, method.toLowerCase(), "responses", `${response.status}`, "content"]
      const all = [...steps, "application/json", "schema"]
      const pointer = all.map((step) => `/${encodeURIComponent(step.replaceAll("/", "~1"))}`).join("")
      const fits = ajv.validate({ $ref: `service#${pointer}` }, JSON.parse(response.body))
      assert.ok(fits, `${target} ${JSON.stringify(ajv.errors)} ${response.body.slice(0, 2000)}`)
      return response
    }

    test("lists with all that can be asked of a record, and 304", async () => {
      for (const { path } of opened.model.resources.values()) {
        const { parameters } = document.paths[`/${path}`]?.["get"] ?? { parameters: [] }
        const fields = parameters.find(({ name }) => name === "fields")?.schema?.items?.enum ?? []
        const figures = parameters.find(({ name }) => name === "aggregate")?.schema?.items?.enum ?? []
        const target = `/${path}?limit=100&total=true&fields=${fields.join()}&aggregate=${figures.join()}`
        const { headers } = await answered(`/${path}`, { target, headers: { prefer: "count=exact" } })
        const again = { target, headers: { "if-none-match": headers["etag"] ?? "" } }
        assert.equal((await answered(`/${path}`, again)).status, 304)
      }
    })

    if (example === "storefront")
      test("writes, once and again, without a body, and of a wrong media type", async () => {
        const key = { "idempotency-key": crypto.randomUUID() }
        const made = { method: "POST", target: "/tags", body: { name: "described" }, headers: key }
        for (const status of [201, 201]) assert.equal((await answered("/tags", made)).status, status)
        const tag = "/tags/described"
        const statuses: readonly (readonly [number, Asked])[] = [
          [
            204,
            { method: "PATCH", target: tag, body: { featured: true }, headers: { prefer: "return=minimal" } },
          ],
          [415, { method: "PATCH", target: tag, body: {}, headers: { "content-type": "text/plain" } }],
          [204, { method: "DELETE", target: tag, headers: { "idempotency-key": crypto.randomUUID() } }],
        ]
        for (const [status, asked] of statuses)
          assert.equal((await answered("/tags/{id}", asked)).status, status, asked.method)
        const batch = {
          method: "POST",
          target: "/batch",
          headers: { "idempotency-key": crypto.randomUUID() },
        }
        const done = { ...batch, body: { requests: [{ method: "GET", path: "/tags" }] } }
        for (const status of [200, 200]) assert.equal((await answered("/batch", done)).status, status)
        const odd = { ...batch, headers: {}, body: { requests: [{ method: "DELETE", path: "/nodes" }] } }
        assert.equal((await answered("/batch", odd)).status, 405)
      })
  })

test("what own code computes and the version can be named in `fields`, and no history in another order", () => {
  const fields = { word: f.text() }
  const own = withCode(service({ name: "own", resources: { note: resource({ fields }) } }), {
    computed: {
      note: {
        length: computed({
          type: f.integer(),
          needs: ["word"],
          run: (records) => records.map(({ word }) => word.length),
        }),
      },
    },
  })
  const named = documentOf(load(own)).paths["/notes"]?.["get"]?.parameters.find(
    ({ name }) => name === "fields",
  )
  assert.deepEqual(named?.schema?.items?.enum, ["id", "word", "length", "etag"])
  const logged = documentOf(
    load(
      service({ name: "log", resources: { note: resource({ fields: { text: f.text() }, history: true }) } }),
    ),
  )
  const parameters = logged.paths["/notes/{id}/history"]?.["get"]?.parameters.map(({ name }) => name) ?? []
  assert.deepEqual([parameters.includes("sort"), parameters.includes("filter")], [false, false])
})

test("403 is described where there are rules, and 428 of a batch where a version can be required", () => {
  const fields = { text: f.text() }
  const note = (allow: object) =>
    load(service({ name: "n", roles: ["r"], resources: { note: resource({ fields, allow }) } }))
  const ruled = documentOf(note({ read: role("r"), create: role("r"), update: role("r"), delete: role("r") }))
  const of = (document: Document, path: string, method: string): readonly string[] =>
    Object.keys(document.paths[path]?.[method]?.responses ?? {})
  assert.ok(of(ruled, "/notes", "post").includes("403"))
  for (const method of ["patch", "put", "delete"]) assert.ok(of(ruled, "/notes/{id}", method).includes("403"))
  assert.ok(of(ruled, "/batch", "post").includes("403"))
  const open = documentOf(desk)
  assert.ok(!of(open, "/customers", "post").includes("403"))
  for (const status of ["405", "413", "428"]) assert.ok(of(open, "/batch", "post").includes(status))
})
