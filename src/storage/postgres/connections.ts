// Connections to PostgreSQL that send statements without waiting for earlier answers. A silent server costs the
// connection: one timer looks at all connections, instead of one for each statement.

import type { EventEmitter } from "node:events"
import { Socket } from "node:net"
import type { Duplex } from "node:stream"
import pg from "pg"
import { Parser } from "pg-protocol/dist/parser.js"
import { elapsed } from "../../base/clock.ts"
import { goneSilent } from "../faults.ts"
import { type PostgresQuery, type PostgresReply, Question } from "./query.ts"

export interface ConnectionsOptions {
  /** Settings of a connection. */
  readonly config: pg.ClientConfig
  /** Runs once on each connection, before anything else. */
  readonly settings: string
  /** Milliseconds without any answer after which a connection counts as lost. */
  readonly silence: number
  /** Whether long values stay bytes. */
  readonly bytes: boolean
  /** Called when one is of no use any more. */
  readonly gone?: (connection: Connection) => void
  /** Called about every second. */
  readonly looked?: (now: number) => void
}

export class Connection {
  readonly #client: pg.Client
  readonly #socket = new Socket()
  /** Rejects with what the driver reports. */
  readonly opened: Promise<void>
  /** Whether `opened` has resolved. */
  ready = false
  /** Users of the connection, also before it is open; the pool keeps the number. */
  users = 0
  /** Statements that were sent and are not answered. */
  underWay = 0
  /** When the last answer came, or when the first open statement was sent. */
  heard = elapsed()

  constructor({ config, settings, bytes }: ConnectionsOptions, gone: () => void) {
    // The driver's types do not know of `pipeline`.
    const all = { ...config, pipeline: true, stream: () => this.#socket }
    this.#client = new pg.Client(all)
    if (bytes) keepLongValues(this.#client)
    // The loss of an idle connection is no fault of any request, and must not end the process.
    this.#client.on("error", gone)
    this.#client.on("end", gone)
    this.opened = this.#open(settings)
    this.opened.catch(gone)
  }

  async #open(settings: string): Promise<void> {
    this.underWay++
    try {
      await this.#client.connect()
      await this.#client.query(settings)
    } catch (fault) {
      this.#socket.destroy()
      throw fault
    } finally {
      this.underWay--
      this.heard = elapsed()
    }
    this.ready = true
  }

  /** Once it is open. Rejects with what the driver reports, or a Refusal when the server has gone silent. */
  query(asked: PostgresQuery): Promise<readonly PostgresReply[]> {
    if (this.underWay === 0) this.heard = elapsed()
    this.underWay++
    return new Promise((resolve, reject) => {
      const question = new Question(asked, (fault, rows) => {
        this.underWay--
        this.heard = elapsed()
        if (fault) reject(fault)
        else resolve(rows)
      })
      this.#client.query(question)
    })
  }

  /** Queries under way are still answered, if they can be. */
  async end(): Promise<void> {
    await this.opened
    await this.#client.end()
  }

  /** Queries under way fail. */
  drop(): void {
    this.#socket.destroy(goneSilent())
  }
}

/** Milliseconds between two looks at them. */
const lookEvery = 1_000

export class Connections {
  readonly #options: ConnectionsOptions
  readonly #all = new Set<Connection>()
  /** Connections of no use any more, with queries under way. */
  readonly #leaving = new Set<Connection>()
  readonly #watch: NodeJS.Timeout
  #lookedAt = elapsed()

  constructor(options: ConnectionsOptions) {
    this.#options = options
    this.#watch = setInterval(() => this.#look(), lookEvery).unref()
  }

  get size(): number {
    return this.#all.size
  }

  [Symbol.iterator](): Iterator<Connection> {
    return this.#all.values()
  }

  has(connection: Connection): boolean {
    return this.#all.has(connection)
  }

  open(): Connection {
    const connection: Connection = new Connection(this.#options, () => this.#forget(connection))
    this.#all.add(connection)
    return connection
  }

  leave(connection: Connection): void {
    this.#forget(connection)
    // Each of its users may say so.
    if (!this.#leaving.has(connection)) void this.#end(connection)
  }

  /** Ends when all open statements have been answered. */
  async close(): Promise<void> {
    await Promise.all([...this.#all, ...this.#leaving].map((connection) => this.#end(connection)))
    clearInterval(this.#watch)
  }

  async #end(connection: Connection): Promise<void> {
    this.#leaving.add(connection)
    await connection.end().catch(() => {}) // callers that wait for it get the error
    this.#leaving.delete(connection)
  }

  #forget(connection: Connection): void {
    if (this.#all.delete(connection)) this.#options.gone?.(connection)
  }

  /** The server ends statements itself; one that says nothing for longer than that is out of reach. */
  #look(): void {
    const now = elapsed()
    // This process was stopped: answers may lie there unread.
    if (now - this.#lookedAt > 2 * lookEvery)
      for (const connection of [...this.#all, ...this.#leaving]) connection.heard = now
    this.#lookedAt = now
    const silent = ({ heard }: Connection) => heard < now - this.#options.silence
    for (const connection of this.#leaving) if (silent(connection)) connection.drop()
    for (const connection of this.#all)
      if (connection.underWay > 0 && silent(connection)) {
        this.#forget(connection)
        connection.drop()
      }
    this.#options.looked?.(now)
  }
}

// Long values of PostgreSQL as the bytes that they came in. The driver makes a string of each value, and the response
// makes bytes of it again. For a long answer this takes as long as much of its statement.

/** Bytes from which on a value is long; below, text is as fast. */
const leastLong = 4_096

/** The used internals of the driver. Where it has others, values are text, which is as right. */
interface Inside {
  readonly connection: EventEmitter & { attachListeners(stream: Duplex): void }
}
interface Reading {
  readonly reader: { string(length: number): string | Buffer; bytes(length: number): Buffer }
}

/** Before it connects. Its statements need `rawTypes`, or the driver makes strings of the bytes after all. */
function keepLongValues(client: pg.Client): void {
  const { connection } = client as unknown as Inside
  connection.attachListeners = (stream) => {
    const parser = new Parser()
    const { reader } = parser as unknown as Reading
    const asText = reader.string.bind(reader)
    // The driver writes over what it has read.
    reader.string = (length) => (length < leastLong ? asText(length) : Buffer.from(reader.bytes(length)))
    stream.on("data", (chunk: Buffer) => {
      parser.parse(chunk, (message) => {
        connection.emit(message.name === "error" ? "errorMessage" : message.name, message)
      })
    })
  }
}

/** Every value as it came. */
export const rawTypes: pg.CustomTypesConfig = { getTypeParser: () => (value: string | Buffer) => value }
