// PostgreSQL connections that are lent to one user at a time, who gives them back: for transactions. Clients take turns.
import { elapsed } from "../../base/clock.ts"
import { FairQueue } from "../../base/fair-queue.ts"
import { closed, tooLate, waitsTooLong } from "../faults.ts"
import { type Connection, Connections, type ConnectionsOptions } from "./connections.ts"

export interface PoolOptions extends Pick<ConnectionsOptions, "config" | "settings" | "silence"> {
  readonly connections: number
  /** Milliseconds after which an unused one is closed. */
  readonly unused: number
  /** Milliseconds that one may wait behind statements of other clients. */
  readonly patience: number
}

/** Whether a ticket had better wait, though there may be a connection for it: another user will take it along soon. */
type Holds<Ticket> = (ticket: Ticket) => boolean

/** A wish for a connection. */
export interface Wish<Ticket = unknown> {
  readonly client: string
  /** As of `elapsed()`. */
  readonly until: number
  /** The work it is for, where another user of a connection may do that along with its own. */
  readonly ticket?: Ticket | undefined
  /** The work was begun before, and undone because of others: it is not refused for how long it would wait. */
  readonly isAgain?: boolean
}

interface Waiting<Ticket> extends Wish<Ticket> {
  readonly resolve: (connection: Connection | "taken along") => void
  readonly reject: (fault: unknown) => void
}

/** Those who may wait for a connection; more are refused. */
const mostWaiting = 10_000

export class PostgresPool<Ticket = never> {
  readonly #options: PoolOptions
  readonly #connections: Connections
  /** The one that was used last is last, and used first. */
  readonly #idle: Connection[] = []
  readonly #waiting = new FairQueue<Waiting<Ticket>>()
  /** With those that are being opened. */
  #lent = 0
  #closed: (() => void) | undefined
  #holds: Holds<Ticket> = () => false
  #filling: NodeJS.Immediate | undefined

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
   * Clients take turns; each client's wishes are met in their order. `taken along` where another user has taken the ticket.
   * Rejects with what the driver reports, or with a Refusal where the turn would not come in time, or has not come.
   */
  async take(wish: Wish<Ticket>): Promise<Connection | "taken along"> {
    const isHeld = this.#isHeld(wish)
    const idle = isHeld ? undefined : this.#idle.pop()
    if (idle) {
      this.#lent++
      return idle
    }
    if (this.#closed) throw closed()
    if (this.#waiting.length >= mostWaiting) throw waitsTooLong()
    if (!isHeld && this.#lent < this.#options.connections) return this.#open()
    const { client, until, isAgain } = wish
    const { whole, others } = this.#waiting.waitOf(client)
    if (!isAgain && (others > this.#options.patience || whole > until - elapsed())) throw waitsTooLong()
    return new Promise((resolve, reject) => this.#waiting.push(client, { ...wish, resolve, reject }))
  }

  /** Tickets that it tells of get no connection until another one is given back. */
  hold(holds: Holds<Ticket>): void {
    this.#holds = holds
  }

  readonly #isHeld = ({ ticket }: Wish<Ticket>): boolean => ticket !== undefined && this.#holds(ticket)

  /** Tickets of those whose turns come next, which wait no more. */
  takeAlong(most: number, takes: (ticket: Ticket) => boolean): readonly Ticket[] {
    const taken: Ticket[] = []
    while (taken.length < most) {
      const next = this.#waiting.shift(({ ticket }) => ticket !== undefined && takes(ticket))
      if (next?.ticket === undefined) break
      next.resolve("taken along")
      taken.push(next.ticket)
    }
    return taken
  }

  /** @param lost it is of no use any more */
  giveBack(connection: Connection, lost: boolean): void {
    this.#lent--
    if (lost) this.#connections.leave(connection)
    this.#pass(this.#connections.has(connection) ? connection : undefined)
    // Its next user may take others along, but not all.
    if (this.#waiting.length > 0) this.#filling ??= setImmediate(this.#fill)
  }

  /** Idle connections go to those that are not held any more. */
  readonly #fill = (): void => {
    this.#filling = undefined
    while (this.#waiting.length > 0 && this.#lent < this.#options.connections) {
      const next = this.#waiting.shift((wish) => !this.#isHeld(wish))
      if (!next) return
      const idle = this.#idle.pop()
      if (idle) this.#lent++
      if (idle) next.resolve(idle)
      else this.#open().then(next.resolve, next.reject)
    }
  }

  /** Ends when all connections are returned and the queue is empty. */
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

  /** To whose turn it is; without a connection a new one is made for them. */
  #pass(connection: Connection | undefined): void {
    const next = this.#waiting.shift((wish) => !this.#isHeld(wish))
    if (next && !connection) this.#open().then(next.resolve, next.reject)
    else if (next && connection) {
      this.#lent++
      next.resolve(connection)
    } else if (connection) this.#idle.push(connection)
    if (this.#lent === 0) this.#closed?.()
  }

  #look(now: number): void {
    for (const one of [...this.#waiting].filter(({ until }) => until <= now)) {
      this.#waiting.remove(one.client, one)
      one.reject(tooLate())
    }
    for (const connection of [...this.#idle])
      if (connection.heard < now - this.#options.unused) this.#connections.leave(connection)
  }
}
