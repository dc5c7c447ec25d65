// Audiences: what is left of a small service for those whose credentials say this or that.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
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
} from "../../src/model/declaration/service.ts"
import { load } from "../../src/model/load.ts"
import type { Field, Model, Resource } from "../../src/model/model.ts"
import { type Claims, openModel, stranger, visibleModelOf } from "../../src/plan/access/visible-model.ts"

const whole = load(
  service({
    name: "clinic",
    roles: ["doctor", "clerk"],
    scopes: ["export"],
    viewer: "person",
    enums: { mood: { values: ["good", "bad"] } },
    resources: {
      person: resource({
        fields: {
          name: f.text(),
          phone: f.text({ unique: true }),
          born: f.date({ read: [role("doctor"), { id: { eq: viewer.id } }] }),
          pin: f.text({ optional: true, read: role("doctor"), write: role("clerk") }),
        },
        relations: { visits: many("visit", { by: "person" }) },
        allow: {
          read: [role("doctor"), { id: { eq: viewer.id } }, only(["name"], role("clerk"))],
          update: [{ id: { eq: viewer.id } }, only(["phone"], role("clerk"))],
        },
      }),
      visit: resource({
        fields: { mood: f.oneOf("mood"), secret: f.boolean({ default: false }) },
        relations: { person: one("person"), bill: one("bill", { optional: true }) },
        allow: {
          read: [role("doctor"), { personId: { eq: viewer.id }, secret: { eq: false } }],
          create: role("doctor"),
          delete: { and: [role("doctor"), { secret: { eq: false } }] },
        },
      }),
      bill: resource({ fields: { sum: f.integer() }, allow: { read: scope("export") } }),
      page: resource({
        fields: { text: f.text() },
        allow: { read: anyone, update: signedIn },
      }),
      nobodys: resource({ fields: { text: f.text() } }),
    },
  }),
)

const who = (credentials: Partial<Claims>): Model =>
  visibleModelOf(whole, { ...stranger, signedIn: true, ...credentials })

/** `name` is seen in every record, `name?` in some. */
const seen = ({ name, seen }: Field): string => (seen ? `${name}?` : name)
/** `name` is set in every record, `name?` in some, `name!` never. */
const set = (side: "creatable" | "changeable") => (field: Field) => {
  const on = field[side]
  return on === undefined || on === false ? [] : [isAll(on) ? field.name : `${field.name}?`]
}
const isAll = (on: NonNullable<Resource["access"]>["read"]): boolean =>
  on.kind === "and" && on.of.length === 0

/** All that an audience can tell of a resource, on some lines. */
function told({ fields, relations, settable, access, uniques }: Resource): Readonly<Record<string, string>> {
  const rows = Object.entries(access ?? {}).map(([action, on]) => (isAll(on) ? action : `${action}?`))
  const settables = [...(settable?.values() ?? [])]
  return {
    rows: rows.join(" "),
    fields: [...fields.values()].map(seen).join(" "),
    relations: [...relations.keys()].join(" "),
    ...(access?.create ? { creates: settables.flatMap(set("creatable")).join(" ") } : {}),
    ...(access?.update ? { changes: settables.flatMap(set("changeable")).join(" ") } : {}),
    ...(uniques.length > 0 ? { uniques: uniques.map(({ name }) => name).join(" ") } : {}),
  }
}

const toldOf = (model: Model): Readonly<Record<string, object>> =>
  Object.fromEntries([...model.resources].map(([name, it]) => [name, told(it)]))

const page = { rows: "read", fields: "text", relations: "" }
const pageToChange = { rows: "read update", fields: "text", relations: "", changes: "text" }

describe("what is left of a service", () => {
  it("for a stranger: what anyone may see", () => {
    const model = visibleModelOf(whole, stranger)
    assert.deepEqual(toldOf(model), { page })
    assert.deepEqual([...model.enums.keys()], [])
  })

  it("for whoever signed in without a record of their own", () => {
    assert.deepEqual(toldOf(who({})), { page: pageToChange })
  })

  it("for whoever has one: their own records, and all fields of these but those of others", () => {
    const model = who({ viewer: true })
    assert.deepEqual(toldOf(model), {
      person: {
        rows: "read? update?",
        fields: "name phone born?",
        relations: "visits",
        changes: "name phone born",
        uniques: "phone",
      },
      visit: { rows: "read?", fields: "mood secret", relations: "person" },
      page: pageToChange,
    })
    assert.deepEqual([...model.enums.keys()], ["Mood"])
  })

  it("for a role that sees some fields only, and sets one that it cannot see", () => {
    assert.deepEqual(toldOf(who({ roles: ["clerk"] })), {
      person: { rows: "read update", fields: "name", relations: "", changes: "phone" },
      page: pageToChange,
    })
  })

  it("for that role with a record: the union, field by field", () => {
    assert.deepEqual(toldOf(who({ roles: ["clerk"], viewer: true }))["person"], {
      rows: "read update",
      fields: "name phone? born?",
      relations: "visits",
      changes: "name? phone born? pin?",
      uniques: "phone",
    })
  })

  it("for a role without a record", () => {
    assert.deepEqual(toldOf(who({ roles: ["doctor"] })), {
      person: { rows: "read", fields: "name phone born pin", relations: "visits", uniques: "phone" },
      visit: {
        rows: "read create delete?",
        fields: "mood secret",
        relations: "person",
        creates: "mood secret",
      },
      page: pageToChange,
    })
  })

  it("for a scope: the relation to what it shows is there too", () => {
    assert.deepEqual(toldOf(who({ roles: ["doctor"], scopes: ["export"] }))["visit"], {
      rows: "read create delete?",
      fields: "mood secret",
      relations: "person bill",
      creates: "mood secret",
    })
  })
})

it("what no actor may do to a resource's records is left to nobody, with rules or without", () => {
  const stone = { fields: { text: f.text() }, readonly: ["update", "delete"] } as const
  const may = { read: anyone, create: anyone, update: anyone, delete: anyone }
  const ruled = load(service({ name: "quarry", resources: { stone: resource({ ...stone, allow: may }) } }))
  const bare = load(service({ name: "quarry", resources: { stone: resource({ ...stone }) } }))
  for (const model of [visibleModelOf(ruled, stranger), openModel(bare)])
    assert.deepEqual(Object.keys(model.resources.get("stone")?.access ?? {}), ["read", "create"])
})

it("those whose credentials allow the same have one model, whatever else these name", () => {
  const doctor = who({ roles: ["doctor"] })
  assert.equal(who({ roles: ["doctor", "pilot"], scopes: ["fly"] }), doctor)
  assert.notEqual(who({ roles: ["doctor", "clerk"] }), doctor)
  assert.equal(who({ roles: ["clerk", "doctor"] }), who({ roles: ["doctor", "clerk"] }))
})

it("what a rule says of the viewer holds for nobody without a record, and neither does its opposite", () => {
  const mine = { ownerId: { eq: viewer.id } }
  const model = load(
    service({
      name: "notes",
      viewer: "owner",
      resources: {
        owner: resource({ fields: { name: f.text() }, allow: { read: anyone } }),
        own: resource({ fields: {}, relations: { owner: one("owner") }, allow: { read: mine } }),
        others: resource({
          fields: {},
          relations: { owner: one("owner") },
          allow: { read: { and: [signedIn, { not: mine }] } },
        }),
      },
    }),
  )
  const left = (standing: Claims): readonly string[] => [...visibleModelOf(model, standing).resources.keys()]
  assert.deepEqual(left(stranger), ["owner"])
  assert.deepEqual(left({ ...stranger, signedIn: true }), ["owner"])
  assert.deepEqual(left({ ...stranger, signedIn: true, viewer: true }), ["owner", "own", "others"])
})
