// The sink of a service's events: NATS JetStream, or none.
import { refusal } from "../base/problem.ts"
import type { Subscribers } from "../events/followed.ts"
import type { Model } from "../model/model.ts"
import type { NatsCredentials, NatsTls } from "../sinks/nats-address.ts"
import type { TellSinks } from "../sinks/observation.ts"
import type { Sink } from "../sinks/sink.ts"

export interface SinkOptions {
  /** An address, or `none` where the sink has ended; there is none when absent. */
  readonly nats?: string
  /** The service's name when absent. */
  readonly natsStream?: string
  /** The service's name when absent. */
  readonly natsSubject?: string
  readonly natsCredentials?: NatsCredentials & NatsTls
}

export interface OpenSink {
  readonly subscribers: Subscribers
  /** Absent where there is none any more. */
  readonly sink?: Sink
}

/**
 * Throws a Refusal for what cannot be a sink. A broker that is away is none of that.
 * @param secret undefined where each start has another
 */
export async function checkSink(
  { nats }: SinkOptions,
  model: Model,
  secret: string | undefined,
): Promise<void> {
  if (nats === undefined || nats === "none") return
  const { readNatsAddress } = await import("../sinks/nats-address.ts")
  readNatsAddress(nats)
  if (![...model.resources.values()].some(({ logged }) => logged))
    throw refusal("invalid_command", "This service has no events to send.", {
      hint: "A resource with states or with history: true has some.",
    })
  if (secret === undefined)
    throw refusal(
      "invalid_command",
      "Events that are sent to NATS have ids that a restart must not change.",
      {
        hint: "Set BIFOLD_SECRET.",
      },
    )
  const { loadNats } = await import("../sinks/nats.ts")
  await loadNats()
}

interface Opening {
  /** The whole service, as it was declared. */
  readonly model: Model
  readonly secret: string
  readonly tell: TellSinks
}

/** A service without a sink loads nothing of it. */
export async function openSink(
  { nats, natsStream, natsSubject, natsCredentials = {} }: SinkOptions,
  { model, secret, tell }: Opening,
): Promise<OpenSink | undefined> {
  if (nats === undefined) return undefined
  const { createSink, noSink } = await import("../sinks/sink.ts")
  if (nats === "none") return { subscribers: noSink }
  const { createJetStream, loadNats } = await import("../sinks/nats.ts")
  const { readNatsAddress } = await import("../sinks/nats-address.ts")
  const address = readNatsAddress(nats, natsCredentials)
  const { name } = model
  const stream = natsStream ?? name
  const broker = createJetStream(await loadNats(), { address, stream, prefix: natsSubject ?? name, name })
  const sink = createSink({ model, secret, stream, broker, tell, shown: address.shown })
  return { subscribers: sink, sink }
}
