// Time slices of the event loop: requests are begun for some milliseconds, and then others are looked at. Without it a request
// would wait unseen in its connection while those before it are answered, and libuv takes one new connection a turn.
import { performance } from "node:perf_hooks"

/** Milliseconds of a turn in which requests are begun, at the least. */
const usual = 5
/** The same while new connections arrive, each of which takes a turn. */
const crowded = 0.5
/** Milliseconds for which a new connection lets others be expected. */
const expectation = 50
/** Where looking at others takes long, as many are refused, requests get so many times as long. */
const share = 4
/** Milliseconds of a turn in which requests are begun, at the most. */
const longest = 100
/** Requests that may be begun in one turn. */
const batch = 256
/** Works that have begun, after which the list is made shorter. */
const compacted = 1_024

export class TimeSlices {
  /** Undefined where one has begun: what it holds is let go. */
  readonly #waiting: ((() => void) | undefined)[] = []
  /** Where the next of those that wait stands. */
  #first = 0
  #began = 0
  #ended = 0
  #slice: number = usual
  #isOpen = false
  #scheduled = 0
  #crowdedUntil = 0

  /** A connection was taken. */
  connected(): void {
    this.#crowdedUntil = performance.now() + expectation
  }

  /** Begins the work now, or in a later turn. */
  begin(work: () => void): void {
    const now = performance.now()
    if (!this.#isOpen) this.#open(now)
    const isFree = this.#first === this.#waiting.length
    if (isFree && now - this.#began < this.#least(now)) work()
    else this.#waiting.push(work)
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
    if (this.#first === this.#waiting.length) {
      this.#ended = performance.now()
      return
    }
    this.#began = performance.now()
    const looked = this.#began - this.#ended
    const part = this.#began < this.#crowdedUntil ? looked : share * looked
    this.#slice = Math.min(longest, Math.max(this.#least(this.#began), part))
    // One by one: promises that a work has left are settled between two of them.
    const waiting = this.#waiting.length - this.#first
    for (; this.#scheduled < Math.min(batch, waiting); this.#scheduled += 1) setImmediate(this.#next)
  }

  readonly #next = (): void => {
    this.#scheduled -= 1
    const now = performance.now()
    if (now - this.#began < this.#slice) this.#take()?.()
    if (this.#scheduled > 0) return
    this.#ended = performance.now()
    // In the next turn: what has come meanwhile is looked at before.
    if (!this.#isOpen) this.#open(this.#ended)
  }

  #take(): (() => void) | undefined {
    const work = this.#waiting[this.#first]
    if (work) {
      this.#waiting[this.#first] = undefined
      this.#first += 1
    }
    if (this.#first >= compacted) {
      this.#waiting.splice(0, this.#first)
      this.#first = 0
    }
    return work
  }
}
