// The description of events: valid by AsyncAPI's own schema, and true of what is sent.
import assert from "node:assert/strict"
import { test } from "node:test"
import specifications from "@asyncapi/specs"
import { Ajv, type AnySchema } from "ajv"
import formats from "ajv-formats"
import storefront from "../../examples/storefront/service.ts"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { asyncapi } from "../../src/rest/openapi/asyncapi.ts"
import { emitting } from "../code/emitting.ts"
import { notes } from "../feed/notes.ts"
import { gallery } from "../services/gallery.ts"

const ajv = new Ajv({ strict: false, allErrors: true })
formats.default(ajv)
const isValid = ajv.compile(specifications.schemasWithoutId["3.0.0"] as AnySchema)

interface Document {
  readonly channels: Readonly<
    Record<string, { readonly address: string | null; readonly messages: Readonly<Record<string, object>> }>
  >
  readonly components: { readonly schemas?: Readonly<Record<string, unknown>> }
}

const describe = (model: Model): Document => asyncapi(model, { base: "/api" }) as unknown as Document

const whole = load(withSystem({ ...notes, webhooks: true }))
const services = {
  storefront: load(storefront),
  gallery: load(gallery),
  emitting: load(withSystem(emitting)),
  notes: whole,
  "notes to staff": actorFromText(whole, "role:staff").model,
  "notes to anyone": actorFromText(whole, "anyone").model,
}

for (const [name, model] of Object.entries(services))
  test(`the description of the events of the ${name} is valid, and refers to what it has`, () => {
    const document = describe(model)
    assert.ok(isValid(document), JSON.stringify(isValid.errors?.slice(0, 3)))
    const text = JSON.stringify(document)
    for (const [, pointer = ""] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = pointer
        .split("/")
        .reduce<unknown>(
          (at, step) => (at as Readonly<Record<string, unknown>> | undefined)?.[step],
          document,
        )
      assert.notEqual(found, undefined, pointer)
    }
  })

test("the specification's schema sees what is broken", () => {
  assert.ok(!isValid({ ...describe(whole), asyncapi: undefined }))
  assert.ok(!isValid({ ...describe(whole), channels: { events: { address: 1 } } }))
})

test("own events have the payload that their readers see", () => {
  const payloadOf = (words: string): unknown => {
    const { channels } = describe(actorFromText(load(withSystem(emitting)), words).model)
    const found = JSON.stringify(channels["webhooks"]?.messages["order_couponApplied"])
    return [...found.matchAll(/"(code|worth|kind|margin|hint)":\{/g)].map(([, name]) => name)
  }
  assert.deepEqual(payloadOf("role:staff"), ["code", "worth", "kind", "margin", "hint"])
  assert.deepEqual(payloadOf("customer:1"), ["code", "worth", "kind", "hint"])
})

test("channels are those that the audience has", () => {
  const { channels } = describe(whole)
  assert.deepEqual(
    Object.entries(channels).map(([name, { address }]) => [name, address]),
    [
      ["events", "/api/events/stream"],
      ["webhooks", null],
    ],
  )
  assert.ok("note_published" in (channels["webhooks"]?.messages ?? {}))
  assert.ok("note_left" in (channels["events"]?.messages ?? {}))
  const { resources } = actorFromText(whole, "anyone").model
  const told = Object.keys(describe(actorFromText(whole, "anyone").model).channels["events"]?.messages ?? {})
  for (const message of told) assert.ok(resources.has(message.split("_")[0] ?? ""), message)
})
