// A statement on its way to PostgreSQL and back. The driver's own query copies its text, reads a description of the
// columns, and sends four messages apart; no caller here needs that.
import type { Duplex } from "node:stream"
import pg from "pg"
import { serialize } from "pg-protocol"
import type { Parameter } from "../../sql/statement.ts"

export interface PostgresQuery {
  readonly text: string
  /** Under which it stays prepared on the connection. */
  readonly name?: string | undefined
  readonly values: readonly Parameter[]
}

/** Values as PostgreSQL words them; long ones may be bytes. */
export type PostgresReply = readonly (string | Buffer | null)[]

type Answered = (fault: Error | undefined, rows: readonly PostgresReply[]) => void

/** The used part of the driver's connection (pg 8.16 and later). */
interface Wire extends pg.Connection {
  /** The texts of names, as far as the server has confirmed them, and those that are on their way to it. */
  readonly parsedStatements: Record<string, string>
  readonly submittedNamedStatements: Record<string, string>
}

/** Executes the portal without a name, and ends the transaction that is begun implicitly. */
const tail = Buffer.concat([serialize.execute({}), serialize.sync()])

/** Have been sent something in this turn of the event loop. */
const gathering = new Set<Duplex>()

/** Statements of one turn of the event loop leave a connection together: a packet costs more than most statements. */
function gather(stream: Duplex): void {
  if (gathering.has(stream)) return
  stream.cork()
  if (gathering.size === 0) setImmediate(sendGathered)
  gathering.add(stream)
}

function sendGathered(): void {
  const streams = [...gathering]
  gathering.clear()
  for (const stream of streams) stream.uncork()
}

/** The driver calls its methods with each message of the server. */
export class Question {
  readonly text: string
  readonly name: string
  readonly #values: readonly Parameter[]
  readonly #told: PostgresReply[] = []
  /** The driver looks whether there is one. */
  readonly callback: Answered

  constructor({ text, name, values }: PostgresQuery, answered: Answered) {
    this.text = text
    this.name = name ?? ""
    this.#values = values
    this.callback = answered
  }

  /** A returned error is handed to `handleError`. */
  submit(wire: pg.Connection): Error | null {
    const { parsedStatements, submittedNamedStatements, stream } = wire as Wire
    const { name, text } = this
    try {
      const bind = serialize.bind({ statement: name, values: [...this.#values], valueMapper: written })
      if (!stream.writable) return null // the driver tells all when it is closed
      gather(stream)
      if (name !== "" && (parsedStatements[name] ?? submittedNamedStatements[name]) !== undefined) {
        stream.write(Buffer.concat([bind, tail]))
      } else {
        if (name !== "") submittedNamedStatements[name] = text
        stream.write(Buffer.concat([serialize.parse({ name, text }), bind, tail]))
      }
      return null
    } catch (fault) {
      return fault instanceof Error ? fault : new Error(String(fault))
    }
  }

  handleDataRow({ fields }: { readonly fields: PostgresReply }): void {
    this.#told.push(fields)
  }

  handleCommandComplete(): void {}

  handleEmptyQuery(): void {}

  handleError(fault: Error): void {
    this.callback(fault, [])
  }

  handleReadyForQuery(): void {
    this.callback(undefined, this.#told)
  }
}

// Behind others on one connection the driver takes its own queries only, which this one stands in for.
Object.setPrototypeOf(Question.prototype, pg.Query.prototype)

const written = (value: Parameter): string | Buffer | null => {
  if (value === null || typeof value === "string") return value
  if (typeof value !== "object") return String(value)
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}
