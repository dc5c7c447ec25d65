// How far behind the log those are that follow it.
import type { LogFilter } from "../sql/log/log-read.ts"
import type { Log } from "../storage/log-types.ts"

export interface Lag {
  /** Events that it has not come to. */
  readonly behind: number
  /** Age of the first of them in seconds; 0 without events. */
  readonly lag: number
}

export async function lagAt(log: Log, position: bigint, filter: LogFilter): Promise<Lag> {
  const [first] = await log.read(position, 1, filter)
  if (!first) return { behind: 0, lag: 0 }
  return {
    behind: await log.count(position, filter),
    lag: Math.max(0, (Date.now() - Date.parse(first.at)) / 1_000),
  }
}
