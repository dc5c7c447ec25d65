// Observation of requests and statements, for metrics, logs and traces. Nothing of it exists where nobody listens: then a
// request has no record, and each place that would note something looks for an absent value.
import type { Code } from "./codes.ts"

/**
 * Parts of a request's time. `read`: its body arrives, its caller is identified. `plan`: it is parsed, planned and priced.
 * `queue`: it waits for a reader, a connection, its turn, or an equal statement of another request. `statement`: the
 * database has it. `code`: user code runs. `write`: the answer is coded and sent.
 */
export const stages = ["read", "plan", "queue", "statement", "code", "write"] as const
export type Stage = (typeof stages)[number]

export type ObservedFace = "graphql" | "rest" | "page" | "none"
export type OperationKind = "query" | "mutation" | "subscription"

/** A statement, or all commands of a write, without values. */
export interface ObservedStatement {
  readonly kind: "read" | "write" | "commit"
  readonly commands: readonly { readonly text: string }[]
  /** Absent for what no request asked. */
  readonly record: RequestRecord | undefined
  /** When the database got it, as of `performance.now()`. */
  readonly began: number
  /** Milliseconds until its answer was there. */
  readonly took: number
  /** The error that it failed with. */
  readonly fault?: unknown
}

export interface TelemetryListener {
  /** Before anything is done for the request. Headers have names in lower case. */
  readonly requestBegun?: (record: RequestRecord, headers: RequestHeaders) => void
  /** A part of a request's time has ended now. @param took milliseconds */
  readonly stageEnded?: (record: RequestRecord, stage: Stage, took: number) => void
  readonly statementEnded?: (statement: ObservedStatement) => void
  /** SQLite: so many writes were committed together. */
  readonly committed?: (writes: number) => void
  /** The answer was sent, or the client has left. */
  readonly requestEnded?: (record: RequestRecord) => void
}

export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

type Listeners = { readonly [Name in keyof TelemetryListener]-?: NonNullable<TelemetryListener[Name]>[] }

/** Tells listeners what happens. */
export class Telemetry {
  readonly #listeners: Listeners = {
    requestBegun: [],
    stageEnded: [],
    statementEnded: [],
    committed: [],
    requestEnded: [],
  }

  listen(listener: TelemetryListener): void {
    const { requestBegun, stageEnded, statementEnded, committed, requestEnded } = listener
    if (requestBegun) this.#listeners.requestBegun.push(requestBegun)
    if (stageEnded) this.#listeners.stageEnded.push(stageEnded)
    if (statementEnded) this.#listeners.statementEnded.push(statementEnded)
    if (committed) this.#listeners.committed.push(committed)
    if (requestEnded) this.#listeners.requestEnded.push(requestEnded)
  }

  beginRequest(id: string, method: string, headers: RequestHeaders = {}): RequestRecord {
    const record = new RequestRecord(this, { id, method })
    for (const tell of this.#listeners.requestBegun) tell(record, headers)
    return record
  }

  /** For `RequestRecord`. */
  stageEnded(record: RequestRecord, stage: Stage, took: number): void {
    for (const tell of this.#listeners.stageEnded) tell(record, stage, took)
  }

  /** For `RequestRecord`. */
  requestEnded(record: RequestRecord): void {
    for (const tell of this.#listeners.requestEnded) tell(record)
  }

  committed(writes: number): void {
    for (const tell of this.#listeners.committed) tell(writes)
  }

  /** A statement has ended now. */
  statementEnded(of: Omit<ObservedStatement, "took">): void {
    const took = performance.now() - of.began
    of.record?.statementEnded(of.commands.length, took)
    if (this.#listeners.statementEnded.length === 0) return
    const ended = { ...of, took }
    for (const tell of this.#listeners.statementEnded) tell(ended)
  }

  /** Runs a statement that holds the process. */
  timed<Result>(of: Omit<ObservedStatement, "began" | "took" | "fault">, run: () => Result): Result {
    const began = performance.now()
    try {
      const result = run()
      this.statementEnded({ ...of, began })
      return result
    } catch (fault) {
      this.statementEnded({ ...of, began, fault })
      throw fault
    }
  }

  /** Runs a statement that is waited for. */
  async awaited<Result>(
    of: Omit<ObservedStatement, "began" | "took" | "fault">,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const began = performance.now()
    try {
      const result = await run()
      this.statementEnded({ ...of, began })
      return result
    } catch (fault) {
      this.statementEnded({ ...of, began, fault })
      throw fault
    }
  }
}

/** The status of a request whose client has left before its answer was sent. */
export const clientLeft = 499

/** The caller of a request. */
export interface ObservedActor {
  readonly kind: "anonymous" | "signed_in"
  /** Empty for an anonymous caller. */
  readonly id: string
}

/** A request while it is answered, and what became of it. */
export class RequestRecord {
  readonly #telemetry: Telemetry
  readonly id: string
  /** The method of HTTP, as it was sent. */
  readonly method: string
  /** As of `performance.now()`. */
  readonly began = performance.now()
  face: ObservedFace = "none"
  /** A path with names of members in the place of values: `/orders/{id}`. Absent for GraphQL, and where nothing is served. */
  route?: string
  operation?: { readonly kind: OperationKind; readonly name: string | undefined }
  actor: ObservedActor = { kind: "anonymous", id: "" }
  /** The status of the answer, or `clientLeft`. */
  status: number = clientLeft
  /** The code of the first problem of the answer. */
  code?: Code
  /** Joins records of one trace. */
  traceId?: string
  /** Milliseconds. */
  readonly times: { [Name in Stage]: number } = {
    read: 0,
    plan: 0,
    queue: 0,
    statement: 0,
    code: 0,
    write: 0,
  }
  /** Milliseconds until the answer was sent. */
  took = 0
  /** Commands that the database was sent. */
  statements = 0
  /** Plans whose shape was known, and those that were made anew. */
  knownPlans = 0
  newPlans = 0
  /** Reads that were answered by an equal statement of another request. */
  joined = 0
  /** Points that the request was priced at. */
  points = 0
  #counts: (() => number)[] = []
  #last = this.began
  #ended = false

  constructor(telemetry: Telemetry, { id, method }: { readonly id: string; readonly method: string }) {
    this.#telemetry = telemetry
    this.id = id
    this.method = method
  }

  /** Records in the answers: they are counted when somebody wants to know. */
  get rows(): number {
    return this.#counts.reduce((sum, count) => sum + count(), 0)
  }

  countRows(count: () => number): void {
    this.#counts.push(count)
  }

  /** The time since the last stage ended belongs to this one. */
  end(stage: Stage): void {
    const now = performance.now()
    this.#add(stage, now - this.#last)
    this.#last = now
  }

  /** A stage began at this time and has ended now. */
  endSince(stage: Stage, began: number): void {
    this.#add(stage, performance.now() - began)
  }

  /** For `Telemetry`. */
  statementEnded(commands: number, took: number): void {
    this.statements += commands
    this.#add("statement", took)
  }

  /**
   * Begins a stage around others, such as user code with its own statements: their time is not part of it. Gives what ends it,
   * once.
   */
  beginAround(stage: Stage): () => void {
    const began = performance.now()
    const before = this.#inside()
    let ended = false
    return () => {
      if (ended) return
      ended = true
      const now = performance.now()
      this.#add(stage, Math.max(0, now - began - (this.#inside() - before)))
      this.#last = now
    }
  }

  /** The answer was sent, or cannot be any more. */
  sent(): void {
    if (this.#ended) return
    this.#ended = true
    this.end("write")
    this.took = performance.now() - this.began
    this.#telemetry.requestEnded(this)
  }

  /** Stages that lie within others. */
  #inside(): number {
    const { queue, statement, code } = this.times
    return queue + statement + code
  }

  #add(stage: Stage, took: number): void {
    this.times[stage] += took
    this.#telemetry.stageEnded(this, stage, took)
  }
}
