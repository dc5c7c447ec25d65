// What was used lately, by key: at most so many entries of at most so much weight together; the least recently used goes.

export interface Recent<Key, Value> {
  /** Makes the entry the most recently used one. */
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
}

export function createRecent<Key, Value>(bounds: RecentBounds): Recent<Key, Value> {
  // A Map iterates in the order of insertion: what is used is inserted anew, so that the first is the least recent.
  const entries = new Map<Key, Entry<Value>>()
  let newest: Key | undefined
  let weight = 0
  const remove = (key: Key): void => {
    const known = entries.get(key)
    if (!known) return
    entries.delete(key)
    weight -= known.weight
  }
  return {
    get(key) {
      const known = entries.get(key)
      if (known && key !== newest) {
        entries.delete(key)
        entries.set(key, known)
        newest = key
      }
      return known?.value
    },
    set(key, value, added) {
      remove(key)
      if (added > bounds.weight) return
      entries.set(key, { value, weight: added })
      newest = key
      weight += added
      for (const oldest of entries.keys()) {
        if (entries.size <= bounds.count && weight <= bounds.weight) break
        remove(oldest)
      }
    },
    get count() {
      return entries.size
    },
    get weight() {
      return weight
    },
  }
}
