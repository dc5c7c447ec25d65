// Runs those who follow the log: handlers of the service, and subscribers that come and go. One process at a time does, for as
// long as it has the lease; all others wait to take over.
import { randomUUID } from "node:crypto"
import { performance } from "node:perf_hooks"
import { invariant } from "../base/invariant.ts"
import type { CodeClient } from "../engine/code/client.ts"
import type { Model } from "../model/model.ts"
import type { Actor } from "../plan/access/actor.ts"
import { isUnwritable } from "../storage/faults.ts"
import type { Log } from "../storage/log-types.ts"
import type { Storage } from "../storage/storage.ts"
import { followedHandler, handlerActor } from "./call.ts"
import { type Checkpoints, type CheckpointsByHolder, createCheckpoints } from "./checkpoints.ts"
import { type Followed, type Subscribers, subscriberPrefix } from "./followed.ts"
import { Follower } from "./follower.ts"
import type { TellHandlers } from "./observation.ts"
import { isGone, processIdentity } from "./process-identity.ts"

export interface HandlersOptions {
  readonly model: Model
  /** The service is open to everybody: handlers are under no rules either. */
  readonly open: boolean
  readonly storage: Storage
  readonly handleFor: (actor: Actor) => CodeClient
  readonly tell: TellHandlers
  /** Those who follow beside the handlers. */
  readonly subscribers?: Subscribers
  /** Milliseconds since 1970, by which events that failed are tried again; the clock's when absent. */
  readonly now?: () => number
  /** Milliseconds for which a process has the lease when it says nothing more. */
  readonly lease?: number
}

/** A record that waits because a handler failed with one of its events. */
export interface HandlerFailure {
  readonly handler: string
  /** The record's public id. */
  readonly record: string
  /** The last error; its text where another process had it. */
  readonly error: unknown
  /** When it is tried again; null when that is left to people. */
  readonly due: Date | null
}

/** An event that a handler was called with. */
interface HandledEvent {
  readonly handler: string
  readonly position: bigint
  /** The record's public id. */
  readonly record: string
}

export interface RunningHandlers {
  /** Something may have been written. */
  wake(): void
  /**
   * Resolves when everything in the log is handled, but for records that wait for a later moment: these are given. Never
   * resolves where another process has the lease.
   */
  settled(): Promise<readonly HandlerFailure[]>
  /** Work that a handler left running has failed after the event was done: the event is tried again, as if it had failed before. */
  failed(handled: HandledEvent, error: unknown): void
  /** Begins nothing more, waits for running events, and leaves the rest to the next process. */
  close(): Promise<void>
}

/** Milliseconds between looks for events of other processes, due retries and a free lease. */
const look = 1_000
/** Milliseconds between two looks for subscribers that are gone. */
const sweeping = 60_000
/** Milliseconds. A third of it is the time after which it is taken again. */
const usualLease = 10_000

/**
 * Resolves when each handler has a position: what is written from then on is handled. Where the database can only be read,
 * new ones get it when it can be written. Rejects as a storage does.
 */
export async function startHandlers(options: HandlersOptions): Promise<RunningHandlers> {
  const { model, open, handleFor, storage } = options
  const { log } = storage
  const handlers = [...(model.handlers?.values() ?? [])]
  invariant(log, "handlers run where something can be written")
  const kept = createCheckpoints(storage)
  const place = async (): Promise<void> => {
    await kept.ready()
    const latest = await log.latest()
    for (const { name, from } of handlers) await kept.add(name, from === "start" ? 0n : latest)
  }
  const followed = handlers.map((handler) =>
    followedHandler({ handler, log, actor: handlerActor(model, handler, open), handleFor }, 0n),
  )
  const runner = new Runner(options, followed, log, kept)
  try {
    await place()
    runner.start()
  } catch (fault) {
    if (!isUnwritable(fault)) throw fault
    runner.start(place)
  }
  return runner
}

/** State for as long as the lease is held. */
interface Term {
  readonly followers: Map<string, Follower>
  /** Those who follow no longer, until their calls have ended. */
  readonly leaving: Map<string, Promise<void>>
  readonly stop: AbortController
}

class Runner implements RunningHandlers {
  readonly #options: HandlersOptions
  readonly #handlers: readonly Followed[]
  readonly #log: Log
  readonly #kept: Checkpoints
  readonly #own: CheckpointsByHolder
  readonly #lease: number
  #term: Term | undefined
  /** As of `performance.now()`: the lease is held until then. */
  #until = 0
  /** When it was last asked what people want, as of `performance.now()`. */
  #askedAt = -Infinity
  /** When what is kept of subscribers that are gone was last removed. */
  #sweptAt = -Infinity
  #closing = false
  #place: (() => Promise<void>) | undefined
  #halted = false
  #fault: { readonly of: unknown } | undefined
  #awake: PromiseWithResolvers<void> = Promise.withResolvers()
  #moved: PromiseWithResolvers<void> = Promise.withResolvers()
  #running: Promise<void> = Promise.resolve()

  constructor(options: HandlersOptions, handlers: readonly Followed[], log: Log, kept: Checkpoints) {
    this.#options = options
    this.#handlers = handlers
    this.#log = log
    this.#kept = kept
    this.#own = kept.as([randomUUID(), processIdentity() ?? []].flat().join(" "))
    this.#lease = options.lease ?? usualLease
  }

  /** @param place what is to be done before everything else, as soon as it can be */
  start(place?: () => Promise<void>): void {
    this.#place = place
    this.#running = this.#run()
  }

  wake(): void {
    // Without the lease there is nothing to look for.
    if (this.#term) this.#awake.resolve()
  }

  async settled(): Promise<readonly HandlerFailure[]> {
    for (;;) {
      const moved = this.#moved.promise
      const term = this.#term
      const latest = await this.#log.latest()
      const all = [...(term?.followers ?? [])]
      if (term && term === this.#term && all.every(([, follower]) => follower.isThrough(latest)))
        return all.flatMap(([handler, { failures }]) =>
          failures.map(({ due, ...rest }) => ({
            handler,
            ...rest,
            due: due === null ? null : new Date(due),
          })),
        )
      if (term && all.some(([, follower]) => follower.wants(latest))) this.#awake.resolve()
      await moved
    }
  }

  failed({ handler, ...handled }: HandledEvent, error: unknown): void {
    this.#term?.followers.get(handler)?.failLate(handled, error)
  }

  async close(): Promise<void> {
    this.#closing = true
    this.#awake.resolve()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#closing) {
      try {
        await this.#turn()
        this.#resumed()
      } catch (error) {
        this.#halt(error)
        await this.#end(0)
      }
      this.#tellMoved()
      if (!this.#closing) await this.#pause()
    }
    // A running event may take as long as the lease holds; beyond that it is handled again.
    if (this.#term) await this.#own.take(this.#lease).catch(() => {})
    await this.#end(this.#lease * 0.8)
    // A failure only makes the others wait longer.
    await this.#own.leave().catch(() => {})
  }

  async #turn(): Promise<void> {
    if (this.#fault) {
      const { of } = this.#fault
      this.#fault = undefined
      throw of
    }
    await this.#place?.()
    this.#place = undefined
    if (!(await this.#hasLease())) {
      await this.#end(0)
      return
    }
    this.#term ??= await this.#begin()
    const { followers } = this.#term
    await this.#changeSubscribers(this.#term)
    if (performance.now() - this.#askedAt >= look) await this.#answerAsked(this.#term)
    const latest = await this.#log.latest()
    for (const [name, follower] of followers) {
      await follower.look(latest)
      const { position } = follower
      if (position === undefined || !this.#options.subscribers?.reached?.(name, position)) continue
      this.#leave(this.#term, name, follower)
      await this.#own.remove(name)
    }
  }

  async #changeSubscribers(term: Term): Promise<void> {
    const { subscribers } = this.#options
    if (!subscribers) return
    if (performance.now() - this.#sweptAt >= sweeping) {
      this.#sweptAt = performance.now()
      const kept = [...(await this.#kept.positions()).keys()]
      const gone = await subscribers.gone(kept.filter((name) => name.startsWith(subscriberPrefix)))
      for (const name of gone) await this.#own.remove(name)
    }
    const { followers, leaving } = term
    const all = [...this.#handlers, ...(await subscribers.followed())]
    const now = new Map(all.map((one) => [one.name, one]))
    for (const [name, follower] of followers)
      if (now.get(name) !== follower.followed) this.#leave(term, name, follower)
    const fresh = all.filter(({ name }) => !followers.has(name) && !leaving.has(name))
    for (const one of fresh) await this.#kept.add(one.name, one.from)
    if (fresh.length > 0) await this.#join(term, fresh)
  }

  /** The follower begins nothing more. Where it is another by now, it begins anew when its calls have ended. */
  #leave({ followers, leaving }: Term, name: string, follower: Follower): void {
    follower.pause()
    followers.delete(name)
    const ended = follower.ended().catch(() => {})
    leaving.set(
      name,
      ended.then(() => {
        leaving.delete(name)
        this.#awake.resolve()
      }),
    )
  }

  async #answerAsked({ followers }: Term): Promise<void> {
    this.#askedAt = performance.now()
    for (const record of await this.#kept.asked())
      if (record.asked && followers.get(record.handler)?.answer(record))
        await this.#kept.takeAsked(record, record.asked)
  }

  /** Takes it, and again before it ends. */
  async #hasLease(): Promise<boolean> {
    const began = performance.now()
    if (this.#term && this.#until - began > (this.#lease * 2) / 3) return true
    const has = (await this.#own.take(this.#lease)) || (await this.#takeOver())
    this.#until = has ? began + this.#lease : 0
    return has
  }

  /** Takes over the lease of a killed process of this host at once. */
  async #takeOver(): Promise<boolean> {
    const holder = await this.#kept.holder()
    const [, identity] = holder?.split(" ") ?? []
    if (holder === undefined || identity === undefined || !isGone(identity)) return false
    return await this.#own.take(this.#lease, holder)
  }

  async #begin(): Promise<Term> {
    const term: Term = { stop: new AbortController(), followers: new Map(), leaving: new Map() }
    await this.#join(term, this.#handlers)
    return term
  }

  /** From where each has been kept. */
  async #join({ followers, stop }: Term, all: readonly Followed[]): Promise<void> {
    const { tell, now = Date.now } = this.#options
    const positions = await this.#kept.positions()
    const waiting = Map.groupBy(await this.#kept.waiting(), ({ handler }) => handler)
    const moved = (fault?: { readonly of: unknown }): void => this.#hear(fault)
    for (const followed of all) {
      const { name } = followed
      const options = { followed, log: this.#log, kept: this.#own, tell, now, stop: stop.signal, moved }
      followers.set(name, new Follower(options, positions.get(name) ?? 0n, waiting.get(name) ?? []))
    }
  }

  /** Milliseconds for running calls to end; then they are given up. */
  async #end(milliseconds: number): Promise<void> {
    const term = this.#term
    if (!term) return
    const { stop, followers, leaving } = term
    for (const follower of followers.values()) follower.pause()
    const cut = setTimeout(() => stop.abort(new Error("The service ends.")), milliseconds)
    // Events without a kept checkpoint are done again.
    await Promise.allSettled([
      ...[...followers.values()].map((follower) => follower.ended()),
      ...leaving.values(),
    ])
    clearTimeout(cut)
    this.#term = undefined
    this.#fault = undefined
  }

  #hear(fault: { readonly of: unknown } | undefined): void {
    if (fault) this.#fault = fault
    const all = [...(this.#term?.followers.values() ?? [])]
    if (fault || all.some(({ hasRoomAgain }) => hasRoomAgain)) this.#awake.resolve()
    this.#tellMoved()
  }

  #tellMoved(): void {
    this.#moved.resolve()
    this.#moved = Promise.withResolvers()
  }

  #halt(error: unknown): void {
    if (!this.#halted) this.#options.tell({ kind: "halted", error })
    this.#halted = true
  }

  #resumed(): void {
    if (this.#halted) this.#options.tell({ kind: "resumed" })
    this.#halted = false
  }

  async #pause(): Promise<void> {
    const timer = setTimeout(() => this.#awake.resolve(), look)
    timer.unref()
    await this.#awake.promise
    clearTimeout(timer)
    this.#awake = Promise.withResolvers()
  }
}
