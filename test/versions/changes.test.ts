// Changes that refer to what there is not are told when a declaration is loaded, each with its place.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { f, many, one } from "../../src/index.ts"
import { examine } from "../../src/model/load.ts"
import { service } from "../model/validation/case.ts"

const fields = { total: f.integer(), note: f.text({ optional: true }) }
const withChange = (change: object) =>
  service({ item: { fields } }, { versions: { "2026-06-01": [change], "2026-01-01": [] } } as never)

/** An item has several tags, and a box. */
const widened = (change: object, more: Readonly<Record<string, readonly object[]>> = {}) =>
  service(
    {
      item: {
        fields: { total: f.integer(), partId: f.integer({ optional: true }) },
        relations: { tags: many("tag", { through: "item_tag" }), box: one("box") },
      },
      tag: { fields: { name: f.text(), data: f.json({ optional: true }), rank: f.integer() } },
      box: { fields: { name: f.text() } },
    },
    { versions: { "2026-06-01": [change], ...more, "2026-01-01": [] } } as never,
  )

interface Case {
  readonly it: string
  readonly broken: ReturnType<typeof withChange>
  readonly reported: readonly (readonly [string, string, string?])[]
}

const cases: readonly Case[] = [
  {
    it: "wants what is renamed",
    broken: withChange({ renamed: "item.sum", to: "totl" }),
    reported: [["versions.2026-06-01.0", 'item has no "totl" in this version.', 'Did you mean "total"?']],
  },
  {
    it: "wants names that are free",
    broken: withChange({ renamed: "item.note", to: "total" }),
    reported: [["versions.2026-06-01.0", 'item has a member "note" in this version, too.']],
  },
  {
    it: "wants a resource",
    broken: withChange({ added: "itme.note" }),
    reported: [["versions.2026-06-01.0", 'There is no resource "itme".', 'Did you mean "item"?']],
  },
  {
    it: "wants a value for what older versions cannot write",
    broken: withChange({ added: "item.total" }),
    reported: [
      [
        "versions.2026-06-01.0",
        'Writers of older versions cannot give "total", which each record needs.',
        "Give the field a default, or say what they write: { added, writes }.",
      ],
    ],
  },
  {
    it: "wants sources and targets that there are",
    broken: withChange({
      changed: "item.total",
      was: { cents: f.integer() },
      reads: { cents: { multiply: ["totl", 100] } },
      writes: { total: { multiply: ["cent", 0.01] } },
    }),
    reported: [
      ["versions.2026-06-01.0", 'There is no "cent" in the version before.', 'Did you mean "cents"?'],
      ["versions.2026-06-01.0", 'item has no "totl" in this version.', 'Did you mean "total"?'],
    ],
  },
  {
    it: "wants values of the fields that it reads and writes",
    broken: withChange({
      changed: ["item.total", "item.note"],
      was: { ratio: f.float(), cents: f.integer() },
      reads: { ratio: { multiply: ["total", 2] }, cents: "note" },
      writes: { total: "cents", note: { add: ["cents", 1] } },
    }),
    reported: [
      [
        "versions.2026-06-01.0",
        '`add` comes to a number, and "note" is text.',
        "Say { textOf: … }: it makes a text of a whole number.",
      ],
      [
        "versions.2026-06-01.0",
        '`multiply` comes to a number, and "ratio" is a float, which is not exact: declare a decimal.',
      ],
      [
        "versions.2026-06-01.0",
        '"cents" is integer, and "note" in its expression is text.',
        "Say `code: true` and give functions where no expression makes the one of the other.",
      ],
    ],
  },
  {
    it: "wants values that are chosen where there are few of them",
    broken: withChange({ changed: "item.total", was: { large: f.boolean() }, reads: { large: "total" } }),
    reported: [
      [
        "versions.2026-06-01.0",
        '"large" is boolean, and "total" in its expression is integer.',
        "Choose the values with `if`, or say `code: true` and give functions.",
      ],
    ],
  },
  {
    it: "wants no functions for a field that was removed",
    broken: withChange({ removed: "item.large", was: f.boolean(), reads: "total" }),
    reported: [["versions.2026-06-01.0", '"large" is boolean, and "total" in its expression is integer.']],
  },
  {
    it: "wants no change for a relation that goes with the resource to which it leads",
    broken: service(
      {
        item: { fields, relations: { lines: many("line", { by: "item" }) } },
        line: { fields: {}, relations: { item: one("item") } },
      },
      {
        versions: {
          "2026-06-01": [{ added: "item.lines" }, { added: "line" }],
          "2026-03-01": [{ added: "item.note" }],
          "2026-01-01": [],
        },
      } as never,
    ),
    reported: [
      [
        "versions.2026-06-01.0",
        'item has no "lines" in this version.',
        "Leave this change out: the relation goes with `line`, to which it leads.",
      ],
    ],
  },
  {
    it: "wants a value for readers of a required field",
    broken: withChange({ changed: "item.total", was: f.text(), reads: "note" }),
    reported: [
      [
        "versions.2026-06-01.0",
        '`reads` of "total" may come to no value, and "total" is not optional.',
        'Say what stands instead: { coalesce: ["note", { value: … }] }.',
      ],
    ],
  },
  {
    it: "wants a value from writers of a required field",
    broken: service({ item: { fields: { note: f.text({ default: "none" }) } } }, {
      versions: {
        "2026-06-01": [
          { changed: "item.note", was: f.text({ optional: true }), reads: "note", writes: "note" },
        ],
        "2026-01-01": [],
      },
    } as never),
    reported: [
      [
        "versions.2026-06-01.0",
        '`writes` of "note" may come to no value, and "note" is not optional.',
        'Say what stands instead: { coalesce: ["note", { value: "none" }] }.',
      ],
    ],
  },
  {
    it: "wants a former state that the state has had",
    broken: service(
      {
        item: {
          fields: { total: f.integer() },
          states: {
            initial: "open",
            transitions: { cancel: { from: "open", to: "cancelled" } },
            states: { cancelled: { was: "void" } },
          },
        },
      } as never,
      {
        versions: { "2026-06-01": [{ renamed: "item.state.vod", to: "cancelled" }], "2026-01-01": [] },
      } as never,
    ),
    reported: [
      [
        "versions.2026-06-01.0",
        'The state "cancelled" of item has never been "vod".',
        'Did you mean "void"?',
      ],
    ],
  },
  {
    it: "wants a relation that was widened",
    broken: widened({ widened: "item.tag", to: "tgas", first: "name" }),
    reported: [["versions.2026-06-01.0", 'item has no "tgas" in this version.', 'Did you mean "tags"?']],
  },
  {
    it: "wants a to-many relation",
    broken: widened({ widened: "item.tag", to: "box", first: "name" }),
    reported: [
      [
        "versions.2026-06-01.0",
        '"box" of item is no to-many relation in this version.',
        "`to` is the relation that has several records since.",
      ],
    ],
  },
  {
    it: "wants members of the related resource, each once",
    broken: widened({ widened: "item.tag", to: "tags", first: ["nmae", "-data"] }),
    reported: [
      ["versions.2026-06-01.0", 'tag has no field "nmae" in this version.', 'Did you mean "name"?'],
      [
        "versions.2026-06-01.0",
        '"data" of tag has no order.',
        "Name a field that lists can be ordered by, or id.",
      ],
    ],
  },
  {
    it: "wants an order in which each member stands once",
    broken: widened({ widened: "item.tag", to: "tags", first: ["name", "-name"] }),
    reported: [["versions.2026-06-01.0", "`first` names a member twice.", "Name each once."]],
  },
  {
    it: "wants names of the relation and its id that are free",
    broken: widened({ widened: "item.total", to: "tags", first: "id" }),
    reported: [["versions.2026-06-01.0", 'item has a member "total" in this version, too.']],
  },
  {
    it: "wants the id's name to be free",
    broken: widened({ widened: "item.part", to: "tags", first: "id" }),
    reported: [["versions.2026-06-01.0", 'item has a member "partId" in this version, too.']],
  },
  {
    it: "wants an order that the newest version has",
    broken: widened(
      { changed: "tag.rank", was: f.text(), reads: "name" },
      { "2026-03-01": [{ widened: "item.tag", to: "tags", first: "rank" }] },
    ),
    reported: [
      [
        "versions.2026-03-01.0",
        '"rank" of tag was changed since, and the newest version has no such order.',
        "Order by a field that the newest version has, or by id.",
      ],
    ],
  },
  {
    it: "wants values of no relation that several records are behind",
    broken: widened(
      { widened: "item.tag", to: "tags", first: "name" },
      { "2026-03-01": [{ removed: "item.label", was: f.text(), reads: { field: ["tag", "name"] } }] },
    ),
    reported: [
      [
        "versions.2026-03-01.0",
        'item has several records behind "tag" since, and `reads` cannot choose one of them.',
        'Declare a computed field of the newest version, or say { breaking: "item.label" }.',
      ],
    ],
  },
  {
    it: "wants a path of a resource and its member",
    broken: widened({ widened: "tag", to: "tags", first: "name" }),
    reported: [
      ["versions.2026-06-01.0", '"tag" is no path of a resource and its member.', "Such as order.total."],
    ],
  },
]

describe("a change of a version", () => {
  for (const { it, broken, reported } of cases)
    test(it, () => {
      const { problems } = examine(broken)
      assert.deepEqual(
        problems.found.map(({ place = [], message, hint }) => [
          place.join("."),
          message,
          ...(hint === undefined ? [] : [hint]),
        ]),
        reported,
      )
    })
})
