// Requests and statements for the log: which of them are told of, and how many.
import { codes, kindEntry } from "../../base/codes.ts"
import type { RequestRecord, TelemetryListener } from "../../base/telemetry.ts"
import type { Entry } from "./catalog.ts"
import type { RequestChoice } from "./levels.ts"
import { createSlowStatements } from "./slow-statements.ts"

export interface WatchOptions {
  readonly requests: RequestChoice
  /** The share of requests that are told of, of those that have neither failed nor taken long. */
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
      // A slow request is told by its stages.
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
