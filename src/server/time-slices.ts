// Time slices of the event loop: requests are begun for some milliseconds, and then others are looked at. Without it a request
// would wait unseen in its connection while those before it are answered, and libuv takes one new connection a turn.
// Those that wait are begun in turns of their clients.
import { performance } from "node:perf_hooks"
import { FairQueue, type Wait } from "../base/fair-queue.ts"

/** Milliseconds of a turn in which requests are begun, at the least. */
const usual = 5
/** The same while new connections arrive, since each takes a turn. */
const crowded = 0.5
/** Milliseconds for which a new connection lets others be expected. */
const expectation = 50
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
  #slice: number = usual
  #isOpen = false
  #scheduled = 0
  #crowdedUntil = 0
  /** Whether something was refused since requests were last begun. */
  #isRefusing = false
  readonly #now: () => number

  /** @param now milliseconds of a clock that goes forward only */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** A connection was taken. */
  connected(): void {
    this.#crowdedUntil = this.#now() + expectation
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
    if (this.#waiting.length === 0 && now - this.#began < this.#least(now)) work()
    else this.#waiting.push(client, work)
  }

  #least(now: number): number {
    return now < this.#crowdedUntil ? crowded : usual
  }

  #open(now: number): void {
    this.#isOpen = true
    this.#began = now
    setImmediate(this.#end)
  }

  /** All that has come in this turn is there by now. */
  readonly #end = (): void => {
    this.#isOpen = false
    if (this.#waiting.length === 0) {
      this.#ended = this.#now()
      return
    }
    this.#began = this.#now()
    const looked = this.#began - this.#ended
    const { times, most: longest } = this.#isRefusing ? shares.refusing : shares.usual
    this.#isRefusing = false
    const part = this.#began < this.#crowdedUntil ? looked : times * looked
    this.#slice = Math.min(longest, Math.max(this.#least(this.#began), part))
    // One by one: promises that a work has left are settled between two of them.
    const most = Math.min(batch, this.#waiting.length)
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
