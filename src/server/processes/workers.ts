// Several processes that serve at one address (Node's cluster). The first process starts workers, gives them the connections
// that it takes, replaces crashed ones, and ends all when it ends. The first process reads nothing of a connection itself.

import type { Worker } from "node:cluster"
import cluster from "node:cluster"
import { once } from "node:events"
import { createServer, type Server, Socket } from "node:net"
import type { Readable } from "node:stream"
import { type Problem, Refusal, refusal } from "../../base/problem.ts"
import { thrownMessage } from "../../base/thrown.ts"
import { type Place, stopListening } from "../listening.ts"
import type { Observe } from "../observation.ts"
import { createOutageLog } from "../outage-log.ts"
import type { UnixSocket } from "../transports/unix-socket.ts"
import { connection, Handover } from "./handover.ts"
import { takeConnections } from "./take-connections.ts"

export interface WorkersOptions extends Place {
  readonly socket?: UnixSocket | undefined
  readonly count: number
  /** Environment of workers besides this process's own; undefined removes a variable. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly observe: Observe
  /** Workers log to `logDescriptor`. This process observes their standard error, with the output of Node and of user code. */
  readonly hearsOutput: boolean
  /** Called when one of them serves, before there are connections. Gives when the end is asked for, which may be before all serve. */
  readonly beforeListening?: (() => Promise<void>) | undefined
}

export interface Workers {
  /** Where all of them serve: `http://127.0.0.1:4000` */
  readonly url: string
  /** Readiness fails in every worker before it is given another connection. */
  drain(delay: number): void
  /** Every worker answers its open requests, then ends. */
  close(): Promise<void>
  /** Ends every worker at once. */
  kill(): void
}

/** Messages from a worker to the process that started it; those about metrics are prom-client's. */
type Report =
  | { readonly kind: "serving" }
  /** The worker takes no more connections, and waits for the last of those on their way. */
  | { readonly kind: "leaving" }
  | {
      readonly kind: "failed"
      readonly problems: readonly [Problem, ...Problem[]]
      readonly fault?: Fault | undefined
    }

/** A driver's words, as they go from one process to another. */
interface Fault {
  readonly name: string
  readonly message: string
  readonly code?: string
}

/** To a worker: readiness fails, and the end comes after so many milliseconds. */
interface Drain {
  readonly drain: number
}

/** A setting of V8 that can only be given to a new process (docs/operate/load.md, Memory); a person's own wins. */
const frugal = "--max-semi-space-size=8"
/** In a worker, standard error of the process that started it. */
export const logDescriptor = 4
const end = "end"
/** To a worker: SIGHUP has come. */
const hangUp = "hang up"
/** Milliseconds after which a worker that leaves is taken from the rota: a signal to all processes reaches this one by then. */
const groupSignal = 250
/** Milliseconds before a crashed worker is replaced: doubled each time, up to the longest, until one has stayed. */
const pauses = { first: 100, longest: 10_000, stayed: 30_000 } as const
/** Milliseconds after which a worker that does not end is killed: more than its time for open requests. */
const patience = 15_000

/** Throws what the first worker could not do: the others are started when it serves, so that it is said once. */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  cluster.setupPrimary({
    execArgv: [frugal, ...process.execArgv],
    ...(options.hearsOutput && { stdio: ["inherit", "inherit", "pipe", "ipc", 2] }),
  })
  const team = new Team(options)
  await served(team.add())
  const asked = options.beforeListening?.()
  const url = await team.listen().catch(async (error: unknown) => {
    await team.close()
    throw error
  })
  const others = Array.from({ length: options.count - 1 }, () => served(team.add()))
  // One that did not come up is tried again like one that crashed; one that hangs never does.
  await Promise.race([Promise.allSettled(others), asked ?? new Promise<void>(() => {})])
  return {
    url,
    drain: (delay) => team.drain(delay),
    close: () => team.close(),
    kill: () => team.kill(),
  }
}

class Team {
  readonly #options: WorkersOptions
  readonly #servers: Server[] = []
  readonly #refusals: ReturnType<typeof createOutageLog>
  readonly #handover: Handover
  readonly #pauses = new Set<NodeJS.Timeout>()
  #pause: number = pauses.first
  #complete = false
  /** When it is to close, as of `performance.now()`. */
  #drainedAt: number | undefined
  #closing = false

  constructor(options: WorkersOptions) {
    this.#options = options
    this.#refusals = createOutageLog(options.observe)
    this.#handover = new Handover({ observe: this.#refusals.observe, isPlain: !options.tls })
    // Workers read the certificate.
    if (options.tls) process.on("SIGHUP", this.#passHangUp)
  }

  /** Not as a signal: it would end a worker that has not come to listen for it. */
  readonly #passHangUp = (): void => {
    for (const worker of workersNow()) worker.send(hangUp, () => {}) // one that is gone reads none
  }

  add(): Worker {
    const worker = cluster.fork(this.#options.environment)
    const since = performance.now()
    if (worker.process.stderr)
      readOutput(worker.process.stderr, (text) =>
        this.#options.observe({ kind: "said", process: worker.process.pid, text }),
      )
    worker.on("message", (report: Report) => {
      if (report.kind === "serving") this.#serve(worker)
      else if (report.kind === "leaving") this.#leave(worker)
      else if (report.kind === "failed" && this.#complete)
        this.#options.observe({ kind: "unstarted", problems: report.problems, ...causeOf(report.fault) })
    })
    const gone = (reason: string): void => {
      // A channel with a connection that is not taken does not say that it ends.
      this.#handover.lose(worker)
      // Until one worker has served, a failure ends the start with its reason.
      if (this.#closing || !this.#complete) return
      if (performance.now() - since > pauses.stayed) this.#pause = pauses.first
      this.#options.observe({ kind: "lost", process: worker.process.pid, reason })
      this.#later(() => this.add())
    }
    worker.on("disconnect", () => this.#handover.lose(worker))
    worker.on("exit", (code, signal) => gone(signal ?? `exit code ${code}`))
    // The system would not have another process.
    worker.on("error", (error) => gone(error.message))
    return worker
  }

  /** Gives where it is reached. Throws a Refusal when the address cannot be had. */
  async listen(): Promise<string> {
    const { url } = await takeConnections(this.#options, () => {
      const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) =>
        this.#handover.take(socket),
      )
      this.#servers.push(server)
      return server
    })
    return url
  }

  #serve(worker: Worker): void {
    this.#complete = true
    if (this.#drainedAt !== undefined) sendDrain(worker, this.#drainedAt - performance.now())
    this.#handover.join(worker)
  }

  /** All end together when this process ends: until then, each is wanted. */
  #leave(worker: Worker): void {
    setTimeout(() => {
      if (this.#drainedAt !== undefined || this.#closing) return
      this.#handover.leave(worker)
      tell(worker)
    }, groupSignal)
  }

  #later(work: () => void): void {
    const pause = setTimeout(() => {
      this.#pauses.delete(pause)
      work()
    }, this.#pause)
    this.#pauses.add(pause)
    this.#pause = Math.min(this.#pause * 2, pauses.longest)
  }

  drain(delay: number): void {
    this.#drainedAt = performance.now() + delay
    for (const worker of workersNow()) sendDrain(worker, delay)
  }

  kill(): void {
    for (const worker of workersNow()) worker.process.kill("SIGKILL")
  }

  async close(): Promise<void> {
    this.#closing = true
    process.off("SIGHUP", this.#passHangUp)
    for (const pause of this.#pauses) clearTimeout(pause)
    // First of all, so that every accepted connection is with a worker when it learns of the end.
    await stopListening(this.#servers)
    this.#handover.close()
    this.#refusals.end()
    await Promise.all(workersNow().map(endWorker))
  }
}

const workersNow = (): readonly Worker[] =>
  Object.values(cluster.workers ?? {}).flatMap((worker) => (worker && !worker.isDead() ? [worker] : []))

async function endWorker(worker: Worker): Promise<void> {
  const ended = once(worker, "exit").catch(() => {}) // one that the system would not have
  const cut = setTimeout(() => worker.process.kill("SIGKILL"), patience)
  tell(worker)
  await ended
  clearTimeout(cut)
}

/** Messages arrive in their order, so that a connection which is given later finds the worker not ready. */
function sendDrain(worker: Worker, delay: number): void {
  const order: Drain = { drain: Math.max(0, delay) }
  worker.send(order, () => {}) // one that is gone needs none
}

/** The worker has by then all connections that were sent to it before. */
function tell(worker: Worker): void {
  worker.send(end, () => {}) // one that is gone already has ended
}

function served(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once("message", (report: Report) => {
      if (report.kind === "failed") reject(new Refusal(report.problems, causeOf(report.fault)))
      else resolve()
    })
    const fail = (why: string): void =>
      reject(refusal("cannot_listen", `The first worker ended before it served (${why}).`))
    worker.once("exit", (code, signal) => fail(signal ?? `exit code ${code}`))
    worker.once("error", (error) => fail(error.message))
  })
}

/** Whether this process was started by `startWorkers`. */
export const isWorker = (): boolean => cluster.isWorker

/** The connections that the process which started this one has taken for it. */
export function receiveConnections(take: (socket: Socket) => void): void {
  process.on("message", (message, socket) => {
    // One that has ended meanwhile does not come along.
    if (message === connection && socket instanceof Socket) take(socket)
  })
}

export interface WorkerServer {
  drain(delay: number): void
  close(): Promise<void>
}

/** The worker's part: serves until it is asked to end, or the parent is gone. Never rejects. */
export async function workFor(start: () => Promise<WorkerServer>): Promise<void> {
  try {
    const ended = endAsked()
    const server = await start()
    process.on("message", (message) => {
      if (isDrain(message)) server.drain(message.drain)
    })
    report({ kind: "serving" })
    await ended
    await server.close()
  } catch (error) {
    report({ kind: "failed", problems: problemsOf(error), fault: faultOf(error) })
    process.exitCode = 1
  }
  if (process.connected) process.disconnect()
}

/** SIGTERM to a worker alone has it replaced. SIGINT is for the process that started it, which passes it on. */
async function endAsked(): Promise<void> {
  process.on("SIGINT", () => {})
  const told = new Promise<void>((resolve) => {
    process.on("message", (message) => {
      if (message === end) resolve()
    })
  })
  process.once("SIGTERM", () => report({ kind: "leaving" }))
  // A signal to all processes is passed on, too.
  process.on("message", (message) => {
    if (message === hangUp) process.emit("SIGHUP")
  })
  process.on("SIGHUP", () => {})
  await Promise.race([told, once(process, "disconnect")])
}

const isDrain = (message: unknown): message is Drain =>
  typeof message === "object" && message !== null && "drain" in message && typeof message.drain === "number"

function report(message: Report): void {
  if (process.connected) process.send?.(message)
}

/** The reason of a refusal, which the process that started this one logs. */
function faultOf(error: unknown): Fault | undefined {
  if (!(error instanceof Refusal) || !(error.cause instanceof Error)) return undefined
  const { cause } = error
  const { name, code } = cause as Error & { readonly code?: unknown }
  const parts = cause instanceof AggregateError && cause.message === "" ? cause.errors.slice(0, 5) : [cause]
  const message = parts.map(thrownMessage).join(", ")
  return { name, message, ...(code !== undefined && { code: String(code) }) }
}

const causeOf = (fault: Fault | undefined): { readonly cause?: Error } =>
  fault ? { cause: Object.assign(new Error(fault.message), fault) } : {}

function problemsOf(error: unknown): readonly [Problem, ...Problem[]] {
  if (error instanceof Refusal) return error.problems
  return [{ code: "internal", message: error instanceof Error ? error.message : String(error) }]
}

// Lines of a stream of text, which need not end.

/** Characters after which a line is reported without its end. */
const longest = 8_192

/** Lines without anything to read are left out. */
export function readOutput(stream: Readable, tell: (line: string) => void): void {
  let rest = ""
  const tellAny = (line: string): void => {
    if (line.trim() !== "") tell(line)
  }
  stream.setEncoding("utf8")
  stream.on("data", (text: string) => {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) tellAny(line)
    if (rest.length < longest) return
    tellAny(rest)
    rest = ""
  })
  stream.on("end", () => tellAny(rest))
}
