// Output of a command: results on stdout, messages to the person on stderr, colors only for a terminal.

import { text as textOf } from "node:stream/consumers"
import colors from "picocolors"

type Paint = Pick<typeof colors, "bold" | "dim" | "red" | "green" | "yellow" | "cyan">

export interface Terminal {
  /** Colors for text on stdout, and for text on stderr. */
  readonly out: Paint
  readonly err: Paint
  /** Whether a person watches stdout, and stderr. */
  readonly watched: { readonly out: boolean; readonly err: boolean }
  /** Where messages go, for what writes lines of its own. */
  readonly stderr: Stream
  /** BIFOLD_DEBUG: stack traces are wanted. */
  readonly debug: boolean
  /** A result: ends with a line break. */
  print(text: string): void
  /** Something for the person who reads along. */
  say(text: string): void
  /** Overwrites the line it wrote before, where a person watches; else silent. */
  progress(text: string): void
  /** Ends the line that `progress` wrote. */
  settle(): void
  /** All of the standard input. */
  input(): Promise<string>
  /** The exit code, once the command is done. */
  exitWith(code: number): void
}

interface Stream {
  readonly fd?: number
  readonly isTTY?: boolean
  readonly columns?: number
  /** Bytes that a slow reader has not taken yet. */
  readonly writableLength?: number
  write(text: string): unknown
}

/** The process, or what stands for it in a test. */
export interface Host {
  readonly stdin: AsyncIterable<Uint8Array | string>
  readonly stdout: Stream
  readonly stderr: Stream
  readonly env: Readonly<Record<string, string | undefined>>
  exitCode?: number | string | null | undefined
}

/** Bytes that may wait for the reader of stderr; further messages are dropped, so that memory stays bounded. */
const mostWaiting = 4 * 1024 * 1024

export function openTerminal(host: Host): Terminal {
  const { stdin, stdout, stderr, env: environment } = host
  let unfinished = false
  return {
    out: colors.createColors(isColourful(stdout, environment)),
    err: colors.createColors(isColourful(stderr, environment)),
    watched: { out: stdout.isTTY === true, err: stderr.isTTY === true },
    stderr,
    debug: (environment["BIFOLD_DEBUG"] ?? "") !== "",
    print: (text) => void stdout.write(`${text}\n`),
    say(text) {
      if ((stderr.writableLength ?? 0) < mostWaiting) stderr.write(`${text}\n`)
    },
    progress(text) {
      if (stderr.isTTY !== true) return
      unfinished = true
      stderr.write(`\r\u001b[2K${text}`)
    },
    settle() {
      if (unfinished) stderr.write("\r\u001b[2K")
      unfinished = false
    },
    input: () => textOf(stdin),
    exitWith(code) {
      host.exitCode = code
    },
  }
}

/** https://no-color.org: set and not empty means no color; FORCE_COLOR has the last word. */
function isColourful(stream: Stream, environment: Host["env"]): boolean {
  const { NO_COLOR: none, FORCE_COLOR: forced, TERM: kind } = environment
  if (forced !== undefined && forced !== "") return forced !== "0"
  if (none !== undefined && none !== "") return false
  return stream.isTTY === true && kind !== "dumb"
}

// Commands of hints, as a shell takes them.

/** One word of a command, in quotes where a shell would take it apart or make something else of it. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
