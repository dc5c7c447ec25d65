// A queue in which clients take turns, however many items each of them has: as fair queueing does (Nagle, RFC 970). The queue
// measures the rate at which items leave, and so predicts the wait of a new one.

/** A rate needs this many milliseconds in which items waited, and this many items: a lock may have kept the first of them. */
const needed = { time: 1_000, items: 32 } as const
/** Milliseconds after which a rate is outdated. */
const memory = 1_000

export interface Wait {
  /** Milliseconds behind all that come first. */
  readonly whole: number
  /** Milliseconds of these behind items of other clients. */
  readonly others: number
}

const none: Wait = { whole: 0, others: 0 }

export class FairQueue<Item> {
  readonly #now: () => number
  /** By client, in the order of their turns. Each line is in the order in which its items came. */
  readonly #lines = new Map<string, Item[]>()
  #length = 0
  /** Items a millisecond, while some waited. Undefined where that is not known. */
  #rate: number | undefined
  #since = 0
  #taken = 0
  #lastTaken = 0

  /** @param now milliseconds of a clock that goes forward only */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  get length(): number {
    return this.#length
  }

  push(client: string, item: Item): void {
    if (this.#length === 0) this.#begin()
    const line = this.#lines.get(client)
    if (line) line.push(item)
    else this.#lines.set(client, [item])
    this.#length += 1
  }

  /** Whether an item of the client waits. */
  has(client: string): boolean {
    return this.#lines.has(client)
  }

  /** The item whose turn it is. @param takes looks at the first item of each client's line; the first one that it takes leaves */
  shift(takes: (item: Item, client: string) => boolean = () => true): Item | undefined {
    for (const [client, line] of this.#lines) {
      const [item] = line
      if (item === undefined || !takes(item, client)) continue
      line.shift()
      this.#lines.delete(client)
      if (line.length > 0) this.#lines.set(client, line)
      this.#length -= 1
      this.#count()
      return item
    }
    return undefined
  }

  /** An item that waits no more. */
  remove(client: string, item: Item): void {
    const line = this.#lines.get(client)
    const at = line?.indexOf(item) ?? -1
    if (!line || at < 0) return
    line.splice(at, 1)
    if (line.length === 0) this.#lines.delete(client)
    this.#length -= 1
  }

  /** Takes out all that wait. */
  clear(): Item[] {
    const all = [...this.#lines.values()].flat()
    this.#lines.clear()
    this.#length = 0
    return all
  }

  [Symbol.iterator](): Iterator<Item> {
    return [...this.#lines.values()].flat()[Symbol.iterator]()
  }

  /** The expected wait of a new item; none where no rate is known. Others have as many turns as the client, at the most. */
  waitOf(client: string): Wait {
    if (this.#length === 0 || this.#rate === undefined) return none
    const own = this.#lines.get(client)?.length ?? 0
    const ahead = Math.min(this.#length, (own + 1) * Math.max(this.#lines.size, 1))
    return { whole: ahead / this.#rate, others: (ahead - own) / this.#rate }
  }

  #begin(): void {
    const now = this.#now()
    if (now - this.#lastTaken > memory) this.#rate = undefined
    this.#since = now
    this.#taken = 0
  }

  /** A rate that grows is believed at once, one that falls by half: a refusal that was not needed is the worse mistake. */
  #count(): void {
    const now = this.#now()
    this.#lastTaken = now
    this.#taken += 1
    const elapsed = now - this.#since
    if (this.#length > 0 && (elapsed < needed.time || this.#taken < needed.items)) return
    const seen = this.#taken / Math.max(elapsed, 1)
    if (this.#length > 0) this.#rate = Math.max(seen, ((this.#rate ?? seen) + seen) / 2)
    else if (this.#rate !== undefined) this.#rate = Math.max(seen, this.#rate)
    this.#since = now
    this.#taken = 0
  }
}
