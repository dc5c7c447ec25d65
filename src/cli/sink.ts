// Where `serve` sends the events of a service to: options, and the variables that other clients of NATS read, too.
import { type Command, InvalidArgumentError, Option } from "commander"
import type { NatsCredentials, NatsTls } from "../sinks/nats-address.ts"

export const withSinkOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--nats <url>",
        "sends all events to NATS JetStream: nats://… or tls://…; none where that has ended",
      ).env("BIFOLD_NATS"),
    )
    .addOption(
      new Option(
        "--nats-stream <name>",
        "its stream, made where there is none; the service's name when absent",
      )
        .env("BIFOLD_NATS_STREAM")
        .argParser(streamName),
    )
    .addOption(
      new Option("--nats-subject <prefix>", "how its subjects begin; the service's name when absent")
        .env("BIFOLD_NATS_SUBJECT")
        .argParser(subjectPrefix),
    )

function streamName(text: string): string {
  if (/^[\w-]{1,200}$/.test(text)) return text
  throw new InvalidArgumentError("Give letters, digits, hyphens and underscores.")
}

function subjectPrefix(text: string): string {
  if (/^[\w-]+(\.[\w-]+)*$/.test(text) && text.length <= 200) return text
  throw new InvalidArgumentError("Give a subject such as shop, or events.shop.")
}

/** As the `nats` command has them. */
export function natsVariables(): NatsCredentials & NatsTls {
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
