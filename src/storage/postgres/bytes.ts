// Long values of PostgreSQL as the bytes that they came in. The driver makes a string of each value, which of a long
// answer takes as long as much of its statement, only for it to be made into bytes again.
import type { EventEmitter } from "node:events"
import type { Duplex } from "node:stream"
import type pg from "pg"
import { Parser } from "pg-protocol/dist/parser.js"

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
export function keepLongValues(client: pg.Client): void {
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
