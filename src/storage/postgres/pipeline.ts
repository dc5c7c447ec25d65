// A few PostgreSQL connections that send statements without waiting for earlier answers. They are the fastest way for
// many prompt statements. A slow one would hold up everything sent behind it. Few are sent at a time; the others wait
// in turns of their clients.

import { elapsed } from "../../base/clock.ts"
import { FairQueue } from "../../base/fair-queue.ts"
import type { Request } from "../../base/request.ts"
import { closed, tooLate, waitsTooLong } from "../faults.ts"
import { type Connection, Connections, type ConnectionsOptions } from "./connections.ts"
import type { PostgresQuery, PostgresReply } from "./query.ts"

export interface PipelineOptions extends Pick<ConnectionsOptions, "config" | "settings" | "silence"> {
  readonly connections: number
  /** Milliseconds that a statement may wait, from when it was asked for. */
  readonly deadline: number
  /** Milliseconds that one may wait behind statements of other clients. */
  readonly patience: number
}

/** Statements under way on one connection before the next one is used: the fuller it is, the fewer packets. */
const mostSent = 16
/** Statements that may wait; more are refused. */
const mostWaiting = 10_000

interface Waiting {
  readonly client: string
  /** As of `elapsed()`. */
  readonly until: number
  readonly resolve: (connection: Connection) => void
  readonly reject: (fault: unknown) => void
}

export class PostgresPipelines {
  readonly #options: PipelineOptions
  readonly #connections: Connections
  readonly #waiting = new FairQueue<Waiting>()
  #underWay = 0
  #closed = false

  constructor(options: PipelineOptions) {
    this.#options = options
    this.#connections = new Connections({ ...options, bytes: true, looked: () => this.#look() })
  }

  /** Places are statements under way. */
  get use(): { readonly used: number; readonly most: number; readonly waiting: number } {
    const most = this.#options.connections * mostSent
    return { used: this.#underWay, most, waiting: this.#waiting.length }
  }

  /** Rejects with what the driver reports, or with a Refusal when its turn does not come in time. */
  async query(asked: PostgresQuery, request?: Request): Promise<readonly PostgresReply[]> {
    if (this.#closed) throw closed()
    const connection = this.#taken() ?? (await this.#turn(request))
    try {
      if (!connection.ready) await connection.opened
      return await connection.query(asked).catch((fault: unknown) => {
        if (!isUnprepared(fault)) throw fault
        return connection.query({ text: asked.text, values: asked.values })
      })
    } catch (fault) {
      // Before the socket says so, the next statement would still be sent on it.
      if (isLost(fault)) this.#connections.leave(connection)
      throw fault
    } finally {
      connection.users--
      this.#underWay--
      this.#pass()
    }
  }

  /** Ends when all open statements have been answered. */
  async close(): Promise<void> {
    this.#closed = true
    for (const { reject } of this.#waiting.clear()) reject(closed())
    await this.#connections.close()
  }

  /** Undefined where one has to wait. */
  #taken(): Connection | undefined {
    const connection = this.#choose()
    if (!connection) return undefined
    connection.users++
    this.#underWay++
    return connection
  }

  async #turn(request: Request | undefined): Promise<Connection> {
    const { deadline, patience } = this.#options
    const { client = "", since = elapsed() } = request ?? {}
    const until = since + deadline
    const { whole, others } = this.#waiting.waitOf(client)
    if (this.#waiting.length >= mostWaiting || others > patience || whole > Math.max(until - elapsed(), 0))
      throw waitsTooLong()
    return new Promise((resolve, reject) => this.#waiting.push(client, { client, until, resolve, reject }))
  }

  #pass(): void {
    if (this.#waiting.length === 0) return
    const connection = this.#taken()
    if (connection) this.#waiting.shift()?.resolve(connection)
  }

  #look(): void {
    const now = elapsed()
    for (const one of [...this.#waiting].filter(({ until }) => until <= now)) {
      this.#waiting.remove(one.client, one)
      one.reject(tooLate())
    }
  }

  #choose(): Connection | undefined {
    for (const connection of this.#connections) if (connection.users < mostSent) return connection
    return this.#connections.size < this.#options.connections ? this.#connections.open() : undefined
  }
}

/**
 * SQLSTATE invalid_sql_statement_name and duplicate_prepared_statement. The statement before, which was to prepare it
 * for this one, was ended meanwhile, such as by a lock on its table.
 */
const isUnprepared = (fault: unknown): boolean =>
  fault instanceof Error && "code" in fault && (fault.code === "26000" || fault.code === "42P05")

/** SQLSTATE class 57P is the server ending the connection; what has no SQLSTATE is said by the driver or the system. */
const isLost = (fault: unknown): boolean =>
  !(fault instanceof Error && "code" in fault) || !/^(?!57P|EPIPE)[0-9A-Z]{5}$/.test(String(fault.code))
