// Points of callers by the minute, in the memory of this process or in a store that several share.
import { hash } from "node:crypto"
import type { RateLimiterRes } from "rate-limiter-flexible"

export interface Taken {
  readonly refused: boolean
  readonly remaining: number
  /** Milliseconds until the caller has all of its points again. */
  readonly resetsIn: number
}

export interface Budget {
  /**
   * Takes points of a caller's minute, or none if fewer are left. Rejects with the store's fault.
   * @param perMinute the points that the caller has
   */
  take(caller: string, points: number, perMinute: number): Taken | Promise<Taken>
  /** Gives back points that were taken and not needed. A fault leaves them taken. */
  giveBack(caller: string, points: number, perMinute: number): void
  close(): Promise<void>
}

/** The part of `rate-limiter-flexible` that a budget needs: one for each number of points. */
export interface Limiter {
  consume(key: string, points: number): Promise<RateLimiterRes>
  reward(key: string, points: number): Promise<RateLimiterRes>
}

/** Seconds. */
export const windowSeconds = 60

interface BudgetOptions {
  /** Makes a limiter of so many points a minute. */
  readonly create: (points: number) => Limiter
  /** Prepares the store; called before each use. */
  readonly ready?: () => Promise<void>
  /** The store has failed. */
  readonly failed?: (fault: Error) => void
  readonly close?: () => Promise<void>
}

export function createBudget({ create, ready, failed, close = async () => {} }: BudgetOptions): Budget {
  const limiters = new Map<number, Limiter>()
  const limiterOf = (points: number): Limiter => {
    const known = limiters.get(points)
    if (known) return known
    const made = create(points)
    limiters.set(points, made)
    return made
  }
  return {
    async take(caller, points, perMinute) {
      if (ready) await ready()
      const limiter = limiterOf(perMinute)
      const key = keyOf(caller)
      return limiter.consume(key, points).then(takenFrom, (fault: unknown) => {
        if (fault instanceof Error) {
          failed?.(fault)
          throw fault
        }
        // The limiter has counted the refused points: a smaller request may still fit.
        limiter.reward(key, points).catch(() => {})
        const { consumedPoints, msBeforeNext } = fault as RateLimiterRes
        return {
          refused: true,
          remaining: Math.max(0, perMinute - (consumedPoints - points)),
          resetsIn: msBeforeNext,
        }
      })
    },
    giveBack(caller, points, perMinute) {
      limiterOf(perMinute)
        .reward(keyOf(caller), points)
        .catch(() => {})
    },
    close,
  }
}

/** Names of callers are as long as an issuer makes them; keys of a store are not. */
const keyOf = (caller: string): string => (caller.length <= 64 ? caller : hash("sha256", caller, "base64url"))

const takenFrom = ({ remainingPoints, msBeforeNext }: RateLimiterRes): Taken => ({
  refused: false,
  remaining: remainingPoints,
  resetsIn: msBeforeNext,
})

/** Callers that are remembered at the same time. */
const mostWindows = 200_000

interface Window {
  used: number
  /** As of `now`. */
  readonly until: number
}

/**
 * Points in the memory of this process, without waiting. A limiter of the library costs each request several promises and
 * each caller a timer: a tenth of a small request.
 */
export function memoryBudget(now: () => number = () => performance.now()): Budget {
  /** In the order of their ends, as all are equally long. */
  const windows = new Map<string, Window>()
  const windowOf = (caller: string, time: number): Window => {
    const known = windows.get(caller)
    if (known && known.until > time) return known
    if (known) windows.delete(caller)
    for (const [other, { until }] of windows) {
      if (until > time) break
      windows.delete(other)
    }
    // A crowd of addresses does not fill the memory: the oldest minute is nearly over.
    const [oldest] = windows.size >= mostWindows ? windows.keys() : []
    if (oldest !== undefined) windows.delete(oldest)
    const made: Window = { used: 0, until: time + windowSeconds * 1_000 }
    windows.set(caller, made)
    return made
  }
  return {
    take(caller, points, perMinute) {
      const time = now()
      const window = windowOf(caller, time)
      const refused = window.used + points > perMinute
      if (!refused) window.used += points
      return { refused, remaining: Math.max(0, perMinute - window.used), resetsIn: window.until - time }
    },
    giveBack(caller, points) {
      const window = windows.get(caller)
      if (window) window.used = Math.max(0, window.used - points)
    },
    close: async () => {},
  }
}
