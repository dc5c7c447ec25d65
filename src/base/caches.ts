// Caches: the memory budget of all, recent entries by key, texts that came before, and values made of texts.

/**
 * A function whose results are kept as long as their first arguments, each its own. Further arguments belong to the first: they are
 * the same each time.
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

// The budget bounds the bytes of all caches together. The caches of each audience have bounds of their own, and there may be
// many audiences.

/** A cache that has a part of the budget. */
export interface Budgeted {
  /** Bytes, as far as they are estimated. */
  readonly weight: number
  /** Forgets entries of at least so many bytes, or all. */
  shed(bytes: number): void
}

/** The part of the budget that is left after room was made, so that it is not made at each entry. */
const kept = 0.9

export class CacheBudget {
  readonly most: number
  /** Weak references: the caches of an audience without callers are collected. */
  readonly #caches = new Set<WeakRef<Budgeted>>()
  /** With what those weighed that have been forgotten, until room is made. */
  #weight = 0

  /** @param most bytes */
  constructor(most: number) {
    this.most = most
  }

  /** Bytes of all caches. */
  get weight(): number {
    return this.#live().reduce((sum, { weight }) => sum + weight, 0)
  }

  add(cache: Budgeted): void {
    this.#caches.add(new WeakRef(cache))
  }

  /** A cache has become heavier, or lighter. The heaviest make room. @param by bytes */
  changed(by: number): void {
    this.#weight += by
    if (this.#weight > this.most) this.#makeRoom()
  }

  #makeRoom(): void {
    const caches = this.#live().toSorted((one, other) => other.weight - one.weight)
    let over = caches.reduce((sum, { weight }) => sum + weight, 0) - kept * this.most
    for (const cache of caches) {
      if (over <= 0) break
      const before = cache.weight
      cache.shed(over)
      over -= before - cache.weight
    }
    this.#weight = caches.reduce((sum, { weight }) => sum + weight, 0)
  }

  #live(): readonly Budgeted[] {
    const live: Budgeted[] = []
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

// A cache of recent entries by key, bounded by their number and their total weight. Eviction is by second
// chance (the clock algorithm): the oldest goes unless it was used since it was last looked at. That a key is found changes
// nothing but a mark, where to keep them in the order of their use would move it at each request.
export interface Recent<Key, Value> {
  /** Marks the entry as used. */
  get(key: Key): Value | undefined
  /** An entry heavier than the bound is not kept. @param weight in the unit of the bounds */
  set(key: Key, value: Value, weight: number): void
  readonly count: number
  readonly weight: number
}

export interface RecentBounds {
  readonly count: number
  readonly weight: number
}

interface Entry<Value> {
  readonly value: Value
  readonly weight: number
  used: boolean
}

/** @param budget of all caches, where weights are bytes */
export function createRecent<Key, Value>(bounds: RecentBounds, budget?: CacheBudget): Recent<Key, Value> {
  // A Map iterates in the order of insertion.
  const entries = new Map<Key, Entry<Value>>()
  let weight = 0
  const remove = (key: Key, entry: Entry<Value>): void => {
    entries.delete(key)
    weight -= entry.weight
    budget?.changed(-entry.weight)
  }
  const isRoom = (added: number): boolean => entries.size < bounds.count && weight + added <= bounds.weight
  const evict = (isEnough: () => boolean): void => {
    for (const [key, entry] of entries) {
      if (isEnough()) return
      if (entry.used) {
        entry.used = false
        entries.delete(key)
        entries.set(key, entry) // which the iteration comes to again
      } else remove(key, entry)
    }
  }
  const cache: Recent<Key, Value> & Budgeted = {
    get(key) {
      const known = entries.get(key)
      if (known) known.used = true
      return known?.value
    },
    set(key, value, added) {
      const before = entries.get(key)
      if (before) remove(key, before)
      if (added > bounds.weight) return
      evict(() => isRoom(added))
      entries.set(key, { value, weight: added, used: false })
      weight += added
      budget?.changed(added)
    },
    shed(bytes) {
      const left = weight - bytes
      evict(() => weight <= left)
    },
    get count() {
      return entries.size
    },
    get weight() {
      return weight
    },
  }
  budget?.add(cache)
  return cache
}

// Whether a text was seen lately, without keeping it: what comes once is not worth remembering, and most texts come once.

/** Hashes stand for texts; each hash belongs to one set. */
const sets = 2_048
/** Hashes of a set that are kept: of one alone, two texts that take turns would always be new. */
const remembered = 8

/**
 * Notes a text, and tells whether it was noted before. It may be forgotten, and another text may rarely be taken for it, so
 * nothing may depend on it but what is remembered.
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

// Keeps what was made of texts that come again, such as addresses and names of hosts, as long as there are not too many.

/** @param make of a text; what it gives is never undefined @param most texts that are kept: one more, and all are forgotten */
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
