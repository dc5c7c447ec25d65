// The log of `serve`: texts for a person who watches stderr, or lines of JSON for a program that collects them.
import colors from "picocolors"
import { ownVersion } from "../../base/own-files.ts"
import { Refusal } from "../../base/problem.ts"
import type { TelemetryListener } from "../../base/telemetry.ts"
import { brokerOf } from "../../events/sinks/brokers.ts"
import { type Entry, levelOf, levels, safeMembers } from "../../observe/logs/catalog.ts"
import type { JsonLogOptions } from "../../observe/logs/json-log.ts"
import {
  entryOf,
  errorMembers,
  faultMembers,
  problemMembers,
  sayObservation,
} from "../../observe/observations.ts"
import { exitCodeOf, exitCodes } from "../../observe/terminal/failure.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import type { Observe } from "../../server/observation.ts"
import { type AccessMode, isWritable } from "../../service/access-mode.ts"
import type { Settings } from "../../settings/settings.ts"
import { readAddress } from "../../storage/address.ts"
import type { Target, TargetOptions } from "../target.ts"

type LogSettings = Pick<
  Settings,
  "logFormat" | "logLevel" | "logRequests" | "logSample" | "slowRequest" | "slowStatement" | "workers"
>

/** A terminal whose messages are a log. */
export interface LogTerminal extends Terminal {
  readonly isJson: boolean
  readonly observe: Observe
  /** Logs requests and statements; undefined where none are logged. */
  readonly watch: TelemetryListener | undefined
  write(entry: Entry): void
}

type Logged = Omit<LogTerminal, "watch">

/** Reports a failure of the work where the log is JSON. */
export async function withServeLog(
  terminal: Terminal,
  options: LogSettings,
  work: (log: LogTerminal) => Promise<void>,
): Promise<void> {
  const { logFormat: format } = options
  if (format === "json" || (format === "auto" && !terminal.watched.err))
    return withJsonLog(terminal, options, work)
  return watched(prettyTerminal(terminal, options), options, work)
}

async function withJsonLog(
  terminal: Terminal,
  options: LogSettings,
  work: (log: LogTerminal) => Promise<void>,
): Promise<void> {
  // 30 ms and 8 MB, which a person at a terminal does without.
  const { createJsonLog } = await import("../../observe/logs/json-log.ts")
  const log = createJsonLog({ stream: await streamOf(terminal, options), level: options.logLevel })
  const unwatch = watchProcess(log.write)
  try {
    await watched(jsonTerminal(terminal, log.write), options, work)
  } catch (error) {
    for (const entry of failureEntries(error)) log.write(entry)
    terminal.exitWith(error instanceof Refusal ? exitCodeOf(error.problems) : exitCodes.failed)
  } finally {
    await log.close()
    unwatch()
  }
}

/** Standard error of a worker is read by the process that started it. */
async function streamOf({ stderr }: Terminal, { workers }: LogSettings): Promise<JsonLogOptions["stream"]> {
  if (workers === 1) return stderr
  const { isWorker, logDescriptor } = await import("../../server/processes/workers.ts")
  return isWorker() ? { fd: logDescriptor } : stderr
}

async function watched(
  terminal: Logged,
  { logRequests: requests, logSample: sample, slowRequest, slowStatement }: LogSettings,
  work: (log: LogTerminal) => Promise<void>,
): Promise<void> {
  if (requests === "none" && slowStatement === 0) return work({ ...terminal, watch: undefined })
  const { watchRequests } = await import("../../observe/logs/watch-requests.ts")
  const watch = watchRequests({ requests, sample, slowRequest, slowStatement, write: terminal.write })
  try {
    await work({ ...terminal, watch: watch.listener })
  } finally {
    watch.end()
  }
}

function prettyTerminal(terminal: Terminal, { logLevel }: LogSettings): Logged {
  const least = levels.indexOf(logLevel)
  const isLogged = (entry: Entry): boolean => levels.indexOf(levelOf(entry)) >= least
  return {
    ...terminal,
    isJson: false,
    observe(observation) {
      if (isLogged(entryOf(observation))) sayObservation(terminal, observation)
    },
    write(entry) {
      const text = isLogged(entry) ? entryText(terminal, entry) : undefined
      if (text !== undefined) terminal.say(text)
    },
  }
}

/** The addresses for a person are printed where one watches. */
function jsonTerminal(terminal: Terminal, write: (entry: Entry) => void): Logged {
  return {
    ...terminal,
    isJson: true,
    err: colors.createColors(false),
    print(text) {
      if (terminal.watched.out) terminal.print(text)
    },
    say(text) {
      // Columns align in a terminal only.
      const line = text.trim().replace(/ {2,}/g, " ")
      if (line !== "") write({ event: "notice", members: { text: line } })
    },
    progress: () => {},
    settle: () => {},
    observe: (observation) => write(entryOf(observation)),
    write,
  }
}

function failureEntries(error: unknown): readonly Entry[] {
  return error instanceof Refusal
    ? error.problems.map((problem) => ({
        event: "start_failed",
        members: { ...problemMembers(problem), ...faultMembers(error) },
      }))
    : [{ event: "process_failed", members: errorMembers(error) }]
}

/** Node's own words about the process are lines, too. Gives what ends the watch. */
function watchProcess(write: (entry: Entry) => void): () => void {
  /** Node would write the error once more, in lines of its own. */
  const failed = (error: unknown): void => {
    write({ event: "process_failed", members: errorMembers(error) })
    process.exit(exitCodes.failed)
  }
  const warned = (warning: Error): void => {
    if (warning.name !== "ExperimentalWarning")
      write({ event: "process_warning", members: errorMembers(warning) })
  }
  const before = process.listeners("warning")
  process.removeAllListeners("warning")
  process.on("warning", warned)
  process.on("uncaughtException", failed)
  return () => {
    process.off("uncaughtException", failed)
    process.off("warning", warned)
    for (const listener of before) process.on("warning", listener)
  }
}

// The first entry of the log: the service, where it is reached, and the settings that matter when something is wrong later.
interface Started {
  readonly url: string
  readonly target: Target
  readonly access: AccessMode
  readonly secretGiven: boolean
  readonly options: Settings & Pick<TargetOptions, "as">
}

export function startedEntry({ url, target, access, secretGiven, options }: Started): Entry {
  const { base, as, workers, limitsStore, logRequests, logSample, slowRequest } = options
  const { broker, hasEnded } = brokerOf(options)
  return {
    event: "started",
    members: {
      service: target.model.name,
      version: ownVersion(),
      node: process.versions.node,
      urls: [url],
      base,
      // Neither its place nor its credentials.
      database: readAddress(target.database).kind,
      access:
        access.kind === "rules" ? (as === undefined ? "rules" : `rules, as ${as}`) : `open ${access.what}`,
      workers,
      writes: isWritable(access),
      secretGiven,
      deadlineMs: options.deadline,
      maxRequests: options.maxRequests,
      maxConnections: options.maxConnections,
      proxies: options.proxies,
      limitsStore: /^[a-z]+/.exec(limitsStore)?.[0] ?? "memory",
      sinks: broker && !hasEnded ? [broker.name] : [],
      logRequests,
      logSample,
      slowRequestMs: slowRequest,
      slowStatementMs: options.slowStatement,
    },
  }
}

// Entries of the log that are no observations, in words: a line for each request and each slow statement.
type Request = Extract<Entry, { readonly event: "request" }>["members"]

/** Undefined for an event that another text reports. */
function entryText({ err }: Terminal, entry: Entry): string | undefined {
  const { event } = entry
  // As the catalog bounds them, and without control characters.
  const members = safeMembers(entry)
  if (event === "request") return requestText({ err }, members as unknown as Request)
  if (event === "requests_omitted")
    return err.dim(`${members["count"]} more requests failed or were slow in this second.`)
  if (event === "slow_statement") {
    const { count, durationMs, failed, operation, sql, statement } = members
    const which = count === 1 ? "A statement" : `${count} more statements of one text`
    const of = operation === undefined ? "" : ` of ${operation}`
    const time = count === 1 ? `${durationMs} ms` : `up to ${durationMs} ms`
    return `${err.yellow("!")} ${which}${of} took ${time}${failed === true ? " and failed" : ""} (${statement}):\n  ${err.dim(String(sql))}`
  }
  if (event === "draining")
    return `Not ready any more; closes in ${Number(members["delayMs"]) / 1_000} s. Another signal ends it at once.`
  if (event === "stopping") return "Shutting down; draining requests."
  return undefined
}

function requestText({ err }: Pick<Terminal, "err">, request: Request): string {
  const { method, route, operationKind, operation, status, code, durationMs, rows, actor, requestId } =
    request
  const what = route ?? [operationKind, operation].filter((part) => part !== undefined).join(" ")
  const colour = status >= 500 ? err.red : status >= 400 ? err.yellow : err.green
  const answer = code === undefined ? String(status) : `${status} ${code}`
  const details = [`${durationMs} ms`, `${rows} rows`, actor ?? "anonymous", requestId]
  return `${method} ${what} ${colour(answer)} ${err.dim(details.join(", "))}`
}
