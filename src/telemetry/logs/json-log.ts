// The log as JSON, a line for each entry, by pino.
import { pino } from "pino"
import { catalog, type Entry, levelOf, safeMembers, type Value } from "./catalog.ts"
import { type LineStream, longestLine, openDestination, streamDestination } from "./destination.ts"
import type { Level } from "./levels.ts"
import type { Log } from "./log.ts"

export interface JsonLogOptions {
  /** Where it has a number, lines go to the file, the pipe or the terminal itself. */
  readonly stream: LineStream & { readonly fd?: number }
  readonly level: Level
}

/** Bytes of a line besides its members. */
const frame = 300
/** Milliseconds for which the end of the process waits for the destination. */
const patience = 1_000

export function createJsonLog({ stream, level }: JsonLogOptions): Log {
  const destination = stream.fd === undefined ? streamDestination(stream) : openDestination(stream.fd)
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  )
  let dropped = 0
  const write = (entry: Entry): void => {
    const at = levelOf(entry)
    if (logger.isLevelEnabled(at))
      logger[at](fitted({ event: entry.event, ...safeMembers(entry) }), catalog[entry.event].text)
  }
  return {
    write(entry) {
      if (!destination.hasRoom()) dropped++
      else {
        if (dropped > 0) write({ event: "lines_dropped", members: { count: dropped } })
        dropped = 0
        write(entry)
      }
    },
    close: () => destination.close(patience),
  }
}

/** The longest text is shortened until the line stays whole among those of other processes. */
function fitted(members: Record<string, Value>): Record<string, Value> {
  for (;;) {
    const texts = Object.entries(members).filter(
      (member): member is [string, string] => typeof member[1] === "string",
    )
    const characters = texts.reduce((sum, [, { length }]) => sum + length, 0)
    // Few, however they are coded.
    if (characters < 500) return members
    if (Buffer.byteLength(JSON.stringify(members)) + frame <= longestLine) return members
    const [name, longest] = texts.reduce((one, other) => (other[1].length > one[1].length ? other : one))
    members[name] = `${longest.slice(0, longest.length / 2).toWellFormed()}…`
  }
}
