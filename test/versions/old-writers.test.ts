// Every kind of change by every form of a write: what an older version writes is what today's record says, read by every
// version, as a naive interpreter of the changes says. `npm run proof` draws services; BIFOLD_OLD_WRITERS=7,8 asks for some.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { kinds } from "./old-writers/changes.ts"
import { doors } from "./old-writers/doors.ts"
import { evolve } from "./old-writers/services.ts"
import { tryService } from "./old-writers/trying.ts"

const full = process.env["BIFOLD_PROOF"] === "full"
const asked = process.env["BIFOLD_OLD_WRITERS"]
const first = full ? Math.floor(Math.random() * 100_000) : 1
const seeds = asked
  ? asked.split(",").map(Number)
  : Array.from({ length: full ? 24 : 2 }, (_, at) => first + at)
const writes = Number(process.env["BIFOLD_WRITES"] ?? (full ? 450 : 60))

describe("writes of every version", () => {
  const covered = new Map<string, number>()
  for (const database of [undefined, process.env["BIFOLD_TEST_POSTGRES"]] as const)
    for (const seed of seeds)
      test(`service ${seed} on ${database === undefined ? "sqlite" : "postgres"}`, async (context) => {
        const outcome = await tryService({
          evolved: evolve(seed),
          writes,
          ...(database !== undefined && { database }),
        })
        for (const [key, count] of outcome.covered) covered.set(key, (covered.get(key) ?? 0) + count)
        const { refused, reads, differences } = outcome
        context.diagnostic(
          `${outcome.writes} writes, ${refused} refused, ${reads} reads, ${differences.length} differences`,
        )
        assert.deepEqual(differences.slice(0, 5), [], `${differences.length} differences`)
      })

  test("each kind of change meets each form of a write", (context) => {
    const pairs = new Set([...covered.keys()].map((key) => key.split(" ").slice(0, 2).join(" ")))
    context.diagnostic(`${covered.size} of kind, form and way of giving; ${pairs.size} of kind and form`)
    for (const door of Object.keys(doors)) assert.ok(door.length > 0)
    for (const kind of kinds)
      assert.ok(
        [...pairs].some((pair) => pair.startsWith(`${kind} `)),
        kind,
      )
  })
})
