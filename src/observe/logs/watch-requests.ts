// Requests and statements for the log: selects which are logged, and how many.

import { createHash } from "node:crypto"
import { codes, kindEntry } from "../../base/codes.ts"
import type { ObservedStatement, RequestRecord, TelemetryListener } from "../../base/telemetry.ts"
import type { Entry, RequestChoice } from "./catalog.ts"

export interface WatchOptions {
  readonly requests: RequestChoice
  /** The sampling rate of requests that succeeded quickly. */
  readonly sample: number
  /** Milliseconds from which on a request is slow, without the time in which its client takes the answer. */
  readonly slowRequest: number
  /** Milliseconds from which on a statement is slow; 0: none is. */
  readonly slowStatement: number
  readonly write: (entry: Entry) => void
  /** From 0 to below 1. */
  readonly chance?: () => number
}

export interface Watch {
  readonly listener: TelemetryListener
  /** Tells what has not been told. */
  end(): void
}

export function watchRequests(options: WatchOptions): Watch {
  const { requests, slowStatement, write } = options
  const statements = slowStatement === 0 ? undefined : createSlowStatements(write)
  const bound = createBound(write)
  return {
    listener: {
      // The log line of a slow request has its stages.
      ...((requests === "slow" || requests === "all") && { readsStages: true }),
      ...(requests !== "none" && { requestEnded: requestTeller(options, bound.write) }),
      ...(statements && {
        statementEnded: (statement) => {
          if (statement.took >= slowStatement) statements.note(statement)
        },
      }),
    },
    end() {
      statements?.end()
      bound.end()
    },
  }
}

function requestTeller(
  { requests, sample, slowRequest, write, chance = Math.random }: WatchOptions,
  bounded: (entry: Entry) => void,
): (record: RequestRecord) => void {
  if (requests === "all")
    return (record) => {
      if (sample >= 1 || hasFailed(record) || isSlow(record, slowRequest) || chance() < sample)
        write(requestEntry(record))
    }
  return (record) => {
    if (hasFailed(record) || (requests === "slow" && isSlow(record, slowRequest)))
      bounded(requestEntry(record))
  }
}

/** GraphQL tells of a failure with status 200, too. */
const hasFailed = ({ status, code }: RequestRecord): boolean =>
  status >= 500 || (code !== undefined && kindEntry(codes[code].kind).blame === "service")

/** A stream lasts, and a client may take its time. */
const isSlow = ({ took, times }: RequestRecord, slowRequest: number): boolean =>
  took - times.write >= slowRequest

interface Bound {
  write(entry: Entry): void
  end(): void
}

/** Lines about requests in a second, where not all are asked for: an outage fails thousands. */
const mostInSecond = 50

function createBound(write: (entry: Entry) => void): Bound {
  let [count, omitted] = [0, 0]
  let timer: NodeJS.Timeout | undefined
  const pass = (): void => {
    timer = undefined
    if (omitted > 0) write({ event: "requests_omitted", members: { count: omitted } })
    count = 0
    omitted = 0
  }
  return {
    write(entry) {
      timer ??= setTimeout(pass, 1_000).unref()
      if (++count > mostInSecond) omitted++
      else write(entry)
    },
    end() {
      clearTimeout(timer)
      pass()
    },
  }
}

const requestEntry = (record: RequestRecord): Entry => ({
  event: "request",
  members: {
    method: record.method,
    face: record.face,
    route: record.route,
    operationKind: record.operation?.kind,
    operation: record.operation?.name,
    status: record.status,
    code: record.code,
    durationMs: record.took,
    rows: record.rows,
    statements: record.statements,
    cost: record.points,
    actorKind: record.actor.kind,
    actor: record.actor.id === "" ? undefined : record.actor.id,
    requestId: record.id,
    traceId: record.traceId,
  },
})

// Slow statements for the log. The first of each text is logged at once. Every ten seconds a line has the number of
// further ones and the longest of them, until there are none. A database that has become slow as a whole does not fill
// a disk.
interface SlowStatements {
  note(statement: ObservedStatement): void
  /** Tells what has not been told. */
  end(): void
}

interface Bundle {
  longest: ObservedStatement | undefined
  count: number
}

/** Texts that are kept apart; all others are bundled as one. */
const most = 100

function createSlowStatements(
  write: (entry: Entry) => void,
  /** Milliseconds. */
  every = 10_000,
): SlowStatements {
  const bundles = new Map<string, Bundle>()
  let timer: NodeJS.Timeout | undefined
  const pass = (): void => {
    for (const [text, bundle] of bundles) {
      const { longest, count } = bundle
      if (!longest) bundles.delete(text)
      else {
        bundle.longest = undefined
        bundle.count = 0
        write(slowEntry(longest, count))
      }
    }
    if (bundles.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  const bundleOf = (text: string): Bundle | undefined =>
    bundles.get(text) ?? (bundles.size < most ? undefined : bundles.get(others))
  return {
    note(statement) {
      const text = statement.commands[0]?.text ?? ""
      const bundle = bundleOf(text)
      if (!bundle) {
        bundles.set(bundles.size < most ? text : others, { longest: undefined, count: 0 })
        timer ??= setInterval(pass, every).unref()
        write(slowEntry(statement, 1))
        return
      }
      bundle.count++
      if (!bundle.longest || bundle.longest.took < statement.took) bundle.longest = statement
    },
    end() {
      pass()
      clearInterval(timer)
      bundles.clear()
    },
  }
}

/** No statement has this text. */
const others = "…"

function slowEntry({ kind, commands, record, took, fault }: ObservedStatement, count: number): Entry {
  const sql = commands.map(({ text }) => text).join("; ")
  const operation = record?.route ?? record?.operation?.name
  return {
    event: "slow_statement",
    members: {
      kind,
      durationMs: took,
      count,
      statement: createHash("sha1").update(sql).digest("hex").slice(0, 12),
      sql,
      failed: fault !== undefined,
      ...(operation !== undefined && { operation }),
      ...(record && { requestId: record.id }),
      ...(record?.traceId !== undefined && { traceId: record.traceId }),
    },
  }
}
