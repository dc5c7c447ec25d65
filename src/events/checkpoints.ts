// Checkpoints of handlers in the database: positions, and records that wait (sql/log/handler-state.ts has the statements).
import { invariant } from "../base/invariant.ts"
import { textOf } from "../base/json.ts"
import type { Question } from "../sql/internal-query.ts"
import {
  addHandler,
  allHandlers,
  askFor,
  forgetRecord,
  type HandlerStatement,
  keepRecord,
  leaseHolder,
  leaveLease,
  moveHandler,
  removeHandler,
  takeAsked,
  takeLease,
  touchHandlers,
  type WaitingRecord,
  waitingRecords,
} from "../sql/log/handler-state.ts"
import type { Storage } from "../storage/storage.ts"
import type { Cells } from "../storage/write-request.ts"

export interface AskedRecord extends WaitingRecord {
  readonly asked: HandlerStatement | null
}

/** All methods reject as those of a storage do. */
export interface Checkpoints {
  /** Resolves when the tables exist; in an unmanaged database they are created on first use. */
  ready(): Promise<void>
  /** Where it is new; one that is known stays where it is. */
  add(handler: string, position: bigint): Promise<void>
  positions(): Promise<ReadonlyMap<string, bigint>>
  /** For all handlers, or for one. */
  waiting(handler?: string): Promise<readonly AskedRecord[]>
  /** Records with a pending command. */
  asked(): Promise<readonly AskedRecord[]>
  ask(record: Pick<WaitingRecord, "handler" | "record">, asked: HandlerStatement): Promise<void>
  takeAsked(record: Pick<WaitingRecord, "handler" | "record">, asked: HandlerStatement): Promise<void>
  /** The process that has the lease, or had it last; undefined where it was left. */
  holder(): Promise<string | undefined>
  /** Writes that only the holder of the lease may do. */
  as(holder: string): CheckpointsByHolder
}

export interface CheckpointsByHolder {
  /**
   * Whether the holder has the lease now.
   * @param length milliseconds
   * @param gone a holder whose lease need not be waited for
   */
  take(length: number, gone?: string): Promise<boolean>
  leave(): Promise<void>
  move(handler: string, position: bigint): Promise<void>
  keep(waiting: WaitingRecord): Promise<void>
  forget(handler: string, record: string): Promise<void>
  /** One that has ended. */
  remove(handler: string): Promise<void>
}

export function createCheckpoints({ dialects, read, write }: Storage): Checkpoints {
  const dialect = dialects.prompt
  const run = async (...questions: readonly Question[]): Promise<Cells | undefined> => {
    invariant(write, "handlers run where something can be written")
    const commands = questions.map(({ statement: { text }, parameters: { length: takes } }) => ({
      text,
      takes,
    }))
    const parameters = questions.flatMap((question) => question.parameters)
    const sure = questions.length === 1
    const shape = { commands, wanted: [questions.length - 1], takes: parameters.length, sure }
    const outcome = await write({ shape, parameters })
    invariant(outcome.kind === "done", "what is kept of handlers is not refused")
    return outcome.rows[0]
  }
  const done = async (question: Question): Promise<void> => void (await run(question))
  const rows = async ({ statement, parameters }: Question): Promise<readonly Row[]> => {
    const [json] = await read(statement, parameters)
    return JSON.parse(json ? textOf(json) : "[]") as readonly Row[]
  }
  return {
    ready: async () => void (await run(...touchHandlers(dialect))),
    add: (handler, position) => done(addHandler(dialect, handler, position)),
    async positions() {
      const all = await rows(allHandlers(dialect))
      return new Map(all.map(({ name, position }) => [String(name), BigInt(position ?? 0)]))
    },
    waiting: async (handler) =>
      (await rows(waitingRecords(dialect, handler === undefined ? {} : { handler }))).map(readRow),
    asked: async () => (await rows(waitingRecords(dialect, { asked: true }))).map(readRow),
    ask: ({ handler, record }, asked) => done(askFor(dialect, handler, record, asked)),
    takeAsked: ({ handler, record }, asked) => done(takeAsked(dialect, handler, record, asked)),
    async holder() {
      const [found] = await rows(leaseHolder(dialect))
      return found?.["holder"] ?? undefined
    },
    as: (holder) => ({
      take: async (length, gone) =>
        (await run(takeLease(dialect, holder, { length, ...(gone !== undefined && { gone }) }))) !==
        undefined,
      leave: () => done(leaveLease(dialect, holder)),
      move: (handler, position) => done(moveHandler(dialect, holder, handler, position)),
      keep: (waiting) => done(keepRecord(dialect, holder, waiting)),
      remove: async (handler) => void (await run(...removeHandler(dialect, holder, handler))),
      forget: (handler, record) => done(forgetRecord(dialect, holder, handler, record)),
    }),
  }
}

type Row = Readonly<Record<string, string | null>>

const readRow = ({ handler, record, position, attempts, due, error, asked }: Row): AskedRecord => ({
  handler: String(handler),
  record: String(record),
  position: BigInt(position ?? 0),
  attempts: Number(attempts),
  due: due == null ? null : Number(due),
  error: error ?? null,
  asked: asked === "retry" || asked === "skip" ? asked : null,
})
