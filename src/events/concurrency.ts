// Work that is done at the same time, as much of it as may be; the rest waits for its turn.

type Work = () => Promise<void>

export class Jobs {
  readonly #most: number
  /** Called when one has ended: with the fault, where it rejected. */
  readonly #ended: (fault?: { readonly of: unknown }) => void
  readonly #waiting: Work[] = []
  readonly #whenIdle: (() => void)[] = []
  #running = 0
  #paused = false

  constructor(most: number, ended: (fault?: { readonly of: unknown }) => void) {
    this.#most = most
    this.#ended = ended
  }

  get running(): number {
    return this.#running
  }

  get paused(): boolean {
    return this.#paused
  }

  add(work: Work): void {
    this.#waiting.push(work)
    this.#pump()
  }

  /** Begins nothing more. */
  pause(): void {
    this.#paused = true
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.#running > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
  }

  #pump(): void {
    while (this.#running < this.#most && !this.#paused) {
      const work = this.#waiting.shift()
      if (!work) return
      this.#running += 1
      void work()
        .catch((of: unknown) => this.#ended({ of }))
        .finally(() => {
          this.#running -= 1
          this.#pump()
          if (this.#running === 0) for (const resolve of this.#whenIdle.splice(0)) resolve()
          this.#ended()
        })
    }
  }
}
