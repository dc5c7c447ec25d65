// `bifold events`: shows the events of a service as they happen, and has endpoints of webhooks sent what they had before.
import { setTimeout as sleep } from "node:timers/promises"
import { Command } from "commander"
import { present } from "../../base/invariant.ts"
import type { JsonValue } from "../../base/json.ts"
import { type Refusal, refusal } from "../../base/problem.ts"
import { createCheckpoints } from "../../events/handlers/checkpoints.ts"
import { eventJson } from "../../events/log/event-json.ts"
import { createFeed, type Feed, type FeedItem, fromNow } from "../../events/log/feed.ts"
import type { Endpoint } from "../../events/webhooks/endpoint.ts"
import type { Records } from "../../events/webhooks/records.ts"
import { subscriberOf } from "../../events/webhooks/webhooks.ts"
import { webhookCommands } from "../../model/system/webhooks.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { type LogPlace, logStart } from "../../sql/log/epochs.ts"
import type { Storage } from "../../storage/storage.ts"
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

interface TailOptions extends FollowOptions {
  readonly after?: string
}

interface ReplayOptions extends DatabaseOptions {
  readonly after?: string
  readonly until?: string
}

export function eventsCommand(terminal: Terminal): Command {
  const events = new Command("events")
    .summary("show events as they happen; replay them to an endpoint")
    .description("Shows the events of a service, and sends past events to webhook endpoints again.")
    .addHelpText(
      "after",
      `
Examples:
  $ bifold events tail service.ts --database shop.db --types order.paid,order.shipped
  $ bifold events tail service.ts --database shop.db --as role:warehouse --json
  $ bifold events replay whe_01h455vb4pex5vsknk084sn02q service.ts --database shop.db

A replay is carried out by the process that serves the service.`,
    )
  events.addCommand(
    following(new Command("tail").description("Shows events as they happen, each on a line."))
      .argument("[service]", "the service file; service.ts when absent")
      .option("--after <event>", "begin after this event; `start` for the whole log")
      .action((service: string | undefined, options: TailOptions) => tail(terminal, service, options)),
  )
  events.addCommand(
    onDatabase(new Command("replay").description("Sends past events to an endpoint again."))
      .argument("<endpoint>", "its id")
      .argument("[service]", "the service file; service.ts when absent")
      .option("--after <event>", "replay the events after this one; from the start when absent")
      .option("--until <event>", "replay up to and including this event; up to now when absent")
      .action((endpoint: string, service: string | undefined, options: ReplayOptions) =>
        replay(terminal, endpoint, { service, options }),
      ),
  )
  return events
}

/** Milliseconds between looks for what the service wrote. */
const look = 200

async function tail(terminal: Terminal, service: string | undefined, options: TailOptions): Promise<void> {
  await withDatabase({ service, options }, eventsWanted, async (model, storage) => {
    const { actor, ...rest } = openFollowing(model, storage, options)
    const types = options.types.length > 0 ? { types: options.types } : {}
    const feed = createFeed({ ...rest, look })
    try {
      const from = await beginning(feed, options.after)
      await untilEnded((signal) =>
        show(terminal, feed.follow({ actor, ...types, places }, from, signal), { feed, options }),
      )
    } finally {
      feed.close()
    }
  })
}

const places = { resource: [], conditions: [], types: ["--types"] }

async function beginning(feed: Feed, after: string = fromNow): Promise<LogPlace> {
  return after === "start" ? logStart : await feed.after(after, ["--after"])
}

interface Shown {
  readonly feed: Feed
  readonly options: TailOptions
}

async function show(
  terminal: Terminal,
  items: AsyncIterable<FeedItem>,
  { feed, options: { json, count = Number.POSITIVE_INFINITY } }: Shown,
): Promise<void> {
  let left = count
  for await (const item of items) {
    if (item.kind === "gap") {
      terminal.say(terminal.err.yellow("Events before these are no longer in the log."))
      continue
    }
    for (const event of item.events.map((one) => eventJson(feed, one))) {
      terminal.print(json ? JSON.stringify(event) : eventLine(terminal, event))
      left -= 1
      if (left <= 0) return
    }
  }
}

type EventJson = Readonly<Record<string, JsonValue>>

function eventLine({ out }: Terminal, { at, type, recordId, actor, changes }: EventJson): string {
  const names = ((changes ?? []) as readonly { readonly field: string }[]).map(({ field }) => field)
  const by = actor === null || actor === undefined ? "" : ` by ${String(actor)}`
  const fields = names.length === 0 ? "" : `  ${names.join(", ")}`
  return `${out.dim(String(at))}  ${out.bold(String(type))}  ${String(recordId)}${by}${out.dim(fields)}`
}

interface Given {
  readonly service: string | undefined
  readonly options: ReplayOptions
}

/** Milliseconds between looks at how far a replay is. */
const pause = 300
/** Looks after which a message says that nothing happens. */
const unheard = 30

async function replay(terminal: Terminal, endpoint: string, { service, options }: Given): Promise<void> {
  const { after, until, json } = options
  await withDatabase({ service, options }, webhooksWanted, async (model, storage) => {
    const records = openRecords(model, storage)
    const before = await records.endpoint(endpoint)
    if (!before) throw noEndpoint(endpoint)
    await records.fire(endpoint, webhookCommands.replay, {
      ...(after !== undefined && { after }),
      ...(until !== undefined && { until }),
    })
    const began = performance.now()
    const isDone = await untilEnded((signal) => watchReplay(terminal, { before, records, storage, signal }))
    terminal.settle()
    if (!isDone) terminal.say("The replay goes on without this command.")
    else if (json)
      terminal.print(JSON.stringify({ endpoint, milliseconds: Math.round(performance.now() - began) }))
    else terminal.print(`${terminal.out.green("✓")} All events were sent again to ${before.url}.`)
  })
}

const noEndpoint = (id: string): Refusal =>
  refusal("not_found", `There is no endpoint ${JSON.stringify(id)}.`)

interface Watched {
  /** The endpoint before it was asked for. */
  readonly before: Endpoint
  readonly records: Records
  readonly storage: Storage
  readonly signal: AbortSignal
}

/** Whether it came to its end. */
async function watchReplay(
  terminal: Terminal,
  { before, records, storage, signal }: Watched,
): Promise<boolean> {
  const { id } = before
  const log = present(storage.log, "a storage that writes has a log")
  const kept = createCheckpoints(storage)
  await kept.ready()
  const last = await log.latest()
  const known = namesOf(before)
  let name: string | undefined
  let total = 0
  for (let tries = 0; !signal.aborted; tries += 1) {
    await sleep(pause)
    const now = await records.endpoint(id)
    if (!now) throw noEndpoint(id)
    if (now.problem !== null && now.problem !== before.problem)
      throw refusal("condition_not_met", now.problem)
    const names = namesOf(now)
    name ??= names.find((one) => !known.includes(one))
    if (name !== undefined && !names.includes(name)) return true
    if (name === undefined && tries === unheard)
      terminal.say(
        "No process has begun the replay yet. A process that serves the service begins it: bifold serve.",
      )
    const position = name === undefined ? undefined : (await kept.positions()).get(name)
    if (position === undefined) continue
    const left = position < last ? (await log.count(position, {})) - (await log.count(last, {})) : 0
    total = Math.max(total, left)
    terminal.progress(progressLine(total - left, total))
  }
  return false
}

const namesOf = ({ id, replays }: Endpoint): readonly string[] =>
  (replays ?? []).map((one) => subscriberOf(id, one))

const width = 24

function progressLine(done: number, total: number): string {
  const part = total === 0 ? 1 : done / total
  const full = Math.round(part * width)
  return `${"█".repeat(full)}${"░".repeat(width - full)} ${Math.round(part * 100)} %, ${done} of ${total} rows of the log`
}
