// The log of `serve`: texts for a person who watches stderr, or lines of JSON for a program that collects them.
import { stripVTControlCharacters } from "node:util"
import colors from "picocolors"
import { Refusal } from "../base/problem.ts"
import type { Observe } from "../server/observation.ts"
import { type Entry, levelOf } from "../telemetry/logs/catalog.ts"
import { levels } from "../telemetry/logs/levels.ts"
import { entryOf, errorMembers, problemMembers } from "../telemetry/logs/observation-entry.ts"
import type { LogOptions } from "./log-options.ts"
import { entryText } from "./output/entry-text.ts"
import { exitCodeOf, exitCodes } from "./output/failure.ts"
import { sayObservation } from "./output/observation-text.ts"
import type { Terminal } from "./output/terminal.ts"

/** A terminal whose messages are a log. */
export interface LogTerminal extends Terminal {
  readonly observe: Observe
  write(entry: Entry): void
}

/** A failure of the work is told here where the log is JSON. */
export async function withServeLog(
  terminal: Terminal,
  options: LogOptions,
  work: (log: LogTerminal) => Promise<void>,
): Promise<void> {
  const { logFormat: format } = options
  const isJson = format === "json" || (format === "auto" && !terminal.watched.err)
  if (!isJson) return work(prettyTerminal(terminal, options))
  const { createJsonLog } = await import("../telemetry/logs/json-log.ts")
  const log = createJsonLog({ stream: terminal.stderr, level: options.logLevel })
  const unwatch = watchProcess(log.write)
  try {
    await work(jsonTerminal(terminal, log.write))
  } catch (error) {
    for (const entry of failureEntries(error)) log.write(entry)
    terminal.exitWith(error instanceof Refusal ? exitCodeOf(error.problems) : exitCodes.failed)
  } finally {
    await log.close()
    unwatch()
  }
}

function prettyTerminal(terminal: Terminal, { logLevel }: LogOptions): LogTerminal {
  const least = levels.indexOf(logLevel)
  const isLogged = (entry: Entry): boolean => levels.indexOf(levelOf(entry)) >= least
  return {
    ...terminal,
    observe(observation) {
      if (isLogged(entryOf(observation))) sayObservation(terminal, observation)
    },
    write(entry) {
      const text = isLogged(entry) ? entryText(terminal, entry) : undefined
      if (text !== undefined) terminal.say(text)
    },
  }
}

/** The page that a person opens is printed where one watches. */
function jsonTerminal(terminal: Terminal, write: (entry: Entry) => void): LogTerminal {
  return {
    ...terminal,
    err: colors.createColors(false),
    print: (text) => {
      if (terminal.watched.out) terminal.print(text)
    },
    say: (text) => write({ event: "notice", members: { text: stripVTControlCharacters(text).trim() } }),
    progress: () => {},
    settle: () => {},
    observe: (observation) => write(entryOf(observation)),
    write,
  }
}

function failureEntries(error: unknown): readonly Entry[] {
  return error instanceof Refusal
    ? error.problems.map((problem) => ({ event: "start_failed", members: problemMembers(problem) }))
    : [{ event: "process_failed", members: errorMembers(error) }]
}

/** Node's own words about the process are lines, too. Gives what ends the watch. */
function watchProcess(write: (entry: Entry) => void): () => void {
  const failed = (error: unknown): void => write({ event: "process_failed", members: errorMembers(error) })
  const warned = (warning: Error): void => {
    if (warning.name !== "ExperimentalWarning")
      write({ event: "process_warning", members: errorMembers(warning) })
  }
  const before = process.listeners("warning")
  process.removeAllListeners("warning")
  process.on("warning", warned)
  process.on("uncaughtExceptionMonitor", failed)
  return () => {
    process.off("uncaughtExceptionMonitor", failed)
    process.off("warning", warned)
    for (const listener of before) process.on("warning", listener)
  }
}
