// A few PostgreSQL connections that send statements without waiting for the answers to those before: the fastest way for
// many prompt ones, and the wrong one for slow ones, which hold up whatever was sent behind them.
import { overloaded } from "../faults.ts"
import { type Connection, Connections, type ConnectionsOptions } from "./connections.ts"
import type { PostgresQuery, PostgresReply } from "./query.ts"

export interface PipelineOptions extends Pick<ConnectionsOptions, "config" | "settings" | "silence"> {
  readonly connections: number
  /** Statements that may be under way on all connections together. */
  readonly most: number
}

/** Statements under way on one connection before the next one is used: the fuller it is, the fewer packets. */
const preferred = 16

export class PostgresPipelines {
  readonly #options: PipelineOptions
  readonly #connections: Connections
  #underWay = 0
  #closed = false

  constructor(options: PipelineOptions) {
    this.#options = options
    this.#connections = new Connections({ ...options, bytes: true })
  }

  /** Places are statements under way: none waits, one too many is refused. */
  get use(): { readonly used: number; readonly most: number; readonly waiting: number } {
    return { used: this.#underWay, most: this.#options.most, waiting: 0 }
  }

  /** Rejects with what the driver reports, or with a Refusal when too many are under way. */
  async query(asked: PostgresQuery): Promise<readonly PostgresReply[]> {
    if (this.#closed || this.#underWay >= this.#options.most) throw overloaded()
    const connection = this.#choose()
    connection.users++
    this.#underWay++
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
    }
  }

  /** Ends when what is under way has been answered. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#connections.close()
  }

  #choose(): Connection {
    let least: Connection | undefined
    for (const connection of this.#connections) {
      if (connection.users < preferred) return connection
      if (!least || connection.users < least.users) least = connection
    }
    return least && this.#connections.size >= this.#options.connections ? least : this.#connections.open()
  }
}

/**
 * SQLSTATE invalid_sql_statement_name and duplicate_prepared_statement: the statement before, which was to prepare it for this one,
 * was ended while it did, such as by a lock on its table.
 */
const isUnprepared = (fault: unknown): boolean =>
  fault instanceof Error && "code" in fault && (fault.code === "26000" || fault.code === "42P05")

/** SQLSTATE class 57P is the server ending the connection; what has no SQLSTATE is said by the driver or the system. */
const isLost = (fault: unknown): boolean =>
  !(fault instanceof Error && "code" in fault) || !/^(?!57P|EPIPE)[0-9A-Z]{5}$/.test(String(fault.code))
