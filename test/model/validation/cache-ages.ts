// Declarations that break the rule `cacheAges`, and exactly what is reported for each.
import { type Case, service, text } from "./case.ts"

const fields = { name: text }
const hint = "Leave out `cache` to keep no answers."
const wrong = (seconds: number) =>
  `"public" must be a whole number of seconds from 1 to 31536000, not ${seconds}.`

export const cacheAges: readonly Case[] = [
  {
    it: "wants whole seconds up to a year",
    broken: service({
      none: { cache: { public: 0 }, fields },
      half: { cache: { public: 0.5 }, fields },
      long: { cache: { public: 31_536_001 }, fields },
      fine: { cache: { public: 31_536_000 }, fields },
    }),
    reported: [
      ["resources.none.cache.public", wrong(0), hint],
      ["resources.half.cache.public", wrong(0.5), hint],
      ["resources.long.cache.public", wrong(31_536_001), hint],
    ],
  },
]
