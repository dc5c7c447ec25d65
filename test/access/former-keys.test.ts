// A natural key by the names of an older version: a hidden record that has it is told as by the newest version.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, load, many, one, resource, service, signedIn, viewer } from "../../src/index.ts"
import { modelAt } from "../../src/model/versions/model-at.ts"
import { dialects } from "../support/open-service.ts"
import { actorFor, openHouse } from "./doors.ts"
import { person } from "./guarded.ts"

const own = { person: { id: { eq: viewer.id } } }
const theatre = service({
  name: "theatre",
  viewer: "person",
  versions: {
    "2026-07-01": [{ renamed: "seat.room", to: "hall" }],
    "2026-01-01": [],
  },
  resources: {
    person: resource({ key: ["name"], fields: { name: f.slug() }, allow: { read: signedIn } }),
    hall: resource({
      key: ["code"],
      fields: { code: f.slug() },
      relations: { seats: many("seat", { by: "hall" }) },
      allow: { read: signedIn },
    }),
    seat: resource({
      key: ["hall", "number"],
      fields: { number: f.integer() },
      relations: { hall: one("hall"), person: one("person") },
      allow: { read: own, create: own, update: own },
    }),
  },
})

for (const database of dialects)
  test(`a key that a hidden record has is refused by an older version too, ${database}`, async (context) => {
    const whole = load(theatre)
    const records = new Map([
      ["person", [{ name: "ann" }, { name: "ben" }]],
      ["hall", [{ code: "red" }]],
      ["seat", [{ hallId: "red", number: 1, personId: "ben" }]],
    ])
    const house = await openHouse(context, { whole, stored: { records, links: [] }, database })
    const actor = actorFor(whole, person("ann", { viewer: "person_ann" }))
    const older = house.asActor({ ...actor, model: modelAt(actor.model, "2026-01-01") })
    const put = async (doors: typeof older, hall: string) => {
      const body = { number: 1, [hall]: "hall_red", personId: "person_ann" }
      const { fault, body: text } = await doors.rest({ method: "PUT", path: "/seats/seat_red~1", body })
      assert.equal(fault, undefined)
      return JSON.parse(text)
    }
    const told = await put(house.asActor(actor), "hallId")
    assert.equal(told.code, "rule_violated")
    assert.deepEqual(await put(older, "roomId"), told)
  })
