// A cache of recent entries by key, bounded by their number and their total weight. Eviction is by second
// chance (the clock algorithm): the oldest goes unless it was used since it was last looked at. That a key is found changes
// nothing but a mark, where to keep them in the order of their use would move it at each request.
import type { Budgeted, CacheBudget } from "./cache-budget.ts"

export interface Recent<Key, Value> {
  /** Marks the entry as used. */
  get(key: Key): Value | undefined
  /** An entry that outweighs the bounds by itself is not kept. @param weight in the unit of the bounds */
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
