// The bytes that all caches of a process may take together: those of each audience have bounds of their own, and there may
// be many audiences.

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
  /** An audience that nobody belongs to any more is forgotten with its caches. */
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
