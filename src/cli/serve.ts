// `bifold serve`: a service, or a database as it is, over HTTP until it is told to end.

import { randomBytes } from "node:crypto"
import { flushCompileCache } from "node:module"
import { isIP } from "node:net"
import { Command, Option } from "commander"
import { present } from "../base/invariant.ts"
import { refusal } from "../base/problem.ts"
import { everybodyIn } from "../identity/identify.ts"
import { closedModel } from "../model/closed.ts"
import { openModel } from "../plan/audience.ts"
import type { Observation } from "../server/observation.ts"
import { createServer } from "../server/server.ts"
import { createFaces } from "../server/service.ts"
import { openStorage } from "../storage/open.ts"
import { problemLines } from "./failure.ts"
import { basePath, deadline, hours, origin, portNumber, secretText, workerCount } from "./options.ts"
import { openTarget, type Target, type TargetOptions } from "./target.ts"
import type { Terminal } from "./terminal.ts"

interface Options extends TargetOptions {
  readonly port: number
  readonly host: string
  readonly base: string
  readonly secret?: string
  readonly cors: readonly string[]
  readonly workers: number
  /** Milliseconds. */
  readonly deadline: number
  readonly singleFlight: boolean
  /** Milliseconds. */
  readonly keepAnswers: number
  readonly acceptDataLoss?: true
}

const bodyLimit = 1024 * 1024

export function serveCommand(terminal: Terminal): Command {
  return new Command("serve")
    .summary("serve a service, or a database as it is")
    .description("Serves a service by GraphQL and REST until you end it with Ctrl+C.")
    .argument("[source]", "a service file, or the address of a database; service.ts when absent")
    .option("--example", "the storefront, with generated records")
    .addOption(
      new Option(
        "--open <what>",
        "what everybody may do who can reach it, as there are no rules yet",
      ).choices(["read", "write"]),
    )
    .addOption(new Option("--database <url>", "the database of a service file").env("BIFOLD_DATABASE"))
    .option("--dev", "make and migrate the database by itself, where nothing is lost")
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
    .addOption(
      new Option("--workers <number>", "processes that share the work; auto is one per processor")
        .default(1)
        .env("BIFOLD_WORKERS")
        .argParser(workerCount),
    )
    .addOption(
      new Option("--deadline <seconds>", "until the database has to have answered a request")
        .default(10_000, "10")
        .env("BIFOLD_DEADLINE")
        .argParser(deadline),
    )
    .addOption(
      new Option("--keep-answers <hours>", "for which a write may be sent again with its Idempotency-Key")
        .default(24 * 60 * 60 * 1000, "24")
        .env("BIFOLD_KEEP_ANSWERS")
        .argParser(hours),
    )
    .option(
      "--accept-data-loss",
      "write to a PostgreSQL server that may lose what it has acknowledged (fsync = off)",
    )
    .option("--no-single-flight", "equal requests at the same time are each sent to the database")
    .addHelpText(
      "after",
      `
Examples:
  $ bifold serve --example
  $ bifold serve service.ts --database shop.db --dev
  $ bifold serve service.ts --database postgres://me:secret@localhost/shop --base /api
  $ bifold serve shop.db --open read

A database that is served as it is has no rules, so it is served to this machine only, and only with --open read or
--open write. A service file can be read and written on this machine; on any other --host it can only be read, unless
--open write says otherwise.`,
    )
    .action((source: string | undefined, options: Options) => serve(terminal, source, options))
}

async function serve(terminal: Terminal, given: string | undefined, options: Options): Promise<void> {
  const workers = options.workers > 1 ? await import("../server/workers.ts") : undefined
  if (workers?.isWorker()) return workers.workFor(() => serveTarget(terminal, given, options))
  const target = await openTarget(terminal, given, options)
  if (target.bare) refuseStrangers(options.host)
  const open = mayWrite(target, options) ? "read and write" : "read"
  const secret = options.secret ?? target.secret
  const running = await run(terminal, { target, options, secret: secret ?? randomBytes(32).toString("hex") })
  // Before anybody is told that there is something to end.
  const ended = endSignal()
  terminal.print(announcement(terminal, running, { target, base: options.base }))
  if (options.workers > 1) terminal.say(terminal.err.dim(`${options.workers} processes share the work.`))
  if (!isLoopback(options.host))
    terminal.say(
      terminal.err.yellow(`Everybody who can reach ${options.host} may ${open} everything of this service.`),
    )
  if (secret === undefined)
    terminal.say(terminal.err.dim("Cursors end with this process. To keep them, set BIFOLD_SECRET."))
  await ended
  terminal.say("Ending: what was asked is still answered.")
  await running.close()
}

interface Serving {
  readonly target: Target
  readonly options: Options
  readonly secret: string
}

interface Running {
  readonly url: string
  close(): Promise<void>
}

async function run(terminal: Terminal, serving: Serving): Promise<Running> {
  const { options, secret } = serving
  if (options.workers === 1) return startServer(terminal, serving)
  const { startWorkers } = await import("../server/workers.ts")
  return startWorkers({
    count: options.workers,
    environment: { BIFOLD_SECRET: secret },
    observe: (observation) => sayObservation(terminal, observation),
  })
}

/** A worker: what there is to say about the target was said by the process that started it, which gave the secret. */
async function serveTarget(
  terminal: Terminal,
  given: string | undefined,
  options: Options,
): Promise<Running> {
  const quiet: Terminal = { ...terminal, say: () => {}, progress: () => {} }
  const target = await openTarget(quiet, given, options)
  return startServer(terminal, {
    target,
    options,
    secret: present(options.secret, "a worker is given the secret"),
  })
}

async function startServer(terminal: Terminal, { target, options, secret }: Serving): Promise<Running> {
  const { database, bare } = target
  const { base, workers, keepAnswers } = options
  const writable = mayWrite(target, options)
  const model = openModel(writable ? target.model : closedModel(target.model))
  const durability = options.acceptDataLoss ? "unsafe" : "durable"
  const storage = await openStorage(database, {
    deadline: options.deadline,
    writes: writable ? durability : "none",
  })
  // A read that began before another process had written may not answer one that came after.
  const singleFlight = options.singleFlight && !(writable && workers > 1)
  try {
    const server = await createServer({
      ...createFaces({ model, storage, base, secret, singleFlight, keepAnswers }),
      ...options,
      identify: everybodyIn(model),
      bodyLimit,
      // What nobody has opened is for this machine: a page of another site must not reach it by a name of its own.
      loopbackOnly: bare || (writable && options.open !== "write"),
      observe: (observation) => sayObservation(terminal, observation),
    })
    // Node would write it when the process ends by itself, which one that is killed does not.
    setTimeout(flushCompileCache, 1_000).unref()
    return {
      url: server.url,
      close: () => server.close().finally(() => storage.close()),
    }
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** Whoever is on this machine is trusted with it; anybody else only when somebody says so. */
const mayWrite = ({ bare }: Target, { open, host }: Options): boolean =>
  open === "write" || (!bare && open === undefined && isLoopback(host))

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
  { url }: Running,
  { target, base }: { readonly target: Target; readonly base: string },
): string {
  const { model, samples } = target
  const first = [...model.resources.values()][0]
  const link = (address: string): string => out.cyan(address)
  return [
    "",
    `  ${out.bold(model.title)} is being served.`,
    "",
    `  Start page   ${link(`${url}/`)}`,
    `  GraphQL      ${link(`${url}${base}/graphql`)}`,
    ...(first ? [`  REST         ${link(`${url}${base}/${first.path}`)}`] : []),
    `  OpenAPI      ${link(`${url}${base}/openapi.json`)}`,
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
  if (observation.kind === "lost") {
    terminal.say(
      `${terminal.err.red("✗")} Worker ${observation.process} ended (${observation.reason}) and is being replaced.`,
    )
    return
  }
  if (observation.kind === "unstarted") {
    terminal.say(problemLines(observation.problems, terminal))
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
