// The command line of `npm run bench`.
import { Command, InvalidArgumentError, Option } from "commander"
import type { Cores } from "./machine.ts"
import { type DatabaseName, type ServerName, serverNames } from "./servers.ts"
import {
  type FaceName,
  faceNames,
  readNames,
  type ValuesName,
  valuesNames,
  type WorkloadName,
  workloadNames,
} from "./workloads.ts"

export interface Options {
  readonly workload: readonly WorkloadName[]
  readonly face: readonly FaceName[]
  readonly database: readonly DatabaseName[]
  readonly connections: readonly number[]
  readonly values: readonly ValuesName[]
  /** Those that Bifold is measured beside. */
  readonly servers: readonly ServerName[]
  /** The cores of a server; when absent, one for reads and both for writes. */
  readonly cores?: readonly Cores[]
  /** How many times the usual number of records there are. */
  readonly scale: number
  readonly passes: number
  readonly rounds: number
  readonly seconds: number
  /** The same as `values` of literals alone, by GraphQL. */
  readonly distinct?: true
  /** Whether all of it runs, in seconds; its figures say nothing. */
  readonly quick?: true
  /** How many different requests take turns, instead of the workload's own number for each of `values`. */
  readonly turns?: number
  /** A service with rules, beside servers by hand with the same conditions. */
  readonly rules?: true
  /** SQLite tables that another program made, which are not STRICT. */
  readonly foreign?: true
  /** Also by GraphQL beside a server by hand that says as much in its headers as Bifold does. */
  readonly headers?: true
  readonly peers?: true
  readonly against?: string
  readonly json?: string
  readonly write?: true
  /** Only how long services take to start. */
  readonly start?: true
  /** Only what writes do to reads. */
  readonly beside?: true
  /** Only what overload does, with so many seconds of ten times more than can be answered. */
  readonly overload?: number
  /** Only bulk writes of one client, alone and beside others. */
  readonly bulk?: true
  /** For bulk writes: the delay of a commit in milliseconds, and the number of processes that serve. */
  readonly commits: readonly number[]
  readonly workers: readonly number[]
  /** Only what a transition costs beside a plain update. */
  readonly transitions?: true
  readonly teams?: true
  /** Only own code that decides by what it has read. */
  readonly ownCode?: true
  /** Only what an older version costs. */
  readonly versions?: true
  /** Only what logs, metrics and traces take. */
  readonly watch?: true
  /** Only what hard input does. */
  readonly hard?: true
  /** Only what following events takes, with so many minutes for each crowd of subscribers. */
  readonly events?: number
  /** Only how costs grow, in tables of at most so many rows. */
  readonly growth?: number
  /** Only whether memory stays what it is, for so many minutes. */
  readonly soak?: number
}

const databaseNames = ["sqlite", "postgres"] as const satisfies readonly DatabaseName[]

export function readOptions(argv: readonly string[]): Options {
  const command = new Command("bench")
    .description(
      "Measures Bifold beside servers written by hand, in rounds that take turns, and writes bench/RESULTS.md after a whole run.",
    )
    .addOption(choice("--workload", workloadNames, "the questions"))
    .addOption(choice("--face", faceNames, "how they are asked"))
    .addOption(choice("--database", databaseNames, "where the records are"))
    .addOption(choice("--values", valuesNames, "whether requests come again while a server remembers them"))
    .addOption(choice("--servers", serverNames, "what Bifold is measured beside"))
    .option(
      "--cores <numbers>",
      "that a server has: 1, 2 or both; 1 for reads, both for writes when absent",
      cores,
    )
    .option("--scale <number>", "times as many records as 1,000 artists with 50,000 tracks", whole, 10)
    .option("--connections <numbers>", "at a time, several after commas", numbers, [1, 32, 128])
    .option("--passes <number>", "times that all is measured, by servers that are started anew", whole, 1)
    .option("--rounds <number>", "of each in a pass; the medians are reported", whole, 5)
    .option("--seconds <number>", "that a round of one server lasts", whole, 3)
    .option("--distinct", "short for --face graphql --values literals: each document is like no other")
    .option(
      "--quick",
      "only whether it runs: few records, W1 and insert, one round of a moment; says nothing of speed",
    )
    .option(
      "--turns <number>",
      "different requests that are asked in turn, whatever --values says; there may be fewer records",
      whole,
    )
    .option("--rules", "a service in which a record label signs in and sees what is its own; reads only")
    .option("--foreign", "SQLite tables that another program made, which are not STRICT; reads only")
    .option(
      "--headers",
      "by GraphQL too, beside a server by hand that says as much in its headers as Bifold does",
    )
    .option("--peers", "measure other GraphQL servers too, and install them first")
    .option("--against <revision>", "measure that revision of Bifold too")
    .option(
      "--start",
      "only how long services take from their start to their first answer, 9 times or --rounds",
    )
    .option("--beside", "only W1 by GraphQL, alone and beside updates")
    .option("--overload <seconds>", "only W4 by GraphQL, at ten times of what can be answered", whole)
    .option("--bulk", "only bulk writes of one client, alone and beside 20 others, where commits are slow")
    .option(
      "--commits <numbers>",
      "with --bulk: milliseconds that a commit takes longer",
      delays,
      [0, 10, 25],
    )
    .option("--workers <numbers>", "with --bulk: processes that serve", numbers, [1, 2])
    .option(
      "--teams",
      "only two published benchmarks: inserts by 64 clients under a rule of membership, and lists under a rule over two relations",
    )
    .option("--transitions", "only what a transition costs beside the same change as a plain update")
    .option(
      "--own-code",
      "only own code that decides by what it has read, with 2, 20 and 50 clients or --connections, beside code that locks by hand",
    )
    .option("--versions", "only what an older version of the API costs beside the newest one")
    .option("--watch", "only what logs, metrics and traces take beside none, W1 and W2 on SQLite")
    .option(
      "--hard",
      "only what hard input does: new documents, large variables, one record for all, a table that grows a hundredfold",
    )
    .option(
      "--events <minutes>",
      "only from a write to its subscriber, writes that are logged, and 1,000 subscriptions for so long",
      whole,
    )
    .option(
      "--growth <rows>",
      "only how the cost of a request grows: with rows, depth, resources, rules and connections; tables of at most so many rows",
      whole,
    )
    .option(
      "--soak <minutes>",
      "only whether memory stays what it is, for so long: all that is asked for, mixed, on the first database",
      whole,
    )
    .option("--json <file>", "write all figures there")
    .option("--write", "write bench/RESULTS.md even when only a part is measured")
  command.parse([...argv], { from: "user" })
  const options = command.opts<Options>()
  const distinct = options.distinct && ({ face: ["graphql"], values: ["literals"] } as const)
  const asked: Options = {
    ...options,
    ...(options.quick && given(command, quick)),
    ...(options.bulk && given(command, bulk)),
    ...(options.foreign && given(command, foreign)),
    ...(options.ownCode && given(command, { connections: [2, 20, 50] })),
    ...distinct,
  }
  return asked.rules ? ruledOptions(command, asked) : asked
}

const quick: Partial<Options> = {
  workload: ["W1", "insert"],
  values: ["fresh", "literals"],
  connections: [4],
  cores: [1],
  turns: 500,
  rounds: 1,
  seconds: 0.1,
}

/** One database takes less than 8 minutes; with --commits or --workers it takes a part of it. */
const bulk: Partial<Options> = { connections: [8, 32, 128, 1_000], seconds: 2, scale: 1 }

const foreign: Partial<Options> = {
  workload: readNames,
  database: ["sqlite"],
  values: ["fresh"],
  connections: [32],
  servers: ["bare", "headers"],
}

/** Those that are not said otherwise. */
function given(command: Command, options: Partial<Options>): Partial<Options> {
  const given = Object.entries(options).filter(([name]) => {
    const source = command.getOptionValueSource(name)
    return source === undefined || source === "default"
  })
  return Object.fromEntries(given)
}

/** The rules exclude writes. Peers have no rules, nor have parts with measurements of their own. */
function ruledOptions(command: Command, options: Options): Options {
  const all = command.getOptionValueSource("workload") === "default"
  const workload = all ? readNames : options.workload
  const write = workload.find((name) => !readNames.some((read) => read === name))
  if (write !== undefined)
    command.error(`error: With --rules there are reads only, so leave out ${write}: --workload ${readNames}`)
  for (const other of [
    "peers",
    "foreign",
    "distinct",
    "start",
    "beside",
    "overload",
    "bulk",
    "transitions",
    "teams",
    "versions",
    "watch",
    "hard",
    "events",
    "growth",
    "soak",
  ] as const)
    if (options[other] !== undefined)
      command.error(`error: --rules and --${other} cannot be measured together.`)
  const values = options.values.filter((name) => name !== "literals")
  return { ...options, workload, values }
}

/** All that there is, in rounds that are long enough: what RESULTS.md is made of. */
export const isWhole = (options: Options): boolean =>
  !options.distinct &&
  !options.quick &&
  options.turns === undefined &&
  options.cores === undefined &&
  !options.rules &&
  !options.foreign &&
  options.scale >= 10 &&
  [
    [options.workload, workloadNames],
    [options.face, faceNames],
    [options.database, databaseNames],
    [options.values, valuesNames],
    [options.servers, serverNames],
  ].every(([some = [], all = []]) => all.every((name) => some.includes(name as never))) &&
  [1, 32, 128].every((number) => options.connections.includes(number)) &&
  options.passes * options.rounds >= 3

function choice<const Name extends string>(flag: string, known: readonly Name[], what: string): Option {
  return new Option(`${flag} <names>`, `${what}, several after commas: ${known.join(", ")}`)
    .default(known, "all")
    .argParser((text) =>
      text.split(",").map((name) => {
        const found = known.find((candidate) => candidate.toLowerCase() === name.trim().toLowerCase())
        if (found === undefined) throw new InvalidArgumentError(`Known: ${known.join(", ")}.`)
        return found
      }),
    )
}

function whole(text: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new InvalidArgumentError("A whole number from 1 to 99999999.")
  return Number(text)
}

function cores(text: string): readonly Cores[] {
  return numbers(text).map((number) => {
    if (number !== 1 && number !== 2) throw new InvalidArgumentError("1, 2 or both: 1,2.")
    return number
  })
}

const numbers = (text: string): readonly number[] => text.split(",").map(whole)

const delays = (text: string): readonly number[] =>
  text.split(",").map((part) => (part === "0" ? 0 : whole(part)))
