// `bifold handlers`: how far the handlers of a service are, what failed, and what becomes of that.
import { Command } from "commander"
import { invariant } from "../../base/invariant.ts"
import { refusal } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import { type AskedRecord, type Checkpoints, createCheckpoints } from "../../events/checkpoints.ts"
import { eventId } from "../../events/event.ts"
import type { Handler, Model } from "../../model/model.ts"
import type { HandlerStatement } from "../../sql/log/handler-state.ts"
import { systemTableNames } from "../../sql/schema/system-tables.ts"
import type { Log } from "../../storage/log-types.ts"
import { type CommandArguments, type DatabaseOptions, onDatabase, withDatabase } from "../on-database.ts"
import { columns } from "../output/columns.ts"
import type { Terminal } from "../output/terminal.ts"

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
    onDatabase(new Command("list").description("Lists handlers with their progress and failed events."))
      .argument("[service]", "the service file; service.ts when absent")
      .action((service: string | undefined, options: DatabaseOptions) => list(terminal, service, options)),
    { isDefault: true },
  )
  const asking = (name: HandlerStatement, description: string, which: string): Command =>
    onDatabase(new Command(name).description(description))
      .argument("<handler>", "its name, as the list has it")
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
  readonly handlers: ReadonlyMap<string, Handler>
  readonly kept: Checkpoints
  readonly log: Log
}

function withHandlers<Result>(
  given: CommandArguments,
  work: (asking: Asking) => Promise<Result>,
): Promise<Result> {
  return withDatabase(given, handlersWanted, async ({ handlers }, storage) => {
    const { log } = storage
    invariant(log, "a storage that writes has a log")
    const kept = createCheckpoints(storage)
    await kept.ready()
    return work({ handlers: handlers ?? new Map(), kept, log })
  })
}

const handlersWanted = {
  says: "what is done with its events",
  declared({ handlers }: Model, file: string): void {
    if (!handlers)
      throw refusal("invalid_command", `${file} has no handlers.`, {
        hint: 'Add one: withCode(service, { on: { "order.paid": … } }).',
      })
  },
  // In a database of somebody else's they are made when they are first needed.
  needs: ({ managed }: Model) => ({
    tables: managed
      ? (["log", "epoch", "handler", "handlerRecord", "lease"] as const).map((own) => systemTableNames[own])
      : [],
  }),
}

/** A handler with what is kept of it. */
interface Kind {
  readonly name: string
  readonly event: string
  /** Null before it has been served the first time. */
  readonly position: bigint | null
  /** Events that it has not come to. */
  readonly behind: number
  readonly waiting: readonly AskedRecord[]
}

async function readHandlers({ handlers, kept, log }: Asking): Promise<readonly Kind[]> {
  const positions = await kept.positions()
  const waiting = await kept.waiting()
  const latest = await log.latest()
  return Promise.all(
    [...handlers.values()].map(async ({ name, resource, types, from }) => {
      const position = positions.get(name) ?? null
      const begins = position ?? (from === "start" ? 0n : latest)
      return {
        name,
        event: types?.join(" ") ?? `${resource}.*`,
        position,
        behind: await log.count(begins, { resource, ...(types && { types }) }),
        waiting: waiting.filter(({ handler }) => handler === name),
      }
    }),
  )
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
    ["Handler", "Event", "Position", "Behind by", "Records that wait"].map((head) => out.dim(head)),
    ...all.map(({ name, event, position, behind, waiting }) => [
      out.bold(name),
      event,
      position === null ? "not served yet" : String(position),
      behind === 0 ? out.green("0") : String(behind),
      waiting.length === 0 ? out.green("0") : out.red(String(waiting.length)),
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
