// Changes that refer to what there is not are told when a declaration is loaded, each with its place.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { f } from "../../src/index.ts"
import { examine } from "../../src/model/load.ts"
import { service } from "../model/validation/case.ts"

const fields = { total: f.integer(), note: f.text({ optional: true }) }
const withChange = (change: object) =>
  service({ item: { fields } }, { versions: { "2026-06-01": [change], "2026-01-01": [] } } as never)

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
      ["versions.2026-06-01.0", '`add` comes to a number, and "note" is text.'],
      [
        "versions.2026-06-01.0",
        '`multiply` comes to a number, and "ratio" is a float, which is not exact: declare a decimal.',
      ],
      ["versions.2026-06-01.0", '"note" is text, and "cents" is integer.'],
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
