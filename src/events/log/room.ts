// Bounds the bytes that are kept for followers until they take them, for each client and for all. A follower without room waits,
// in turns of clients. A follower that takes nothing for seconds while others wait is cut.
import { FairQueue } from "../../base/fair-queue.ts"
import type { Piece } from "../../http/changes.ts"

export interface Holder {
  /** Bytes are shared out by clients. */
  readonly client: string
  /** Ends the connection of the follower, whatever it has not taken. */
  readonly cut?: (() => void) | undefined
}

export interface Held {
  /** The size is known now. */
  measured(size: number): void
  release(): void
}

export interface Room {
  /** Resolves when there is room for so many bytes. A client that holds nothing finds room for anything that fits for all. */
  enter(holder: Holder, size: number): Promise<Held>
  /** Undefined where it would have to wait. The caller holds the room until it releases it, also while others wait. */
  take(client: string, size: number): Held | undefined
  /** Whether more of the client would have to wait. */
  isFull(client: string): boolean
}

export interface RoomBounds {
  readonly client: number
  readonly all: number
  /** Holders of unknown size; one client may have half of them. */
  readonly unmeasured: number
}

/** Milliseconds between looks at those that hold something while others wait. */
const look = 500
/** Looks in which a follower has to take something: a process that stands still for a while looks once. */
const mostLooks = 5

interface Hold {
  readonly holder: Holder
  looks: number
  readonly end: () => void
}

interface Waiting {
  readonly holder: Holder
  readonly size: number
  readonly grant: (held: Held) => void
}

export class OwnRoom implements Room {
  readonly #most: RoomBounds
  readonly #byClient = new Map<string, number>()
  readonly #unmeasuredBy = new Map<string, number>()
  /** The oldest first. */
  readonly #holds = new Set<Hold>()
  readonly #waiting = new FairQueue<Waiting>()
  #all = 0
  #unmeasured = 0
  #looking: NodeJS.Timeout | undefined

  constructor(most: RoomBounds) {
    this.#most = most
  }

  /** Bytes that are held. */
  get size(): number {
    return this.#all
  }

  isFull(client: string): boolean {
    return this.#waiting.has(client) || !this.#fits(client, 0)
  }

  take(client: string, size: number): Held | undefined {
    if (this.#waiting.has(client) || !this.#fits(client, size)) return undefined
    const held = this.#hold({ client }, size)
    held.measured(size)
    return held
  }

  async enter(holder: Holder, size: number): Promise<Held> {
    const { client } = holder
    if (!this.#waiting.has(client) && this.#fits(client, size)) return this.#hold(holder, size)
    return await new Promise((grant) => {
      this.#waiting.push(client, { holder, size, grant })
      this.#looking ??= setInterval(() => this.cutLate(), look).unref()
    })
  }

  /** Looks at followers that have taken nothing, the oldest first: those for whom others have waited too long are cut. */
  cutLate(): void {
    for (const hold of [...this.#holds]) {
      hold.looks += 1
      const { holder, end } = hold
      if (hold.looks < mostLooks || !holder.cut || !this.#isWaitedFor(holder)) continue
      holder.cut()
      end()
    }
  }

  #isWaitedFor({ client }: Holder): boolean {
    if (this.#waiting.has(client)) return true
    const { all } = this.#most
    return [...this.#waiting].some(
      ({ holder, size }) => this.#all + size > all && this.#hasOwn(holder.client, size),
    )
  }

  #hasOwn(client: string, size: number): boolean {
    const own = this.#byClient.get(client) ?? 0
    return own === 0 || own + size <= this.#most.client
  }

  #fits(client: string, size: number): boolean {
    const { all, unmeasured } = this.#most
    return (
      this.#unmeasured < unmeasured &&
      (this.#unmeasuredBy.get(client) ?? 0) < unmeasured / 2 &&
      this.#hasOwn(client, size) &&
      (this.#all === 0 || this.#all + size <= all)
    )
  }

  #hold(holder: Holder, expected: number): Held {
    let size = expected
    let isMeasured = false
    let isOver = false
    const measure = (): void => {
      if (isMeasured) return
      isMeasured = true
      this.#unmeasured -= 1
      count(this.#unmeasuredBy, holder.client, -1)
    }
    const release = (): void => {
      if (isOver) return
      isOver = true
      measure()
      this.#holds.delete(hold)
      this.#change(holder.client, -size)
      this.#grant()
    }
    const hold: Hold = { holder, looks: 0, end: release }
    this.#holds.add(hold)
    this.#unmeasured += 1
    count(this.#unmeasuredBy, holder.client, 1)
    this.#change(holder.client, size)
    return {
      release,
      measured: (actual) => {
        if (isOver) return
        measure()
        this.#change(holder.client, actual - size)
        size = actual
        this.#grant()
      },
    }
  }

  #change(client: string, size: number): void {
    count(this.#byClient, client, size)
    this.#all += size
  }

  #grant(): void {
    const fits = ({ size }: Waiting, client: string): boolean => this.#fits(client, size)
    for (let next = this.#waiting.shift(fits); next; next = this.#waiting.shift(fits))
      next.grant(this.#hold(next.holder, next.size))
    if (this.#waiting.length > 0 || !this.#looking) return
    clearInterval(this.#looking)
    this.#looking = undefined
  }
}

function count(by: Map<string, number>, client: string, more: number): void {
  const own = (by.get(client) ?? 0) + more
  if (own > 0) by.set(client, own)
  else by.delete(client)
}

/** Makes the frames of one follower, each when the room holds its expected size. A frame keeps its room until the follower takes it. */
export function framesIn(room: Room, holder: Holder) {
  let last = 0
  return async function* frame<Made extends Piece>(
    make: () => Made | Promise<Made>,
    expected = last,
  ): AsyncGenerator<Made, void> {
    const held = await room.enter(holder, expected)
    try {
      const made = await make()
      const size = Buffer.byteLength(made)
      held.measured(size)
      if (size === 0) return
      last = size
      yield made
    } finally {
      held.release()
    }
  }
}
