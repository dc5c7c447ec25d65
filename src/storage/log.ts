// The log of a database, for its followers: every change of a logged record. Rows have an order in which none appears
// before a row that has been read already.

import type { JsonValue } from "../base/json.ts"
import { lazily } from "../base/lazily.ts"
import type { Request } from "../base/request.ts"
import type { RequestRecord, Telemetry } from "../base/telemetry.ts"
import type { Dialect } from "../sql/dialect.ts"
import type { Question } from "../sql/internal-query.ts"
import {
  type LogPlace,
  logStart,
  removeEpochs,
  removeLost,
  renameKept,
  renameLost,
} from "../sql/log/epochs.ts"
import {
  countAfter,
  endWith,
  firstTime,
  forgetRows,
  forkAfter,
  lastPosition,
  lockNumbering,
  numberRows,
  numbersRows,
  partAfter,
  rowsAfter,
  somethingUnnumbered,
  touchLog,
} from "../sql/log/log-read.ts"
import type { Log, LogPart, LogRow } from "./log-types.ts"
import type { Storage } from "./storage.ts"
import { type Outcome, type Session, type Work, workOfQuestions } from "./write-request.ts"

/** All methods reject as `Storage.read` does. */
export function createLog(
  dialect: Dialect,
  read: Storage["read"],
  write: NonNullable<Storage["write"]>,
): Log {
  const ready = lazily(async () => void (await write(workOfQuestions([touchLog(dialect)], []))))
  const readFor = (request: Request | undefined): Log =>
    logOf({
      dialect,
      read: (statement, parameters) => read(statement, parameters, undefined, request),
      write: (work) => write(work, request),
      ready,
      readFor,
    })
  return readFor(undefined)
}

interface Reading {
  readonly dialect: Dialect
  readonly read: Storage["read"]
  readonly write: NonNullable<Storage["write"]>
  readonly ready: () => Promise<void>
  readonly readFor: Log["for"]
}

function logOf({ dialect, read, write, ready, readFor }: Reading): Log {
  const askAll = async ({ statement, parameters }: Question): Promise<readonly (string | undefined)[]> =>
    (await read(statement, parameters)).map((cell) => (cell === null ? undefined : String(cell)))
  const ask = async (asked: Question): Promise<string | undefined> => (await askAll(asked))[0]
  const run = (questions: readonly Question[], wanted: readonly number[] = []): Promise<Outcome> =>
    write(workOfQuestions(questions, wanted))
  const rename = (place: LogPlace): readonly Question[] => [renameLost(dialect, place), removeLost(dialect)]
  const number = async (): Promise<void> => {
    await ready()
    if (!numbersRows(dialect) || (await ask(somethingUnnumbered(dialect))) === undefined) return
    await run([lockNumbering(dialect), numberRows(dialect)])
  }
  const follow: Log["follow"] = async (after, most, filter = {}) => {
    await number()
    const [json, epoch, last, next] = await askAll(
      partAfter(dialect, { after: after.position, most, filter }),
    )
    const isRemoved = next !== undefined && BigInt(next) > after.position + 1n
    // The epochs of removed rows are removed, too.
    if (!isRemoved && !isKnown(after, epoch, last)) {
      if (isBehind(after, last)) await run(rename(after))
      const [fork, of] = await askAll(forkAfter(dialect, after.epoch))
      const part = await follow(placeOf(fork, of), most, filter)
      return { ...part, gap: "replaced" }
    }
    const rows = readRows(json)
    return {
      rows,
      through: rows.at(-1) ?? after,
      size: json?.length ?? 0,
      ...(isRemoved && { gap: "removed" }),
    } satisfies LogPart
  }
  return {
    async read(after, most, filter = {}) {
      await number()
      return readRows(await ask(rowsAfter(dialect, { after, most, filter })))
    },
    follow,
    async latest() {
      await number()
      return BigInt((await ask(lastPosition(dialect))) ?? "0")
    },
    async end(known = logStart) {
      await number()
      const [last, of, epoch] = await askAll(endWith(dialect, known.position))
      if (!isBehind(known, last)) return { end: placeOf(last, of), isKnown: isKnown(known, epoch, last) }
      await run(rename(known))
      const [now, named] = await askAll(endWith(dialect, known.position))
      return { end: placeOf(now, named), isKnown: false }
    },
    async miss(place) {
      await ready()
      await run([...rename(place), renameKept(dialect, place)])
    },
    async count(after, filter = {}) {
      await number()
      return Number((await ask(countAfter(dialect, { after, filter }))) ?? "0")
    },
    async forget(bounds, most) {
      await number()
      const outcome = await run([forgetRows(dialect, { ...bounds, most }), removeEpochs(dialect)], [0])
      if (outcome.kind === "violated") throw new Error("The database refuses to remove rows.")
      return outcome.kind === "done" && outcome.rows[0] !== undefined
    },
    async oldest() {
      await number()
      const json = await ask(firstTime(dialect))
      return json === undefined ? undefined : (JSON.parse(json) as string)
    },
    ready,
    for: readFor,
  }
}

/** @param epoch of the position in this log @param last that it has given */
const isKnown = (place: LogPlace, epoch: string | undefined, last: string | undefined): boolean =>
  place.position === 0n || (place.epoch === epoch && last !== undefined && BigInt(last) >= place.position)

/** Whether the log ends before the place. */
const isBehind = ({ position }: LogPlace, last: string | undefined): boolean => position > BigInt(last ?? "0")

const placeOf = (position: string | undefined, epoch: string | undefined): LogPlace => ({
  epoch: epoch ?? logStart.epoch,
  position: BigInt(position ?? 0),
})

const readRows = (json = "[]"): readonly LogRow[] =>
  (JSON.parse(json) as KeptRow[]).map((row) => ({
    ...row,
    position: BigInt(row.position),
    seq: BigInt(row.seq),
    ...changesOf(row),
  }))

type KeptRow = Omit<LogRow, "position" | "seq"> & { readonly position: string; readonly seq: string }

/** A member that was set to its old value has not changed. */
function changesOf({ old, new: fresh }: KeptRow): Pick<LogRow, "old" | "new"> {
  if (!old || !fresh) return { old, new: fresh }
  const changed = (values: Readonly<Record<string, JsonValue>>) =>
    Object.fromEntries(
      Object.entries(values).filter(
        ([member]) => JSON.stringify(old[member] ?? null) !== JSON.stringify(fresh[member] ?? null),
      ),
    )
  return { old: changed(old), new: changed(fresh) }
}

// Transactions of user code, observed: each program in them, and their commit.
type Transact = NonNullable<Storage["transact"]>

const commit = [{ text: "COMMIT" }] as const

export function observedTransact(telemetry: Telemetry | undefined, transact: Transact): Transact {
  if (!telemetry) return transact
  return async (use, options) => {
    const record = options.request?.record
    let asked = performance.now()
    const outcome = await transact(async (session) => {
      record?.endSince("queue", asked)
      const row = await use(observed(telemetry, record, session))
      asked = performance.now()
      return row
    }, options)
    telemetry.statementEnded({ kind: "commit", commands: commit, record }, asked)
    return outcome
  }
}

function observed(telemetry: Telemetry, record: RequestRecord | undefined, session: Session): Session {
  return {
    run: (work: Work) =>
      telemetry.awaited({ kind: "write", commands: work.shape.commands, record }, () => session.run(work)),
    within: (use) => session.within((own) => use(observed(telemetry, record, own))),
  }
}
