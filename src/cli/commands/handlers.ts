// `bifold handlers`: how far the handlers of a service are, what failed, and what becomes of that.
import { Command } from "commander"
import { invariant } from "../../base/invariant.ts"
import { refusal } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import {
  type AskedRecord,
  type Checkpoints,
  createCheckpoints,
  type Lag,
  lagAt,
} from "../../events/handlers/checkpoints.ts"
import { eventId } from "../../events/handlers/event.ts"
import { handlerFilter, isWebhook, subscriberPrefix, webhookPrefix } from "../../events/handlers/followed.ts"
import type { Handler, Model } from "../../model/model.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import type { HandlerStatement } from "../../sql/log/handler-state.ts"
import { systemTableNames, systemTablesOf } from "../../sql/schema/system-tables.ts"
import type { Log } from "../../storage/log-types.ts"
import { openRecords, webhooksWanted } from "../follow-options.ts"
import { type CommandArguments, type DatabaseOptions, onDatabase, withDatabase } from "../on-database.ts"
import { columns } from "../output/columns.ts"

interface AskOptions extends DatabaseOptions {
  readonly record?: string
}

export function handlersCommand(terminal: Terminal): Command {
  const handlers = new Command("handlers")
    .summary("show handler progress; retry or skip failed events")
    .description("Lists handlers and failed events; retries or skips them.")
    .addHelpText(
      "after",
      `
Examples:
  $ bifold handlers service.ts --database shop.db
  $ bifold handlers retry order.paid service.ts --database shop.db
  $ bifold handlers skip order.paid service.ts --database shop.db --record ord_01h455vb4pex5vsknk084sn02q

The serving process carries out the command within a second or two. A skipped event is never handled;
later events of its record are.`,
    )
  handlers.addCommand(
    onDatabase(
      new Command("list").description(
        "Lists handlers, webhooks and sinks with their progress and failed events.",
      ),
    )
      .argument("[service]", "the service file; service.ts when absent")
      .action((service: string | undefined, options: DatabaseOptions) => list(terminal, service, options)),
    { isDefault: true },
  )
  const asking = (name: HandlerStatement, description: string, which: string): Command =>
    onDatabase(new Command(name).description(description))
      .argument("<handler>", "its name, as the list shows it")
      .argument("[service]", "the service file; service.ts when absent")
      .option("--record <id>", which)
  handlers.addCommand(
    asking("retry", "Retries failed events now.", "of this record only").action(
      (handler: string, service: string | undefined, options: AskOptions) =>
        ask(terminal, "retry", { handler, service, options }),
    ),
  )
  handlers.addCommand(
    asking("skip", "Leaves out the event that failed.", "the record whose event it is").action(
      (handler: string, service: string | undefined, options: AskOptions) =>
        ask(terminal, "skip", { handler, service, options }),
    ),
  )
  return handlers
}

interface Asking {
  readonly model: Model
  readonly handlers: ReadonlyMap<string, Handler>
  /** States of endpoints by id, active or not. */
  readonly states: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly kept: Checkpoints
  readonly log: Log
}

/** Kept progress of all handlers, read once. */
interface KeptOf {
  readonly positions: ReadonlyMap<string, bigint>
  readonly waiting: readonly AskedRecord[]
  /** Those whose place the log does not have. */
  readonly lost: ReadonlyMap<string, unknown>
}

function withHandlers<Result>(
  given: CommandArguments,
  work: (asking: Asking) => Promise<Result>,
): Promise<Result> {
  return withDatabase(given, handlersWanted, async (model, storage) => {
    const { log } = storage
    invariant(log, "a storage that writes has a log")
    const kept = createCheckpoints(storage)
    await kept.ready()
    const states: Asking["states"] = async (ids) => {
      const known = model.webhooks && (await openRecords(model, storage).known(ids))
      return new Map([...(known ?? [])].map(([id, { state }]) => [id, state]))
    }
    return work({ model, handlers: model.handlers ?? new Map(), states, kept, log })
  })
}

const handlersWanted = {
  says: "what is done with its events",
  declared({ handlers, resources }: Model, file: string): void {
    if (!handlers && ![...resources.values()].some(({ logged }) => logged))
      throw refusal("invalid_command", `${file} has no handlers.`, {
        hint: 'Add one: withCode(service, { on: { "order.paid": … } }).',
      })
  },
  // In an unmanaged database the first use creates them.
  needs: (model: Model) => ({
    tables: model.managed
      ? systemTablesOf(model).flatMap((own) => (own === "idempotency" ? [] : systemTableNames[own]))
      : [],
    resources: model.webhooks ? webhooksWanted.needs().resources : [],
  }),
}

/** A follower of the log, with its stored state. */
interface Kind extends Lag {
  readonly kind: "handler" | "webhook" | "sink"
  readonly name: string
  readonly event: string
  readonly state: string
  /** Null before it has been served the first time. */
  readonly position: bigint | null
  readonly waiting: readonly AskedRecord[]
}

async function readHandlers(asking: Asking): Promise<readonly Kind[]> {
  const { model, handlers, kept, log } = asking
  const positions = await kept.positions()
  const [waiting, lost] = [await kept.waiting(), await kept.lost()]
  const latest = await log.latest()
  const own = [...handlers.values()].map(async (handler): Promise<Kind> => {
    const { name, resource, types, from } = handler
    const position = positions.get(name) ?? null
    const begins = position ?? (from === "start" ? 0n : latest)
    const behind = await lagAt(log, begins, handlerFilter(model, handler))
    const waits = waiting.filter(({ handler }) => handler === name)
    const event = types?.join(" ") ?? `${resource}.*`
    const state = lost.has(name) ? replaced : stateOf(position, behind, waits)
    return { kind: "handler", name, event, state, position, ...behind, waiting: waits }
  })
  return Promise.all([...own, ...(await readSubscribers(asking, { positions, waiting, lost }))])
}

/** Webhooks and sinks that the service has run. Their positions move with all events, also those that are not theirs. */
async function readSubscribers(
  { states, log }: Asking,
  { positions, waiting, lost }: KeptOf,
): Promise<readonly Promise<Kind>[]> {
  const endpointIn = (name: string): string => name.slice(webhookPrefix.length).split(" ")[0] ?? ""
  const all = [...positions].filter(([name]) => name.startsWith(subscriberPrefix))
  const known = await states(all.flatMap(([name]) => (isWebhook(name) ? [endpointIn(name)] : [])))
  return all.map(async ([called, position]): Promise<Kind> => {
    const behind = await lagAt(log, position, {})
    const waits = waiting.filter(({ handler }) => handler === called)
    const current = lost.has(called) ? replaced : stateOf(position, behind, waits)
    const endpoint = isWebhook(called) ? (known.get(endpointIn(called)) ?? "removed") : "active"
    return {
      kind: isWebhook(called) ? "webhook" : "sink",
      name: called.slice(subscriberPrefix.length),
      event: "*",
      state: endpoint === "active" ? current : endpoint,
      position,
      ...behind,
      waiting: waits,
    }
  })
}

/** Its place is not in the log: it goes back to the start when it is served. */
const replaced = "log replaced"

function stateOf(position: bigint | null, { behind }: Lag, waiting: readonly AskedRecord[]): string {
  if (position === null) return "not served yet"
  if (waiting.length > 0) return "failing"
  return behind > 0 ? "behind" : "up to date"
}

async function list(
  terminal: Terminal,
  service: string | undefined,
  options: DatabaseOptions,
): Promise<void> {
  const all = await withHandlers({ service, options }, readHandlers)
  if (options.json) terminal.print(JSON.stringify({ handlers: all.map(kindJson) }, null, 2))
  else terminal.print([handlerTable(terminal, all), ...waitingTable(terminal, all)].join("\n\n"))
}

const kindJson = ({ position, waiting, ...kind }: Kind): object => ({
  ...kind,
  position: position === null ? null : String(position),
  waiting: waiting.map(waitingJson),
})

const waitingJson = ({ record, epoch, position, attempts, due, error, asked }: AskedRecord): object => ({
  record,
  event: eventId({ epoch, position }),
  attempts,
  due: due === null ? null : new Date(due).toISOString(),
  error,
  asked,
})

function handlerTable({ out }: Terminal, all: readonly Kind[]): string {
  return columns([
    ["Handler", "Event", "Position", "Behind by", "Records that wait", "Lag", "State"].map((head) =>
      out.dim(head),
    ),
    ...all.map(({ name, event, position, behind, waiting, lag, state }) => [
      out.bold(name),
      event,
      position === null ? "not served yet" : String(position),
      behind === 0 ? out.green("0") : String(behind),
      waiting.length === 0 ? out.green("0") : out.red(String(waiting.length)),
      `${Math.round(lag)} s`,
      state,
    ]),
  ])
}

/** Rows that are shown; `--json` has them all. */
const mostShown = 50

function waitingTable({ out }: Terminal, all: readonly Kind[]): readonly string[] {
  const waiting = all.flatMap((kind) => kind.waiting)
  if (waiting.length === 0) return []
  const shown = waiting.slice(0, mostShown)
  const table = columns([
    ["Handler", "Record", "Event", "Tried", "Next", "Because"].map((head) => out.dim(head)),
    ...shown.map((one) => [
      one.handler,
      one.record,
      eventId(one),
      `${one.attempts} ${one.attempts === 1 ? "time" : "times"}`,
      next(out, one),
      firstLine(one.error ?? ""),
    ]),
  ])
  const more = waiting.length - shown.length
  return more === 0 ? [table] : [table, out.dim(`and ${more} more; --json has them all`)]
}

function next(out: Terminal["out"], { due, asked }: AskedRecord): string {
  if (asked) return asked === "retry" ? "now, as asked" : "left out, as asked"
  return due === null ? out.red("when you say so") : `${new Date(due).toISOString().slice(0, 19)}Z`
}

/** Characters of what was thrown that are shown. */
const longestReason = 80

function firstLine(text: string): string {
  const [line = ""] = text.trim().split("\n")
  return line.length > longestReason ? `${line.slice(0, longestReason)}…` : line
}

async function ask(
  terminal: Terminal,
  asked: HandlerStatement,
  given: { readonly handler: string; readonly service: string | undefined; readonly options: AskOptions },
): Promise<void> {
  const { handler, service, options } = given
  const { record } = options
  if (asked === "skip" && record === undefined)
    throw refusal("invalid_command", "Nothing says whose event is to be left out.", {
      hint: "Name the record: --record <id>. bifold handlers lists those that wait.",
    })
  const { wanted, left } = await withHandlers({ service, options }, async ({ handlers, kept }) => {
    if (!handlers.has(handler))
      throw refusal("invalid_command", `There is no handler ${JSON.stringify(handler)}.`, {
        hint: suggest(handler, [...handlers.keys()]) ?? `There are: ${[...handlers.keys()].join(", ")}.`,
      })
    const all = await kept.waiting(handler)
    // A command for all of them leaves out those that have a command of their own.
    const [named, others] =
      record === undefined
        ? [all.filter((one) => one.asked !== "skip"), all.filter((one) => one.asked === "skip")]
        : [all.filter((one) => one.record === record), []]
    for (const one of named) await kept.ask(one, asked)
    return { wanted: named, left: others }
  })
  if (record !== undefined && wanted.length === 0)
    throw refusal("not_found", `Nothing of ${record} waits for ${handler}.`, {
      hint: "bifold handlers lists what does.",
    })
  if (options.json) {
    terminal.print(
      JSON.stringify(
        { ok: true, asked, handler, records: recordsOf(wanted), left: recordsOf(left) },
        null,
        2,
      ),
    )
    return
  }
  const what =
    wanted.length === 1
      ? `The event of ${wanted[0]?.record}`
      : `The failed events of ${wanted.length} records`
  if (wanted.length > 0)
    terminal.print(
      `${terminal.out.green("✓")} ${what} is ${asked === "retry" ? "tried again" : "left out"} as soon as the service runs.`,
    )
  else if (left.length === 0) terminal.say(`Nothing waits for ${handler}.`)
  if (left.length > 0) terminal.say(leftText(left))
}

const recordsOf = (waiting: readonly AskedRecord[]): readonly string[] => waiting.map(({ record }) => record)

function leftText(left: readonly AskedRecord[]): string {
  const which =
    left.length === 1
      ? `The event of ${left[0]?.record} is`
      : `The failed events of ${left.length} records are`
  return `${which} left out, as was asked before: --record <id> has one tried again all the same.`
}
