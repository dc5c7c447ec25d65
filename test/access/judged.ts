// Differences between what doors answered and what the naive interpreter says, with what was asked.
import assert from "node:assert/strict"
import { isDeepStrictEqual } from "node:util"

/** What a write is refused for, as write-doors.ts names it. */
const isReason = (expected: unknown): boolean =>
  typeof expected === "string"
    ? reasons.includes(expected)
    : reasons.includes(String(Array.isArray(expected) && expected[0]))

const reasons = ["closed", "absent", "forbidden", "stale", "violated", "illegal", "unmet", "declined"]

export interface Judge {
  /** One tuple, asked once. */
  judge(asked: string, answered: unknown, expected: unknown): void
  readonly judged: number
  /** Of those, the ones that should be refused, or not find anything. */
  readonly refused: number
  readonly differences: readonly string[]
  /** Fails with the first differences. */
  settle(): void
}

export function createJudge(): Judge {
  let judged = 0
  let refused = 0
  const differences: string[] = []
  return {
    judge(asked, answered, expected) {
      judged += 1
      if (expected === "refused" || expected === "missing" || isReason(expected)) refused += 1
      if (isDeepStrictEqual(answered, expected)) return
      const show = (value: unknown): string => JSON.stringify(value)?.slice(0, 1_500)
      differences.push(`${asked}\n  answered ${show(answered)}\n  expected ${show(expected)}`)
    },
    get judged() {
      return judged
    },
    get refused() {
      return refused
    },
    get differences() {
      return differences
    },
    settle() {
      const count = `${differences.length} of ${judged} are different`
      assert.equal(differences.length, 0, [count, ...differences.slice(0, 5)].join("\n\n"))
    },
  }
}

/** Every so many, beginning somewhere: what the tests take of what the proof takes as a whole. */
export const sample = <Item>(items: readonly Item[], every: number, from = 0): readonly Item[] =>
  every <= 1 ? items : items.filter((_, index) => (index + from) % every === 0)
