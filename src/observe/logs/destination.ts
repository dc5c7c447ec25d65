// Destinations of log lines: a file, a pipe, a terminal. Lines are written beside the work of the server and in bounds.
// A destination that is slow, full or gone costs lines, and neither delays nor ends the process. pino's own destination
// does not fit. At exit it waits without an end for a full disk, and it writes more at once than a pipe keeps together.
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
/** The reader is gone for good, so no write is tried again. */
const gone = ["EPIPE", "EBADF", "ECONNRESET", "ENOTCONN", "ESHUTDOWN"]

export const openDestination = (fd: number, limits: Limits = defaultLimits): Destination =>
  new OwnDestination(fd, limits)

class OwnDestination implements Destination {
  readonly #fd: number
  readonly #limits: Limits
  /** Bytes that go together. */
  readonly #atOnce: number
  #lines: string[] = []
  #waiting = 0
  /** The part of the last piece that the system has not taken yet. */
  #rest: Buffer | undefined
  #state: "idle" | "gathering" | "writing" | "pausing" | "gone" = "idle"
  #timer: NodeJS.Timeout | undefined
  #ended: (() => void) | undefined
  #pause: number = pauses.full

  constructor(fd: number, limits: Limits) {
    this.#limits = limits
    this.#atOnce = isFile(fd) ? longestPiece : longestLine
    this.#fd = withoutWaiting(fd)
    process.on("exit", this.#atExit)
  }

  hasRoom(): boolean {
    return this.#state !== "gone" && this.#waiting < this.#limits.most
  }

  write(line: string): void {
    if (this.#state === "gone") return
    this.#lines.push(line)
    this.#waiting += line.length
    if (this.#state !== "idle") return
    this.#state = "gathering"
    this.#later(this.#limits.gathering)
  }

  async close(patience: number): Promise<void> {
    if (this.#state === "gathering" || this.#state === "pausing") {
      clearTimeout(this.#timer)
      this.#next()
    }
    if (this.#state !== "idle" && this.#state !== "gone")
      await new Promise<void>((resolve) => {
        const end = setTimeout(resolve, patience)
        this.#ended = () => {
          clearTimeout(end)
          resolve()
        }
      })
    process.off("exit", this.#atExit)
    if (this.#state !== "idle") this.#leave()
  }

  #later(pause: number): void {
    this.#timer = setTimeout(() => this.#next(), pause).unref()
  }

  #next(): void {
    const piece = this.#nextPiece()
    if (!piece) {
      this.#state = "idle"
      this.#ended?.()
      return
    }
    this.#state = "writing"
    write(this.#fd, piece, (fault, written) => {
      this.#rest = fault ? piece : written < piece.length ? piece.subarray(written) : undefined
      if (!fault) {
        this.#pause = pauses.full
        return this.#next()
      }
      if (gone.includes(fault.code ?? "")) return this.#leave()
      this.#state = "pausing"
      this.#later(fault.code === "EAGAIN" ? this.#pause : pauses.failing)
      this.#pause = Math.min(this.#pause * 2, pauses.longest)
    })
  }

  /** As many lines as go together, and at least one. */
  #nextPiece(): Buffer | undefined {
    if (this.#rest) return this.#rest
    let bytes = 0
    const more = this.#lines.findIndex((line) => {
      bytes += Buffer.byteLength(line)
      return bytes > this.#atOnce
    })
    const piece = this.#lines.splice(0, more < 0 ? this.#lines.length : Math.max(more, 1)).join("")
    this.#waiting -= piece.length
    return piece === "" ? undefined : Buffer.from(piece)
  }

  #leave(): void {
    this.#state = "gone"
    this.#rest = undefined
    this.#lines = []
    this.#waiting = 0
    this.#ended?.()
  }

  readonly #atExit = (): void => {
    // The system completes a piece that is being written.
    if (this.#state === "writing") this.#rest = undefined
    try {
      for (let piece = this.#nextPiece(); piece; piece = this.#nextPiece()) {
        const written = writeSync(this.#fd, piece)
        this.#rest = written < piece.length ? piece.subarray(written) : undefined
      }
    } catch {
      // The process ends without what cannot be written now.
    }
  }
}

/**
 * A blocking write to a full pipe holds a thread, which even `process.exit` waits for: the process would never end.
 * Blocking is a property that all processes with the pipe share, and the start of a child changes it. So the pipe is
 * opened once more, on systems that allow it.
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
