// What is counted of the use of versions: by client and day, bounded whatever is asked, and written down when it can be.
import assert from "node:assert/strict"
import { test } from "node:test"
import { createUsage, type HandleFor } from "../../src/access/usage/usage.ts"
import { anyone, f, resource, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { modelAt } from "../../src/model/versions/model-at.ts"
import { type Actor, strangerTo } from "../../src/plan/access/actor.ts"
import type { ReadPlan } from "../../src/plan/read-plan.ts"

const names = Array.from({ length: 12 }, (_, index) => `field${String.fromCharCode(97 + index)}`)
const model = load(
  withSystem(
    service({
      name: "shop",
      versions: {
        "2026-06-01": names.map((name) => ({ renamed: `item.old${name}`, to: name })),
        "2026-01-01": [],
      },
      resources: {
        item: resource({
          id: "itm",
          fields: Object.fromEntries(names.map((name) => [name, f.text()])),
          allow: { read: anyone },
        }),
      },
    } as never),
  ),
)
const old = modelAt(strangerTo(model).model, "2026-01-01")
const actor = (name: string, more: Partial<Actor> = {}): Actor => ({
  ...strangerTo(model),
  model: old,
  name,
  ...more,
})

const plan = (fields: readonly string[]): ReadPlan => ({
  kind: "read",
  model: old,
  values: [],
  roots: [
    {
      kind: "record",
      key: "item",
      resource: "item",
      by: [],
      members: fields.map((field) => ({ kind: "field", key: field, field: `old${field}` })),
    },
  ],
})

interface Row {
  readonly client: string
  readonly day: string
  readonly requests: number
  readonly members: Readonly<Record<string, number>>
}

/** A table in memory, which refuses while it is told to. */
function table() {
  const rows = new Map<string, Row>()
  const state = { broken: false, writes: 0 }
  const check = (): void => {
    if (state.broken) throw new Error("The database cannot be written.")
    state.writes += 1
  }
  const own = {
    list: async () => ({ data: [] }),
    async create(input: Row) {
      check()
      const id = String(rows.size)
      rows.set(id, input)
      return { id }
    },
    async update(id: string, input: Partial<Row>) {
      check()
      rows.set(id, { ...(rows.get(id) as Row), ...input })
    },
    delete: async () => {},
  }
  const handleFor = (() => ({ db: { versionUse: own } })) as unknown as HandleFor
  return { rows, state, handleFor }
}

test("requests are counted by client and day, and what changes meanwhile is written the next time", async () => {
  const { rows, state, handleFor } = table()
  let now = Date.parse("2026-11-25T23:59:00Z")
  const usage = createUsage({ declared: model, now: () => now, pause: 1e9 })
  usage.begin(handleFor)
  const key = actor("key:key_1")
  usage.note(plan(["fielda", "fieldb"]), key)
  usage.note(plan(["fielda"]), key)
  usage.note(plan([]), actor("jwt:x", { application: "app\u001b[31m" }))
  usage.note(plan([]), actor("jwt:y"))
  usage.note(plan([]), actor(""))
  usage.note(plan([]), actor("role:staff"))
  now += 120_000
  usage.note(plan(["fielda"]), key)
  state.broken = true
  await usage.close()
  assert.equal(rows.size, 0)
  state.broken = false
  await usage.close()
  const told = [...rows.values()].map(({ client, day, requests, members }) => [
    client,
    day,
    requests,
    members,
  ])
  assert.deepEqual(told, [
    ["key:key_1", "2026-11-25", 2, { "item.oldfielda": 2, "item.oldfieldb": 1 }],
    ["client:app[31m", "2026-11-25", 1, {}],
    ["tokens", "2026-11-25", 1, {}],
    ["anonymous", "2026-11-25", 2, {}],
    ["key:key_1", "2026-11-26", 1, { "item.oldfielda": 1 }],
  ])
  const { writes } = state
  await usage.close()
  assert.equal(state.writes, writes, "nothing has changed")
})

test("sums are right however many shapes there are, and clients beyond the bound are counted together", async () => {
  const { rows, handleFor } = table()
  const usage = createUsage({ declared: model, now: () => 0, pause: 1e9 })
  usage.begin(handleFor)
  const one = actor("key:one")
  const expected: Record<string, number> = {}
  for (let bits = 0; bits < 2 ** names.length; bits += 1) {
    const fields = names.filter((_, index) => bits & (2 ** index))
    for (const field of fields) expected[`item.old${field}`] = (expected[`item.old${field}`] ?? 0) + 1
    usage.note(plan(fields), one)
  }
  for (let client = 0; client < 10_500; client += 1) usage.note(plan([]), actor(`key:${client}`))
  await usage.close()
  const all = [...rows.values()]
  assert.deepEqual(all.find(({ client }) => client === "key:one")?.members, expected)
  assert.equal(all.find(({ client }) => client === "key:one")?.requests, 2 ** names.length)
  assert.ok(all.length <= 10_001, `${all.length}`)
  assert.equal(
    all.reduce((sum, { requests }) => sum + requests, 0),
    2 ** names.length + 10_500,
  )
  assert.equal(all.find(({ client }) => client === "others")?.requests, 501)
})
