// Output of a command: results on stdout, messages to the person on stderr, colours only for a terminal.
import colors from "picocolors"

type Paint = Pick<typeof colors, "bold" | "dim" | "red" | "green" | "yellow" | "cyan">

export interface Terminal {
  /** Colours for text on stdout, and for text on stderr. */
  readonly out: Paint
  readonly err: Paint
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
}

interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface Streams {
  readonly stdout: Stream
  readonly stderr: Stream
  readonly environment: Readonly<Record<string, string | undefined>>
}

export function openTerminal({ stdout, stderr, environment }: Streams): Terminal {
  let unfinished = false
  return {
    out: colors.createColors(isColourful(stdout, environment)),
    err: colors.createColors(isColourful(stderr, environment)),
    debug: (environment["BIFOLD_DEBUG"] ?? "") !== "",
    print: (text) => void stdout.write(`${text}\n`),
    say: (text) => void stderr.write(`${text}\n`),
    progress(text) {
      if (stderr.isTTY !== true) return
      unfinished = true
      stderr.write(`\r\u001b[2K${text}`)
    },
    settle() {
      if (unfinished) stderr.write("\r\u001b[2K")
      unfinished = false
    },
  }
}

/** https://no-color.org: set and not empty means no colour; FORCE_COLOR has the last word. */
function isColourful(stream: Stream, environment: Streams["environment"]): boolean {
  const { NO_COLOR: none, FORCE_COLOR: forced, TERM: kind } = environment
  if (forced !== undefined && forced !== "") return forced !== "0"
  if (none !== undefined && none !== "") return false
  return stream.isTTY === true && kind !== "dumb"
}
