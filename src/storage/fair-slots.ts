// The few places for slow work. Clients take turns, and one client has at most half of the places and half of the
// queue, so that others are served beside it.

import { elapsed } from "../base/clock.ts"
import { FairQueue } from "../base/fair-queue.ts"
import type { Request } from "../base/request.ts"
import { closed, tooLate, waitsTooLong } from "./faults.ts"

export interface LanesOptions {
  /** Places. */
  readonly lanes: number
  /** Those that may wait for one; more are refused. */
  readonly waiting: number
}

interface Waiting {
  readonly client: string | undefined
  readonly resolve: (leave: () => void) => void
  readonly reject: (fault: unknown) => void
  timer?: NodeJS.Timeout
  /** Ends the watch of the client. */
  unwatch?: (() => void) | undefined
}

export class Lanes {
  readonly #options: LanesOptions
  readonly #queue = new FairQueue<Waiting>()
  /** Places that each client has, and its requests that wait. */
  readonly #held = new Map<string, number>()
  readonly #queued = new Map<string, number>()
  #taken = 0
  #closed = false
  #emptied: PromiseWithResolvers<void> | undefined

  constructor(options: LanesOptions) {
    this.#options = options
  }

  /**
   * Resolves with what gives the place back. Rejects with a Refusal when too many wait, the time is over, or the client is
   * gone.
   * @param until as of `elapsed()`
   */
  take(request: Pick<Request, "client" | "whenGone"> | undefined, until: number): Promise<() => void> {
    const client = request?.client
    if (this.#closed) return Promise.reject(closed())
    if (this.#mayEnter(client)) return Promise.resolve(this.#enter(client))
    const { waiting } = this.#options
    const own = client === undefined ? 0 : (this.#queued.get(client) ?? 0)
    if (this.#queue.length >= waiting || own >= half(waiting)) return Promise.reject(waitsTooLong())
    return new Promise((resolve, reject) => {
      const one: Waiting = { client, resolve, reject }
      const giveUp = (): void => {
        this.#queue.remove(client ?? "", one)
        this.#unqueue(one)
        reject(tooLate())
      }
      one.timer = setTimeout(giveUp, Math.max(until - elapsed(), 0))
      one.unwatch = request?.whenGone?.(giveUp)
      this.#queue.push(client ?? "", one)
      count(this.#queued, client, 1)
    })
  }

  get use(): { readonly used: number; readonly most: number; readonly waiting: number } {
    return { used: this.#taken, most: this.#options.lanes, waiting: this.#queue.length }
  }

  /** When no place is taken, and none is waited for. */
  async emptied(): Promise<void> {
    if (this.#taken === 0) return
    this.#emptied ??= Promise.withResolvers()
    await this.#emptied.promise
  }

  /** Those that wait are refused. */
  close(): void {
    this.#closed = true
    for (const one of this.#queue.clear()) {
      this.#unqueue(one)
      one.reject(closed())
    }
  }

  #mayEnter(client: string | undefined): boolean {
    if (this.#taken >= this.#options.lanes) return false
    return client === undefined || (this.#held.get(client) ?? 0) < half(this.#options.lanes)
  }

  #enter(client: string | undefined): () => void {
    this.#taken += 1
    count(this.#held, client, 1)
    let left = false
    return () => {
      if (left) return
      left = true
      this.#taken -= 1
      count(this.#held, client, -1)
      this.#next()
      if (this.#taken > 0) return
      this.#emptied?.resolve()
      this.#emptied = undefined
    }
  }

  #next(): void {
    const one = this.#queue.shift(({ client }) => this.#mayEnter(client))
    if (!one) return
    this.#unqueue(one)
    one.resolve(this.#enter(one.client))
  }

  #unqueue({ client, timer, unwatch }: Waiting): void {
    clearTimeout(timer)
    unwatch?.()
    count(this.#queued, client, -1)
  }
}

const half = (whole: number): number => Math.max(1, Math.floor(whole / 2))

function count(of: Map<string, number>, client: string | undefined, by: number): void {
  if (client === undefined) return
  const now = (of.get(client) ?? 0) + by
  if (now === 0) of.delete(client)
  else of.set(client, now)
}
