// A sink follows the log of a service and gives each event to a broker. While the broker cannot take them, events wait in the
// log: none is passed over.
import { performance } from "node:perf_hooks"
import { setTimeout as sleep } from "node:timers/promises"
import {
  type Followed,
  longestPause,
  pauseAfter,
  type Subscribers,
  subscriberPrefixes,
} from "../events/followed.ts"
import { createEventIds } from "../feed/event-ids.ts"
import type { Model } from "../model/model.ts"
import { createMessages } from "./message.ts"
import type { JetStream } from "./nats.ts"
import type { TellSinks } from "./observation.ts"

export interface SinkOptions {
  /** The whole service, as it was declared. */
  readonly model: Model
  /** Ids of events are made with it. */
  readonly secret: string
  /** The stream of a broker, under whose name the position is kept. */
  readonly stream: string
  readonly broker: JetStream
  /** Where the broker is, as it may be printed. */
  readonly shown: string
  readonly tell: TellSinks
}

export interface Sink extends Subscribers {
  /** Gives up what waits for the broker: it is done by the next process. To be called before those who follow the log end. */
  release(): void
  close(): Promise<void>
}

const prefix = subscriberPrefixes.sink

export function createSink({ model, secret, stream, broker, shown, tell }: SinkOptions): Sink {
  const messages = createMessages(model, createEventIds(secret, model.name))
  const outage = createOutage(`${stream} at ${shown}`, tell)
  const ending = new AbortController()
  const followed: Followed = {
    name: prefix + stream,
    filter: { resources: messages.resources },
    from: async () => 0n,
    async call(row, stop) {
      const message = messages.of(row)
      // A faulty broker is waited for here, and not by the record: nothing is kept for each event that waits.
      for (;;) {
        try {
          await outage.pause([stop, ending.signal])
          await broker.publish(message)
          outage.succeeded(message.id)
          return
        } catch (fault) {
          if (stop.aborted || ending.signal.aborted) throw fault
          outage.failed(message.id, fault)
        }
      }
    },
    longestPause,
    retry: (attempts) => (ending.signal.aborted ? 0 : pauseAfter(attempts, Math.random())),
    quiet: () => true,
  }
  let checking: Promise<void> | undefined
  const check = async (): Promise<void> => {
    while (!ending.signal.aborted)
      try {
        await outage.pause([ending.signal])
        await broker.check()
        return outage.succeeded("")
      } catch (fault) {
        if (!ending.signal.aborted) outage.failed("", fault)
      }
  }
  return {
    gone: async (names) => isGone(names, followed.name),
    async followed() {
      // A broker that cannot be used is reported at the start, not with the first event.
      checking ??= check()
      return [followed]
    },
    release: () => ending.abort(new Error("The service ends.")),
    async close() {
      ending.abort()
      await broker.close()
      await checking
    },
  }
}

/** For a service that has said that it has no sink any more: nothing of an earlier one is kept. */
export const noSink: Subscribers = {
  gone: async (names) => isGone(names),
  followed: async () => [],
}

/** A service has one sink: another that it had has ended. */
const isGone = (names: readonly string[], current?: string): readonly string[] =>
  names.filter((name) => name.startsWith(prefix) && name !== current)

interface Outage {
  /** Until it may be tried again. Rejects when a signal aborts. */
  pause(signals: readonly AbortSignal[]): Promise<void>
  /** @param id of an event, or of the first connection */
  failed(id: string, fault: unknown): void
  succeeded(id: string): void
}

/** Milliseconds. */
const pauses = { first: 100, longest: 10_000 } as const

/** Faults at the same time share a pause, and are told once, until all events have succeeded. */
function createOutage(sink: string, tell: TellSinks): Outage {
  const failing = new Set<string>()
  let until = Number.NEGATIVE_INFINITY
  let faults = 0
  return {
    async pause(signals) {
      for (const signal of signals) signal.throwIfAborted()
      const wait = until - performance.now()
      if (wait > 0) await sleep(wait, undefined, { signal: AbortSignal.any([...signals]) })
    },
    failed(id, fault) {
      if (failing.size === 0) tell({ kind: "unsent", sink, error: fault })
      failing.add(id)
      const now = performance.now()
      if (now < until) return
      until = now + Math.min(pauses.first * 2 ** faults, pauses.longest) * (0.8 + 0.4 * Math.random())
      faults += 1
    },
    succeeded(id) {
      until = Number.NEGATIVE_INFINITY
      faults = 0
      if (failing.delete(id) && failing.size === 0) tell({ kind: "sent", sink })
    },
  }
}
