import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { restFace } from "../../src/rest/face.ts"
import { cleanUp } from "../support/database.ts"
import { described } from "../support/described.ts"
import { dialects, openExample } from "../support/open-service.ts"
import { asText, type TextFace } from "../support/text-face.ts"
import { ask } from "./kiosk.ts"

interface Described {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>
}
interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}

/** Closes every object schema, so that a member that is not described is seen. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== "object" || schema === null) return schema
  const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return "properties" in members && members["type"] === "object"
    ? { additionalProperties: false, ...members }
    : members
}

/** Validates what GET answers at a path of the document with a status. */
function validators(document: unknown): (path: string, status: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addFormat("iri", URL.canParse)
  ajv.addSchema({ $id: "service", ...(closed(document) as object) })
  const pointer = (steps: readonly string[]): string =>
    steps.map((step) => `/${encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("")
  return (path, status) => {
    const get = (document as Described).paths[path]?.get
    const response = status in (get?.responses ?? {}) ? ["responses", status] : ["responses", "default"]
    const steps =
      status === "200"
        ? ["paths", path, "get", ...response, "content", "application/json", "schema"]
        : ["components", "schemas", "Problem"]
    assert.ok(get, path)
    return ajv.compile({ $ref: `service#${pointer(steps)}` })
  }
}

for (const service of ["storefront", "gallery"] as const)
  for (const database of dialects)
    describe(`answers of the ${service} on ${database} are as its description says`, () => {
      let face: TextFace
      let validatorOf: ReturnType<typeof validators>
      let document: Described
      const hooks = cleanUp(after)
      before(async () => {
        const opened = await openExample(hooks, service, database)
        face = asText(restFace({ ...opened.context, answer: opened.engine.answer }), opened.model)
        const told = described(opened.model)
        document = told as unknown as Described
        validatorOf = validators(told)
      })

      const check = async (path: string, target: string): Promise<unknown> => {
        const response = await ask(face, `GET ${target}`)
        const body: unknown = JSON.parse(response.body)
        const validate = validatorOf(path, String(response.status))
        assert.ok(validate(body), `${target}: ${JSON.stringify(validate.errors, null, 2)}`)
        return body
      }

      test("every list, record and related record, with everything included", async () => {
        const lists = Object.keys(document.paths).filter(
          (path) => /^\/[a-z-]+$/.test(path) && !["/nodes", "/batch", "/events"].includes(path),
        )
        assert.ok(lists.length > 3)
        for (const path of lists) {
          const relations = Object.keys(document.paths)
            .filter((other) => other.startsWith(`${path}/{id}/`) && !other.endsWith("}"))
            .map((other) => other.slice(path.length + 6))
            // What can be done with a record is no relation of it.
            .filter((name) => !name.includes("/") && name !== "transitions")
          const names = relations.map((name) =>
            name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
          )
          const include = names.length > 0 ? `&include=${names.join(",")}` : ""
          const list = (await check(path, `${path}?limit=20&total=true&aggregate=count${include}`)) as {
            data: readonly { id?: string }[]
          }
          assert.ok(list.data.length > 0, path)
          for (const { id } of list.data.slice(0, 5)) {
            if (id === undefined) continue
            const bare = encodeURIComponent(id)
            await check(`${path}/{id}`, `${path}/${bare}`)
            for (const name of relations) await check(`${path}/{id}/${name}`, `${path}/${bare}/${name}`)
            await check("/nodes/{id}", `/nodes/${bare}`)
            await check("/nodes", `/nodes?ids=${encodeURIComponent(id.replace(/[\\,]/g, "\\$&"))},x`)
          }
        }
      })

      test("figures of every kind", async () => {
        for (const [path, { get }] of Object.entries(document.paths)) {
          const parameters = (get as { parameters?: readonly Parameter[] } | undefined)?.parameters ?? []
          const names = (wanted: string): readonly string[] =>
            parameters.find(({ name }) => name === wanted)?.schema?.items?.enum ?? []
          if (path.includes("{") || names("aggregate").length === 0) continue
          await check(path, `${path}?limit=1&aggregate=${names("aggregate").join(",")}`)
          for (const name of names("groupBy"))
            await check(path, `${path}?limit=0&aggregate=count&groupBy=${name}&groups=5`)
        }
      })

      test("problems", async () => {
        const [path = ""] = Object.keys(document.paths)
        for (const target of [`${path}?limit=x`, `${path}/none`, `${path}?filter={"a":1}`])
          await check(path, target)
      })

      test("a member that is not described would be seen", () => {
        const [path = ""] = Object.keys(document.paths)
        const validate = validatorOf(path, "200")
        assert.ok(validate({ data: [], page: { next: null, prev: null } }))
        assert.ok(!validate({ data: [], page: { next: null, prev: null }, more: 1 }))
        assert.ok(!validate({ data: [{ id: 1 }], page: { next: null, prev: null } }))
      })
    })

interface Parameter {
  readonly name?: string
  readonly schema?: { readonly items?: { readonly enum?: readonly string[] } }
}
