// Input members that are unknown, read-only, part of the key or not theirs to set, in every place of every input by every
// door: none is accepted, and nothing is changed.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { seeded } from "../../examples/storefront/random.ts"
import type { Field, Resource } from "../../src/model/model.ts"
import type { Actor } from "../../src/plan/access/actor.ts"
import { cleanUp } from "../support/database.ts"
import type { Entry, Store } from "../support/naive-access.ts"
import { dialects } from "../support/open-service.ts"
import type { Change } from "./changes.ts"
import { actorFor, type Doors, type House, openHouse } from "./doors.ts"
import { type Guarded, interpreterOf, type Person, resourceOf } from "./guarded.ts"
import { sample } from "./judged.ts"
import { full, guardedServices } from "./services.ts"
import { dump } from "./stored.ts"
import { createAt, memberValue, newKey, type Place, updateAt } from "./writes.ts"

/** The tests take one door in so many. */
const every = full ? 1 : 131

for (const service of guardedServices())
  describe(`inputs of ${service.name}`, () => {
    const hooks = cleanUp(after)
    const houses = new Map<string, House>()
    before(async () => {
      for (const database of dialects) houses.set(database, await openHouse(hooks, { ...service, database }))
    })

    test("take nothing that is not to be set", async (context) => {
      let asked = 0
      for (const [database, house] of houses) {
        const untouched = await dump(house, service.whole)
        for (const [index, person] of service.people.entries()) {
          const { tried, accepted } = await overreach({
            service,
            person,
            doors: house.as(person),
            everybody: house.everybody,
            every,
            from: index,
          })
          asked += tried
          assert.deepEqual(accepted, [], `${person.name}, ${database}`)
        }
        assert.deepEqual(await dump(house, service.whole), untouched)
      }
      context.diagnostic(`${asked} inputs, none accepted`)
      assert.ok(asked > service.people.length * 4, `${asked}`)
    })

    test("of a build that lets everybody set one more field take it", async () => {
      const house = houses.get("sqlite")
      assert.ok(house)
      let tried = 0
      let found = 0
      for (const { person, actor, resource, field } of sample(opened(service), full ? 1 : 5)) {
        tried += 1
        const doors = house.asActor(actor)
        const { accepted } = await overreach({
          service,
          person,
          doors,
          everybody: house.everybody,
          every: 1,
          from: 0,
          only: { resource, field },
        })
        found += Number(accepted.length > 0)
        await house.refill()
      }
      // What somebody may set besides may be for records only that are not among those tried.
      assert.ok(found > 0 || tried < 5, `${found} of ${tried}`)
    })
  })

interface Overreaching {
  readonly service: Guarded
  readonly person: Person
  readonly doors: Doors
  readonly everybody: Doors
  readonly every: number
  readonly from: number
  readonly only?: { readonly resource: string; readonly field: string }
}

/** How often something was tried, and what was accepted. */
async function overreach({ service, person, doors, everybody, every, from, only }: Overreaching) {
  const random = seeded(from + 1)
  const accepted: string[] = []
  let tried = 0
  let turn = from * 5
  for (const { resource, action, member } of unsettable(service, person)) {
    if (only && (only.resource !== resource.name || only.field !== member)) continue
    const number = 5_000_000 + turn
    const place: Place = { store: service.store, random, number }
    const extra = extraOf(service, resource, member, place)
    const at = action === "create" ? createAt : updateAt
    for (const door of at(service.whole, resource, place, extra)) {
      turn += 1
      if (turn % every !== 0) continue
      tried += 1
      const { reason } = await door.ask(doors, everybody)
      if (reason === "done" && door.changes.some((change) => changesNothing(service.store, change))) continue
      if (reason === "done" || reason.includes('"internal"'))
        accepted.push(
          `${action} ${resource.name}.${member} by ${door.name}: ${reason} ${JSON.stringify(door.changes)}`,
        )
    }
  }
  return { tried, accepted }
}

/** An operation of a patch that makes a value what it is shown as already is no input. */
const changesNothing = ({ records }: Store, change: Change): boolean =>
  change.kind === "update" &&
  change.patched === true &&
  Object.entries(change.given).every(([name, value]) => {
    const row = records[change.resource]?.find(({ id }) => id === change.id)
    return value === null || JSON.stringify(row?.[name]) === JSON.stringify(value)
  })

const unknown = [
  "nonsense",
  "__proto__",
  "constructor",
  "toString",
  "ID",
  "etag",
  "version",
  "_version",
  "$ref",
  "",
]

interface Unsettable {
  readonly resource: Resource
  readonly action: "create" | "update"
  readonly member: string
}

function unsettable(service: Guarded, person: Person): readonly Unsettable[] {
  const interpreter = interpreterOf(service, person)
  return [...service.whole.resources.values()].flatMap((resource) =>
    (["create", "update"] as const).flatMap((action) => {
      const keys = resource.key?.parts.map(({ column }) => column) ?? []
      const fields = [...resource.fields.values()].filter((field) => {
        const { readonly, generated, immutable, column, name } = field
        const fixed = readonly || generated || (action === "update" && (immutable || keys.includes(column)))
        return fixed || !interpreter.knowsField(resource.name, name, action)
      })
      const columns = [...resource.fields.values()].flatMap(({ name, column }) =>
        column === name ? [] : [column],
      )
      const hidden = [...resource.relations.values()].flatMap((one) =>
        one.kind === "one" && one.reference && !interpreter.knows(one.target)
          ? [one.reference, one.name]
          : [],
      )
      const made = resource.key?.origin === "natural" && resource.fields.has("id") ? [] : ["id"]
      const names = [...unknown, ...made, ...fields.map(({ name }) => name), ...columns, ...hidden]
      return names.map((member): Unsettable => ({ resource, action, member }))
    }),
  )
}

/** Own members, `__proto__` as well. */
function extraOf({ whole }: Guarded, resource: Resource, member: string, place: Place): Entry {
  const isOwn = resource.fields.has(member)
  const value = isOwn ? memberValue(whole, resource, member, place) : newKey(1)
  return JSON.parse(`{${JSON.stringify(member)}: ${JSON.stringify(value)}}`) as Entry
}

interface Opened {
  readonly person: Person
  readonly actor: Actor
  readonly resource: string
  readonly field: string
}

/** Fields that somebody may not set though they may write the record, in builds that let them. */
function opened(service: Guarded): readonly Opened[] {
  return service.people.flatMap((person) => {
    const actor = actorFor(service.whole, person)
    const interpreter = interpreterOf(service, person)
    return [...actor.model.resources.values()].flatMap((resource) =>
      [...resourceOf(service.whole, resource.name).fields.values()].flatMap((field): readonly Opened[] => {
        if (!resource.access?.update || field.immutable || field.generated) return []
        if (!field.readonly && interpreter.knowsField(resource.name, field.name, "update")) return []
        return [
          { person, actor: settable(actor, resource, field), resource: resource.name, field: field.name },
        ]
      }),
    )
  })
}

function settable(actor: Actor, resource: Resource, field: Field): Actor {
  const all = { kind: "and", of: [] } as const
  const open: Field = { ...field, readonly: false, creatable: all, changeable: all }
  const wider: Resource = { ...resource, settable: new Map(resource.settable).set(field.name, open) }
  const { model } = actor
  return { ...actor, model: { ...model, resources: new Map(model.resources).set(resource.name, wider) } }
}
