// Declarations that break the rule `apiVersions`, and exactly what is reported.
import { f } from "../../../src/index.ts"
import { type Case, service } from "./case.ts"

const fields = { total: f.integer(), note: f.text({ optional: true }) }
const shop = (versions: object) => service({ item: { fields } }, { versions } as never)
const withChange = (change: object) => shop({ "2026-06-01": [change], "2026-01-01": [] })

export const apiVersions: readonly Case[] = [
  {
    it: "wants dates",
    broken: shop({ v2: [], "2026-02-31": [], "2026-01-01": [] }),
    reported: [["versions.v2", '"v2" is no date.', "Versions are named by their dates: 2026-11-01."]],
  },
  {
    it: "wants the newest first",
    broken: shop({ "2026-01-01": [], "2026-06-01": [] }),
    reported: [
      [
        "versions.2026-06-01",
        "Version 2026-06-01 comes after 2026-01-01.",
        "The newest version stands first.",
      ],
    ],
  },
  {
    it: "wants a version",
    broken: shop({}),
    reported: [["versions", "There is no version.", "Leave out `versions`, or begin with one."]],
  },
  {
    it: "wants an end after the beginning, and none of the newest",
    broken: shop({
      "2026-06-01": { changes: [], ends: "2027-01-01" },
      "2026-01-01": { changes: [], ends: "2025-01-01" },
    }),
    reported: [
      ["versions.2026-06-01.ends", "The newest version does not end.", "Leave it out."],
      ["versions.2026-01-01.ends", '"2025-01-01" is no date after 2026-01-01.', "Such as 2027-11-01."],
    ],
  },
  {
    it: "wants no changes of the oldest",
    broken: shop({ "2026-01-01": [{ added: "item.note" }] }),
    reported: [
      [
        "versions.2026-01-01",
        "The oldest version has no version before it.",
        "Give its changes to the one after it.",
      ],
    ],
  },
  {
    it: "wants an end of what is broken",
    broken: shop({
      "2026-06-01": [{ breaking: "item.code" }],
      "2026-03-01": { changes: [], ends: "2027-01-01" },
      "2026-01-01": [],
    }),
    reported: [
      [
        "versions.2026-01-01",
        "Version 2026-01-01 has no end, and a change of 2026-06-01 breaks it.",
        "Say when it ends: { changes, ends }.",
      ],
    ],
  },
  {
    it: "wants each member once in a version",
    broken: shop({
      "2026-06-01": [
        { renamed: "item.sum", to: "total" },
        { added: "item.total", writes: 1 },
      ],
      "2026-01-01": [],
    }),
    reported: [
      ["versions.2026-06-01.1", '"item.total" is changed twice in this version.', "Say it in one change."],
    ],
  },
  {
    it: "wants paths",
    broken: withChange({ renamed: "item.total.a.b", to: "sum" }),
    reported: [
      [
        "versions.2026-06-01.0",
        '"item.total.a.b" is no path of a resource and its member.',
        "Such as order.total.",
      ],
    ],
  },
  {
    it: "wants expressions",
    broken: withChange({ changed: "item.total", was: f.text(), reads: { shout: "total" } }),
    reported: [
      ["versions.2026-06-01.0.reads", 'There is no value of "total" for readers of older versions.'],
    ],
  },
]
