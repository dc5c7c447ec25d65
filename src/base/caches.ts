// Caches: one budget for values kept between requests, recent entries by key, repeated texts, values made of texts.

/**
 * A function whose results live as long as their first arguments. Further arguments belong to the first: they are the same
 * at each call.
 */
export function perObject<Key extends object, Others extends readonly unknown[], Value>(
  make: (key: Key, ...others: Others) => Value,
): (key: Key, ...others: Others) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>()
  return (key, ...others) => {
    const found = known.get(key)
    if (found) return found.value
    const value = make(key, ...others)
    known.set(key, { value })
    return value
  }
}

// The request caches of a process have one budget of bytes (docs/internals/request-cache.md).

/** The part of the budget that is left after room was made, so that it is not made at each entry. */
const kept = 0.9

export class CacheBudget {
  readonly most: number
  /** Weak references: the cache of an audience without callers is collected. */
  readonly #caches = new Set<WeakRef<RequestCache>>()
  /** With the weight of caches that were collected, until room is made. */
  #weight = 0

  /** @param most bytes */
  constructor(most: number) {
    this.most = most
  }

  /** Bytes of all caches. */
  get weight(): number {
    return this.#live().reduce((sum, { weight }) => sum + weight, 0)
  }

  add(cache: RequestCache): void {
    this.#caches.add(new WeakRef(cache))
  }

  /** A cache has become heavier, or lighter. The heaviest make room. @param by bytes */
  changed(by: number): void {
    this.#weight += by
    if (this.#weight > this.most) this.#makeRoom()
  }

  #makeRoom(): void {
    for (const cache of this.#live().toSorted((one, other) => other.weight - one.weight)) {
      const over = this.weight - kept * this.most
      if (over <= 0) break
      cache.shed(over)
    }
    this.#weight = this.weight
  }

  #live(): readonly RequestCache[] {
    const live: RequestCache[] = []
    for (const reference of this.#caches) {
      const cache = reference.deref()
      if (cache) live.push(cache)
      else this.#caches.delete(reference)
    }
    return live
  }
}

/** The budget of this process. */
export const cacheBudget = new CacheBudget(128 * 1024 * 1024)

/** An entry of a cache. */
export interface Entry {
  readonly weight: number
  /** Since eviction last looked at it. */
  used: boolean
  /** Takes it from where it is found. */
  forget(): void
}

/** Values of one kind by key. */
export interface Recent<Key, Value> {
  /** Marks the entry as used. */
  get(key: Key): Value | undefined
  /** An entry heavier than the bound is not kept. @param weight in the unit of the bounds */
  set(key: Key, value: Value, weight: number): void
}

interface RecentBounds {
  readonly count: number
  readonly weight: number
}

/**
 * Entries of any kinds in one order. Eviction is by second chance (the clock algorithm): the oldest entry goes, unless it was
 * used since eviction last looked at it. A hit sets a mark only: to keep entries in the order of their use would move one at
 * each request.
 */
class Clock {
  readonly #bounds: RecentBounds
  // A Set iterates in the order of insertion.
  readonly #entries = new Set<Entry>()
  #weight = 0

  constructor(bounds: RecentBounds) {
    this.#bounds = bounds
  }

  get count(): number {
    return this.#entries.size
  }

  get weight(): number {
    return this.#weight
  }

  /** An entry that is too heavy is forgotten at once. */
  add(entry: Entry): void {
    const { count, weight } = this.#bounds
    if (entry.weight > weight) {
      entry.forget()
      return
    }
    this.#evict(() => this.#entries.size < count && this.#weight + entry.weight <= weight)
    this.#entries.add(entry)
    this.changed(entry.weight)
  }

  /** Another entry takes its place. */
  remove(entry: Entry): void {
    if (this.#entries.delete(entry)) this.changed(-entry.weight)
  }

  /** Evicts entries of at least so many bytes, or all. */
  shed(bytes: number): void {
    const left = this.#weight - bytes
    this.#evict(() => this.#weight <= left)
  }

  /** A kind of entries. */
  open<Key, Value>(): Recent<Key, Value> {
    const entries = new Map<Key, Entry & { readonly value: Value }>()
    return {
      get(key) {
        const known = entries.get(key)
        if (known) known.used = true
        return known?.value
      },
      set: (key, value, weight) => {
        const before = entries.get(key)
        if (before) this.remove(before)
        const entry = { value, weight, used: false, forget: () => void entries.delete(key) }
        entries.set(key, entry)
        this.add(entry)
      },
    }
  }

  protected changed(by: number): void {
    this.#weight += by
  }

  #evict(isEnough: () => boolean): void {
    for (const entry of this.#entries) {
      if (isEnough()) return
      this.#entries.delete(entry)
      if (entry.used) {
        entry.used = false
        this.#entries.add(entry) // which the iteration comes to again
      } else {
        entry.forget()
        this.changed(-entry.weight)
      }
    }
  }
}

/** A cache of one kind with bounds of its own, for values without a weight in bytes. */
export function createRecent<Key, Value>(
  bounds: RecentBounds,
): Recent<Key, Value> & Pick<Clock, "count" | "weight"> {
  const clock = new Clock(bounds)
  return Object.assign(clock, clock.open<Key, Value>())
}

/**
 * Keeps values made of the requests of one audience: documents, texts, questions, shapes with their plans. The cache is
 * collected with its owner.
 */
export class RequestCache extends Clock {
  readonly #budget: CacheBudget
  #seen: Seen | undefined

  constructor(budget = cacheBudget) {
    super({ count: Number.POSITIVE_INFINITY, weight: budget.most })
    this.#budget = budget
    budget.add(this)
  }

  /** Notes a text, and returns whether it came before. */
  seen(text: string): boolean {
    this.#seen ??= createSeen()
    return this.#seen(text)
  }

  protected override changed(by: number): void {
    super.changed(by)
    this.#budget.changed(by)
  }
}

// Whether a text was seen lately, without keeping it: most texts come once, and such a text is not worth remembering.

/** Hashes stand for texts; each hash belongs to one set. */
const sets = 2_048
/** Hashes of a set that are kept: of one alone, two texts that take turns would always be new. */
const remembered = 8

/**
 * Notes a text, and returns whether it was noted before. The answer may rarely be wrong in both directions, so only a cache
 * may depend on it.
 */
type Seen = (text: string) => boolean

export function createSeen(): Seen {
  const hashes = new Int32Array(sets * remembered)
  return (text) => {
    const hash = hashOf(text)
    const newest = (hash & (sets - 1)) * remembered
    const oldest = newest + remembered - 1
    for (let place = newest; place <= oldest; place += 1) if (hashes[place] === hash) return true
    hashes.copyWithin(newest + 1, newest, oldest)
    hashes[newest] = hash
    return false
  }
}

/** FNV-1a (draft-eastlake-fnv) over the UTF-16 code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5 | 0
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash
}

// Keeps values made of repeated texts, such as addresses and names of hosts, as long as there are not too many.

/** @param make of a text; its result is never undefined @param most texts that are kept: one more, and all are forgotten */
export function lately<Made extends NonNullable<unknown>>(
  make: (of: string) => Made,
  most: number,
): (of: string) => Made {
  const known = new Map<string, Made>()
  return (of) => {
    const found = known.get(of)
    if (found !== undefined) return found
    if (known.size >= most) known.clear()
    const made = make(of)
    known.set(of, made)
    return made
  }
}
