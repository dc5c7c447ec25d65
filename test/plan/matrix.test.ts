// The matrix says of each kind of actor what the engine leaves it, and lists those together that may do more together.
import assert from "node:assert/strict"
import { test } from "node:test"
import {
  action,
  anyone,
  computed,
  f,
  one,
  only,
  operation,
  resource,
  role,
  scope,
  service,
  signedIn,
  viewer,
  withCode,
} from "../../src/index.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import type { RuleObject } from "../../src/model/policy-declaration.ts"
import { actorOf } from "../../src/plan/access/actor.ts"
import type { ActionName } from "../../src/plan/access/policy-types.ts"
import { type PermissionMatrix, permissionMatrixOf } from "../../src/plan/analysis/permission-matrix.ts"

const own = { person: { id: { eq: viewer["id"] } } }

/** A service of people and what they have, with these rules for what they have. */
function matrixFor(
  allow: NonNullable<ServiceDeclaration["resources"][string]["allow"]>,
  rules: { readonly read?: RuleObject; readonly write?: RuleObject } = {},
): PermissionMatrix {
  return permissionMatrixOf(
    load(
      service({
        name: "things",
        roles: ["a", "b"],
        scopes: ["s"],
        viewer: "person",
        resources: {
          person: resource({ id: "per", fields: { name: f.text() } }),
          thing: resource({
            id: "thi",
            fields: {
              plain: f.text(),
              kept: f.text(rules),
              fixed: f.text({ immutable: true }),
              made: f.timestamp({ readonly: true, default: "now" }),
            },
            relations: { person: one("person") },
            allow,
          }),
        },
      }),
    ),
  )
}

function cellsOf({ resources }: PermissionMatrix, action: ActionName): Readonly<Record<string, unknown>> {
  const thing = resources.find(({ name }) => name === "thing")
  return Object.fromEntries(
    (thing?.actions[action] ?? []).map(({ actor, records, fields }) => [
      actor,
      fields.length === 0
        ? records
        : [records, ...fields.map(({ names, records: some }) => `${names.join(",")}: ${some}`)],
    ]),
  )
}

test("what nobody is allowed is none for everybody", () => {
  const matrix = matrixFor({})
  assert.deepEqual(matrix.actors, ["anyone", "signedIn", "role:a", "role:b", "scope:s"])
  for (const action of ["read", "create", "update", "delete"] as const)
    assert.deepEqual(new Set(Object.values(cellsOf(matrix, action))), new Set([null]))
})

test("each kind of actor has its own records", () => {
  const matrix = matrixFor({
    read: [role("a"), own, { plain: { eq: "x" } }],
    create: signedIn,
    delete: scope("s"),
  })
  assert.deepEqual(cellsOf(matrix, "read"), {
    anyone: "plain = x",
    signedIn: "plain = x",
    "person:…": "person.id = viewer.id or plain = x",
    "role:a": "all",
    "role:b": "plain = x",
    "scope:s": "plain = x",
  })
  assert.deepEqual(cellsOf(matrix, "create"), {
    anyone: null,
    signedIn: "all",
    "person:…": "all",
    "role:a": "all",
    "role:b": "all",
    "scope:s": "all",
  })
  assert.deepEqual(cellsOf(matrix, "delete")["scope:s"], "all")
})

test("what may be written without being read is none", () =>
  assert.deepEqual(cellsOf(matrixFor({ read: role("a"), update: role("b") }), "update"), {
    anyone: null,
    signedIn: null,
    "role:a": null,
    "role:b": null,
    "scope:s": null,
    "role:a+role:b": "all",
  }))

test("fields stand apart where they are otherwise than their record", () => {
  const matrix = matrixFor(
    { read: [role("a"), only(["plain"], role("b"))], update: [role("a"), role("b")], create: role("a") },
    { read: { plain: { eq: "x" } }, write: scope("s") },
  )
  const read = cellsOf(matrix, "read")
  assert.deepEqual(read["role:a"], ["all", "kept: plain = x"])
  assert.deepEqual(read["role:b"], ["all", "kept,fixed,made: null"])
  const create = cellsOf(matrix, "create")
  assert.deepEqual(create["role:a"], ["all", "kept: null"], "what is made by itself is not mentioned")
  assert.deepEqual(create["role:a+scope:s"], "all")
  assert.deepEqual(cellsOf(matrix, "update")["role:b"], ["all", "kept: null"], "nor what never changes")
})

test("credentials that are asked for together are a kind of their own", () => {
  const titles = (read: RuleObject): readonly string[] => matrixFor({ read }).actors.slice(5)
  assert.deepEqual(titles({ and: [role("a"), role("b")] }), ["role:a+role:b"])
  assert.deepEqual(titles({ and: [role("b"), { or: [role("a"), scope("s")] }] }), [
    "role:a+role:b",
    "role:b+scope:s",
  ])
  assert.deepEqual(titles({ and: [role("a"), role("b"), scope("s")] }), ["role:a+role:b+scope:s"])
  assert.deepEqual(titles({ or: [role("a"), role("b")] }), [])
  assert.deepEqual(titles({ and: [role("a"), { not: role("b") }] }), ["role:a+role:b"], "less together")
})

test("a role is a kind of its own with a record of theirs where a rule asks for both", () => {
  const { actors } = matrixFor({ read: { and: [role("a"), own] } })
  assert.deepEqual(actors, [
    "anyone",
    "signedIn",
    "person:…",
    "role:a",
    "role:b",
    "scope:s",
    "person:…+role:a",
  ])
})

test("what one has alone is not listed again with another", () => {
  const { actors } = matrixFor({ read: [anyone, own], update: [role("a"), { and: [role("a"), scope("s")] }] })
  assert.deepEqual(actors, ["anyone", "signedIn", "person:…", "role:a", "role:b", "scope:s"])
})

test("a cell is what an actor of that kind is left", () => {
  const declaration = service({
    name: "things",
    roles: ["a"],
    resources: {
      thing: resource({
        id: "thi",
        fields: { plain: f.text() },
        allow: { read: { plain: { eq: "x" } }, update: role("a") },
      }),
    },
  })
  const model = load(declaration)
  const [thing] = permissionMatrixOf(model).resources
  const actor = actorOf(model, { name: "n", roles: ["a"], scopes: [] })
  const access = actor?.model.resources.get("thing")?.access
  const cell = (action: ActionName) =>
    thing?.actions[action].find(({ actor: of }) => of === "role:a")?.records
  assert.deepEqual(
    (["read", "create", "update", "delete"] as const).map((action) => [
      cell(action) !== null,
      access?.[action] !== undefined,
    ]),
    [
      [true, true],
      [false, false],
      [true, true],
      [false, false],
    ],
  )
})

test("own code is a reason for kinds of actors, as rules of records are", () => {
  const run = (): void => {}
  const declared = service({
    name: "things",
    roles: ["a", "b"],
    scopes: ["s"],
    viewer: "person",
    resources: {
      person: resource({ id: "per", fields: { name: f.text() } }),
      thing: resource({
        id: "thi",
        fields: { left: f.text({ read: role("a") }), right: f.text({ read: role("b") }) },
        relations: { person: one("person") },
        allow: { read: anyone },
      }),
    },
  })
  const told = (code: Parameters<typeof withCode<typeof declared>>[1]): readonly string[] =>
    permissionMatrixOf(load(withCode(declared, code))).actors.slice(2)
  const none = ["role:a", "role:b", "scope:s"]
  assert.deepEqual(told({}), none)
  assert.deepEqual(told({ actions: { thing: { go: action({ allow: own, run }) } } }), ["person:…", ...none])
  assert.deepEqual(
    told({ actions: { thing: { go: action({ allow: { and: [role("a"), scope("s")] }, run }) } } }),
    [...none, "role:a+scope:s"],
  )
  assert.deepEqual(told({ operations: { go: operation({ allow: { and: [role("a"), role("b")] }, run }) } }), [
    ...none,
    "role:a+role:b",
  ])
  const both = (needs: readonly ("left" | "right")[]) =>
    computed<typeof declared, "thing", ReturnType<typeof f.text>, "left" | "right">({
      type: f.text(),
      needs,
      run: (things) => things.map(({ id }) => id),
    })
  assert.deepEqual(told({ computed: { thing: { both: both(["left", "right"]) } } }), [
    ...none,
    "role:a+role:b",
  ])
  assert.deepEqual(told({ computed: { thing: { both: both(["left"]) } } }), none)
})

test("what is computed of two fields with one rule has that rule once", () => {
  const read = { plain: { eq: "x" } }
  const declared = service({
    name: "things",
    resources: {
      thing: resource({
        id: "thi",
        fields: { plain: f.text(), left: f.text({ read }), right: f.text({ read }) },
        allow: { read: anyone },
      }),
    },
  })
  const [thing] = permissionMatrixOf(
    load(
      withCode(declared, {
        computed: {
          thing: {
            both: computed({
              type: f.text(),
              needs: ["left", "right"],
              run: (things) => things.map(({ left, right }) => left + right),
            }),
          },
        },
      }),
    ),
  ).resources
  assert.deepEqual(thing?.actions.read[0]?.fields, [
    { names: ["left", "right", "both"], records: "plain = x" },
  ])
  assert.deepEqual(thing?.actions.create[0]?.fields, [])
})

test("a rule that asks for many together is listed, whatever else there is", () => {
  const roles = Array.from({ length: 12 }, (_, index) => `r${index}`)
  const each = roles.map((name) => role(name))
  const model = load(
    service({
      name: "many",
      roles,
      resources: {
        thing: resource({
          id: "thi",
          fields: { plain: f.text(), kept: f.text({ read: each, write: each }) },
          allow: { read: { and: each.slice(0, 5) }, create: each, update: each, delete: each },
        }),
      },
    }),
  )
  const started = performance.now()
  const { actors } = permissionMatrixOf(model)
  assert.ok(actors.includes("role:r0+role:r1+role:r2+role:r3+role:r4"))
  assert.ok(performance.now() - started < 10_000)
})
