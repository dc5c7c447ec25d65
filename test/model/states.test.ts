// States in the Model: what a machine becomes, and which fields hold its states.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type {
  FieldDeclaration,
  MachineDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
} from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import type { Machine, Resource } from "../../src/model/model.ts"

const fields: Readonly<Record<string, FieldDeclaration>> = {
  note: { scalar: "text", optional: true },
  at: { scalar: "timestamp", optional: true },
  extra: { scalar: "json", optional: true },
}
const life: MachineDeclaration = {
  initial: "open",
  final: ["closed", "gone"],
  states: { paused: { description: "For now." }, open: { was: ["new"] } },
  transitions: {
    work: { from: "open", to: "working" },
    resume: { from: ["paused", "working"], to: "working" },
    close: { from: "any", to: "closed", reason: "Not yet.", when: { note: { isNull: true } } },
    forget: { from: ["closed"], to: "gone" },
  },
}
/** Nothing is renamed in tables of somebody else's. */
const theirs: MachineDeclaration = { ...life, states: { paused: {} } }

function item(
  rest: Partial<ResourceDeclaration>,
  service: Partial<ServiceDeclaration> = {},
): { readonly item: Resource; readonly values: (name: string) => readonly string[] | undefined } {
  const model = load({ name: "shop", resources: { item: { fields, states: life, ...rest } }, ...service })
  const resource = model.resources.get("item")
  assert.ok(resource)
  return { item: resource, values: (name) => model.enums.get(name)?.values }
}

const machine = (resource: Resource, name = "state"): Machine => {
  const found = resource.machines.get(name)
  assert.ok(found)
  return found
}

describe("a machine", () => {
  it("has every state that is named, the initial one first, and what is said of it", () => {
    const { states, initial, final } = machine(item({}).item)
    assert.deepEqual([...states.keys()], ["open", "working", "paused", "closed", "gone"])
    assert.deepEqual([initial, final], ["open", ["closed", "gone"]])
    assert.deepEqual(states.get("open"), { name: "open", was: ["new"] })
    assert.deepEqual(states.get("paused"), { name: "paused", description: "For now." })
  })

  it("starts from any state that is not final, but the one it leads to", () => {
    const { transitions } = machine(item({}).item)
    const starts = [...transitions].map(([name, { from, to }]) => [name, from, to])
    assert.deepEqual(starts, [
      ["work", ["open"], "working"],
      ["resume", ["paused", "working"], "working"],
      ["close", ["open", "working", "paused"], "closed"],
      ["forget", ["closed"], "gone"],
    ])
  })

  it("sets constants, moments, what is given and who asks, each as the member takes it", () => {
    const set = (member: string, value: never): unknown => {
      const transitions = {
        work: {
          from: "open",
          to: "closed",
          input: { why: { scalar: "text" as const }, data: { scalar: "json" as const } },
          set: { [member]: value },
        },
      }
      const owner = { kind: "one", target: "item", optional: true } as const
      const { item: found } = item(
        { relations: { owner }, states: { initial: "open", transitions } },
        { viewer: "item" },
      )
      return machine(found).transitions.get("work")?.sets[0]?.value
    }
    assert.deepEqual(set("at", "now" as never), { kind: "now" })
    assert.deepEqual(set("note", "now" as never), { kind: "constant", json: "now" })
    assert.deepEqual(set("note", null as never), { kind: "constant", json: null })
    assert.deepEqual(set("note", { given: "why" } as never), { kind: "input", name: "why" })
    assert.deepEqual(set("extra", { given: "data" } as never), { kind: "input", name: "data" })
    const json = { given: "data", more: 1 }
    assert.deepEqual(set("extra", json as never), { kind: "constant", json })
    assert.deepEqual(set("ownerId", { viewer: "id" } as never), { kind: "viewer" })
  })

  it("makes enumerations of what its transitions are given", () => {
    const how = { scalar: "oneOf", of: ["fast", "slow"] } as const
    const states = { initial: "open", transitions: { close: { from: "open", to: "closed", input: { how } } } }
    assert.deepEqual(item({ states }).values("ItemCloseHow"), ["fast", "slow"])
  })
})

describe("the field that holds a state", () => {
  it("is made where none is declared, as one of the states, which nobody writes", () => {
    const { item: found, values } = item({})
    const { enumeration, ...field } = found.fields.get("state") ?? {}
    assert.deepEqual(values(String(enumeration)), ["open", "working", "paused", "closed", "gone"])
    assert.deepEqual(field, {
      name: "state",
      column: "state",
      scalar: "oneOf",
      list: false,
      optional: false,
      readonly: true,
      immutable: false,
      unique: false,
      generated: false,
      state: true,
      default: { kind: "value", value: "open" },
      constraints: {},
      stored: "plain",
    })
    assert.equal([...found.fields.keys()].at(-1), "state")
    assert.equal(found.logged, true)
  })

  it("keeps the column and the rules of a text that is declared, whose length no longer matters", () => {
    const status: FieldDeclaration = {
      scalar: "text",
      max: 3,
      pattern: "x",
      column: "Status",
      stored: "loose",
      default: { database: true },
      read: { anyone: true },
    }
    const { item: found } = item(
      { fields: { status, ...fields }, states: { status: theirs } },
      { managed: false },
    )
    const field = found.fields.get("status")
    assert.deepEqual(
      [field?.column, field?.stored, field?.scalar, field?.constraints, field?.read],
      ["Status", "loose", "oneOf", {}, { anyone: true }],
    )
    assert.deepEqual(field?.default, { kind: "value", value: "open" })
    assert.deepEqual([...found.fields.keys()][0], "status")
  })

  it("keeps the values of an enumeration that is shared, also those that the machine does not name", () => {
    const shared = ["gone", "open", "working", "paused", "closed", "odd"] as const
    const state: FieldDeclaration = { scalar: "oneOf", of: "life" }
    const { item: found, values } = item(
      { fields: { ...fields, state } },
      { enums: { life: { values: [...shared] } } },
    )
    assert.equal(found.fields.get("state")?.enumeration, "Life")
    assert.deepEqual(values("Life"), shared)
    assert.deepEqual(machine(found).states.has("odd"), false)
  })

  it("may be without a value where the table is somebody else's", () => {
    const state: FieldDeclaration = { scalar: "text", optional: true }
    const { item: found } = item({ fields: { ...fields, state }, states: theirs }, { managed: false })
    assert.equal(found.fields.get("state")?.optional, true)
  })

  it("is one of several, each of a machine of its own", () => {
    const one = { initial: "a", transitions: { go: { from: "a", to: "b" } } }
    const other = { initial: "c", transitions: { come: { from: "c", to: "d" } } }
    const { item: found } = item({ states: { first: one, second: other } })
    assert.deepEqual([...found.machines.keys()], ["first", "second"])
    assert.deepEqual(
      [...found.fields.values()].filter(({ state }) => state).map(({ name }) => name),
      ["first", "second"],
    )
  })
})

it("a resource without states is logged only if it says so", () => {
  const logged = (rest: Partial<ResourceDeclaration>): boolean => {
    const model = load({ name: "shop", resources: { item: { fields, ...rest } } })
    return model.resources.get("item")?.logged === true
  }
  assert.deepEqual([logged({}), logged({ history: true })], [false, true])
})
