// A resource with `cache: { public }` is refused where one caller reads of it what another does not.
import assert from "node:assert/strict"
import { test } from "node:test"
import { Refusal } from "../../src/base/problem.ts"
import {
  anyone,
  f,
  many,
  one,
  only,
  resource,
  role,
  scope,
  service,
  signedIn,
  viewer,
} from "../../src/index.ts"
import type { ResourceDeclaration } from "../../src/model/declaration/declaration.ts"
import { loadService } from "../../src/plan/access/policies.ts"

const person = resource({
  id: "per",
  fields: { name: f.text() },
  allow: { read: [role("staff"), { id: { eq: viewer.id } }] },
})

const fields = { name: f.text(), shown: f.boolean() }
const cache = { public: 60 }

/** Problems of a service with the resource `thing`. */
function problemsOf(thing: ResourceDeclaration): readonly string[] {
  const declared = {
    name: "shop",
    roles: ["staff"],
    scopes: ["all"],
    viewer: "person",
    resources: { person, thing },
  }
  try {
    loadService(declared as Parameters<typeof loadService>[0])
    return []
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
    for (const { place, hint } of error.problems) {
      assert.equal(place?.join("."), "resources.thing.cache")
      assert.match(hint ?? "", /^Leave out `cache`, or /)
    }
    return error.problems.map(({ message }) => message)
  }
}

const allowed: Readonly<Record<string, ResourceDeclaration>> = {
  anyone: { fields, cache, allow: { read: anyone } },
  "anyone, under a condition on the record": { fields, cache, allow: { read: { shown: { eq: true } } } },
  "anyone, beside a role that sees no more": { fields, cache, allow: { read: [role("staff"), anyone] } },
  "a field for nobody but by the record": {
    fields: { name: f.text({ read: { shown: { eq: true } } }), shown: f.boolean() },
    cache,
    allow: { read: anyone },
  },
  "writes by some": { fields, cache, allow: { read: anyone, create: role("staff"), update: signedIn } },
  "a list of what some see, which comes only when it is asked for": {
    fields,
    relations: { people: many("person", { through: "person_thing" }) },
    cache,
    allow: { read: anyone },
  },
  "a condition that looks at records of others, for everybody alike": {
    fields,
    relations: { owner: one("person") },
    allow: { read: { owner: { name: { eq: "Ann" } } } },
  },
}

for (const [it, declared] of Object.entries(allowed))
  test(`may be public: ${it}`, () => assert.deepEqual(problemsOf(declared), []))

const records =
  "Caches would show one caller's answer to another: which records of thing are read depends on the caller."
const refused: Readonly<Record<string, readonly [ResourceDeclaration, string]>> = {
  nobody: [
    { fields, cache },
    "Caches would show one caller's answer to another: no caller may read a thing.",
  ],
  "a role": [{ fields, cache, allow: { read: role("staff") } }, records],
  "a scope": [{ fields, cache, allow: { read: scope("all") } }, records],
  "signed in": [{ fields, cache, allow: { read: signedIn } }, records],
  "not signed in": [{ fields, cache, allow: { read: { not: signedIn } } }, records],
  "some for all, more for a role": [
    { fields, cache, allow: { read: [role("staff"), { shown: { eq: true } }] } },
    records,
  ],
  "some fields for all, more for a role": [
    { fields, cache, allow: { read: [only(["name"], anyone), role("staff")] } },
    records,
  ],
  "the viewer within a condition": [
    {
      fields,
      relations: { owner: one("person") },
      cache,
      allow: { read: { or: [{ shown: { eq: true } }, { owner: { id: { eq: viewer.id } } }] } },
    } as unknown as ResourceDeclaration,
    records,
  ],
  "a field for a role": [
    { fields: { name: f.text({ read: role("staff") }), shown: f.boolean() }, cache, allow: { read: anyone } },
    "Caches would show one caller's answer to another: whether `name` of thing is shown depends on the caller.",
  ],
  "an id that comes with the record, of what only some see": [
    { fields, relations: { owner: one("person") }, cache, allow: { read: anyone } },
    "Caches would show one caller's answer to another: `ownerId` comes with a thing, and some callers read no person.",
  ],
}

for (const [it, [declared, expected]] of Object.entries(refused))
  test(`is not public: ${it}`, () => {
    const problems = problemsOf(declared)
    assert.ok(problems.includes(expected), problems.join("\n"))
  })

test("a service without rules is open to everybody alike", () => {
  const open = service({ name: "shop", resources: { thing: resource({ fields, cache }) } })
  assert.equal(loadService(open).resources.get("thing")?.publicFor, 60)
})
