// A service that went through every kind of change over five versions.
import { action, anyone, f, many, one, resource, service, withCode } from "../../../src/index.ts"

const everybody = { read: anyone, create: anyone, update: anyone, delete: anyone }

const plain = service({
  name: "journey",
  versions: {
    "2026-10-01": [
      { renamed: "trip", to: "journey" },
      { renamed: "traveller.trips", to: "journeys" },
      { renamed: "guide.trips", to: "journeys" },
      { widened: "journey.guide", to: "guides", first: ["-rank", "name"] },
      { added: "luggage" },
      { added: "journey.luggage" },
    ],
    "2026-08-01": [
      {
        changed: "trip.price",
        was: f.integer({ description: "Cents." }),
        reads: { multiply: ["price", 100] },
        writes: { multiply: ["price", 0.01] },
      },
      { renamed: "trip.setOff", to: "depart" },
      { renamed: "trip.move", to: "postpone" },
    ],
    "2026-06-01": [
      {
        changed: ["traveller.firstName", "traveller.lastName"],
        was: { name: f.text() },
        reads: { name: { concat: ["firstName", { value: " " }, "lastName"] } },
        writes: { firstName: { before: ["name", " "] }, lastName: { after: ["name", " "] } },
      },
      { added: "trip.seats", writes: 1 },
    ],
    "2026-04-01": [
      {
        changed: "trip.class",
        was: f.oneOf(["1", "2"], { default: "2" }),
        reads: { map: ["class", { first: "1", second: "2" }] },
        writes: { map: ["class", { 1: "first", 2: "second" }] },
      },
      { removed: "trip.code", was: f.text({ optional: true }), reads: "number", writes: "ignored" },
      { renamed: "trip.passenger", to: "traveller" },
    ],
    "2026-02-01": [
      { renamed: "trip.state.booked", to: "planned" },
      {
        changed: "trip.remark",
        was: f.text(),
        reads: { coalesce: ["remark", { value: "" }] },
        writes: "remark",
      },
    ],
    "2026-01-01": [],
  },
  resources: {
    traveller: resource({
      id: "tra",
      history: true,
      fields: { firstName: f.text(), lastName: f.text() },
      relations: { journeys: many("journey", { by: "traveller" }) },
      allow: everybody,
    }),
    journey: resource({
      id: "trp",
      history: true,
      fields: {
        number: f.text({ unique: true }),
        price: f.decimal({ precision: 12, scale: 2 }),
        seats: f.integer({ min: 1 }),
        class: f.oneOf(["first", "second"], { default: "second" }),
        remark: f.text({ optional: true }),
        day: f.date(),
      },
      relations: {
        traveller: one("traveller"),
        luggage: many("luggage", { by: "journey" }),
        guides: many("guide", { through: "journey_guide" }),
      },
      states: {
        initial: "planned",
        transitions: { depart: { from: "planned", to: "under_way", allow: anyone } },
      },
      allow: everybody,
    }),
    guide: resource({
      id: "gui",
      fields: { name: f.text(), rank: f.integer() },
      relations: { journeys: many("journey", { through: "journey_guide" }) },
      allow: everybody,
    }),
    luggage: resource({
      id: "lug",
      fields: { weight: f.integer() },
      relations: { journey: one("journey") },
      allow: everybody,
    }),
  },
})

export const journey = withCode(plain, {
  actions: {
    journey: {
      postpone: action({
        input: { day: f.date() },
        output: { before: f.date() },
        allow: anyone,
        async run({ input, record, db }) {
          await db.journey.update(record.id, { day: input.day })
          return { before: record.day }
        },
      }),
    },
  },
})
