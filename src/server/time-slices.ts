// Time slices of the event loop: requests are begun for some milliseconds, and then others are looked at. Without it a request
// would wait unseen in its connection while those before it are answered. Those that wait are begun in turns of their clients.
// New connections come first: the system keeps them in one line, whose clients are not known before they are taken.
import { performance } from "node:perf_hooks"
import { FairQueue, type Wait } from "../base/fair-queue.ts"

/** Milliseconds of a turn in which requests are begun, at the least. */
const least = 5
/**
 * While each turn takes a new connection (libuv takes one a turn) and is short, a request is begun after so many of them:
 * connections are taken faster than answers let clients come again.
 */
const mostTaken = 4
/**
 * Where all else of a turn takes long, requests get as long again, so many milliseconds at the most: what arrives meanwhile waits.
 * Where much of it is refused they get more, since refusals would leave them no time.
 */
const shares = { usual: { times: 1, most: 20 }, refusing: { times: 4, most: 100 } } as const
/** Requests that may be begun in one turn. */
const batch = 256

export class TimeSlices {
  readonly #waiting = new FairQueue<() => void>()
  #began = 0
  #ended = 0
  #slice: number = least
  #isOpen = false
  #scheduled = 0
  /** Whether a connection was taken since this was last looked at: more of them may wait. */
  #hasTaken = false
  /** Connections that were taken since requests were last begun. */
  #taken = 0
  /** Whether something was refused since requests were last begun. */
  #isRefusing = false
  readonly #now: () => number

  /** @param now milliseconds of a clock that goes forward only */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** A connection was taken. */
  connected(): void {
    this.#hasTaken = true
  }

  /** A request was refused. */
  refused(): void {
    this.#isRefusing = true
  }

  /** The expected wait of a work of the client. */
  waitOf(client: string): Wait {
    return this.#waiting.waitOf(client)
  }

  /** Begins the work now, or in a later turn. */
  begin(client: string, work: () => void): void {
    const now = this.#now()
    if (!this.#isOpen) this.#open(now)
    // While connections are taken, it is the turn of a client of which nothing waits.
    const isTurn =
      this.#waiting.length === 0 ? !this.#hasTaken : this.#taken > 0 && !this.#waiting.has(client)
    if (isTurn && now - this.#began < least) work()
    else this.#waiting.push(client, work)
  }

  #open(now: number): void {
    this.#isOpen = true
    this.#began = now
    setImmediate(this.#end)
  }

  /** All that has come in this turn is there by now. */
  readonly #end = (): void => {
    const now = this.#now()
    if (this.#waiting.length === 0) {
      this.#isOpen = false
      this.#ended = now
      return
    }
    const isTaking = this.#hasTaken && now - this.#began < least
    this.#hasTaken = false
    if (isTaking && ++this.#taken < mostTaken) {
      this.#began = now
      return void setImmediate(this.#end)
    }
    this.#taken = 0
    this.#isOpen = false
    const looked = now - this.#ended
    const { times, most: longest } = this.#isRefusing ? shares.refusing : shares.usual
    this.#isRefusing = false
    this.#slice = Math.min(longest, Math.max(least, times * looked))
    this.#began = now
    // One by one: promises that a work has left are settled between two of them.
    const most = isTaking ? 1 : Math.min(batch, this.#waiting.length)
    for (; this.#scheduled < most; this.#scheduled += 1) setImmediate(this.#next)
  }

  readonly #next = (): void => {
    this.#scheduled -= 1
    const now = this.#now()
    if (now - this.#began < this.#slice) this.#waiting.shift()?.()
    if (this.#scheduled > 0) return
    this.#ended = this.#now()
    // In the next turn: what has come meanwhile is looked at before.
    if (!this.#isOpen) this.#open(this.#ended)
  }
}
