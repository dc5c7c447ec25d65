// Declarations that break the rule `viewers`, and exactly what is reported for each.
import { type Case, item } from "./case.ts"

export const viewers: readonly Case[] = [
  {
    it: "wants a resource that there is",
    broken: { ...item({}), viewer: "items" },
    reported: [["viewer", 'There is no resource "items".', 'Did you mean "item"?']],
  },
  {
    it: "wants records that have ids",
    broken: { ...item({ key: false }), viewer: "item" },
    reported: [["viewer", '"item" has no key, so that no credential can name the record of a viewer.']],
  },
]
