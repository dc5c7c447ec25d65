// Bytes that the process keeps for slow clients, under one bound: answers that are not taken, and bodies that are not whole.
import type { Socket } from "node:net"
import { getHeapStatistics } from "node:v8"

interface HeldOptions<Client> {
  /** Bytes of all clients together; an eighth of V8's heap when absent. */
  readonly most?: number | undefined
  /** Milliseconds in which a client has to take some; any number when absent. */
  readonly patience?: number
  /** Ends the client, whose bytes are not kept any more. */
  readonly cut: (client: Client) => void
  readonly isGone?: (client: Client) => boolean
}

interface Holding {
  readonly bytes: number
  /** Bytes that the client has taken in all; undefined while it is not its turn to take any. */
  readonly taken?: () => number | undefined
  /** Gives the bytes that are kept now, once a second. */
  readonly look?: () => number
}

export interface Hold {
  set(bytes: number): void
  end(): void
}

interface Account<Client> {
  readonly client: Client
  bytes: number
  /** The oldest of them. */
  since: number
  readonly holds: Set<Hold>
  readonly taken: Holding["taken"]
  /** The bytes taken when its time began. */
  before: { readonly taken: number; readonly at: number } | undefined
}

const part = 1 / 8
/** Bytes a second that a slow client takes at least. */
const leastRate = 1_024
/** Milliseconds. */
const looking = 1_000

export class HeldBytes<Client> {
  readonly #options: HeldOptions<Client>
  readonly #most: number
  readonly #accounts = new Map<Client, Account<Client>>()
  readonly #looks = new Map<Hold, () => number>()
  #bytes = 0
  #holds = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: HeldOptions<Client>) {
    this.#options = options
    this.#most = options.most ?? getHeapStatistics().heap_size_limit * part
  }

  /** Bytes of all clients. */
  get bytes(): number {
    return this.#bytes
  }

  /** May cut the client at once. */
  hold(client: Client, { bytes, taken, look }: Holding): Hold {
    const account = this.#accounts.get(client) ?? this.#open(client, taken)
    let own = 0
    const hold: Hold = {
      set: (bytes) => {
        if (!account.holds.has(hold)) return
        this.#add(account, bytes - own)
        own = bytes
        this.#bound()
      },
      end: () => {
        if (!account.holds.delete(hold)) return
        this.#holds -= 1
        this.#looks.delete(hold)
        this.#add(account, -own)
        if (account.holds.size === 0) this.#accounts.delete(client)
      },
    }
    account.holds.add(hold)
    this.#holds += 1
    if (look) this.#looks.set(hold, look)
    hold.set(bytes)
    this.#timer ??= setInterval(() => this.#look(), looking).unref()
    return hold
  }

  #open(client: Client, taken: Holding["taken"]): Account<Client> {
    const account: Account<Client> = {
      ...{ client, taken, bytes: 0, since: 0 },
      holds: new Set(),
      before: undefined,
    }
    this.#accounts.set(client, account)
    return account
  }

  #add(account: Account<Client>, bytes: number): void {
    if (account.bytes === 0) account.since = performance.now()
    account.bytes += bytes
    this.#bytes += bytes
  }

  /** An answer that is longer than the bound is sent while it is alone. */
  #bound(): void {
    while (this.#bytes > this.#most && this.#holds > 1) {
      const worst = this.#worst()
      if (!worst) return
      this.#cut(worst)
    }
  }

  /** The one with the most bytes by the time for which they are kept: a client that has just begun is not slow yet. */
  #worst(): Account<Client> | undefined {
    const now = performance.now()
    let [worst, most]: [Account<Client> | undefined, number] = [undefined, 0]
    for (const account of this.#accounts.values()) {
      const weight = account.bytes * (now - account.since + 1)
      if (weight > most) [worst, most] = [account, weight]
    }
    return worst
  }

  #cut(account: Account<Client>): void {
    for (const hold of account.holds) hold.end()
    this.#options.cut(account.client)
  }

  #look(): void {
    for (const [hold, look] of this.#looks) hold.set(look())
    for (const account of this.#accounts.values())
      if (this.#options.isGone?.(account.client) || this.#isTooSlow(account)) this.#cut(account)
    if (this.#accounts.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #isTooSlow(account: Account<Client>): boolean {
    const { patience = Number.POSITIVE_INFINITY } = this.#options
    const taken = account.bytes > 0 ? account.taken?.() : undefined
    if (taken === undefined) {
      account.before = undefined
      return false
    }
    const at = performance.now()
    account.before ??= { taken, at }
    if (at - account.before.at < patience) return false
    if (taken - account.before.taken < (patience / 1_000) * leastRate) return true
    account.before = { taken, at }
    return false
  }
}

/** Bytes of a connection that the kernel has taken; undefined when it has ended. */
export function takenFrom({
  _handle: handle,
}: Socket & { readonly _handle?: Handle | null }): number | undefined {
  return handle ? handle.bytesWritten - handle.writeQueueSize : undefined
}

interface Handle {
  readonly bytesWritten: number
  /** Bytes of them that wait. */
  readonly writeQueueSize: number
}
