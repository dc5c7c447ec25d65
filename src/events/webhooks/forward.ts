// Sends events to one address as they happen, each as an endpoint of webhooks would have it: for development.

import { readTraceparent, traceHeader, withTrace } from "../../base/tracing.ts"
import { createDialer, DialError } from "../../http/dialer.ts"
import type { AnswerPlan } from "../../http/face.ts"
import type { Model } from "../../model/model.ts"
import type { Actor } from "../../plan/access/actor.ts"
import type { Log } from "../../storage/log-types.ts"
import { createEventIds } from "../log/event-ids.ts"
import { createEventReader } from "../log/event-reader.ts"
import { createLogTail } from "../log/log-tail.ts"
import type { Endpoint } from "./endpoint.ts"
import { createEvents } from "./events.ts"
import { type EventData, payloadOf, signedHeaders } from "./payload.ts"

export interface ForwardOptions {
  /** The whole service. */
  readonly model: Model
  /** Whose rules hold. */
  readonly actor: Actor
  readonly log: Log
  readonly answer: AnswerPlan
  /** Ids of events are made with it. */
  readonly secret: string
  /** Signs. */
  readonly seed: string
  readonly url: string
  /** All when empty. */
  readonly types: readonly string[]
  readonly payload: Endpoint["payload"]
  readonly format: Endpoint["format"]
  readonly signal: AbortSignal
}

export interface Forwarded {
  readonly event: EventData
  /** A status of HTTP; absent where there was no answer. */
  readonly status?: number
  readonly error?: string
  readonly milliseconds: number
}

/** Milliseconds between looks for what the service wrote. */
const look = 200

/** One after the other, each tried once, until the signal aborts. Rejects as a storage does. */
export async function* forwardEvents(options: ForwardOptions): AsyncGenerator<Forwarded, void> {
  const { model, actor, log, answer, secret, signal } = options
  const reader = createEventReader({ model, log, answer })
  const events = createEvents({ ids: createEventIds(secret, model.name), reader, model })
  const dialer = createDialer({ networks: "any" })
  const tail = createLogTail({ log, look })
  try {
    for (let { end: from } = await log.end(); ; ) {
      const found = await tail.next(from, signal)
      if (!found) return
      from = found.through
      for (const row of found.rows) {
        const event = await events.read(receiver(options), actor, row)
        if (event) yield await withTrace(readTraceparent(row.trace), undefined, () => sendOnce(event))
      }
    }
  } finally {
    tail.close()
    await dialer.close()
  }

  async function sendOnce(event: EventData): Promise<Forwarded> {
    const began = performance.now()
    const took = (): number => Math.round(performance.now() - began)
    const { body, contentType } = payloadOf(options, event, model.name)
    const seconds = Math.floor(Date.now() / 1_000)
    const headers = {
      ...signedHeaders([options.seed], { id: event.id, seconds, body }),
      "content-type": contentType,
      "user-agent": "Bifold-Webhooks",
      ...traceHeader(),
    }
    try {
      const { status } = await dialer.send(options.url, { method: "POST", headers, body, signal })
      return { event, status, milliseconds: took() }
    } catch (error) {
      if (!(error instanceof DialError)) throw error
      return { event, error: error.fault, milliseconds: took() }
    }
  }
}

const receiver = ({ types, payload }: ForwardOptions): Pick<Endpoint, "types" | "payload" | "filter"> => ({
  types,
  payload,
  filter: null,
})
