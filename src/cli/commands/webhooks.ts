// `bifold webhooks`: forwards events to a local address while a receiver is written, and tries endpoints.
import { hkdfSync, randomBytes } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { Command, Option } from "commander"
import { refusal } from "../../base/problem.ts"
import { makeSeed } from "../../base/webhook-keys.ts"
import type { Endpoint } from "../../events/webhooks/endpoint.ts"
import { type Forwarded, forwardEvents } from "../../events/webhooks/forward.ts"
import { payloadFormats, payloadKinds, webhookCommands } from "../../model/system/webhooks.ts"
import { canonicalDateTime } from "../../model/values/datetime.ts"
import { exitCodes } from "../../observe/terminal/failure.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import {
  eventsWanted,
  type FollowOptions,
  following,
  openFollowing,
  openRecords,
  untilEnded,
  webhooksWanted,
} from "../follow-options.ts"
import { type DatabaseOptions, onDatabase, withDatabase } from "../on-database.ts"

interface ListenOptions extends FollowOptions {
  readonly payload: Endpoint["payload"]
  readonly format: Endpoint["format"]
}

export function webhooksCommand(terminal: Terminal): Command {
  const webhooks = new Command("webhooks")
    .summary("forward events to a local address; test an endpoint")
    .description("Helps to develop and test receivers of webhooks.")
    .addHelpText(
      "after",
      `
Examples:
  $ bifold webhooks listen http://localhost:3000/hook service.ts --database shop.db --types order.paid
  $ bifold webhooks test whe_01h455vb4pex5vsknk084sn02q service.ts --database shop.db

listen needs no endpoint, and works with any service that has events. The requests are the same as to an endpoint, each
event once. The signing secret is shown at the start; with --secret it is the same every time.`,
    )
  webhooks.addCommand(
    following(new Command("listen").description("Forwards events to a local address as they happen."))
      .argument("<url>", "where they are sent by POST")
      .argument("[service]", "the service file; service.ts when absent")
      .addOption(
        new Option("--payload <kind>", "with the record, or its id alone")
          .choices(payloadKinds)
          .default("full"),
      )
      .addOption(new Option("--format <name>", "the envelope").choices(payloadFormats).default("standard"))
      .action((url: string, service: string | undefined, options: ListenOptions) =>
        listen(terminal, url, { service, options }),
      ),
  )
  webhooks.addCommand(
    onDatabase(new Command("test").description("Sends a test event to an endpoint, and shows its answer."))
      .argument("<endpoint>", "its id")
      .argument("[service]", "the service file; service.ts when absent")
      .action((endpoint: string, service: string | undefined, options: DatabaseOptions) =>
        tryEndpoint(terminal, endpoint, { service, options }),
      ),
  )
  return webhooks
}

interface ListenGiven {
  readonly service: string | undefined
  readonly options: ListenOptions
}

async function listen(terminal: Terminal, url: string, { service, options }: ListenGiven): Promise<void> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw refusal("invalid_command", `${JSON.stringify(url)} is no address.`, {
      hint: "Give one such as http://localhost:3000/hook.",
    })
  const { secret: given, types, payload, format, count = Number.POSITIVE_INFINITY } = options
  await withDatabase({ service, options }, eventsWanted, async (model, storage) => {
    const { seed, secret } = makeSeed(given === undefined ? randomBytes : derivedFrom(given))
    if (options.json) terminal.say(`Signing secret: ${secret}`)
    else terminal.print(`Forwarding events to ${terminal.out.bold(url)}. Signing secret: ${secret}`)
    const sending = { ...openFollowing(model, storage, options), seed, url, types, payload, format }
    await untilEnded(async (signal) => {
      let sent = 0
      for await (const one of forwardEvents({ ...sending, signal })) {
        terminal.print(options.json ? JSON.stringify(one) : forwardedLine(terminal, one))
        sent += 1
        if (sent >= count) return
      }
    })
  })
}

function forwardedLine({ out }: Terminal, { event, status, error, milliseconds }: Forwarded): string {
  const isTaken = status !== undefined && status >= 200 && status <= 299
  const answer = isTaken ? out.green(String(status)) : out.red(String(status ?? error))
  return `${out.dim(event.at)}  ${out.bold(event.type)}  ${event.recordId}  → ${answer}  ${out.dim(`${milliseconds} ms`)}`
}

interface TestGiven {
  readonly service: string | undefined
  readonly options: DatabaseOptions
}

/** Milliseconds between looks, and their number: the dialer gives up after 15 seconds. */
const waiting = { pause: 300, tries: 80 } as const

async function tryEndpoint(
  terminal: Terminal,
  endpoint: string,
  { service, options }: TestGiven,
): Promise<void> {
  await withDatabase({ service, options }, webhooksWanted, async (model, storage) => {
    const records = openRecords(model, storage)
    const before = await records.endpoint(endpoint)
    if (!before) throw refusal("not_found", `There is no endpoint ${JSON.stringify(endpoint)}.`)
    // Another process may have another clock.
    const known = new Set((await records.deliveriesOf(endpoint, testType, longAgo)).map(({ id }) => id))
    await records.fire(endpoint, webhookCommands.test)
    for (let tries = 0; tries < waiting.tries; tries += 1) {
      await sleep(waiting.pause)
      terminal.progress(`Waiting for ${before.url} …`)
      const all = await records.deliveriesOf(endpoint, testType, longAgo)
      const own = all.find(({ id }) => !known.has(id))
      if (!own) continue
      terminal.settle()
      const attempt = (own.log?.at(-1) ?? {}) as Omit<Forwarded, "event">
      if (options.json) terminal.print(JSON.stringify({ endpoint, status: own.status, attempt }))
      const answer = `${attempt.status ?? attempt.error} in ${attempt.milliseconds} ms`
      const isTaken = own.status === "delivered"
      if (!isTaken) terminal.exitWith(exitCodes.failed)
      if (options.json) return
      if (isTaken) terminal.print(`${terminal.out.green("✓")} ${before.url} answered ${answer}.`)
      else terminal.say(`${terminal.err.red("✗")} ${before.url} did not take it: ${answer}.`)
      return
    }
    terminal.settle()
    terminal.say(
      `${terminal.err.red("✗")} Nothing was sent. A process has to serve the service: bifold serve.`,
    )
    terminal.exitWith(exitCodes.failed)
  })
}

const testType = "webhook.test"
const longAgo = canonicalDateTime(0)

/** So many bytes, always the same of a text. */
const derivedFrom =
  (secret: string) =>
  (bytes: number): Uint8Array =>
    Buffer.from(hkdfSync("sha256", secret, "", "bifold webhooks listen", bytes))
