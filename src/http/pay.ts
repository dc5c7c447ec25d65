// Charges for the parts of a long answer: if its caller has no points, a part comes later and is never left out.
import { setTimeout as sleep } from "node:timers/promises"
import { kindEntry } from "../base/codes.ts"
import { kindOf, Refusal } from "../base/problem.ts"
import type { Lasting } from "./face.ts"

interface Paying {
  /** Absent where callers are not counted. */
  readonly run?: Lasting["run"] | undefined
  readonly signal: AbortSignal
}

/** Milliseconds after which a caller without points is asked again. */
const retry = 2_000

/** Resolves when the caller has paid so many points, or when the signal aborts. */
export async function payFor({ run, signal }: Paying, points: number): Promise<void> {
  while (run && !signal.aborted) {
    try {
      return await run(async ({ meter }) => meter?.charge(points))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { blame, rest } = kindEntry(kindOf(error.problems[0]))
      if (blame !== "service" && rest !== 429) throw error
    }
    await sleep(retry, undefined, { signal, ref: false }).catch(() => {})
  }
}
