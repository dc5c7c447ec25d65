// Work that is done one after the other where it has the same key.

export class Sequences {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Begins when all that was given before with the key has ended. */
  async after<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key)
    const own = before ? before.then(work, work) : work()
    this.#last.set(key, own)
    try {
      return await own
    } finally {
      if (this.#last.get(key) === own) this.#last.delete(key)
    }
  }
}
