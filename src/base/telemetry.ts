// Observation of requests and statements, for metrics, logs and traces. Without an observer a request has no record,
// and each place that would note something finds an absent value.
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
  /** Absent for a statement outside any request. */
  readonly record: RequestRecord | undefined
  /** When the database got it, as of `performance.now()`. */
  readonly began: number
  /** Milliseconds until its answer was there. */
  readonly took: number
  /** The error that it failed with. */
  readonly fault?: unknown
}

export interface TelemetryListener {
  /** Whether the listener looks at the times of stages: where none does, they are not taken. */
  readonly readsStages?: true
  /** Before anything is done for the request. Headers have names in lower case. */
  readonly requestBegun?: (record: RequestRecord, headers: RequestHeaders) => void
  /** A part of a request's time has ended now. @param took milliseconds */
  readonly stageEnded?: (record: RequestRecord, stage: Stage, took: number) => void
  readonly statementEnded?: (statement: ObservedStatement) => void
  /** So many writes were committed together. */
  readonly committed?: (writes: number) => void
  /** A transaction was undone because of others, and is done again. @param isCode user code runs in it */
  readonly doneAgain?: (isCode: boolean) => void
  /** An event was sent to an endpoint of a webhook. @param isTaken it answered with 2xx */
  readonly webhookAttempted?: (isTaken: boolean) => void
  /** The answer was sent, or the client has left. */
  readonly requestEnded?: (record: RequestRecord) => void
}

export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

type Listeners = {
  readonly [Name in Exclude<keyof TelemetryListener, "readsStages">]-?: NonNullable<TelemetryListener[Name]>[]
}

/** A statement that is about to run. */
type Asked = Pick<ObservedStatement, "kind" | "commands" | "record">

/** Passes observations to listeners. */
export class Telemetry {
  readonly #listeners: Listeners = {
    requestBegun: [],
    stageEnded: [],
    statementEnded: [],
    committed: [],
    doneAgain: [],
    webhookAttempted: [],
    requestEnded: [],
  }
  #timesStages = false
  #timesStatements = false

  listen(listener: TelemetryListener): void {
    const { requestBegun, stageEnded, statementEnded, committed, doneAgain, webhookAttempted, requestEnded } =
      listener
    if (requestBegun) this.#listeners.requestBegun.push(requestBegun)
    if (stageEnded) this.#listeners.stageEnded.push(stageEnded)
    if (statementEnded) this.#listeners.statementEnded.push(statementEnded)
    if (committed) this.#listeners.committed.push(committed)
    if (doneAgain) this.#listeners.doneAgain.push(doneAgain)
    if (webhookAttempted) this.#listeners.webhookAttempted.push(webhookAttempted)
    if (requestEnded) this.#listeners.requestEnded.push(requestEnded)
    if (listener.readsStages || stageEnded) this.#timesStages = true
    if (this.#timesStages || statementEnded) this.#timesStatements = true
  }

  beginRequest(id: string, method: string, headers: RequestHeaders = {}): RequestRecord {
    const record = new RequestRecord(this, { id, method, timesStages: this.#timesStages })
    for (const tell of this.#listeners.requestBegun) tell(record, headers)
    return record
  }

  /** A request was refused before anything of it was understood: it has no trace. */
  refused(id: string, { method, status, code }: RefusedRequest): void {
    const record = new RequestRecord(this, { id, method, timesStages: this.#timesStages })
    record.status = status
    record.code = code
    record.sent()
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

  doneAgain(isCode: boolean): void {
    for (const tell of this.#listeners.doneAgain) tell(isCode)
  }

  webhookAttempted(isTaken: boolean): void {
    for (const tell of this.#listeners.webhookAttempted) tell(isTaken)
  }

  /** A statement has ended now. @param began as of `performance.now()` */
  statementEnded({ kind, commands, record }: Asked, began: number, fault?: unknown): void {
    const took = performance.now() - began
    record?.statementEnded(commands.length, took)
    const { statementEnded } = this.#listeners
    if (statementEnded.length === 0) return
    const ended: ObservedStatement = { kind, commands, record, began, took, fault }
    for (const tell of statementEnded) tell(ended)
  }

  /** Runs a statement that holds the process. */
  timed<Result>(of: Asked, run: () => Result): Result {
    if (!this.#timesStatements) {
      of.record?.statementEnded(of.commands.length, 0)
      return run()
    }
    const began = performance.now()
    let result: Result
    try {
      result = run()
    } catch (fault) {
      this.statementEnded(of, began, fault)
      throw fault
    }
    this.statementEnded(of, began)
    return result
  }

  /** Runs a statement that is waited for. */
  async awaited<Result>(of: Asked, run: () => Promise<Result>): Promise<Result> {
    const began = performance.now()
    let result: Result
    try {
      result = await run()
    } catch (fault) {
      this.statementEnded(of, began, fault)
      throw fault
    }
    this.statementEnded(of, began)
    return result
  }
}

interface RefusedRequest {
  readonly method: string
  readonly status: number
  readonly code: Code
}

/** The status of a request whose client has left before its answer was sent. */
const clientLeft = 499

/** The caller of a request. */
export interface ObservedActor {
  readonly kind: "anonymous" | "signed_in"
  /** Empty for an anonymous caller. */
  readonly id: string
}

type Times = { [Name in Stage]: number }

const newTimes = (): Times => ({ read: 0, plan: 0, queue: 0, statement: 0, code: 0, write: 0 })

/** Times of a request whose stages are not timed: they stay empty. */
const untimed: Times = Object.freeze(newTimes())

const nothing = (): void => {}

interface Arrived {
  readonly id: string
  readonly method: string
  readonly timesStages?: boolean
}

const anonymous: ObservedActor = { kind: "anonymous", id: "" }

/** A request while it is answered, and its outcome. */
export class RequestRecord {
  readonly #telemetry: Telemetry
  readonly #timesStages: boolean
  readonly id: string
  /** The method of HTTP, as it was sent. */
  readonly method: string
  /** As of `performance.now()`. */
  readonly began = performance.now()
  face: ObservedFace = "none"
  /** A path with names of members in the place of values: `/orders/{id}`. Absent for GraphQL, and where nothing is served. */
  route: string | undefined = undefined
  operation: { readonly kind: OperationKind; readonly name: string | undefined } | undefined = undefined
  actor: ObservedActor = anonymous
  /** The status of the answer, or `clientLeft`. */
  status: number = clientLeft
  /** The code of the first problem of the answer. */
  code: Code | undefined = undefined
  /** Joins records of one trace. */
  traceId: string | undefined = undefined
  /** Runs work as part of the request's trace; absent where spans are not collected. */
  within: (<Result>(work: () => Result) => Result) | undefined = undefined
  /** Milliseconds. */
  readonly times: Readonly<Times>
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
  #counts: (() => number)[] | undefined = undefined
  #last = this.began
  #ended = false

  constructor(telemetry: Telemetry, { id, method, timesStages = true }: Arrived) {
    this.#telemetry = telemetry
    this.#timesStages = timesStages
    this.id = id
    this.method = method
    this.times = timesStages ? newTimes() : untimed
  }

  /** Records in the answers, counted at the first question for them. */
  get rows(): number {
    return this.#counts?.reduce((sum, count) => sum + count(), 0) ?? 0
  }

  countRows(count: () => number): void {
    this.#counts ??= []
    this.#counts.push(count)
  }

  /** The time since the last stage ended belongs to this one. */
  end(stage: Stage): void {
    if (!this.#timesStages) return
    const now = performance.now()
    this.#add(stage, now - this.#last)
    this.#last = now
  }

  /** A stage began at this time and has ended now. */
  endSince(stage: Stage, began: number): void {
    if (this.#timesStages) this.#add(stage, performance.now() - began)
  }

  /** For `Telemetry`. */
  statementEnded(commands: number, took: number): void {
    this.statements += commands
    if (this.#timesStages) this.#add("statement", took)
  }

  /**
   * Begins a stage around others, such as user code with its own statements: their time is not part of it. Gives the function
   * that ends it, once.
   */
  beginAround(stage: Stage): () => void {
    return this.#timesStages ? this.#around(stage, performance.now()) : nothing
  }

  /** As `beginAround`, where another stage ends now. */
  endBefore(ending: Stage, stage: Stage): () => void {
    if (!this.#timesStages) return nothing
    this.end(ending)
    return this.#around(stage, this.#last)
  }

  /** The answer was sent, or cannot be any more. */
  sent(): void {
    if (this.#ended) return
    this.#ended = true
    const now = performance.now()
    if (this.#timesStages) this.#add("write", now - this.#last)
    this.took = now - this.began
    this.#telemetry.requestEnded(this)
  }

  /** The request could not be answered, by a fault of Bifold. */
  failed(): void {
    if (this.#ended) return
    this.status = 500
    this.code = "internal"
    this.sent()
  }

  /** The client has left before it had all of the answer. */
  left(): void {
    if (this.#ended) return
    this.status = clientLeft
    this.sent()
  }

  #around(stage: Stage, began: number): () => void {
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

  /** Stages that lie within others. */
  #inside(): number {
    const { queue, statement, code } = this.times
    return queue + statement + code
  }

  #add(stage: Stage, took: number): void {
    const times: Times = this.times
    times[stage] += took
    this.#telemetry.stageEnded(this, stage, took)
  }
}
