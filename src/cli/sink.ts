// Where `serve` sends the events of a service to, with the variables that other clients of NATS read too.
import { refusal } from "../base/problem.ts"
import type { Subscribers } from "../events/followed.ts"
import type { Model } from "../model/model.ts"
import type { Settings } from "../settings/settings.ts"
import type { NatsCredentials, NatsTls } from "../sinks/nats-address.ts"
import type { TellSinks } from "../sinks/observation.ts"
import type { Sink } from "../sinks/sink.ts"

type SinkOptions = Pick<Settings, "nats" | "natsStream" | "natsSubject">

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
  { nats, natsStream, natsSubject }: SinkOptions,
  { model, secret, tell }: Opening,
): Promise<OpenSink | undefined> {
  if (nats === undefined) return undefined
  const { createSink, noSink } = await import("../sinks/sink.ts")
  if (nats === "none") return { subscribers: noSink }
  const { createJetStream, loadNats } = await import("../sinks/nats.ts")
  const { readNatsAddress } = await import("../sinks/nats-address.ts")
  const address = readNatsAddress(nats, natsVariables())
  const { name } = model
  const stream = natsStream ?? name
  const broker = createJetStream(await loadNats(), { address, stream, prefix: natsSubject ?? name, name })
  const sink = createSink({ model, secret, stream, broker, tell, shown: address.shown })
  return { subscribers: sink, sink }
}

/** As the `nats` command has them. */
function natsVariables(): NatsCredentials & NatsTls {
  const names = {
    user: "NATS_USER",
    password: "NATS_PASSWORD",
    token: "NATS_TOKEN",
    credsFile: "NATS_CREDS",
    nkeyFile: "NATS_NKEY",
    certFile: "NATS_CERT",
    keyFile: "NATS_KEY",
    caFile: "NATS_CA",
  }
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, variable]) => {
      const value = process.env[variable]
      return value === undefined || value === "" ? [] : [[name, value]]
    }),
  )
}
