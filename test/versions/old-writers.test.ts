// Every kind of change by every form of a write: what an older version writes is what today's record says, read by every
// version, as a naive interpreter of the changes says. `npm run proof` draws services; BIFOLD_OLD_WRITERS=7,8 asks for some.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { cleanUp } from "../support/database.ts"
import { kinds } from "./old-writers/changes.ts"
import { evolve } from "./old-writers/services.ts"
import { tryService } from "./old-writers/trying.ts"

const full = process.env["BIFOLD_PROOF"] === "full"
const asked = process.env["BIFOLD_OLD_WRITERS"]
const drawn = Math.floor(Math.random() * 100_000)
/** In the tests two that meet each kind together; the second is followed. */
const seeds = asked
  ? asked.split(",").map(Number)
  : full
    ? Array.from({ length: 50 }, (_, at) => drawn + at)
    : [38, 42]
const writes = Number(process.env["BIFOLD_WRITES"] ?? (full ? 240 : 36))

describe("writes of every version", () => {
  const covered = new Map<string, number>()
  for (const database of ["sqlite", "postgres"] as const)
    for (const seed of seeds)
      test(`service ${seed} on ${database}`, async (context) => {
        const hooks = cleanUp((end) => context.after(end))
        const isLive = seed % 3 === 0
        const outcome = await tryService(hooks, { evolved: evolve(seed), writes, database, isLive })
        for (const [key, count] of outcome.covered) covered.set(key, (covered.get(key) ?? 0) + count)
        const { refused, reads, told, differences } = outcome
        context.diagnostic(
          `${outcome.writes} writes, ${refused} refused, ${reads} reads, ${told} events and messages, ${differences.length} differences`,
        )
        assert.deepEqual(differences.slice(0, 3), [], `${differences.length} differences`)
      })

  test("each kind of change meets writes", (context) => {
    const all = [...covered.keys()].filter((key) => key.includes(" "))
    const pairs = new Set(all.map((key) => key.split(" ").slice(0, 2).join(" ")))
    context.diagnostic(`${all.length} of kind, form and way of giving; ${pairs.size} of kind and form`)
    const counts = [...covered].filter(([key]) => !key.includes(" "))
    context.diagnostic(`by kind: ${counts.map(([kind, count]) => `${kind} ${count}`).join(", ")}`)
    for (const kind of asked === undefined ? [...kinds, "changedKey", "formerValue", "widened"] : [])
      assert.ok(covered.has(kind), kind)
  })
})
