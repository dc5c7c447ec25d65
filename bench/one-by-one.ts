// A client of the benchmark that asks one request at a time over a connection, and counts of what it was answered.
import { connect, type Socket } from "node:net"
import { performance } from "node:perf_hooks"

export interface Counts {
  /** Milliseconds of answers with success. */
  readonly good: number[]
  refused: number
  failed: number
}

export interface Answer {
  /** 0: the connection was lost. */
  readonly status: number
  readonly took: number
}

export function tell(told: Counts, { status, took }: Answer): void {
  if (status >= 200 && status < 300) told.good.push(took)
  else if (status === 503) told.refused += 1
  else told.failed += 1
}

/** Its connection is made when it is needed. */
export class OneByOne {
  readonly #url: URL
  readonly #from: string
  #socket: Socket | undefined
  #head = ""
  #left = -1
  #status = 0
  #answered: ((status: number) => void) | undefined

  constructor(url: string, from: string) {
    this.#url = new URL(url)
    this.#from = from
  }

  async ask(method: string, path: string, body = ""): Promise<Answer> {
    const began = performance.now()
    const socket = this.#socket ?? this.#connect()
    const status = await new Promise<number>((resolve) => {
      this.#answered = resolve
      const content =
        body && `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
      socket.write(
        `${method} ${path} HTTP/1.1\r\nhost: ${this.#url.host}\r\nx-forwarded-for: ${this.#from}\r\n${content}\r\n${body}`,
      )
    })
    return { status, took: performance.now() - began }
  }

  /** The answer that is under way does not come. */
  giveUp(): void {
    this.close()
    this.#end(0)
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #connect(): Socket {
    const socket = connect(Number(this.#url.port), this.#url.hostname)
    this.#socket = socket
    this.#head = ""
    this.#left = -1
    socket.setNoDelay(true)
    socket.on("data", (bytes: Buffer) => this.#take(bytes))
    socket.on("error", () => {})
    socket.on("close", () => {
      if (this.#socket !== socket) return
      this.#socket = undefined
      this.#end(0)
    })
    return socket
  }

  #take(bytes: Buffer): void {
    if (this.#left >= 0) this.#left -= bytes.length
    else {
      this.#head += bytes.toString("latin1")
      const end = this.#head.indexOf("\r\n\r\n")
      if (end < 0) return
      this.#status = Number(this.#head.slice(9, 12))
      const length = Number(/content-length: (\d+)/i.exec(this.#head)?.[1] ?? 0)
      this.#left = length - (this.#head.length - end - 4)
    }
    if (this.#left <= 0) this.#end(this.#status)
  }

  #end(status: number): void {
    this.#head = ""
    this.#left = -1
    const answered = this.#answered
    this.#answered = undefined
    answered?.(status)
  }
}

export const artist = (name: string): string => JSON.stringify({ name, country: "SE" })
