// The log of `serve`: texts for a person who watches stderr, or lines of JSON for a program that collects them.
import colors from "picocolors"
import { Refusal } from "../../base/problem.ts"
import type { TelemetryListener } from "../../base/telemetry.ts"
import type { Observe } from "../../server/observation.ts"
import type { Settings } from "../../settings/settings.ts"
import { type Entry, levelOf } from "../../telemetry/logs/catalog.ts"
import type { JsonLogOptions } from "../../telemetry/logs/json-log.ts"
import { levels } from "../../telemetry/logs/levels.ts"
import {
  entryOf,
  errorMembers,
  faultMembers,
  problemMembers,
} from "../../telemetry/logs/observation-entry.ts"
import { exitCodeOf, exitCodes } from "../../telemetry/terminal/failure.ts"
import { sayObservation } from "../../telemetry/terminal/observation-text.ts"
import type { Terminal } from "../../telemetry/terminal/terminal.ts"
import { entryText } from "../output/entry-text.ts"

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
  const { createJsonLog } = await import("../../telemetry/logs/json-log.ts")
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
  const { watchRequests } = await import("../../telemetry/logs/watch-requests.ts")
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
    say: (text) => write({ event: "notice", members: { text: text.trim() } }),
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
