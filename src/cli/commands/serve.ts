// `bifold serve`: serves a service or a bare database over HTTP until it is ended.

import { randomBytes } from "node:crypto"
import { flushCompileCache } from "node:module"
import { isatty } from "node:tty"
import { Command, Option } from "commander"
import { present } from "../../base/invariant.ts"
import { isLoopback } from "../../base/networks.ts"
import { filesForConnections } from "../../base/open-files.ts"
import { refusal } from "../../base/problem.ts"
import { credentialsIn } from "../../events/sinks/brokers.ts"
import { hasEvents } from "../../http/changes.ts"
import { countsRequests } from "../../model/limits.ts"
import type { Model } from "../../model/model.ts"
import { sayFailure } from "../../observe/terminal/failure.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { strangerTo } from "../../plan/access/actor.ts"
import { type EndAsked, type Ending, endOnSignal } from "../../server/lifecycle/ending.ts"
import type { Observation } from "../../server/observation.ts"
import { createFaultLog } from "../../server/outage-log.ts"
import { letHeapGrow } from "../../server/processes/node-heap.ts"
import { createServer, type ServerOptions } from "../../server/server.ts"
import { type AccessMode, isWritable } from "../../service/access-mode.ts"
import { assembleService } from "../../service/assemble-service.ts"
import { checkSink } from "../../service/sink.ts"
import { openWatch, type Watch, watchWorkers } from "../../service/watch.ts"
import type { Settings } from "../../settings/settings.ts"
import { type LogTerminal, startedEntry, withServeLog } from "../logs/serve-log.ts"
import { sayOtherVariables } from "../settings/apply.ts"
import { edgeOf, refusePlaces } from "../settings/edge.ts"
import { everySetting, withSettings } from "../settings/options.ts"
import { findSource, samplesOf } from "../source.ts"
import { accessModeOf, exampleActor, openTarget, type Target, type TargetOptions } from "../target.ts"
import type { WatchedFiles } from "../watched-files.ts"

interface Options extends Omit<TargetOptions, "watched">, Settings {
  /** For a worker: the source of its connections. */
  readonly receive?: ServerOptions["receive"]
}

const bodyLimit = 1024 * 1024
/** Milliseconds for which connections stay after the signal to end: a request may be on its way. */
const linger = 2_000
/** Where any number of them may come from one address. */
const wantedConnections = 1_000
/** Milliseconds in which balancers learn that the process is not ready, where others than this machine reach it. */
const drainDelay = 5_000

export function serveCommand(terminal: Terminal): Command {
  const command = new Command("serve")
    .summary("serve a service, or a database as it is")
    .description("Serves a service by GraphQL and REST until you end it with Ctrl+C.")
    .argument("[source]", "a service file, or the address of a database; service.ts when absent")
    .option("--example", "the storefront, with generated records")
    .addOption(
      new Option("--open <what>", "access without rules, for every client that can reach the server").choices(
        ["read", "write"],
      ),
    )
    .option(
      "--as <actor>",
      "actor of requests without credentials, on this machine only: customer:cus_…, role:staff",
    )
    .option("--dev", "create and migrate tables if nothing is lost, and reload edited files")
  return withSettings(command, everySetting)
    .addHelpText(
      "after",
      `
Examples:
  $ bifold serve --example
  $ bifold serve service.ts --database shop.db --dev
  $ bifold serve service.ts --database postgres://me:secret@localhost/shop --base /api
  $ bifold serve service.ts --database shop.db --as customer:cus_01h455vb4pex5vsknk084sn02q+role:staff
  $ bifold serve shop.db --open read

A service with rules (allow) is served by its rules: to requests with a key or a token as their actor, and to
requests without as anonymous. --as names the actor of those, on this machine only. A bare database has no
rules, so it is served to this machine only, and only with --open read or --open write; so is a service file without any,
which on another --host is open to every client that can reach it.`,
    )
    .action((source: string | undefined, options: Options) =>
      withServeLog(terminal, options, (log) =>
        serve(log, source, withExampleActor(withOwnDatabase(command, source, options))),
      ),
    )
}

/** DATABASE_URL and the configuration file are for the service here: not for the example, nor for a database that is named itself. */
function withOwnDatabase(command: Command, source: string | undefined, options: Options): Options {
  const isGeneral = ["customary", "config"].includes(command.getOptionValueSource("database") ?? "")
  if (!isGeneral || !(options.example || findSource(source).kind === "database")) return options
  const { database: _, ...rest } = options
  return rest
}

function withExampleActor(options: Options): Options {
  const { example, open, as, host } = options
  return example && open === undefined && as === undefined && isLoopback(host)
    ? { ...options, as: exampleActor }
    : options
}

async function serve(terminal: LogTerminal, given: string | undefined, options: Options): Promise<void> {
  const workers = options.workers > 1 ? await import("../../server/processes/workers.ts") : undefined
  if (workers?.isWorker())
    return workers.workFor(() =>
      serveTarget(terminal, given, { ...options, receive: workers.receiveConnections }),
    )
  sayOtherVariables(terminal, process.env)
  let edited = (): void => {}
  const watched = isEdited(given, options) ? await watchFiles(() => edited()) : undefined
  const target = await openTarget(terminal, given, {
    ...options,
    watched,
    async beforeChange(model) {
      await refusePlaces(options, model)
      if (model) await refuseNoSecret(options, model, options.secret)
    },
  })
  if (target.bare) refuseStrangers(options.host)
  const standing = accessModeOf(target.model, target.name, options)
  const secret = options.secret ?? target.secret
  await refuseNoSecret(options, target.model, secret)
  let signal: EndAsked | undefined
  const serving: Serving = {
    target,
    standing,
    options,
    secret: secret ?? randomBytes(32).toString("hex"),
    // From then on there may be requests, which a signal does not cut; until then it ends the process at once.
    beforeListening() {
      signal = endOnSignal()
      if (!options.tlsCert) sayHangUp(terminal)
      return signal.asked
    },
  }
  const running = watched
    ? await runEdited(terminal, serving, { given, watched })
    : await run(terminal, serving)
  edited = () => running.reload?.()
  terminal.print(announcement(terminal, running, { target, standing, base: options.base }))
  terminal.write(
    startedEntry({ url: running.url, target, access: standing, options, secretGiven: secret !== undefined }),
  )
  sayConditions(terminal, serving, secret !== undefined)
  const wait = delayOf(options)
  let since = performance.now()
  await present(signal, "signals are listened for").end(running, {
    delay: wait,
    tell: (what) => {
      if (what === "closing") {
        since = performance.now()
        terminal.write({ event: "stopping", members: { uptimeMs: since } })
      } else terminal.write({ event: "draining", members: { delayMs: wait } })
    },
  })
  terminal.write({ event: "stopped", members: { drainMs: performance.now() - since } })
}

/** Says where the service is short of something: shared counts, open files, rules, a secret. */
function sayConditions(
  terminal: LogTerminal,
  { target, standing, options }: Serving,
  hasSecret: boolean,
): void {
  if (options.workers > 1) terminal.say(terminal.err.dim(`${options.workers} processes share the work.`))
  if (options.workers > 1 && options.limitsStore === "memory" && countsRequests(target.model.limits))
    terminal.say(
      terminal.err.yellow(
        `Each of the ${options.workers} processes counts the points of callers alone; share the counts with --limits-store.`,
      ),
    )
  sayFewFiles(terminal, options)
  sayStanding(terminal, standing, options)
  if (!hasSecret)
    terminal.say(
      hasEvents(target.model)
        ? terminal.err.yellow(
            "Ids of events change on restart, and cursors become invalid. Clients cannot go on after their last event, and receivers of webhooks cannot recognize repeated events. Set BIFOLD_SECRET.",
          )
        : terminal.err.dim("Cursors become invalid on restart; set BIFOLD_SECRET."),
    )
}

/** Where ids that others keep would be other ones after a restart. */
async function refuseNoSecret(options: Options, model: Model, secret: string | undefined): Promise<void> {
  if (secret === undefined && model.webhooks && options.dev === undefined)
    throw refusal("invalid_command", "Webhooks have ids that a restart must not change.", {
      hint: "Set BIFOLD_SECRET. While you develop, --dev does without.",
    })
  await checkSink(options, model, secret)
}

/** By default it ends a process, which systemd takes for what was wanted. A person who closes the terminal wants just that. */
function sayHangUp(terminal: LogTerminal): void {
  if (terminal.watched.err || isatty(0)) return
  process.on("SIGHUP", () => terminal.say("SIGHUP changes nothing: there is no certificate to read again."))
}

/** Beyond the room there is, connections are refused. */
function sayFewFiles(terminal: Terminal, { maxConnections }: Options): void {
  const { most, room } = filesForConnections()
  if (room < (maxConnections || wantedConnections))
    terminal.say(
      terminal.err.yellow(
        `A process may have ${most} files open, which leaves room for ${room} connections. Set LimitNOFILE=65536 in the systemd unit, or ulimit -n 65536 before the start.`,
      ),
    )
}

const delayOf = (options: Options): number =>
  options.drainDelay ?? (options.dev || isLoopback(options.host) ? 0 : drainDelay)

function sayStanding(terminal: Terminal, standing: AccessMode, { as, host }: Options): void {
  if (standing.kind === "rules")
    terminal.say(
      as === undefined
        ? terminal.err.dim(
            "Requests without credentials are anonymous. To act as a role on this machine, use --as.",
          )
        : `Requests without credentials run as ${terminal.err.bold(as)}.`,
    )
  else if (!isLoopback(host)) {
    const may = standing.what === "write" ? "read and write" : "read"
    terminal.say(
      terminal.err.yellow(`Everybody who can reach ${host} may ${may} everything of this service.`),
    )
  }
}

/** Whether the service is served while a person edits it. */
const isEdited = (given: string | undefined, { dev, example, workers }: Options): boolean =>
  dev === true && !example && workers === 1 && findSource(given).kind === "file"

async function watchFiles(changed: () => void): Promise<WatchedFiles> {
  const { WatchedFiles } = await import("../watched-files.ts")
  return new WatchedFiles(changed)
}

interface Serving {
  readonly target: Target
  readonly standing: AccessMode
  readonly options: Options
  readonly secret: string
  /** Called once, when all that may take long is done; gives when the end is asked for. */
  readonly beforeListening?: () => Promise<void>
}

interface Running extends Ending {
  readonly url: string
  readonly metricsUrl?: string
  reload?(): void
}

interface Editing {
  /** The service file, as a person called it. */
  readonly given: string | undefined
  readonly watched: WatchedFiles
}

async function runEdited(
  terminal: LogTerminal,
  serving: Serving,
  { given, watched }: Editing,
): Promise<Running> {
  const { options } = serving
  const { socket: _, ...others } = options
  const watch = await openServeWatch(terminal, options)
  const again = async (): Promise<Serving> => {
    const target = await openTarget(terminal, given, { ...options, watched })
    const { secret } = serving
    return { options, secret, target, standing: accessModeOf(target.model, target.name, options) }
  }
  let isFirst = true
  const { serveEdited } = await import("../../server/processes/serve-edited.ts")
  const edited = await serveEdited({
    place: { ...others, ...edgeOf(options) },
    async start(receive) {
      const next = isFirst ? serving : await again()
      const server = await startWatched(terminal, { ...next, options: { ...options, receive } }, watch)
      if (!isFirst) terminal.say(terminal.err.dim(`${next.target.name} was read again and is served.`))
      isFirst = false
      return server
    },
    failed(error) {
      sayFailure(error, terminal)
      terminal.say("The service from before the edit goes on.")
    },
  }).catch(async (error: unknown) => {
    watched.close()
    await watch?.close()
    throw error
  })
  return {
    ...edited,
    ...(watch?.metricsUrl !== undefined && { metricsUrl: watch.metricsUrl }),
    async close() {
      watched.close()
      await edited.close().finally(watch?.close)
    },
  }
}

async function run(terminal: LogTerminal, serving: Serving): Promise<Running> {
  const { options, secret, beforeListening } = serving
  if (options.workers === 1) return startServer(terminal, serving)
  const { startWorkers } = await import("../../server/processes/workers.ts")
  const { socket: _, ...others } = options
  const { close, ...watch } = await watchWorkers(options.metrics)
  try {
    const workers = await startWorkers({
      ...others,
      ...edgeOf(options),
      count: options.workers,
      environment: { BIFOLD_SECRET: secret, BIFOLD_SECRET_FILE: undefined },
      observe: terminal.observe,
      hearsOutput: terminal.isJson,
      beforeListening,
    })
    const { url, drain, kill } = workers
    return { ...watch, url, drain, kill, close: () => workers.close().finally(close) }
  } catch (error) {
    await close()
    throw error
  }
}

/** A worker: what there is to say about the target was said by the process that started it, which gave the secret. */
async function serveTarget(
  terminal: LogTerminal,
  given: string | undefined,
  options: Options,
): Promise<Running> {
  const quiet: Terminal = { ...terminal, say: () => {}, progress: () => {} }
  const target = await openTarget(quiet, given, options)
  return startServer(terminal, {
    target,
    standing: accessModeOf(target.model, target.name, options),
    options,
    secret: present(options.secret, "a worker is given the secret"),
  })
}

const openServeWatch = ({ watch: logged }: LogTerminal, options: Options): Promise<Watch | undefined> =>
  openWatch({
    ...options,
    isWorker: options.receive !== undefined,
    listeners: logged ? [logged] : [],
  })

async function startServer(terminal: LogTerminal, serving: Serving): Promise<Running> {
  const watch = await openServeWatch(terminal, serving.options)
  try {
    const { close, ...running } = await startWatched(terminal, serving, watch)
    return { ...running, close: () => close().finally(watch?.close) }
  } catch (error) {
    await watch?.close()
    throw error
  }
}

async function startWatched(
  { observe: tell }: LogTerminal,
  { target, standing, options, secret, beforeListening }: Serving,
  watch: Watch | undefined,
): Promise<Running> {
  letHeapGrow()
  const edge = edgeOf(options)
  const faults = createFaultLog(tell)
  const observe = (observation: Observation): void => {
    faults.observe(observation)
    watch?.observe(observation)
  }
  const service = await assembleService({
    ...options,
    model: target.model,
    access: standing,
    database: target.database,
    drift: target.drift,
    threads: target.threads,
    secret,
    // A read that began before another process had written may not answer one that came after.
    singleFlight: options.singleFlight && !(isWritable(standing) && options.workers > 1),
    sink: { ...options, variables: credentialsIn(process.env) },
    observe,
    telemetry: watch?.telemetry,
  })
  try {
    const { faces, identify, counting } = service
    const { socket: _, ...others } = options
    void beforeListening?.()
    const server = await createServer({
      ...faces,
      ...others,
      ...edge,
      mostRequests: options.maxRequests,
      mostConnections: options.maxConnections,
      socketRates: { messages: options.socketMessages, bytes: options.socketBytes },
      counting,
      identify,
      bodyLimit,
      deadlines: { linger },
      // A client of an edited service meets the new server with its next request.
      keepAlive: !(options.receive && options.workers === 1),
      // Anonymous callers have rights here, so a page of another site must not reach the server by a name of its own.
      loopbackOnly: isLoopback(options.host) && (standing.kind === "open" || standing.nobody !== undefined),
      observe,
      ownMounts: watch?.mountsIn(service.model, options.base),
    })
    service.closeFirst(server.close)
    await watch?.begin(service, server)
    target.threads?.warm()
    // Node writes the cache only at a normal end, which a killed process never reaches.
    setTimeout(flushCompileCache, 1_000).unref()
    const close = (): Promise<void> => service.close().finally(faults.end)
    const { metricsUrl } = watch ?? {}
    const { url, drain } = server
    return { url, drain, ...(metricsUrl !== undefined && { metricsUrl }), close }
  } catch (error) {
    await service.close()
    throw error
  }
}

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
  { url, metricsUrl }: Running,
  { target, standing, base }: Pick<Serving, "target" | "standing"> & { readonly base: string },
): string {
  const model = standing.kind === "rules" ? (standing.nobody ?? strangerTo(target.model)).model : target.model
  const samples = target.samples ?? samplesOf(model)
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
    ...(metricsUrl === undefined ? [] : [`  Metrics      ${link(metricsUrl)}`]),
    "",
    "  Open one of these to see it answer:",
    `  ${link(`${url}${base}/graphql?query=${encodeURIComponent(samples.graphql)}`)}`,
    `  ${link(`${url}${base}${samples.rest}`)}`,
    "",
    out.dim("  Ctrl+C ends it."),
  ].join("\n")
}
