// The sink of a service's events: the broker that the settings name, or none.
import { refusal } from "../base/problem.ts"
import type { Subscribers } from "../events/handlers/followed.ts"
import { type BrokerOptions, brokerOf } from "../events/sinks/brokers.ts"
import type { Sink, TellSinks } from "../events/sinks/sink.ts"
import type { Model } from "../model/model.ts"

export interface SinkOptions extends BrokerOptions {
  readonly variables?: Readonly<Record<string, string>>
}

export interface OpenSink {
  readonly subscribers: Subscribers
  /** Absent once the service has no sink. */
  readonly sink?: Sink
}

/**
 * Throws a Refusal for options that cannot be a sink. A broker that is away is no such fault.
 * @param secret undefined where each start has another
 */
export async function checkSink(
  given: BrokerOptions,
  model: Model,
  secret: string | undefined,
): Promise<void> {
  const { broker, hasEnded } = brokerOf(given)
  if (!broker || hasEnded) return
  const place = broker.placeOf(given, {}, model.name)
  if (![...model.resources.values()].some(({ logged }) => logged))
    throw refusal("invalid_command", "This service has no events to send.", {
      hint: "A resource with states or with history: true has some.",
    })
  if (secret === undefined)
    throw refusal(
      "invalid_command",
      `Events that are sent to ${broker.title} have ids that a restart must not change.`,
      { hint: "Set BIFOLD_SECRET." },
    )
  await place.open()
}

interface Opening {
  /** The whole service, as it was declared. */
  readonly model: Model
  readonly secret: string
  readonly tell: TellSinks
}

/** A service without a sink loads nothing of it. */
export async function openSink(
  { variables = {}, ...given }: SinkOptions,
  { model, secret, tell }: Opening,
): Promise<OpenSink | undefined> {
  const { broker, hasEnded } = brokerOf(given)
  if (!broker) return undefined
  const { createSink, noSink } = await import("../events/sinks/sink.ts")
  if (hasEnded) return { subscribers: noSink }
  const { open, ...place } = broker.placeOf(given, variables, model.name)
  const sink = createSink({ ...place, model, secret, name: broker.name, broker: await open(), tell })
  return { subscribers: sink, sink }
}
