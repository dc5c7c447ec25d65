// Runs those who follow the log: handlers of the service, and subscribers that come and go. Each record is in a partition, and
// processes share the partitions by leases: a record's events are handled by one of them at a time.

import { randomUUID } from "node:crypto"
import { performance } from "node:perf_hooks"
import { setTimeout as sleep } from "node:timers/promises"
import { type Clock, clockOf } from "../../base/clock.ts"
import { invariant } from "../../base/invariant.ts"
import type { Tracer } from "../../base/tracing.ts"
import type { CodeClient } from "../../engine/code/client.ts"
import type { SchemaWatch } from "../../engine/drift.ts"
import type { AnswerPlan } from "../../http/face.ts"
import type { Model } from "../../model/model.ts"
import type { Actor } from "../../plan/access/actor.ts"
import { type LogPlace, logStart } from "../../sql/log/epochs.ts"
import { isUnwritable } from "../../storage/faults.ts"
import type { Log } from "../../storage/log-types.ts"
import type { Storage } from "../../storage/storage.ts"
import { createEventReader } from "../log/event-reader.ts"
import { followedHandler, handlerActor } from "./call.ts"
import { type Checkpoints, type CheckpointsByHolder, createCheckpoints, partitionOf } from "./checkpoints.ts"
import type { TellHandlers } from "./followed.ts"
import { type Followed, type Subscribers, subscriberPrefix } from "./followed.ts"
import { Follower } from "./follower.ts"
import { Leases, processIdentity } from "./leases.ts"

/** Events that failed are tried again by the clock. */
export interface HandlersOptions extends Partial<Clock> {
  readonly model: Model
  /** The service is open to everybody: handlers are under no rules either. */
  readonly open: boolean
  readonly storage: Storage
  readonly handleFor: (actor: Actor) => CodeClient
  /** Reads what events show. */
  readonly answer: AnswerPlan
  readonly tell: TellHandlers
  /** Absent where nothing says what the database has. */
  readonly schema?: SchemaWatch
  /** Makes spans of calls; absent where spans are not collected. */
  readonly tracer?: Tracer
  /** Those who follow beside the handlers. */
  readonly subscribers?: Subscribers
  /** Milliseconds for which a process has its partitions when it says nothing more. */
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
  readonly id: string
  readonly position: bigint
  /** The record's public id. */
  readonly record: string
}

export interface RunningHandlers {
  /** Something may have been written. */
  wake(): void
  /** Those who follow the log beside the handlers, as they are now. */
  followed: Subscribers["followed"]
  /**
   * Resolves when everything in the log that is for this process is handled, but for records that wait for a later moment:
   * these are given.
   */
  settled(): Promise<readonly HandlerFailure[]>
  /** Work that a handler left running has failed after the event was done: the event is tried again, as if it had failed before. */
  failed(handled: HandledEvent, error: unknown): void
  /** Begins nothing more, waits for running events, and leaves the rest to the next process. */
  close(): Promise<void>
}

/** Milliseconds between looks for events of other processes, due retries and free partitions. */
const look = 1_000
/** Milliseconds between two looks for subscribers that are gone. */
const sweeping = 60_000
/** Milliseconds. A third of it is the time after which it is taken again; with a look it is less than ten seconds. */
const usualLease = 8_000

/**
 * Resolves when each handler has a position: later writes are handled. Where the database can only be read,
 * new ones get it when it can be written. Rejects as a storage does.
 */
export async function startHandlers(options: HandlersOptions): Promise<RunningHandlers> {
  const { model, open, handleFor, answer, storage, now } = options
  const { log } = storage
  const handlers = [...(model.handlers?.values() ?? [])]
  invariant(log, "handlers run where something can be written")
  const kept = createCheckpoints(storage)
  const place = async (): Promise<void> => {
    await kept.ready()
    // Before anything gets a position.
    await setBack(options, log, kept)
    const latest = await log.latest()
    for (const { name, from } of handlers) await kept.add(name, from === "start" ? 0n : latest)
  }
  const reader = createEventReader({ model, log, answer })
  const followed = handlers.map((handler) =>
    followedHandler({ model, handler, reader, actor: handlerActor(model, handler, open), handleFor, now }),
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

/** Handlers whose place the log lacks begin at its start, and miss no event. */
async function setBack({ tell }: Pick<HandlersOptions, "tell">, log: Log, kept: Checkpoints): Promise<void> {
  await log.ready()
  const lost = await kept.lost()
  if (lost.size === 0) return
  for (const place of lost.values()) await log.miss(place)
  if (await kept.setBack()) tell({ kind: "replaced", handlers: [...lost.keys()] })
}

/** Partitions that were taken together, with one who follows the log for each name. */
interface Share {
  readonly partitions: Set<number>
  readonly followers: Map<string, Follower>
  /** Those who follow no longer, until their calls have ended. */
  readonly leaving: Map<string, Promise<void>>
}

/** State for as long as nothing is lost. */
interface Term {
  readonly shares: Set<Share>
  /** Partitions that become another's once their calls have ended. */
  readonly releasing: Map<number, Promise<void>>
  readonly stop: AbortController
  watch: NodeJS.Timeout | undefined
}

const followersOf = (term: Term | undefined): readonly Follower[] =>
  term ? [...term.shares].flatMap(({ followers }) => [...followers.values()]) : []

const partitionsOf = (shares: readonly Share[]): readonly number[] =>
  shares.flatMap(({ partitions }) => [...partitions])

class Runner implements RunningHandlers {
  readonly #options: HandlersOptions
  readonly #handlers: readonly Followed[]
  readonly #log: Log
  readonly #kept: Checkpoints
  readonly #own: CheckpointsByHolder
  readonly #leases: Leases
  readonly #lease: number
  /** The end of the log when it was last looked at: no follower is beyond it. */
  #seen: LogPlace = logStart
  #term: Term | undefined
  /** When it was last asked what people want, as of `performance.now()`. */
  #askedAt = -Infinity
  /** The last removal of positions of subscribers that are gone. */
  #sweptAt = -Infinity
  /** When it was last looked whether one has come to its end. */
  #endsAt = -Infinity
  #closing = false
  /** Whether the process has left its partitions, as the database is another than its model needs. */
  #away = false
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
    const holder = [randomUUID(), processIdentity() ?? []].flat().join(" ")
    this.#own = kept.as(holder, () => this.#seen)
    this.#lease = options.lease ?? usualLease
    this.#leases = new Leases({ kept, own: this.#own, holder, length: this.#lease, look })
  }

  /** @param place runs before everything else, as soon as the database allows it */
  start(place?: () => Promise<void>): void {
    this.#place = place
    this.#running = this.#run()
  }

  wake(): void {
    // Without a partition there is nothing to look for.
    if (this.#term && this.#term.shares.size > 0) this.#awake.resolve()
  }

  followed(): ReturnType<Subscribers["followed"]> {
    return this.#options.subscribers?.followed() ?? Promise.resolve([])
  }

  async settled(): Promise<readonly HandlerFailure[]> {
    for (;;) {
      const moved = this.#moved.promise
      const term = this.#term
      const { end, isKnown } = await this.#log.end(this.#seen)
      const latest = end.position
      const isThrough = followersOf(term).every((follower) => follower.isThrough(latest))
      const begun = [...(term?.shares ?? [])].filter(({ followers }) =>
        this.#handlers.every(({ name }) => followers.has(name)),
      )
      if (
        term &&
        isKnown &&
        isThrough &&
        (await this.#leases.isAllHeld(partitionsOf(begun))) &&
        term === this.#term
      )
        return followersOf(term).flatMap(({ followed, failures }) =>
          failures.map(({ due, ...rest }) => ({
            handler: followed.name,
            ...rest,
            due: due === null ? null : new Date(due),
          })),
        )
      if (!isKnown || followersOf(term).some((follower) => follower.wants(latest))) this.#awake.resolve()
      await moved
    }
  }

  failed({ handler, ...handled }: HandledEvent, error: unknown): void {
    this.#followerOf(handler, handled.record)?.failLate(handled, error)
  }

  #followerOf(name: string, record: string): Follower | undefined {
    const partition = partitionOf(record)
    return followersOf(this.#term).find(
      (follower) => follower.followed.name === name && follower.has(partition),
    )
  }

  async close(): Promise<void> {
    this.#closing = true
    this.#awake.resolve()
    // The runner does not wait for a database that does not answer: the leases expire anyway.
    const patience = new AbortController()
    const late = sleep(this.#lease, undefined, { signal: patience.signal }).catch(() => {})
    await Promise.race([this.#running, late])
    patience.abort()
    this.#term?.stop.abort(new Error("The service ends."))
  }

  async #run(): Promise<void> {
    while (!this.#closing) {
      try {
        await this.#turn()
        this.#resumed()
      } catch (error) {
        this.#halt(error)
        // Running calls end before their events are begun again, by this process or by another.
        await this.#end(this.#leases.left)
      }
      this.#tellMoved()
      if (!this.#closing) await this.#pause()
    }
    // A running event may take as long as the lease holds; beyond that it is handled again.
    if (this.#term) await this.#leases.renew().catch(() => {})
    await this.#end(Math.min(this.#leases.left, this.#lease * 0.8))
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
    if (!(await this.#isFit())) return
    this.#term ??= { stop: new AbortController(), shares: new Set(), releasing: new Map(), watch: undefined }
    const term = this.#term
    if (!(await this.#divide(term))) {
      // Another process has what this one had, which was away for longer than its lease.
      await this.#end(0)
      return
    }
    this.#watch(term)
    if (term.shares.size === 0) return
    const { end, isKnown } = await this.#log.end(this.#seen)
    // Another log has taken its place: everything begins anew from its contents.
    if (!isKnown) await this.#end(this.#leases.left)
    this.#seen = end
    if (!isKnown) return
    const all = [...this.#handlers, ...((await this.#options.subscribers?.followed()) ?? [])]
    await this.#changeFollowed(term, all)
    await this.#sweep()
    if (performance.now() - this.#askedAt >= look) await this.#answerAsked()
    for (const follower of followersOf(term)) {
      // With many of them, it may take long.
      if (!(await this.#leases.keep())) return this.#end(0)
      await follower.look(end.position)
    }
    if (performance.now() - this.#endsAt >= look) await this.#endThose(term, all)
  }

  /**
   * A database that was migrated beyond the process has events by unknown names, which the process would pass over. So the
   * process leaves its partitions to newer processes, until the database fits again.
   */
  async #isFit(): Promise<boolean> {
    const { schema } = this.#options
    if (!schema || schema.isWhole()) {
      this.#away = false
      return true
    }
    schema.refresh()
    if (this.#away) return false
    await this.#end(this.#leases.left)
    await this.#own.leave()
    this.#away = true
    return false
  }

  /** Running calls are given up when the leases run out, whatever the process waits for: another one begins with them then. */
  #watch(term: Term): void {
    if (term.watch) return
    const look = (): void => {
      const { left } = this.#leases
      if (left > 0) term.watch = setTimeout(look, left).unref()
      else term.stop.abort(new Error("The leases have run out."))
    }
    look()
  }

  /** Takes partitions that are free, and leaves those that are another's share; false where some were lost. */
  async #divide(term: Term): Promise<boolean> {
    const { schema } = this.#options
    // A partition that is left meanwhile may still be read as its own.
    const releasing = new Set(term.releasing.keys())
    const had = partitionsOf([...term.shares])
    const division = await this.#leases.divide(had)
    if (division === "early") return true
    if (division === "late") return false
    const { held, share } = division
    const fresh = [...held].filter((one) => !had.includes(one) && !releasing.has(one))
    if (fresh.length > 0 && schema) {
      // After it has taken them: a migration that renames takes all leases away.
      await schema.look()
      if (!schema.isWhole()) return false
    }
    if (fresh.length > 0)
      term.shares.add({ partitions: new Set(fresh), followers: new Map(), leaving: new Map() })
    const surplus = had.length + fresh.length - share
    if (surplus > 0) this.#release(term, surplus)
    return true
  }

  /** The smallest shares are left first. */
  #release(term: Term, count: number): void {
    let left = count
    for (const share of [...term.shares].toSorted(
      (one, other) => one.partitions.size - other.partitions.size,
    )) {
      const some = new Set([...share.partitions].slice(0, left))
      left -= some.size
      if (some.size === 0) return
      for (const one of some) share.partitions.delete(one)
      if (share.partitions.size === 0) term.shares.delete(share)
      const ended = Promise.all([
        ...[...share.followers.values()].map((follower) => follower.release(some)),
        ...share.leaving.values(),
      ])
      const released = ended
        .then(() => this.#own.leave([...some]))
        .catch((of: unknown) => this.#hear({ of }))
        .finally(() => {
          for (const one of some) term.releasing.delete(one)
        })
      for (const one of some) term.releasing.set(one, released)
    }
  }

  async #changeFollowed(term: Term, all: readonly Followed[]): Promise<void> {
    const now = new Map(all.map((one) => [one.name, one]))
    const fresh = new Map<Share, readonly Followed[]>()
    for (const share of term.shares) {
      const { followers, leaving } = share
      for (const [name, follower] of followers)
        if (now.get(name) !== follower.followed) this.#leave(share, name, follower)
      const own = all.filter(({ name }) => !followers.has(name) && !leaving.has(name))
      if (own.length > 0) fresh.set(share, own)
    }
    if (fresh.size > 0) await this.#join(term, fresh)
  }

  /** Subscribers that are gone leave nothing behind. */
  async #sweep(): Promise<void> {
    const { subscribers } = this.#options
    if (!subscribers || performance.now() - this.#sweptAt < sweeping) return
    this.#sweptAt = performance.now()
    const kept = [...(await this.#kept.positions()).keys()]
    const gone = await subscribers.gone(kept.filter((name) => name.startsWith(subscriberPrefix)))
    for (const name of gone) await this.#own.remove(name)
  }

  /** Ends followers that have come to their last position, here and in the other processes. */
  async #endThose(term: Term, all: readonly Followed[]): Promise<void> {
    const near = all.filter(({ name, ends }) => {
      if (!ends || !this.#followerOf(name, ends.record)) return false
      const own = followersOf(term).filter(({ followed }) => followed.name === name)
      return own.every(({ position }) => position !== undefined && position >= ends.position)
    })
    this.#endsAt = performance.now()
    if (near.length === 0) return
    const [positions, waiting] = [await this.#kept.positions(), await this.#kept.waiting()]
    for (const { name, ends } of near) {
      if (!ends || (positions.get(name) ?? 0n) < ends.position) continue
      if (waiting.some(({ handler }) => handler === name)) continue
      await this.#options.subscribers?.ended?.(name)
      await this.#own.remove(name)
    }
  }

  /** The follower begins nothing more. Where it is another by now, it begins anew when its calls have ended. */
  #leave({ followers, leaving }: Share, name: string, follower: Follower): void {
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

  async #answerAsked(): Promise<void> {
    this.#askedAt = performance.now()
    for (const record of await this.#kept.asked())
      if (record.asked && this.#followerOf(record.handler, record.record)?.answer(record))
        await this.#kept.takeAsked(record, record.asked)
  }

  /** From where each has been kept. */
  async #join({ stop }: Term, fresh: ReadonlyMap<Share, readonly Followed[]>): Promise<void> {
    const { tell, tracer } = this.#options
    const clock = clockOf(this.#options)
    await setBack(this.#options, this.#log, this.#kept)
    const known = await this.#kept.partitions()
    const added = new Set([...fresh.values()].flat().filter(({ name }) => !known.has(name)))
    for (const one of added) await this.#kept.add(one.name, await one.from())
    const positions = added.size === 0 ? known : await this.#kept.partitions()
    const waiting = Map.groupBy(await this.#kept.waiting(), ({ handler }) => handler)
    const moved = (fault?: { readonly of: unknown }): void => this.#hear(fault)
    const isHeld = (): boolean => this.#leases.left > 0
    for (const [{ partitions, followers }, all] of fresh)
      for (const followed of all) {
        const { name } = followed
        const begin = positions.get(name)
        const begins = new Map([...partitions].map((one) => [one, begin?.get(one) ?? 0n]))
        const options = {
          followed,
          log: this.#log,
          kept: this.#own,
          begins,
          tell,
          clock,
          moved,
          isHeld,
          tracer,
        }
        followers.set(name, new Follower({ ...options, stop: stop.signal }, waiting.get(name) ?? []))
      }
  }

  /** Milliseconds for running calls to end; then they are given up. */
  async #end(milliseconds: number): Promise<void> {
    const term = this.#term
    if (!term) return
    const { stop, shares, releasing } = term
    for (const follower of followersOf(term)) follower.pause()
    const cut = setTimeout(() => stop.abort(new Error("The service ends.")), milliseconds)
    // Events without a kept checkpoint are done again.
    await Promise.allSettled([
      ...followersOf(term).map((follower) => follower.ended()),
      ...[...shares].flatMap(({ leaving }) => [...leaving.values()]),
      ...releasing.values(),
    ])
    clearTimeout(cut)
    clearTimeout(term.watch)
    this.#term = undefined
    this.#fault = undefined
    this.#leases.forget()
  }

  #hear(fault: { readonly of: unknown } | undefined): void {
    if (fault) this.#fault = fault
    if (fault || followersOf(this.#term).some(({ hasRoomAgain }) => hasRoomAgain)) this.#awake.resolve()
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
