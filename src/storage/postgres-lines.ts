// A few PostgreSQL connections that send statements without waiting for the answers to those before: the fastest way for
// many prompt ones, and the wrong one for slow ones, which hold up whatever was sent behind them.
import { Socket } from "node:net"
import pg from "pg"
import { overloaded } from "./faults.ts"
import { keepLongValues } from "./postgres-bytes.ts"

export interface LinesOptions {
  /** What a connection is made with. */
  readonly config: pg.ClientConfig
  /** Runs once on each connection, before anything else. */
  readonly settings: string
  readonly connections: number
  /** Statements that may be under way on all connections together. */
  readonly most: number
  /** Milliseconds without any answer after which a connection counts as lost. */
  readonly silence: number
}

/** Statements under way on one connection before the next one is used: the fuller it is, the fewer packets. */
const preferred = 16

interface Line {
  readonly client: Promise<pg.Client>
  /** The same, once it is connected. */
  ready?: pg.Client
  readonly socket: Socket
  underWay: number
  /** When the last answer came, or the first of what is under way was sent. */
  heard: number
}

export class PostgresLines {
  readonly #options: LinesOptions
  readonly #lines = new Set<Line>()
  readonly #watch: NodeJS.Timeout
  #underWay = 0
  #closed = false

  constructor(options: LinesOptions) {
    this.#options = options
    this.#watch = setInterval(() => this.#dropSilent(), 1_000).unref()
  }

  /** Rejects with what the driver reports, or with a Refusal when too many are under way. */
  async query<Row extends unknown[]>(query: pg.QueryArrayConfig): Promise<Row[]> {
    if (this.#closed || this.#underWay >= this.#options.most) throw overloaded()
    const line = this.#choose()
    if (line.underWay === 0) line.heard = Date.now()
    line.underWay++
    this.#underWay++
    try {
      return await sendQuery<Row>(line.ready ?? (await line.client), query)
    } catch (fault) {
      // Before the socket says so, the next statement would still be sent on it.
      if (isLost(fault)) this.#leave(line)
      throw fault
    } finally {
      line.underWay--
      this.#underWay--
      line.heard = Date.now()
    }
  }

  /** Ends when what is under way has been answered. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#watch)
    const ended = [...this.#lines].map(async ({ client }) => (await client).end())
    await Promise.allSettled(ended)
  }

  #choose(): Line {
    let least: Line | undefined
    for (const line of this.#lines) {
      if (line.underWay < preferred) return line
      if (!least || line.underWay < least.underWay) least = line
    }
    return least && this.#lines.size >= this.#options.connections ? least : this.#open()
  }

  #open(): Line {
    const socket = new Socket()
    const client = new pg.Client({ ...this.#options.config, pipeline: true, stream: () => socket })
    keepLongValues(client)
    const forget = (): void => void this.#lines.delete(line)
    const connect = async (): Promise<pg.Client> => {
      try {
        await client.connect()
        await client.query(this.#options.settings)
        return client
      } catch (fault) {
        forget()
        socket.destroy()
        throw fault
      }
    }
    // A connection that is lost while nobody uses it is no fault of any request.
    client.on("error", forget)
    client.on("end", forget)
    const line: Line = { client: connect(), socket, underWay: 0, heard: Date.now() }
    line.client.then(
      (ready) => {
        line.ready = ready
      },
      () => {}, // whoever asked hears of it
    )
    this.#lines.add(line)
    return line
  }

  /** What is under way on it is still answered, if it can be. */
  #leave(line: Line): void {
    this.#lines.delete(line)
    line.client.then((client) => client.end()).catch(() => {}) // whoever waits for it hears of it
  }

  /** The server ends statements itself; one that says nothing for longer than that is out of reach. */
  #dropSilent(): void {
    const limit = Date.now() - this.#options.silence
    for (const line of this.#lines)
      if (line.underWay > 0 && line.heard < limit) {
        this.#lines.delete(line)
        line.socket.destroy()
      }
  }
}

/** The driver's own promises make a stack trace's room for each query. */
export function sendQuery<Row extends unknown[]>(
  client: pg.ClientBase,
  query: pg.QueryArrayConfig,
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    client.query<Row>(query, (fault: Error | null, result: pg.QueryArrayResult<Row>) => {
      if (fault) reject(fault)
      else resolve(result.rows)
    })
  })
}

/** SQLSTATE class 57P is the server ending the connection; what has no SQLSTATE is said by the driver or the system. */
const isLost = (fault: unknown): boolean =>
  !(fault instanceof Error && "code" in fault) || !/^(?!57P|EPIPE)[0-9A-Z]{5}$/.test(String(fault.code))
