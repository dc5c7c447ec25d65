// The effect of overload. Requests arrive at fixed times, with or without earlier answers (an open model: no late
// answer delays the next request). First as many as the server can answer, then 70 % of them, ten times as many,
// and 70 % again.
import { connect, type Socket } from "node:net"
import { performance } from "node:perf_hooks"
import type { MusicData } from "./data.ts"
import { startServer } from "./processes.ts"
import { askOver, type Contestant, type DatabaseName } from "./servers.ts"
import type { Table } from "./table.ts"
import { type HttpRequest, turnsOf } from "./workloads.ts"

interface OpenLoad {
  readonly url: string
  readonly requests: readonly HttpRequest[]
  readonly perSecond: number
  readonly seconds: number
  /** Connections, at the most; an arrival that finds none free is not sent. */
  readonly connections: number
}

export interface OpenResult {
  /** Answers a second, by what they are. */
  readonly good: number
  readonly refused: number
  readonly failed: number
  /** Arrivals a second that found no connection. */
  readonly unsent: number
  /** Milliseconds from the time of arrival, of the 99th of a hundred. */
  readonly p99: number
  readonly refusedP99: number
}

interface Waiting {
  readonly due: number
}

/** The bytes of a request, before and after the header that names the client. */
type RawRequest = readonly [before: string, after: string]

interface ConnectionOptions {
  readonly number: number
  readonly done: (connection: Connection, status: number, due: number) => void
  readonly gone: (connection: Connection) => void
}

/** A connection that asks one request at a time. */
class Connection {
  /** Each connection is another client, as a proxy would tell. */
  readonly #from: string
  readonly #socket: Socket
  readonly #done: (status: number, due: number) => void
  #waiting: Waiting | undefined
  #head = ""
  #status = 0
  /** The server closes the connection after this answer. */
  isLast = false
  /** Bytes of the answer that are still to come. */
  #left = 0

  constructor(url: URL, { number, done, gone }: ConnectionOptions) {
    this.#from = `x-forwarded-for: 10.0.${number >> 8}.${number & 255}\r\n`
    this.#done = (status, due) => done(this, status, due)
    this.#socket = connect(Number(url.port), url.hostname)
    this.#socket.setNoDelay(true)
    this.#socket.on("data", (bytes: Buffer) => this.#take(bytes))
    this.#socket.on("error", () => {})
    this.#socket.on("close", () => {
      if (this.#waiting) this.#end(0)
      gone(this)
    })
  }

  send([before, after]: RawRequest, due: number): void {
    this.#waiting = { due }
    this.#socket.write(before + this.#from + after, "latin1")
  }

  close(): void {
    this.#waiting = undefined
    this.#socket.destroy()
  }

  /** Looks at the head of an answer only. */
  #take(bytes: Buffer): void {
    if (this.#left > 0) {
      this.#left -= bytes.length
      if (this.#left <= 0) this.#end(this.#status)
      return
    }
    this.#head += bytes.toString("latin1", 0, 1_024)
    const end = this.#head.indexOf("\r\n\r\n")
    if (end < 0) return
    this.#status = Number(this.#head.slice(9, 12))
    this.isLast = /connection: close/i.test(this.#head)
    const length = Number(/content-length: (\d+)/i.exec(this.#head)?.[1] ?? 0)
    this.#head = ""
    this.#left = length - (bytes.length - end - 4)
    if (this.#left <= 0) this.#end(this.#status)
  }

  #end(status: number): void {
    const { due } = this.#waiting ?? { due: 0 }
    this.#waiting = undefined
    this.#done(status, due)
  }
}

/** Resolves when the time is over and what was sent has been answered, or ten seconds later. */
export async function applyOpenLoad({
  url,
  requests,
  perSecond,
  seconds,
  connections,
}: OpenLoad): Promise<OpenResult> {
  const address = new URL(url)
  const texts = requests.map((request) => rawOf(request, address.host))
  const free: Connection[] = []
  const all = new Set<Connection>()
  const good: number[] = []
  const refused: number[] = []
  let [failed, unsent, open] = [0, 0, 0]
  const done = (connection: Connection, status: number, due: number): void => {
    open -= 1
    const took = performance.now() - due
    if (status === 503) refused.push(took)
    else if (status >= 200 && status < 300) good.push(took)
    else failed += 1
    if (status !== 0 && !connection.isLast) free.push(connection)
  }
  const gone = (connection: Connection): void => {
    all.delete(connection)
    const at = free.indexOf(connection)
    if (at >= 0) free.splice(at, 1)
  }
  const began = performance.now()
  let [sent, made] = [0, 0]
  await new Promise<void>((resolve) => {
    const pump = (): void => {
      const elapsed = performance.now() - began
      const due = Math.min(seconds * 1_000, elapsed) * (perSecond / 1_000)
      for (; sent < due; sent += 1) {
        let connection = free.pop()
        if (!connection && all.size < connections) {
          connection = new Connection(address, { number: made, done, gone })
          made += 1
          all.add(connection)
        }
        if (!connection) {
          unsent += 1
          continue
        }
        open += 1
        connection.send(texts[sent % texts.length] ?? ["", ""], began + sent / (perSecond / 1_000))
      }
      const over = elapsed >= seconds * 1_000
      if (over && (open === 0 || elapsed > (seconds + 10) * 1_000)) resolve()
      else setTimeout(pump, 1)
    }
    pump()
  })
  failed += open
  for (const connection of all) connection.close()
  return {
    good: good.length / seconds,
    refused: refused.length / seconds,
    failed: failed / seconds,
    unsent: unsent / seconds,
    p99: percentile(good, 0.99),
    refusedP99: percentile(refused, 0.99),
  }
}

function rawOf({ method, path, body = "" }: HttpRequest, host: string): RawRequest {
  const content =
    body === "" ? "" : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  const bytes = Buffer.from(body).toString("latin1")
  return [`${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n`, `${content}\r\n${bytes}`]
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

export interface Overload {
  readonly title: string
  readonly capacity: number
  readonly calm: OpenResult
  readonly flood: OpenResult
  readonly after: OpenResult
}

export interface OverloadOptions {
  readonly contestants: readonly Contestant[]
  readonly addresses: Readonly<Partial<Record<DatabaseName, string>>>
  readonly data: MusicData
  readonly seconds: number
  readonly progress: (text: string) => void
}

/** Connections of the flood: as many as a crowd of clients has. */
const crowd = 2_000
/** Some work: the client is to send ten times as many as the server can answer. */
const asked = ["W4"] as const

export async function measureOverload(options: OverloadOptions): Promise<readonly Overload[]> {
  const measured: Overload[] = []
  for (const [database, address] of Object.entries(options.addresses))
    for (const workload of asked)
      for (const contestant of options.contestants)
        measured.push(
          await measureOne(options, { contestant, workload, database: database as DatabaseName, address }),
        )
  return measured
}

interface Course {
  readonly contestant: Contestant
  readonly workload: (typeof asked)[number]
  readonly database: DatabaseName
  readonly address: string
}

async function measureOne(
  { data, seconds, progress }: OverloadOptions,
  { contestant, workload, database, address }: Course,
): Promise<Overload> {
  const title = `${contestant.name}, ${workload}, ${database}`
  const command = contestant.command("graphql", address)
  const server = await startServer({
    ...command,
    // There are fewer different requests than places for them.
    args: [...command.args, "--no-single-flight"],
    env: { BIFOLD_PROXIES: "1", BIFOLD_MAX_CONNECTIONS: "0" },
  })
  try {
    const { url } = server
    const turns = turnsOf(workload, data)
    const requests = await contestant.requests(askOver(url), { workload, face: "graphql", database, turns })
    const run = (perSecond: number, connections: number, time = seconds) =>
      applyOpenLoad({ url, requests, perSecond, seconds: time, connections })
    progress(`${title}: warming up`)
    await run(1_000, 32, 3)
    // Few connections, so that no request waits long.
    const { good: capacity } = await run(20_000, 32, 5)
    progress(`${title}: 70 % of ${Math.round(capacity)} a second`)
    const calm = await run(capacity * 0.7, 256)
    progress(`${title}: ten times as much`)
    const flood = await run(capacity * 10, crowd)
    progress(`${title}: 70 % again, at once`)
    const after = await run(capacity * 0.7, 256, 5)
    return { title, capacity, calm, flood, after }
  } finally {
    await server.stop()
  }
}

const whole = (value: number): string => String(Math.round(value))
const ms = (value: number): string => value.toFixed(1)

export const overloadTable = (measured: readonly Overload[]): Table => ({
  title: `Ten times more than can be answered, over ${crowd} connections`,
  head: [
    "",
    "answered/s alone",
    "p99 ms at 70 %",
    "answered/s",
    "of capacity",
    "p99 ms",
    "times 70 %",
    "refused/s",
    "p99 ms refused",
    "failed/s",
    "p99 ms after",
    "refused/s after",
  ],
  rows: measured.map(({ title, capacity, calm, flood, after }) => [
    title,
    whole(capacity),
    ms(calm.p99),
    whole(flood.good),
    (flood.good / capacity).toFixed(2),
    ms(flood.p99),
    (flood.p99 / calm.p99).toFixed(1),
    whole(flood.refused),
    ms(flood.refusedP99),
    whole(flood.failed),
    ms(after.p99),
    whole(after.refused),
  ]),
})
