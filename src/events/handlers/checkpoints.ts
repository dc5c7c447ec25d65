// Checkpoints of handlers in the database: positions, and records that wait (sql/log/handler-state.ts has the statements).
import { invariant } from "../../base/invariant.ts"
import { textOf } from "../../base/json.ts"
import type { Dialect } from "../../sql/dialect.ts"
import type { Question } from "../../sql/internal-query.ts"
import { type LogPlace, logStart } from "../../sql/log/epochs.ts"
import {
  addHandler,
  allHandlers,
  allLeases,
  askFor,
  forgetAstray,
  forgetRecord,
  type HandlerStatement,
  joinLeases,
  keepRecord,
  type LeaseRow,
  leaveLeases,
  type Moved,
  moveHandler,
  readLease,
  readMark,
  removeGone,
  removeHandler,
  removeWaiting,
  renewLeases,
  setBackAstray,
  takeAsked,
  takeLeases,
  touchHandlers,
  type WaitingRecord,
  waitingRecords,
} from "../../sql/log/handler-state.ts"
import type { LogFilter } from "../../sql/log/log-read.ts"
import { allPartitions } from "../../sql/schema/system-tables.ts"
import type { Log } from "../../storage/log-types.ts"
import type { Storage } from "../../storage/storage.ts"
import { type Cells, workOfQuestions } from "../../storage/write-request.ts"

export interface AskedRecord extends WaitingRecord, LogPlace {
  readonly asked: HandlerStatement | null
}

/** All methods reject as a storage's methods do. */
export interface Checkpoints {
  /** Resolves when the tables exist; in an unmanaged database they are created on first use. */
  ready(): Promise<void>
  /** Where it is new; one that is known stays where it is. */
  add(handler: string, position: bigint): Promise<void>
  /** Up to where each handler is done in all partitions; 0 where the log does not have the place. */
  positions(): Promise<ReadonlyMap<string, bigint>>
  /** By handler and partition. */
  partitions(): Promise<ReadonlyMap<string, ReadonlyMap<number, bigint>>>
  /** Places that the log lacks, by handler: it was emptied or replaced, and the kept places were not. */
  lost(): Promise<ReadonlyMap<string, LogPlace>>
  /** These go back to the start of the log. False where another process has seen to it. */
  setBack(): Promise<boolean>
  /** For all handlers, or for one. */
  waiting(handler?: string): Promise<readonly AskedRecord[]>
  /** Records with a pending command. */
  asked(): Promise<readonly AskedRecord[]>
  ask(record: Pick<WaitingRecord, "handler" | "record">, asked: HandlerStatement): Promise<void>
  takeAsked(record: Pick<WaitingRecord, "handler" | "record">, asked: HandlerStatement): Promise<void>
  leases(): Promise<readonly LeaseRow[]>
  /**
   * Writes that only the holder of a partition's lease may do.
   * @param seen a place in the log: nothing is written beside a log that does not have it; any will do when absent
   */
  as(holder: string, seen?: () => LogPlace): CheckpointsByHolder
}

export interface CheckpointsByHolder {
  /**
   * Takes the free ones of the partitions; `leases` tells which it has.
   * @param length milliseconds
   * @param gone holders whose leases need not be waited for
   */
  take(partitions: readonly number[], length: number, gone: readonly string[]): Promise<void>
  /** Says that it takes part, and keeps what it has. @param length milliseconds */
  renew(length: number): Promise<void>
  /** Everything when absent. */
  leave(partitions?: readonly number[]): Promise<void>
  move(moved: Moved): Promise<void>
  keep(waiting: WaitingRecord): Promise<void>
  forget(handler: string, record: string): Promise<void>
  /** One that has ended. */
  remove(handler: string): Promise<void>
}

export function createCheckpoints({ dialects, read, write }: Storage): Checkpoints {
  const dialect = dialects.prompt
  const run = async (...questions: readonly Question[]): Promise<Cells | undefined> => {
    invariant(write, "handlers run where something can be written")
    const outcome = await write(workOfQuestions(questions, [questions.length - 1]))
    invariant(outcome.kind === "done", "what is kept of handlers is not refused")
    return outcome.rows[0]
  }
  const done = async (...questions: readonly Question[]): Promise<void> => void (await run(...questions))
  const rows = async ({ statement, parameters }: Question): Promise<readonly Row[]> => {
    const [json] = await read(statement, parameters)
    return JSON.parse(json ? textOf(json) : "[]") as readonly Row[]
  }
  const marked = async (): Promise<readonly MarkedRow[]> =>
    (await rows(allHandlers(dialect))).flatMap(({ name, epoch, position, begins }) => {
      const mark = readMark(String(name))
      const place = { epoch: String(epoch), position: BigInt(position ?? 0) }
      return mark ? [{ ...mark, place, begins: BigInt(begins ?? 0) }] : []
    })
  const partitions = async (): Promise<ReadonlyMap<string, ReadonlyMap<number, bigint>>> => {
    const all = new Map<string, Map<number, bigint>>()
    for (const { handler, partition, begins } of await marked())
      all.set(handler, (all.get(handler) ?? new Map<number, bigint>()).set(partition, begins))
    return all
  }
  return {
    ready: () => done(touchHandlers(dialect)),
    add: (handler, position) => done(addHandler(dialect, { handler, position })),
    async positions() {
      const all = await partitions()
      return new Map([...all].map(([handler, each]) => [handler, leastOf(each.values())]))
    },
    partitions,
    lost: async () =>
      new Map(
        (await marked()).flatMap(({ handler, place, begins }) =>
          begins === place.position ? [] : [[handler, place]],
        ),
      ),
    setBack: async () => (await run(forgetAstray(dialect), setBackAstray(dialect))) !== undefined,
    waiting: async (handler) =>
      (await rows(waitingRecords(dialect, handler === undefined ? {} : { handler }))).map(readRow),
    asked: async () => (await rows(waitingRecords(dialect, { asked: true }))).map(readRow),
    ask: ({ handler, record }, asked) => done(askFor(dialect, { handler, record, asked })),
    takeAsked: ({ handler, record }, asked) => done(takeAsked(dialect, { handler, record, asked })),
    leases: async () => (await rows(allLeases(dialect))).flatMap((row) => readLease(row) ?? []),
    as: (holder, seen = () => logStart) => checkpointsBy(holder, seen, dialect, done),
  }
}

const checkpointsBy = (
  holder: string,
  seen: () => LogPlace,
  dialect: Dialect,
  done: (...questions: readonly Question[]) => Promise<void>,
): CheckpointsByHolder => ({
  take: (partitions, length, gone) => done(takeLeases(dialect, { holder, partitions, length, gone })),
  renew: (length) =>
    done(
      joinLeases(dialect, { holder, length }),
      renewLeases(dialect, { holder, length }),
      removeGone(dialect),
    ),
  leave: (partitions) => done(leaveLeases(dialect, { holder, partitions })),
  move: (moved) => done(moveHandler(dialect, { holder, seen: seen(), ...moved })),
  keep(waiting) {
    const partition = partitionOf(waiting.record)
    return done(keepRecord(dialect, { holder, seen: seen(), partition, ...waiting }))
  },
  remove: (handler) =>
    done(removeWaiting(dialect, { holder, handler }), removeHandler(dialect, { holder, handler })),
  forget(handler, record) {
    const partition = partitionOf(record)
    return done(forgetRecord(dialect, { holder, seen: seen(), partition, handler, record }))
  },
})

/** A handler's position in a partition: as it is kept, and behind which it goes on. */
interface MarkedRow {
  readonly handler: string
  readonly partition: number
  readonly place: LogPlace
  readonly begins: bigint
}

type Row = Readonly<Record<string, string | null>>

const readRow = ({ handler, record, epoch, position, attempts, due, error, asked }: Row): AskedRecord => ({
  epoch: String(epoch),
  handler: String(handler),
  record: String(record),
  position: BigInt(position ?? 0),
  attempts: Number(attempts),
  due: due == null ? null : Number(due),
  error: error ?? null,
  asked: asked === "retry" || asked === "skip" ? asked : null,
})

// Which partition a record is in: the same for all processes, for ever.

/**
 * By the key in its public id, so that a resource that gets another prefix keeps its partitions. The hash is FNV-1a, 32 bits
 * (draft-eastlake-fnv, section 2), over the UTF-16 code units.
 */
export function partitionOf(record: string): number {
  let hash = 0x811c9dc5
  for (let index = record.indexOf("_") + 1; index < record.length; index += 1)
    hash = Math.imul(hash ^ record.charCodeAt(index), 0x01000193)
  return (hash >>> 0) % allPartitions.length
}

/** Up to where all are done. @param positions one at least */
export function leastOf(positions: Iterable<bigint>): bigint {
  const [first = 0n, ...more] = positions
  let least = first
  for (const one of more) if (one < least) least = one
  return least
}

// How far behind the log those are that follow it.
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
