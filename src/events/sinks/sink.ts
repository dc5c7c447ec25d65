// A sink follows the log of a service and gives each event to a broker. While the broker cannot take them, events wait in the
// log: none is passed over.
import { performance } from "node:perf_hooks"
import { setTimeout as sleep } from "node:timers/promises"
import type { Model } from "../../model/model.ts"
import {
  type Followed,
  isSink,
  longestPause,
  pauseAfter,
  type Subscribers,
  sinkName,
} from "../handlers/followed.ts"
import { createEventIds } from "../log/event-ids.ts"
import { createMessages, type SinkMessage } from "./message.ts"

/** A broker that may take events: its settings, and where they lead. */
export interface Broker {
  /** As its address is set; its position in the log is kept under it. */
  readonly name: string
  readonly title: string
  /** Rows of the list of settings; the one of its name is its address, or `none` where it has ended. */
  readonly settings: object
  /** Variables that its other clients read too, by the name that they have for `placeOf`. */
  readonly variables: Readonly<Record<string, string>>
  /**
   * Throws a Refusal for a malformed address.
   * @param given settings
   * @param variables by their names here
   * @param service its name
   */
  placeOf(given: Texts, variables: Texts, service: string): BrokerPlace
}

type Texts = Readonly<Partial<Record<string, string>>>

interface BrokerPlace {
  /** The stream of the broker, under whose name the position is kept. */
  readonly stream: string
  /** As it may be printed. */
  readonly shown: string
  /** Connects with the first use. Throws a Refusal where the packages for it are not installed. */
  open(): Promise<BrokerConnection>
}

export interface BrokerConnection {
  /** Connects, and makes the stream if absent. Rejects with what the client reports. */
  check(): Promise<void>
  /** Resolves when the stream has it, or had it before. Rejects with what the client reports. */
  publish(message: SinkMessage): Promise<void>
  close(): Promise<void>
}

export interface SinkOptions extends Pick<Broker, "name">, Pick<BrokerPlace, "stream" | "shown"> {
  /** The whole service, as it was declared. */
  readonly model: Model
  /** Ids of events are made with it. */
  readonly secret: string
  readonly broker: BrokerConnection
  readonly tell: TellSinks
}

export interface Sink extends Subscribers {
  /** Gives up what waits for the broker: it is done by the next process. To be called before those who follow the log end. */
  release(): void
  close(): Promise<void>
}

export function createSink({ model, secret, name, stream, broker, shown, tell }: SinkOptions): Sink {
  const messages = createMessages(model, createEventIds(secret, model.name))
  const outage = createOutage(`${stream} at ${shown}`, tell)
  const ending = new AbortController()
  const followed: Followed = {
    name: sinkName(name, stream),
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
  names.filter((name) => isSink(name) && name !== current)

interface Outage {
  /** Until it may be tried again. Rejects when a signal aborts. */
  pause(signals: readonly AbortSignal[]): Promise<void>
  /** @param id of an event, or of the first connection */
  failed(id: string, fault: unknown): void
  succeeded(id: string): void
}

/** Milliseconds. */
const pauses = { first: 100, longest: 10_000 } as const

/** Faults at the same time share a pause, and are reported once, until all events have succeeded. */
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

// Observations of sinks: one union, rendered elsewhere (the command line writes it to stderr).

/** `sink` names it: the stream, and where it is. */
export type SinkObservation =
  /** Events cannot be sent for now. They wait in the log, and it is tried again until it works; told once. */
  | { readonly kind: "unsent"; readonly sink: string; readonly error: unknown }
  /** They are sent again. */
  | { readonly kind: "sent"; readonly sink: string }

export type TellSinks = (told: SinkObservation) => void
