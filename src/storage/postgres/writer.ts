// Writes to a PostgreSQL database. Each is a transaction on a connection of a pool, in which commands are sent without
// waiting for earlier answers.

import { elapsed } from "../../base/clock.ts"
import { present } from "../../base/invariant.ts"
import type { Request } from "../../base/request.ts"
import type { RequestRecord, Telemetry } from "../../base/telemetry.ts"
import { type Bound, isDeferredParameter, resolve } from "../../sql/deferred-parameter.ts"
import { postgres } from "../../sql/dialects/postgres.ts"
import { idempotencyStatements } from "../../sql/log/idempotency-records.ts"
import type { Parameter } from "../../sql/statement.ts"
import { isReadOnlySession, readWriteFault, tooSlow } from "../faults.ts"
import { savepointCommands, serialSession } from "../serial-session.ts"
import {
  type Cells,
  type IdempotencyRecord,
  keptText,
  type Outcome,
  type Ran,
  readKept,
  refusedRows,
  type TransactOptions,
  type Use,
  type Work,
  type WorkCommand,
} from "../write-request.ts"
import type { Connection } from "./connections.ts"
import { Groups, isOneCommand, mayShare, type Passenger } from "./group-commit.ts"
import { Tables } from "./locked-tables.ts"
import type { PostgresPool, Wish } from "./pool.ts"
import type { PostgresQuery } from "./query.ts"
import { type Exclusion, lineLocks, retryLocks, rowLockWait, unlockAll } from "./retry-locks.ts"
import {
  constraintParameters,
  constraintQuery,
  domainQuery,
  Failed,
  isMadeMeanwhile,
  isOthersFault,
  isStated,
  lockTimeout,
  mendingFor,
  postgresViolation,
  stateOf,
  withColumns,
  withTyped,
} from "./violations-postgres.ts"

interface WriterOptions {
  readonly loans: PostgresPool<Passenger>
  /** Milliseconds from when a write was asked for until it has to be done. */
  readonly deadline: number
  readonly makesLog: boolean
  /** The name under which a text stays prepared on each connection. */
  readonly nameOf: (text: string) => string | undefined
  readonly telemetry: Telemetry | undefined
}

/** Nothing was answered yet, so what failed only because of others is tried again so many times. */
const mostTries = 5

const once = idempotencyStatements(postgres)

/** Milliseconds beyond its deadline after which the server ends a silent transaction. */
const grace = 2_000
const begin = "BEGIN ISOLATION LEVEL SERIALIZABLE"
const limitOf =
  "SELECT set_config('idle_in_transaction_session_timeout', $1, true), set_config('lock_timeout', $2, true)"
const statementTimeout = "SELECT set_config('statement_timeout', $1, true)"
/** In whole milliseconds; 0 would be for ever. */
const timeLeft = (until: number): string => String(Math.max(Math.ceil(until - elapsed()), 1))

/** The remaining milliseconds, counted from the transaction's begin; and those for a lock, 0 for all of them. */
const limitTo = `SELECT set_config('lock_timeout', $2, true), set_config('statement_timeout',
  greatest($1::float8 - extract(epoch FROM clock_timestamp() - now()) * 1000, 1)::int::text, true)`
/**
 * Milliseconds that a write may wait for a lock at first: less than PostgreSQL waits until it looks for a deadlock. A
 * write that has waited so long waits among few, or in a line (locked-tables.ts).
 */
export const longestWait = 500
/** Milliseconds of a deadline that make no difference. */
const unnoticed = 100

interface Limits {
  /** The tables in whose line it takes its turn first. */
  readonly line?: readonly string[]
  /** As of `elapsed()`, where the session's limits do not suit. */
  readonly until?: number
  /** Milliseconds for a lock; 0 for all that is left. */
  readonly wait?: number
}

interface Attempt extends Limits {
  readonly until: number
  /** When it was asked for. */
  readonly since: number
  /** The write is one of the few that wait for a locked table. */
  readonly isFew: boolean
  readonly isOld: () => boolean
  readonly record: RequestRecord | undefined
  readonly client: string
  /** One before has failed because of others. */
  readonly isAgain: boolean
}

interface OwnAttempt extends TransactOptions {
  /** As of `elapsed()`: when it must have begun. */
  readonly until: number
  readonly names: readonly string[]
  readonly exclusion: Exclusion
  /** Milliseconds for a lock of a row. */
  readonly wait: number
}

interface Trying {
  /** As of `elapsed()`. */
  readonly until: number
  readonly tries?: number
  /** Milliseconds before the next try, at the most. */
  readonly pause?: number
  /** Receives a fault that others have caused; returns whether to line up from then on. */
  readonly inTheWay: (fault: unknown) => boolean
}

type Ended = { readonly outcome: Outcome } | { readonly thrown: unknown }

export class PostgresWriter {
  readonly #options: WriterOptions
  readonly #tables = new Tables()
  readonly #groups: Groups
  #making: Promise<void> = Promise.resolve()

  constructor(options: WriterOptions) {
    this.#options = options
    this.#groups = new Groups(options.loans)
  }

  /** Resolves when it is on disk, or was refused. Rejects with a Refusal, or what the driver reports. */
  write(work: Work, request?: Request): Promise<Outcome> {
    const { writes = [], commands } = work.shape
    const tables = this.#tables
    const since = elapsed()
    const until = (request?.since ?? since) + this.#options.deadline
    const record = request?.record
    const client = request?.client ?? ""
    const turn = { client, until }
    // A write that waits for several locks may block the holder of one of them.
    const mayMeet = commands.length > 1
    let waited = false
    let inLine = false
    let isAgain = false
    const attempt = async (isSecond: boolean): Promise<Outcome> => {
      const isFew = waited || tables.isLocked(writes)
      inLine = isSecond || (mayMeet && tables.isApart(writes))
      const isLined = inLine
      const isOld = () =>
        (!isFew && tables.isLocked(writes)) || (!isLined && mayMeet && tables.isApart(writes))
      const line = inLine && { line: writes }
      const given = { until, since, isFew, isOld, record, client, isAgain, ...line }
      isAgain = true
      const once = () => this.#attempt(work, given)
      const inTurn = () => (inLine ? tables.inLine(writes, turn, once) : once())
      // Once the tables are free those that waited for one of the few places need none.
      const amongFew = async () => (waited || tables.isLocked(writes) ? inTurn() : undefined)
      const outcome = await (isFew ? tables.amongFew(writes, turn, amongFew) : inTurn())
      return outcome ?? attempt(isSecond)
    }
    const tried = this.#tried(attempt, {
      until,
      inTheWay: (fault) => {
        this.#options.telemetry?.doneAgain(false)
        const isLock = stateOf(fault) === lockTimeout
        if (isLock && (!mayMeet || inLine)) {
          waited = true
          tables.waited(writes)
          return inLine
        }
        tables.met(writes)
        return true
      },
    })
    return tried.then((outcome) => {
      tables.moved(writes)
      return outcome
    })
  }

  /** Retries blocked writes in a line, so that they do not meet again. */
  async #tried(
    attempt: (inLine: boolean) => Promise<Outcome>,
    { until, tries = mostTries, pause = 20, inTheWay }: Trying,
  ) {
    let inLine = false
    for (let done = 1; ; done += 1) {
      try {
        return await attempt(inLine)
      } catch (fault) {
        const mending = mendingFor(fault, this.#options.makesLog)
        if (mending && done < mostTries) await this.#mend(mending).catch(refuseWrite)
        else if (done >= tries || !isOthersFault(fault)) throw readWriteFault(fault)
        else if (elapsed() > until) throw stateOf(fault) === lockTimeout ? tooSlow() : readWriteFault(fault)
        else inLine = inTheWay(fault)
      }
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * pause))
    }
  }

  /** As `Storage.transact`: serializable, so that what its code has read is still true when it commits. */
  transact(use: Use, options: TransactOptions): Promise<Outcome> {
    const { lasts, names = [], request } = options
    const until = (request?.since ?? elapsed()) + Math.max(this.#options.deadline, lasts)
    const tables = this.#tables
    let exclusion: Exclusion = "beside"
    let isBlocked = false
    let isAgain = false
    const attempt = async (): Promise<Outcome> => {
      if (exclusion === "beside" && tables.isApart(names)) exclusion = "line"
      const own: OwnAttempt = {
        ...options,
        until,
        names,
        exclusion,
        wait: rowLockWait(exclusion, isBlocked, lasts),
      }
      const wish = { until, client: request?.client ?? "", isAgain }
      isAgain = true
      const run = () => this.#lent(wish, (connection) => this.#session(connection, use, own))
      const line = exclusion === "alone" ? [...names, ""] : names
      const ended = await (exclusion === "beside" ? run() : tables.inLine(line, wish, run))
      if ("outcome" in ended) return ended.outcome
      throw ended.thrown
    }
    return this.#tried(attempt, {
      until,
      tries: Number.POSITIVE_INFINITY,
      pause: 0,
      inTheWay: (fault) => {
        tables.met(names)
        this.#options.telemetry?.doneAgain(true)
        isBlocked = exclusion !== "beside" && stateOf(fault) === lockTimeout
        exclusion = exclusion === "beside" || isBlocked ? "line" : "alone"
        return true
      },
    })
  }

  /** Returns the error as a value where the connection is as good as before. */
  async #session(
    connection: Connection,
    use: Use,
    { until, lasts, once: given, wait, ...exclusion }: OwnAttempt,
  ): Promise<Ended> {
    const left = Number(timeLeft(until))
    const first = [
      ...retryLocks({ ...exclusion, left }),
      plain(begin),
      plain(limitOf, [String(lasts + grace), String(wait)]),
    ]
    try {
      await Promise.all(first.map((asked) => connection.query(asked)))
      const known = given && (await this.#findKept(connection, given))
      if (known) {
        await connection.query(plain("ROLLBACK"))
        return { outcome: known }
      }
      const end = elapsed() + lasts
      const sent = createSent(connection)
      const row = await serialSession({
        run: (work) => this.#within(connection, work, { until: end, sent }),
        mark: async (mark, depth) => {
          for (const command of savepointCommands(mark, depth)) sent.send(command)
        },
      }).used(use)
      if (given) await this.#keep(connection, given, [row])
      // COMMIT of a transaction that has failed undoes it without a word.
      await sent.answered()
      return await this.#committed(connection, row)
    } catch (thrown) {
      // A connection that is lost cannot be asked, and says so.
      await connection.query(plain("ROLLBACK"))
      if (isReadOnlySession(thrown)) throw thrown
      return { thrown }
    } finally {
      // The next user of the connection waits behind it.
      connection.query(unlockAll).catch(() => {})
    }
  }

  async #committed(connection: Connection, row: Cells): Promise<Ended> {
    try {
      await connection.query(plain("COMMIT"))
      return { outcome: { kind: "done", rows: [row] } }
    } catch (fault) {
      return { outcome: await this.#violated(connection, fault, 0) }
    }
  }

  async #within(
    connection: Connection,
    work: Work,
    { until, sent }: { readonly until: number; readonly sent: Sent },
  ): Promise<Ran> {
    // One behind the other, without waiting for those before.
    const limited = connection.query(plain(statementTimeout, [timeLeft(until)]))
    sent.send("SAVEPOINT one")
    const [results] = await Promise.all([this.#all(connection, work), limited])
    const undo = () => connection.query(plain("ROLLBACK TO one"))
    for (const [index, { fault, rows }] of results.entries()) {
      if (fault !== undefined) {
        if (!isStated(fault)) throw fault
        await undo()
        const told = await this.#violated(connection, fault, index)
        if (told.kind === "violated") return told
      }
      const command = work.shape.commands[index]
      const why = command && refusedRows(command, rows, work.most?.[index])
      if (!why) continue
      await undo()
      return { kind: "refused", command: index, why }
    }
    sent.send("RELEASE one")
    return { kind: "ran", rows: results.map(({ rows }) => rows) }
  }

  /** Undefined: nothing was done, and what it was to be done by has changed while it waited for a connection. */
  async #attempt(work: Work, given: Attempt): Promise<Outcome | undefined> {
    const { until, isFew, isOld, line, record, client, isAgain } = given
    const shares = !isFew && !line && mayShare(work, until)
    const done = Promise.withResolvers<Outcome | undefined>()
    const passenger = { work, until, isOld, done }
    const wish = { until, client, isAgain, ...(shares && { ticket: passenger }) }
    const { telemetry } = this.#options
    const observed = (run: () => Promise<Outcome | undefined>) =>
      telemetry ? telemetry.awaited({ kind: "write", commands: work.shape.commands, record }, run) : run()
    const use = (connection: Connection): Promise<Outcome | undefined> =>
      observed(() =>
        shares ? this.#sharing(connection, passenger, given) : this.#apart(connection, work, given),
      )
    const outcome = await this.#lent(
      wish,
      async (connection) => (isOld() ? "old" : ((await use(connection)) ?? "old")),
      async () => (await observed(() => done.promise)) ?? "alone",
    )
    if (outcome !== "alone") return outcome === "old" ? undefined : outcome
    return this.#lent({ until, client, isAgain: true }, async (connection) =>
      isOld() ? undefined : observed(() => this.#apart(connection, work, given)),
    )
  }

  /** With those that wait for a connection and write to the same tables, where there are any. */
  async #sharing(connection: Connection, own: Passenger, given: Attempt): Promise<Outcome | undefined> {
    const outcome = await this.#groups.share(own, {
      connection,
      inside: (work) => this.#inside(connection, work, undefined),
      violated: ({ command, cause }) => this.#violated(connection, cause, command),
      committed: (writes) => this.#options.telemetry?.committed(writes),
    })
    return outcome === "alone" ? this.#apart(connection, own.work, given) : outcome
  }

  async #apart(connection: Connection, work: Work, { until, since, isFew, line }: Attempt): Promise<Outcome> {
    const [only] = work.shape.commands
    // The session's own limits would allow more than the remaining time.
    const late = isFew || line !== undefined || elapsed() - since > unnoticed
    const wait = isFew ? 0 : longestWait
    const outcome = await (isOneCommand(work) && !line && only && !late
      ? this.#alone(connection, only, work)
      : this.#together(connection, work, { ...(line && { line }), ...(late && { until, wait }) }))
    this.#options.telemetry?.committed(1)
    return outcome
  }

  /** @param along where another user of a connection has taken the ticket of the wish */
  async #lent<Result>(
    wish: Wish<Passenger>,
    use: (connection: Connection) => Promise<Result>,
    along?: () => Promise<Result>,
  ): Promise<Result> {
    const { loans } = this.#options
    const connection = await loans.take(wish)
    if (connection === "taken along") return present(along, "only a ticket is taken along")()
    let lost = false
    try {
      return await use(connection)
    } catch (fault) {
      // Another session may take writes by now.
      lost = !isStated(fault) || isReadOnlySession(fault)
      throw fault
    } finally {
      loans.giveBack(connection, lost)
    }
  }

  /** A single statement is a transaction; one that has to find a row changes nothing when it does not. */
  async #alone(
    connection: Connection,
    command: WorkCommand,
    { shape, parameters, most }: Work,
  ): Promise<Outcome> {
    try {
      const rows = await this.#run(connection, command.text, parameters, [])
      const why = refusedRows(command, rows, most?.[0])
      return why
        ? { kind: "refused", command: 0, why }
        : { kind: "done", rows: shape.wanted.map(() => rows[0]) }
    } catch (fault) {
      return this.#violated(connection, fault, 0)
    }
  }

  async #together(connection: Connection, work: Work, limits: Limits): Promise<Outcome> {
    const { line, until } = limits
    if (until !== undefined && elapsed() >= until) throw tooSlow()
    if (until === undefined || !line) return this.#inTransaction(connection, work, limits)
    try {
      const locks = lineLocks(line, Number(timeLeft(until)))
      await Promise.all(locks.map((asked) => connection.query(asked)))
      return await this.#inTransaction(connection, work, limits)
    } finally {
      // Also the lines that were taken before its time was over in another one.
      connection.query(unlockAll).catch(() => {})
    }
  }

  async #inTransaction(connection: Connection, work: Work, { until, wait = 0 }: Limits): Promise<Outcome> {
    await connection.query(plain("BEGIN"))
    try {
      const limit = until === undefined ? undefined : plain(limitTo, [timeLeft(until), String(wait)])
      const outcome = await this.#inside(connection, work, limit)
      await connection.query(plain(outcome.kind === "done" ? "COMMIT" : "ROLLBACK"))
      return outcome
    } catch (fault) {
      if (isStated(fault)) await connection.query(plain("ROLLBACK"))
      if (fault instanceof Failed) return this.#violated(connection, fault.cause, fault.command)
      // The database checks a deferred constraint at the commit; the fault is reported for the first write.
      return this.#violated(connection, fault, 0)
    }
  }

  /** @param limit is sent before each command */
  async #inside(connection: Connection, work: Work, limit: PostgresQuery | undefined): Promise<Outcome> {
    const known = work.once && (await this.#findKept(connection, work.once))
    if (known) return known
    const results = await this.#all(connection, work, limit)
    for (const [index, result] of results.entries()) {
      if (result.fault !== undefined) throw new Failed(index, result.fault)
      const command = work.shape.commands[index]
      const why = command && refusedRows(command, result.rows, work.most?.[index])
      if (why) return { kind: "refused", command: index, why }
    }
    const rows = work.shape.wanted.map((command) => results[command]?.rows[0])
    if (work.once) await this.#keep(connection, work.once, rows)
    return { kind: "done", rows }
  }

  /** Those that need nothing of others are sent one behind the other; the first fault makes all after it fail. */
  async #all(
    connection: Connection,
    { shape, parameters }: Work,
    limit?: PostgresQuery,
  ): Promise<readonly Result[]> {
    const sent: Promise<Result>[] = []
    const known: (readonly Cells[])[] = []
    let at = 0
    for (const { text, takes } of shape.commands) {
      const own = parameters.slice(at, at + takes)
      at += takes
      if (own.some(isDeferredParameter)) {
        const before = await Promise.all(sent)
        if (before.some(({ fault }) => fault !== undefined)) return before
        for (const { rows } of before.slice(known.length)) known.push(rows)
      }
      // Where it fails what follows fails as well, without a word on why.
      const limited = limit && connection.query(limit).then(() => undefined, asFault)
      sent.push(
        this.#run(connection, text, own, known).then(
          (rows): Result => ({ rows }),
          async (fault: unknown) => (await limited) ?? asFault(fault),
        ),
      )
    }
    return Promise.all(sent)
  }

  #run(
    connection: Connection,
    text: string,
    parameters: readonly Bound[],
    known: readonly (readonly Cells[])[],
  ): Promise<readonly Cells[]> {
    const name = this.#options.nameOf(text)
    const values = parameters.map((bound) => resolve(bound, known, postgres.encodeSet))
    return connection.query({ text, values, name })
  }

  async #violated(connection: Connection, fault: unknown, command: number): Promise<Outcome> {
    const found = postgresViolation(fault)
    if (!found) throw fault
    const { violation, constraint, domain } = found
    if (domain) {
      const [row] = await connection.query(plain(domainQuery, [domain.schema, domain.name]))
      return { kind: "violated", command, violation: withTyped(violation, String(row?.[0] ?? "[]")) }
    }
    if (!constraint || violation.columns.length > 0) return { kind: "violated", command, violation }
    const [row] = await connection.query(plain(constraintQuery, constraintParameters(constraint)))
    return { kind: "violated", command, violation: withColumns(violation, String(row?.[0] ?? "[]")) }
  }

  /** A second request with a key is refused at once, until the first one has ended. */
  async #findKept(connection: Connection, given: IdempotencyRecord): Promise<Outcome | undefined> {
    const { scope, key, since, fingerprint } = given
    const [lock] = await connection.query(
      plain("SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))", [`bifold ${scope} ${key}`]),
    )
    if (lock?.[0] !== "t") return { kind: "pending" }
    const [found] = await connection.query(plain(once.find, [scope, key, once.moment(since)]))
    if (!found) return undefined
    return found[0] === fingerprint
      ? { kind: "replayed", rows: readKept(String(found[1])) }
      : { kind: "mismatch" }
  }

  async #keep(
    connection: Connection,
    given: IdempotencyRecord,
    rows: readonly (Cells | undefined)[],
  ): Promise<void> {
    const { scope, key, fingerprint, now, since } = given
    await connection.query(plain(once.keep, [scope, key, fingerprint, keptText(rows), once.moment(now)]))
    if (Math.random() < 0.01) await connection.query(plain(once.forget, [once.moment(since)]))
  }

  /** In an unmanaged database, the first use creates Bifold's tables. */
  #mend(statements: readonly string[]): Promise<void> {
    // Two that make the same table at the same time are in each other's way.
    this.#making = this.#making.then(async () => {
      for (const statement of statements) await this.#makeOne(statement)
    })
    return this.#making
  }

  async #makeOne(statement: string): Promise<void> {
    const make = (): Promise<unknown> =>
      this.#lent({ client: "", until: elapsed() + this.#options.deadline }, (connection) =>
        connection.query(plain(statement)),
      )
    try {
      await make()
    } catch (fault) {
      if (!isMadeMeanwhile(fault)) throw fault
      await make()
    }
  }
}

const plain = (text: string, values: readonly Parameter[] = []): PostgresQuery => ({ text, values })

/** Commands that are not waited for one by one. */
interface Sent {
  send(command: string): void
  /** Rejects with the fault of the first that has failed. */
  answered(): Promise<void>
}

function createSent(connection: Connection): Sent {
  let all: Promise<unknown> = Promise.resolve()
  return {
    send(command) {
      all = Promise.all([all, connection.query(plain(command))])
      all.catch(() => {}) // `answered` tells it
    },
    async answered() {
      await all
    },
  }
}

interface Result {
  readonly rows: readonly Cells[]
  readonly fault?: unknown
}

const asFault = (fault: unknown): Result => ({ rows: [], fault })

function refuseWrite(fault: unknown): never {
  throw readWriteFault(fault)
}
