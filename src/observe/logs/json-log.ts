// The log as JSON, a line for each entry, made from prepared parts. For a service that logs all its requests, only the
// database takes more time than the log.
import {
  catalog,
  type Entry,
  type EventName,
  type Level,
  levelOf,
  levels,
  safeMembers,
  type Value,
} from "./catalog.ts"
import { type LineStream, longestLine, openDestination, streamDestination } from "./destination.ts"

export interface JsonLogOptions {
  /** Where it has a number, lines go to the file, the pipe or the terminal itself. */
  readonly stream: (LineStream & { readonly fd?: number }) | { readonly fd: number }
  readonly level: Level
}

/** Milliseconds for which the end of the process waits for the destination. */
const patience = 1_000

export function createJsonLog({ stream, level }: JsonLogOptions): Log {
  const destination = isNumbered(stream) ? openDestination(stream.fd) : streamDestination(stream)
  const least = levels.indexOf(level)
  const time = createClock()
  let dropped = 0
  const write = (entry: Entry): void => {
    const at = levelOf(entry)
    if (levels.indexOf(at) < least) return
    const head = `{"level":"${at}","time":"${time()}","pid":${process.pid},`
    const { event, members }: { event: EventName; members: object } = entry
    const line = head + bodyOf(event, members as Readonly<Record<string, unknown>>)
    destination.write(isShort(line) ? line : fitted(entry, head))
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

const isNumbered = (stream: JsonLogOptions["stream"]): stream is { readonly fd: number } =>
  stream.fd !== undefined

/** A character has at most three bytes. */
const isShort = (line: string): boolean =>
  line.length * 3 <= longestLine || Buffer.byteLength(line) <= longestLine

/** Shortens the longest text until the line stays whole among the lines of other processes. */
function fitted(entry: Entry, head: string): string {
  const members = safeMembers(entry)
  for (;;) {
    const line = head + bodyOf(entry.event, members)
    const [name, longest] = longestText(members)
    if (isShort(line) || longest.length < 2) return line
    members[name] = `${longest.slice(0, longest.length / 2).toWellFormed()}…`
  }
}

const longestText = (members: Readonly<Record<string, Value>>): readonly [string, string] =>
  Object.entries(members).reduce<readonly [string, string]>(
    (one, [name, value]) => (typeof value === "string" && value.length > one[1].length ? [name, value] : one),
    ["", ""],
  )

/** The parts of a line that are the same in each entry of an event. */
interface Parts {
  readonly begin: string
  readonly members: readonly (readonly [name: string, key: string, form: (value: never) => Value])[]
  readonly end: string
}

const parts = Object.fromEntries(
  Object.entries(catalog).map(([event, { text, members, ...form }]) => {
    const message = "message" in form ? String(form.message) : undefined
    const own: Parts = {
      begin: `"event":"${event}"`,
      members: Object.entries<(value: never) => Value>(members).map(([name, write]) => [
        name,
        name === message ? `,"msg":` : `,"${name}":`,
        write,
      ]),
      end: message === undefined ? `,"msg":${JSON.stringify(text)}}\n` : "}\n",
    }
    return [event, own]
  }),
) as Readonly<Record<EventName, Parts>>

/** Members as the catalog has them, in its order. */
function bodyOf(event: EventName, given: Readonly<Record<string, unknown>>): string {
  const { begin, members, end } = parts[event]
  let body = begin
  for (const [name, key, form] of members) {
    const value = given[name]
    if (value !== undefined) body += key + (value === null ? "null" : textOf(form(value as never)))
  }
  return body + end
}

/** Characters that JSON writes otherwise. */
const escaped = /[^\x20\x21\x23-\x5b\x5d-\x7e]/

function textOf(value: Value): string {
  if (typeof value === "string") return escaped.test(value) ? JSON.stringify(value) : `"${value}"`
  return typeof value === "number" && Number.isFinite(value) ? String(value) : JSON.stringify(value)
}

/** The time as text: its second is the same in many lines. */
function createClock(): () => string {
  let second = 0
  let text = ""
  return () => {
    const now = Date.now()
    const part = now % 1_000
    if (now - part !== second) {
      second = now - part
      text = new Date(second).toISOString().slice(0, -4)
    }
    return `${text}${String(part).padStart(3, "0")}Z`
  }
}

// Where entries of the log of a running server go, whatever its form.
export interface Log {
  write(entry: Entry): void
  /** Resolves when what was written has arrived, or cannot. */
  close(): Promise<void>
}
