// Where lines of a log go: a file, a pipe, a terminal. They are written beside the work of the server and in bounds: a destination
// that is slow, full or gone costs lines, and neither holds the process up nor ends it. pino's own destination does not do here: it
// waits without an end for a full disk when the process exits, and writes more at once than a pipe keeps together.
import { constants, fstatSync, openSync, write, writeSync } from "node:fs"

export interface Destination {
  /** Whether a line may be written; else it is to be dropped. */
  hasRoom(): boolean
  /** A whole line, with its line break. */
  write(line: string): void
  /** Resolves when all is written, or after so many milliseconds. */
  close(patience: number): Promise<void>
}

interface Limits {
  /** Characters that may wait. */
  readonly most: number
  /** Milliseconds for which lines are gathered. */
  readonly gathering: number
}

const defaultLimits: Limits = { most: 4 * 1024 * 1024, gathering: 20 }

/** A pipe keeps a write of up to this size together (PIPE_BUF of Linux), and a file one of any size. */
export const longestLine = 4_096
const longestPiece = 65_536
/** Milliseconds after which a pipe that was full is tried again, twice as long each time up to the longest, and a disk. */
const pauses = { full: 1, longest: 25, failing: 1_000 } as const
/** Nobody will ever read what is written: there is nothing to try again. */
const gone = ["EPIPE", "EBADF", "ECONNRESET", "ENOTCONN", "ESHUTDOWN"]

export function openDestination(given: number, { most, gathering }: Limits = defaultLimits): Destination {
  const atOnce = isFile(given) ? longestPiece : longestLine
  const fd = withoutWaiting(given)
  let [lines, waiting]: [string[], number] = [[], 0]
  /** The part of the last piece that the system has not taken yet. */
  let rest: Buffer | undefined
  let state: "idle" | "gathering" | "writing" | "pausing" | "gone" = "idle"
  let timer: NodeJS.Timeout | undefined
  let ended: (() => void) | undefined
  let pause: number = pauses.full

  const later = (work: () => void, pause: number): void => {
    timer = setTimeout(work, pause).unref()
  }
  /** As many lines as go together, and at least one. */
  const nextPiece = (): Buffer | undefined => {
    if (rest) return rest
    let bytes = 0
    const more = lines.findIndex((line) => {
      bytes += Buffer.byteLength(line)
      return bytes > atOnce
    })
    const piece = lines.splice(0, more < 0 ? lines.length : Math.max(more, 1)).join("")
    waiting -= piece.length
    return piece === "" ? undefined : Buffer.from(piece)
  }
  const leave = (): void => {
    state = "gone"
    rest = undefined
    lines = []
    waiting = 0
    ended?.()
  }
  const next = (): void => {
    const piece = nextPiece()
    if (!piece) {
      state = "idle"
      ended?.()
      return
    }
    state = "writing"
    write(fd, piece, (fault, written) => {
      rest = fault ? piece : written < piece.length ? piece.subarray(written) : undefined
      if (!fault) {
        pause = pauses.full
        return next()
      }
      if (gone.includes(fault.code ?? "")) return leave()
      state = "pausing"
      later(next, fault.code === "EAGAIN" ? pause : pauses.failing)
      pause = Math.min(pause * 2, pauses.longest)
    })
  }
  const atExit = (): void => {
    // A piece that is being written arrives by itself.
    if (state === "writing") rest = undefined
    try {
      for (let piece = nextPiece(); piece; piece = nextPiece()) {
        const written = writeSync(fd, piece)
        rest = written < piece.length ? piece.subarray(written) : undefined
      }
    } catch {
      // The process ends without what cannot be written now.
    }
  }
  process.on("exit", atExit)
  return {
    hasRoom: () => state !== "gone" && waiting < most,
    write(line) {
      if (state === "gone") return
      lines.push(line)
      waiting += line.length
      if (state !== "idle") return
      state = "gathering"
      later(next, gathering)
    },
    async close(patience) {
      if (state === "gathering" || state === "pausing") {
        clearTimeout(timer)
        next()
      }
      if (state !== "idle" && state !== "gone")
        await new Promise<void>((resolve) => {
          const end = setTimeout(resolve, patience)
          ended = () => {
            clearTimeout(end)
            resolve()
          }
        })
      process.off("exit", atExit)
      if (state !== "idle") leave()
    },
  }
}

/**
 * A write to a full pipe that waits for its reader holds a thread, which even `process.exit` waits for: the process would never
 * end. Whether it waits is a property that all processes with the pipe share, and that the start of a child changes; so it is
 * opened once more, on systems where it can be.
 */
function withoutWaiting(fd: number): number {
  try {
    return fstatSync(fd).isFIFO()
      ? openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
      : fd
  } catch {
    return fd
  }
}

function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile()
  } catch {
    return false
  }
}

export interface LineStream {
  readonly writableLength?: number
  write(line: string): unknown
}

/** For a stream of the same process, as tests have it. */
export const streamDestination = (
  stream: LineStream,
  { most }: Pick<Limits, "most"> = defaultLimits,
): Destination => ({
  hasRoom: () => (stream.writableLength ?? 0) < most,
  write: (line) => void stream.write(line),
  close: async () => {},
})
