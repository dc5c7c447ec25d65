// What a declaration with keys becomes: the resource of keys beside its own.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, load, one, resource, service } from "bifold"
import { Refusal } from "../../src/base/problem.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { rulesOf } from "../../src/plan/access/policies.ts"

const part = resource({ fields: { name: f.text() } })
const keys = { identity: { keys: true } } as const

const problemsOf = (declaration: unknown): readonly (readonly [string, string])[] => {
  try {
    rulesOf(load(withSystem(declaration as ServiceDeclaration)))
    return []
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
    return error.problems.map(({ place, message }) => [(place ?? []).join("."), message])
  }
}

test("a service without keys stays as it was written", () => {
  for (const more of [{}, { identity: {} }]) {
    const written = service({ name: "shop", resources: { part }, ...more })
    assert.equal(withSystem(written), written)
  }
})

test("keys are a resource of the service, owned by those who sign in", () => {
  const model = load(withSystem(service({ name: "shop", viewer: "part", resources: { part }, ...keys })))
  const key = model.resources.get("apiKey")
  assert.deepEqual(
    [[...model.resources.keys()], key?.prefix, key?.path, key?.relations.get("owner")?.target],
    [["part", "apiKey"], "key", "api-keys", "part"],
  )
})

test("keys of a service in which nobody is a record, or one of several columns, are nobody's", () => {
  const line = resource({
    key: ["part", "position"],
    fields: { position: f.integer({ immutable: true }) },
    relations: { part: one("part") },
  })
  for (const viewer of [{}, { viewer: "line" } as const]) {
    const written = service({ name: "shop", resources: { part, line }, ...viewer, ...keys })
    assert.equal(load(withSystem(written)).resources.get("apiKey")?.relations.has("owner"), false)
    assert.deepEqual(problemsOf(written), [])
  }
})

test("mistakes are told with their places", () => {
  assert.deepEqual(problemsOf({ name: "shop", resources: { apiKey: part }, ...keys }), [
    ["resources.apiKey", 'A service with `identity.keys` has a resource "apiKey" already.'],
  ])
  assert.deepEqual(problemsOf({ name: "shop", resources: { part }, identity: { keys: { manage: 1 } } }), [
    ["identity.keys.manage", '"manage" must be a rule, or a list of rules, not 1.'],
  ])
  assert.deepEqual(problemsOf({ name: "shop", identity: { keys: true } }), [
    ["resources", '"resources" must be an object of resources, not missing.'],
  ])
  const managed = { keys: { manage: { role: "boss" } } }
  const [[place, message] = []] = problemsOf({ name: "shop", resources: { part }, identity: managed })
  assert.deepEqual(
    [place?.startsWith("resources.apiKey.allow."), message],
    [true, 'There is no role "boss".'],
  )
})
