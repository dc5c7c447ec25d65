// Options of `serve` for its log.
import { type Command, InvalidArgumentError, Option } from "commander"
import { type Level, levels, type RequestChoice, requestChoices } from "../../telemetry/logs/levels.ts"
import { wholeNumber } from "../options.ts"

export interface LogOptions {
  readonly logFormat: "auto" | "json" | "pretty"
  readonly logLevel: Level
  readonly logRequests: RequestChoice
  /** From 0 to 1. */
  readonly logSample: number
  /** Milliseconds. */
  readonly slowRequest: number
  /** Milliseconds; 0: no statement is slow. */
  readonly slowStatement: number
}

export const withLogOptions = (command: Command): Command =>
  command
    .addOption(
      new Option("--log-format <form>", "json: a line for each event; auto: pretty on a terminal, else json")
        .choices(["auto", "json", "pretty"])
        .default("auto")
        .env("BIFOLD_LOG_FORMAT"),
    )
    .addOption(
      new Option("--log-level <level>", "the least that is logged")
        .choices(levels)
        .default("info")
        .env("BIFOLD_LOG_LEVEL"),
    )
    .addOption(
      new Option("--log-requests <which>", "requests that are logged; slow and all have the errors, too")
        .choices(requestChoices)
        .default("errors")
        .env("BIFOLD_LOG_REQUESTS"),
    )
    .addOption(
      new Option("--log-sample <share>", "of the requests that --log-requests all logs, from 0 to 1")
        .default(1)
        .env("BIFOLD_LOG_SAMPLE")
        .argParser(share),
    )
    .addOption(
      new Option("--slow-request <ms>", "milliseconds from which on a request is slow")
        .default(1_000)
        .env("BIFOLD_SLOW_REQUEST")
        .argParser(wholeNumber),
    )
    .addOption(
      new Option("--slow-statement <ms>", "milliseconds from which on a statement is logged; 0 logs none")
        .default(1_000)
        .env("BIFOLD_SLOW_STATEMENT")
        .argParser(wholeNumber),
    )

function share(text: string): number {
  const number = Number(text)
  if (/^[01](\.\d{1,6})?$|^\.\d{1,6}$/.test(text) && number <= 1) return number
  throw new InvalidArgumentError("Give a number from 0 to 1, such as 0.1.")
}
