// `bifold serve`: a service, or a database as it is, over HTTP until it is told to end.

import { randomBytes } from "node:crypto"
import { isIP } from "node:net"
import { Command, Option } from "commander"
import { Refusal, refusal } from "../base/problem.ts"
import { findMissing } from "../model/missing.ts"
import type { Model } from "../model/model.ts"
import type { Observation } from "../server/observation.ts"
import { createServer, type RunningServer } from "../server/server.ts"
import { createFaces } from "../server/service.ts"
import { readAddress } from "../storage/address.ts"
import { inspect } from "../storage/inspect.ts"
import { openStorage } from "../storage/open.ts"
import { sayNotes } from "./introspect.ts"
import { basePath, origin, portNumber, secretText } from "./options.ts"
import { type Samples, samplesOf } from "./samples.ts"
import { findSource, openSource } from "./source.ts"
import { columns, type Terminal } from "./terminal.ts"

interface Options {
  readonly example?: true
  readonly open?: "read"
  readonly database?: string
  readonly port: number
  readonly host: string
  readonly base: string
  readonly secret?: string
  readonly cors: readonly string[]
}

/** What is served, and from where. */
interface Target {
  readonly model: Model
  readonly database: string
  /** A database as it is: nobody has said who may read what. */
  readonly bare: boolean
  /** A question to try, below the base. */
  readonly samples: Samples
  readonly secret?: string
}

const bodyLimit = 1024 * 1024

export function serveCommand(terminal: Terminal): Command {
  return new Command("serve")
    .summary("serve a service, or a database as it is")
    .description("Serves a service by GraphQL and REST until you end it with Ctrl+C.")
    .argument("[source]", "a service file, or the address of a database; service.ts when absent")
    .option("--example", "the storefront, with generated records")
    .addOption(
      new Option("--open <what>", "a database without rules: what everybody on this machine may do").choices([
        "read",
      ]),
    )
    .addOption(new Option("--database <url>", "the database of a service file").env("BIFOLD_DATABASE"))
    .addOption(
      new Option("-p, --port <number>", "0 takes any that is free")
        .default(4000)
        .env("BIFOLD_PORT")
        .argParser(portNumber),
    )
    .addOption(new Option("--host <address>", "address to listen on").default("127.0.0.1").env("BIFOLD_HOST"))
    .addOption(
      new Option("--base <path>", "path before both faces, such as /api").default("").argParser(basePath),
    )
    .addOption(
      new Option("--secret <text>", "seals cursors: give the same to every process, and after a restart")
        .env("BIFOLD_SECRET")
        .argParser(secretText),
    )
    .addOption(
      new Option("--cors <origin>", "origin whose pages may read answers; can be given again")
        .default([])
        .argParser(origin),
    )
    .addHelpText(
      "after",
      `
Examples:
  $ bifold serve --example
  $ bifold serve service.ts --database shop.db
  $ bifold serve service.ts --database postgres://me:secret@localhost/shop --base /api
  $ bifold serve shop.db --open read

A database that is served as it is has no rules, so it is served to this machine only, and only with --open read.`,
    )
    .action((source: string | undefined, options: Options) => serve(terminal, source, options))
}

async function serve(terminal: Terminal, given: string | undefined, options: Options): Promise<void> {
  const target = options.example
    ? await exampleTarget(terminal, given, options)
    : await targetOf(terminal, given, options)
  if (target.bare) refuseStrangers(options.host)
  const { model } = target
  const secret = options.secret ?? target.secret
  const storage = await openStorage(target.database)
  try {
    const served = createFaces({
      model,
      storage,
      base: options.base,
      secret: secret ?? randomBytes(32).toString("hex"),
    })
    const server = await createServer({
      ...served,
      ...options,
      model,
      bodyLimit,
      loopbackOnly: target.bare,
      observe: (observation) => sayObservation(terminal, observation),
    })
    // Before anybody is told that there is something to end.
    const ended = endSignal()
    terminal.print(announcement(terminal, server, { target, base: options.base }))
    if (!isLoopback(options.host))
      terminal.say(
        terminal.err.yellow(`Everybody who can reach ${options.host} may read everything of this service.`),
      )
    if (secret === undefined)
      terminal.say(terminal.err.dim("Cursors end with this process. To keep them, set BIFOLD_SECRET."))
    await ended
    terminal.say("Ending: what was asked is still answered.")
    await server.close()
  } finally {
    await storage.close()
  }
}

async function exampleTarget(
  terminal: Terminal,
  given: string | undefined,
  options: Options,
): Promise<Target> {
  if (given !== undefined)
    throw refusal("invalid_command", `--example is a service of its own, so ${given} is one too many.`, {
      hint: "Leave out one of the two.",
    })
  const { openExample } = await import("./example.ts")
  return { ...(await openExample(terminal, options.database)), bare: false }
}

async function targetOf(terminal: Terminal, given: string | undefined, options: Options): Promise<Target> {
  const source = findSource(given)
  if (source.kind === "database") {
    if (options.database !== undefined)
      throw refusal("invalid_command", "Two databases are named.", {
        hint: "--database is for service files. Leave it out.",
      })
    if (options.open === undefined) throw noRules(given ?? source.url)
    const { model, notes } = await openSource(source)
    sayNotes(terminal, notes)
    return { model, database: source.url, bare: true, samples: samplesOf(model) }
  }
  if (options.database === undefined)
    throw refusal("invalid_command", `Nothing says which database ${source.file} is about.`, {
      hint: `Name it: bifold serve ${source.file} --database shop.db, or set BIFOLD_DATABASE.`,
    })
  const { model } = await openSource(source)
  await refuseUnfit(model, source.file, options.database)
  return { model, database: options.database, bare: false, samples: samplesOf(model) }
}

/** Throws a Refusal that names every table and column that the service needs and the database lacks. */
async function refuseUnfit(model: Model, file: string, database: string): Promise<void> {
  const catalog = await inspect(database).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.problems[0].code !== "empty_database") throw error
    const { kind, shown } = readAddress(database)
    const make = `bifold schema --sql ${kind} ${file} | ${kind === "sqlite" ? `sqlite3 ${shown}` : "psql with its address"}`
    throw refusal("empty_database", `The database ${shown} has no tables.`, { hint: `Make them: ${make}` })
  })
  const [first, ...rest] = findMissing(model, catalog)
  if (first) throw new Refusal([first, ...rest])
}

function noRules(source: string): Error {
  return refusal(
    "invalid_command",
    "A database that is served as it is has no rules: everybody may read everything.",
    {
      hint: `If that is meant, for this machine only: bifold serve ${source} --open read. To say who may what, write a service file with bifold introspect.`,
    },
  )
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))

function refuseStrangers(host: string): void {
  if (isLoopback(host)) return
  throw refusal(
    "invalid_command",
    `A database without rules is served to this machine only, not on ${host}.`,
    {
      hint: "Leave out --host. To serve it to others, write a service file with bifold introspect.",
    },
  )
}

function announcement(
  { out }: Terminal,
  { url }: RunningServer,
  { target, base }: { readonly target: Target; readonly base: string },
): string {
  const { model, samples } = target
  const first = [...model.resources.values()][0]
  const link = (address: string): string => out.cyan(address)
  return [
    "",
    `  ${out.bold(model.title)} is being served.`,
    "",
    columns([
      ["  Start page", link(`${url}/`)],
      ["  GraphQL", link(`${url}${base}/graphql`)],
      ...(first ? [["  REST", link(`${url}${base}/${first.path}`)]] : []),
      ["  OpenAPI", link(`${url}${base}/openapi.json`)],
    ]),
    "",
    "  Open one of these to see it answer:",
    `  ${link(`${url}${base}/graphql?query=${encodeURIComponent(samples.graphql)}`)}`,
    `  ${link(`${url}${base}${samples.rest}`)}`,
    "",
    out.dim("  Ctrl+C ends it."),
  ].join("\n")
}

function sayObservation(terminal: Terminal, observation: Observation): void {
  if (observation.kind === "cut") {
    terminal.say(`${observation.connections} connections took too long and were cut.`)
    return
  }
  const { error, requestId } = observation
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  terminal.say(`${terminal.err.red("✗")} Request ${requestId} failed, which is a fault of Bifold: ${text}`)
}

/**
 * Resolves at the first request to end; a later one does not wait. A terminal signals every process it started, and each
 * passes it on, so that what arrives at nearly the same time is one request.
 */
function endSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked: number | undefined
    const end = (): void => {
      if (asked !== undefined && Date.now() - asked > 500) process.exit(1)
      asked ??= Date.now()
      resolve()
    }
    process.on("SIGINT", end)
    process.on("SIGTERM", end)
  })
}
