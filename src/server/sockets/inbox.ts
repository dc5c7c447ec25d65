// The messages of a socket: one in a turn of the event loop, at a bounded rate. Messages share turns with requests.
// While some wait, nothing more is read of the connection, so that the client waits and little is kept for it.
import type { Socket } from "node:net"
import { performance } from "node:perf_hooks"
import type { WebSocket } from "ws"
import type { Leave } from "../admission.ts"

/** Amounts of one connection in a second. */
export interface SocketRates {
  readonly messages: number
  readonly bytes: number
}

/** The bound that a connection was closed for. */
export type SocketBound = "messages" | "bytes" | "points"

export interface InboxOptions {
  readonly rates: SocketRates
  /** Milliseconds for which a connection may go on at its bound. */
  readonly patience: number
  /** Runs work when its turn has come. */
  readonly begin: (work: () => void) => void
  /** Undefined where the server has too much to do. */
  readonly enter: () => Leave | undefined
  /** Pays a point; false where the caller has none. */
  readonly pay: () => Promise<boolean>
  readonly close: (bound: SocketBound) => void
}

/** @param leave ends the stay of the message; undefined: it is refused, for which it takes no turn */
type Handle = (leave: Leave | undefined) => void

/** Bytes of results that the client has not taken, from which on no other message is begun. */
const mostUntaken = 1024 * 1024
/** Messages that wait, from which on no more is read of the connection. */
const mostWaiting = 16
/** Messages that cost a point together. */
const messagesOfPoint = 100
/** Points in a row that the caller could not pay. */
const mostUnpaid = 2

/** Fills with time, up to the amount of a second. More may be taken, and is owed. */
class Allowance {
  readonly #rate: number
  #left: number
  #at: number
  /** Since it was used up; undefined once it is half full again. */
  #shortSince: number | undefined

  constructor(rate: number, now: number) {
    this.#rate = rate
    this.#left = rate
    this.#at = now
  }

  take(amount: number, now: number): void {
    this.#fill(now)
    this.#left -= amount
    if (this.#left < 0) this.#shortSince ??= now
  }

  /** Milliseconds until nothing is owed. */
  wait(now: number): number {
    this.#fill(now)
    return this.#left >= 0 ? 0 : Math.ceil((-this.#left / this.#rate) * 1_000)
  }

  isShort(since: number): boolean {
    return this.#shortSince !== undefined && this.#shortSince < since
  }

  #fill(now: number): void {
    this.#left = Math.min(this.#rate, this.#left + ((now - this.#at) / 1_000) * this.#rate)
    this.#at = now
    if (this.#left >= this.#rate / 2) this.#shortSince = undefined
  }
}

export class Inbox {
  readonly #socket: WebSocket
  readonly #connection: Socket
  readonly #options: InboxOptions
  readonly #allowances: { readonly [Bound in keyof SocketRates]: Allowance }
  readonly #waiting: Handle[] = []
  /** A message has its turn; or the allowance or the client is waited for. */
  #held: "turn" | "pause" | undefined
  #count = 0
  #unpaid = 0

  constructor(socket: WebSocket, connection: Socket, options: InboxOptions) {
    this.#socket = socket
    this.#connection = connection
    this.#options = options
    const now = performance.now()
    const { messages, bytes } = options.rates
    this.#allowances = { messages: new Allowance(messages, now), bytes: new Allowance(bytes, now) }
    // With frames that are no whole message.
    connection.on("data", (chunk: Buffer) => {
      this.#allowances.bytes.take(chunk.length, performance.now())
      this.#go()
    })
  }

  /** Takes a message, or a ping or pong of RFC 6455. */
  take(handle: Handle): void {
    if (!this.#isOpen()) return
    this.#waiting.push(handle)
    this.#count += 1
    if (this.#count % messagesOfPoint === 0) void this.#pay()
    this.#go()
  }

  /** Begins messages as far as they may begin, and reads on when few are left. */
  #go(): void {
    while (!this.#held && this.#isOpen()) {
      const now = performance.now()
      const { messages, bytes } = this.#allowances
      const wait = Math.max(messages.wait(now), bytes.wait(now))
      const since = now - this.#options.patience
      if (messages.isShort(since)) this.#close("messages")
      else if (bytes.isShort(since)) this.#close("bytes")
      else if (wait > 0) this.#hold("pause", (go) => setTimeout(go, wait).unref())
      else if (this.#connection.writableLength > mostUntaken)
        this.#hold("pause", (go) => void this.#connection.once("drain", go))
      else if (this.#waiting.length > 0) {
        messages.take(1, now)
        this.#begin()
      } else break
    }
    if (!this.#isOpen()) return
    if (this.#held === "pause" || this.#waiting.length >= mostWaiting) this.#socket.pause()
    else if (this.#socket.isPaused) this.#socket.resume()
  }

  #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  #hold(until: "turn" | "pause", wait: (go: () => void) => void): void {
    this.#held = until
    wait(() => {
      this.#held = undefined
      this.#go()
    })
  }

  #begin(): void {
    const handle = this.#waiting.shift()
    const leave = this.#options.enter()
    if (leave)
      this.#hold("turn", (go) =>
        this.#options.begin(() => {
          if (this.#isOpen()) handle?.(leave)
          else leave()
          // The next one in another turn.
          setImmediate(go)
        }),
      )
    else handle?.(undefined)
  }

  async #pay(): Promise<void> {
    this.#unpaid = (await this.#options.pay()) ? 0 : this.#unpaid + 1
    if (this.#unpaid >= mostUnpaid) this.#close("points")
  }

  /** Reads nothing more of the connection. */
  #close(bound: SocketBound): void {
    if (!this.#isOpen()) return
    this.#options.close(bound)
    this.#waiting.length = 0
    this.#connection.pause()
  }
}
