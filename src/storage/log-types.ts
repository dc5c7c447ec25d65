// The log as a storage gives it to what follows it (log.ts reads it).
import type { JsonValue } from "../base/json.ts"
import type { Request } from "../base/request.ts"
import type { LogPlace } from "../sql/log/epochs.ts"
import type { ForgetBounds, LogFilter } from "../sql/log/log-read.ts"

/** Rows that follow a place. */
export interface LogPart {
  readonly rows: readonly LogRow[]
  /** The place behind which to go on. */
  readonly through: LogPlace
  /** Characters of the rows as they were read. */
  readonly size: number
  /**
   * Rows between the place and these are not in the log. They were removed for their age, or a restore or a failover
   * has replaced the place. After a replacement, the rows begin where the log took another course.
   */
  readonly gap?: Gap
}

export type Gap = "removed" | "replaced"

export interface LogRow extends LogPlace {
  /** The row's own number, which it has from the start. */
  readonly seq: bigint
  readonly resource: string
  /** The record's public id. */
  readonly record: string
  readonly version: string
  /** Such as `order.updated` and `order.paid`. */
  readonly type: string
  /** The public id of the viewer's record, or the name of a credential; null for a stranger. */
  readonly actor: string | null
  /** RFC 3339, UTC. */
  readonly at: string
  /** For transitions only, as `from`, `to` and `input` are. */
  readonly transition: string | null
  readonly from: string | null
  readonly to: string | null
  readonly input: JsonValue
  /** The changed members, before and after, in the JSON of the API; null before a record was made, and after its deletion. */
  readonly old: Readonly<Record<string, JsonValue>> | null
  readonly new: Readonly<Record<string, JsonValue>> | null
  /** The span that made the change, as a `traceparent`. */
  readonly trace: string | null
}

interface LogEnd {
  readonly end: LogPlace
  readonly isKnown: boolean
}

export interface Log {
  /** The same log, read for a request: in its client's turns, until its deadline. */
  for(request: Request | undefined): Log
  /** At most so many rows after the position, in their order. A commit during the call can be among them. */
  read(after: bigint, most: number, filter?: LogFilter): Promise<readonly LogRow[]>
  /** The same after a kept place, if the log still has it. */
  follow(after: LogPlace, most: number, filter?: LogFilter): Promise<LogPart>
  /** The position of the last committed row; 0 without any. */
  latest(): Promise<bigint>
  /** The place of that row, and whether a place that was known is in the log; it is missed where the log ends before it. */
  end(known?: LogPlace): Promise<LogEnd>
  /** A reader has kept a place that the log does not reach: the log begins a new epoch before it gives that position again. */
  miss(place: LogPlace): Promise<void>
  /** How many rows there are after the position. */
  count(after: bigint, filter?: LogFilter): Promise<number>
  /**
   * Removes rows among the first ones, at most so many, but never the last of all.
   * @returns whether there were any: then there may be more
   */
  forget(bounds: ForgetBounds, most: number): Promise<boolean>
  /** The time of the first row, a canonical timestamp; undefined without rows. */
  oldest(): Promise<string | undefined>
  /** Resolves when there is a log to read: in an unmanaged database its first use creates it. */
  ready(): Promise<void>
}
