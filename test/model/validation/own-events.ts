// Declarations that break the rule `ownEvents`, and exactly what is reported for each.
import { type Case, service, text } from "./case.ts"

export const ownEvents: readonly Case[] = [
  {
    it: "wants names that no other event of the resource has",
    broken: service({
      item: {
        fields: { name: text },
        states: { initial: "open", transitions: { close: { from: "open", to: "closed" } } },
        events: { created: {}, left: {}, open: {}, closed: {}, "not-a-name": {}, close: {}, counted: {} },
      },
    }),
    reported: [
      [
        "resources.item.events.created",
        '"item.created" is an event that every record has.',
        "Give yours another name.",
      ],
      [
        "resources.item.events.left",
        '"item.left" is an event that every record has.',
        "Give yours another name.",
      ],
      [
        "resources.item.events.open",
        '"item.open" is the event of a transition to the state "open".',
        "Give yours another name.",
      ],
      [
        "resources.item.events.closed",
        '"item.closed" is the event of a transition to the state "closed".',
        "Give yours another name.",
      ],
      [
        "resources.item.events.not-a-name",
        '"not-a-name" cannot be the name of an event.',
        "Letters and digits, as in couponApplied.",
      ],
    ],
  },
  {
    it: "wants records that can be named and written, and payloads of values",
    broken: service({
      row: { key: false, fields: { name: text }, events: { seen: {} } },
      view: { readonly: true, fields: { name: text }, events: { seen: {} } },
      kept: { readonly: ["create", "update", "delete"], fields: { name: text }, events: { seen: {} } },
      item: {
        fields: { name: text },
        events: {
          counted: {
            payload: {
              count: { scalar: "integer", min: 3, max: 1 },
              by: { scalar: "text", write: { signedIn: true }, default: "x", unique: true },
              id: { scalar: "text" },
              seen: { scalar: "text", read: { signedIn: true } },
            },
          },
        },
      },
    }),
    reported: [
      ["resources.row.events", 'The records of "row" have no id by which an event could name them.'],
      [
        "resources.view.events",
        'The records of "view" are never written, so they have no events.',
        'List the withheld actions instead: readonly: ["create", "update", "delete"].',
      ],
      [
        "resources.item.events.counted.payload.id",
        '"id" is the public id of every record.',
        'Leave it out, or give it another name; a field of a table keeps its column by `column: "id"`.',
      ],
      ["resources.item.events.counted.payload.count", 'The min of "count", 3, is greater than its max, 1.'],
      ["resources.item.events.counted.payload.by.unique", '"by" is not stored, so it has no `unique`.'],
      ["resources.item.events.counted.payload.by.write", '"by" is not stored, so it has no `write`.'],
      ["resources.item.events.counted.payload.by.default", '"by" is not stored, so it has no `default`.'],
    ],
  },
]
