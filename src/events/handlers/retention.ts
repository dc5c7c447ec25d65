// Removes old events from the log, a little at a time beside the work of the service. Events that a handler still needs
// stay.

import { setTimeout as sleep } from "node:timers/promises"
import { type Clock, clockOf } from "../../base/clock.ts"
import { invariant } from "../../base/invariant.ts"
import type { Model } from "../../model/model.ts"
import { canonicalDateTime } from "../../model/values/datetime.ts"
import { isUnwritable } from "../../storage/faults.ts"
import type { Storage } from "../../storage/storage.ts"
import { createCheckpoints } from "./checkpoints.ts"
import type { TellHandlers } from "./followed.ts"
import { subscriberPrefix } from "./followed.ts"

export interface RetentionOptions extends Partial<Clock> {
  /** With `log.keep`. */
  readonly model: Model
  readonly storage: Storage
  readonly tell: TellHandlers
  /** Milliseconds between two looks, more or less; the first is some seconds after the start at the latest. */
  readonly pause?: number
}

export interface Retention {
  /** Begins no further step. Resolves when the one under way has ended. */
  close(): Promise<void>
}

/** Rows that one step removes. */
const step = 1_000
/** Milliseconds between two steps: others write meanwhile. */
const rest = 50
const usualPause = 60_000
/** Milliseconds from the start to the first look, at the most. */
const soon = 4_000
/** Milliseconds between reports that a handler holds the log. */
const again = 6 * 3_600_000

export function startRetention({
  model,
  storage,
  tell,
  pause = usualPause,
  ...clocks
}: RetentionOptions): Retention {
  const { log } = storage
  const { now, elapsed } = clockOf(clocks)
  const { keep } = model.log ?? {}
  invariant(log && keep !== undefined, "a log that can be written is kept for a time")
  const closing = new AbortController()
  const { signal } = closing
  const kept = model.handlers && createCheckpoints(storage)
  let told = -Infinity
  let failing = false
  const removeOld = async (): Promise<void> => {
    const before = now() - keep
    const held = kept && (await firstNeeded(model, kept))
    const bounds = { before: canonicalDateTime(before), ...(held && { below: held.position }) }
    while (!signal.aborted && (await log.forget(bounds, step))) await sleep(rest)
    const oldest = held && (await log.oldest())
    // A look later than it could be removed is no reason to say anything.
    if (!held || oldest === undefined || Date.parse(oldest) > before - 2 * pause || elapsed() - told < again)
      return
    told = elapsed()
    tell({ kind: "held", handler: held.handler, since: Date.parse(oldest) })
  }
  const look = async (): Promise<void> => {
    try {
      await removeOld()
      failing = false
    } catch (error) {
      // A database that can only be read for now is nothing that has to be said again.
      if (!failing && !isUnwritable(error)) tell({ kind: "unforgotten", error })
      failing = true
    }
  }
  // Several processes look at different times.
  const run = async (): Promise<void> => {
    for (
      let wait = Math.min(pause, soon) * Math.random();
      !signal.aborted;
      wait = pause * (0.5 + Math.random())
    ) {
      await sleep(wait, undefined, { signal, ref: false }).catch(() => {})
      if (!signal.aborted) await look()
    }
  }
  const running = run()
  return {
    async close() {
      closing.abort()
      await running
    },
  }
}

interface FirstNeeded {
  readonly handler: string
  readonly position: bigint
}

/** All stored positions of subscribers count: the runner removes positions of subscribers that are gone. */
function subscribersIn(
  positions: ReadonlyMap<string, bigint>,
  waiting: readonly FirstNeeded[],
): readonly FirstNeeded[] {
  const ofSubscriber = (name: string): boolean => name.startsWith(subscriberPrefix)
  return [
    ...[...positions]
      .filter(([handler]) => ofSubscriber(handler))
      .map(([handler, position]) => ({ handler, position: position + 1n })),
    ...waiting.filter(({ handler }) => ofSubscriber(handler)),
  ]
}

/** The first position that a handler may still read, and which handler that is. */
async function firstNeeded(
  { handlers = new Map() }: Model,
  kept: ReturnType<typeof createCheckpoints>,
): Promise<FirstNeeded | undefined> {
  const positions = await kept.positions()
  const waiting = await kept.waiting()
  const needed: FirstNeeded[] = [
    // One that has no position yet begins with the first.
    ...[...handlers.keys()].map((handler) => ({ handler, position: (positions.get(handler) ?? -1n) + 1n })),
    ...waiting.filter(({ handler }) => handlers.has(handler)),
    ...subscribersIn(positions, waiting),
  ]
  return needed.reduce<FirstNeeded | undefined>(
    (least, one) => (least && least.position <= one.position ? least : one),
    undefined,
  )
}
