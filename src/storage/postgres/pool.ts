// PostgreSQL connections that are lent to one user at a time, who gives them back: for transactions.
import { overloaded, tooSlow } from "../faults.ts"
import { type Connection, Connections, type ConnectionsOptions } from "./connections.ts"

export interface PoolOptions extends Pick<ConnectionsOptions, "config" | "settings" | "silence"> {
  readonly connections: number
  /** Milliseconds after which one that nobody used is given up. */
  readonly unused: number
}

interface Waiting {
  readonly until: number
  readonly resolve: (connection: Connection) => void
  readonly reject: (fault: unknown) => void
}

/** Those who may wait for a connection; more are refused. */
const mostWaiting = 10_000

export class PostgresPool {
  readonly #options: PoolOptions
  readonly #connections: Connections
  /** The one that was used last is last, and used first. */
  readonly #idle: Connection[] = []
  readonly #waiting: Waiting[] = []
  /** With those that are being opened. */
  #lent = 0
  #closed: (() => void) | undefined

  constructor(options: PoolOptions) {
    this.#options = options
    this.#connections = new Connections({
      ...options,
      bytes: false,
      gone: (connection) => {
        const at = this.#idle.indexOf(connection)
        if (at >= 0) this.#idle.splice(at, 1)
      },
      looked: (now) => this.#look(now),
    })
  }

  get use(): { readonly used: number; readonly most: number; readonly waiting: number } {
    return { used: this.#lent, most: this.#options.connections, waiting: this.#waiting.length }
  }

  /**
   * First come, first served. Rejects with what the driver reports, or with a Refusal when too many wait, or too long.
   * @param until as of `Date.now()`
   */
  async take(until: number): Promise<Connection> {
    const idle = this.#idle.pop()
    if (idle) {
      this.#lent++
      return idle
    }
    if (this.#closed || this.#waiting.length >= mostWaiting) throw overloaded()
    if (this.#lent < this.#options.connections) return this.#open()
    return new Promise((resolve, reject) => this.#waiting.push({ until, resolve, reject }))
  }

  /** @param lost it is of no use any more */
  giveBack(connection: Connection, lost: boolean): void {
    this.#lent--
    if (lost) this.#connections.leave(connection)
    this.#pass(this.#connections.has(connection) ? connection : undefined)
  }

  /** Ends when all have been given back, and nobody waits. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#closed = resolve
    })
    if (this.#lent > 0) await closed
    await this.#connections.close()
  }

  async #open(): Promise<Connection> {
    this.#lent++
    const connection = this.#connections.open()
    try {
      await connection.opened
      return connection
    } catch (fault) {
      this.#lent--
      this.#pass(undefined)
      throw fault
    }
  }

  /** To who waits first; without a connection a new one is made for them. */
  #pass(connection: Connection | undefined): void {
    const next = this.#waiting.shift()
    if (next && !connection) this.#open().then(next.resolve, next.reject)
    else if (next && connection) {
      this.#lent++
      next.resolve(connection)
    } else if (connection) this.#idle.push(connection)
    if (this.#lent === 0) this.#closed?.()
  }

  #look(now: number): void {
    for (const one of this.#waiting.filter(({ until }) => until <= now)) {
      this.#waiting.splice(this.#waiting.indexOf(one), 1)
      one.reject(tooSlow())
    }
    for (const connection of [...this.#idle])
      if (connection.heard < now - this.#options.unused) this.#connections.leave(connection)
  }
}
