// `npm run bench`: fills the databases, starts the servers, compares their answers, measures them in turns, reports.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import CliTable from "cli-table3"
import pg from "pg"
import { load as loadModel } from "../src/model/load.ts"
import { postgres } from "../src/sql/dialects/postgres.ts"
import { sqlite } from "../src/sql/dialects/sqlite.ts"
import { setUp } from "../src/storage/migration/set-up.ts"
import { besideTable, measureBeside } from "./beside.ts"
import { type Prepared, refuseDifferences } from "./compare.ts"
import { askingLabel, fillCommands, type MusicData, musicData, withLabels } from "./data.ts"
import { crowdsTable, delaysTable, loggedTable, measureEvents } from "./events.ts"
import { growthCharts, growthTable, measureGrowth } from "./growth.ts"
import { installPackages } from "./install.ts"
import { clientName } from "./load.ts"
import { canPin, describeMachine } from "./machine.ts"
import { isWhole, type Options, readOptions } from "./options.ts"
import { measureOverload, overloadTable } from "./overload.ts"
import { findPeers } from "./peers.ts"
import {
  clientWarnings,
  memoryTable,
  processorTables,
  type Report,
  ratioTables,
  renderResults,
  rulesTable,
} from "./report.ts"
import { checkOut } from "./revision.ts"
import { type Cell, type Measured, measureCell, summaries, type Taken } from "./rounds.ts"
import ruled from "./ruled/service.ts"
import { signToken } from "./ruled/token.ts"
import {
  type Asker,
  askOver,
  bifoldAt,
  byHand,
  type Contestant,
  createFleet,
  type DatabaseName,
  type Fleet,
} from "./servers.ts"
import declaration from "./service.ts"
import { soak, soakTable } from "./soak.ts"
import { measureStarts, startTable } from "./start.ts"
import { type Table, withTable } from "./table.ts"
import { type Fired, fillStateful, measureTransitions, transitionsTable } from "./transitions.ts"
import { fillVersioned, measureVersions, type VersionFigures, versionsTable } from "./versions.ts"
import { measureWatch, watchTable } from "./watch.ts"
import {
  distinctDocuments,
  turnsOf,
  valuesNames,
  type WorkloadName,
  workloadNames,
  workloads,
} from "./workloads.ts"

const here = import.meta.dirname
const resultsFile = join(here, "RESULTS.md")

const say = (text: string): void => void process.stderr.write(`${text}\n`)

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  const [busy = 0] = loadavg()
  process.setMaxListeners(100) // each server is ended when this process ends
  if (clientName() === "autocannon") installPackages(join(here, "client"))
  const folder = mkdtempSync(join(tmpdir(), "bifold-bench-"))
  const undo: (() => void | Promise<void>)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const undoAll = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void undoAll().finally(() => process.exit(1)))
  try {
    if (
      options.start ||
      options.beside ||
      options.transitions ||
      options.versions ||
      options.watch ||
      options.overload !== undefined ||
      options.events !== undefined ||
      options.growth !== undefined ||
      options.soak !== undefined
    ) {
      publishAlone(options, await measureAlone(options, folder, undo), busy)
      return
    }
    const { contestants, notes } = await gather(options, folder, undo)
    const data = options.rules ? withLabels(musicData()) : musicData()
    const addresses = await fillDatabases(options, data, folder)
    const fleet = createFleet(addresses)
    undo.push(() => fleet.stop())
    const absent = new Set<string>()
    const measured = await measureAll(options, { contestants, fleet, data, folder, absent })
    const machine = [
      ["Date", new Date().toISOString().slice(0, 10)] as const,
      ...describeMachine(await versionOf(addresses.postgres)),
    ]
    await publish(options, { machine, notes: [...howMeasured(options, busy), ...notes, ...absent], measured })
  } finally {
    await undoAll()
  }
}

async function gather(
  { against, peers, distinct, rules, headers }: Options,
  folder: string,
  undo: (() => void | Promise<void>)[],
): Promise<{ readonly contestants: readonly Contestant[]; readonly notes: readonly string[] }> {
  const root = join(here, "..")
  const asker: Asker | undefined = rules && { as: `label:${askingLabel}` }
  const bifold = bifoldAt(root, "Bifold", asker)
  // A server by hand, which knows its documents, could only refuse them.
  const label = rules && { label: askingLabel }
  const full = headers ? [byHand({ ...label, full: true })] : []
  const contestants = distinct ? [bifold] : [byHand(label), ...full, bifold]
  if (rules) contestants.push(bifoldAt(root, "Bifold, by token", { signed: await signToken(askingLabel) }))
  const notes: string[] = []
  if (against !== undefined) {
    const checkout = checkOut(against, folder)
    undo.push(() => checkout.remove())
    contestants.push(bifoldAt(checkout.root, `Bifold at ${checkout.short}`, asker))
  }
  if (peers) {
    say("Installing the peers …")
    const found = findPeers()
    contestants.push(...found.peers)
    notes.push(...found.notes)
  }
  return { contestants, notes }
}

async function fillDatabases(
  { database, rules }: Options,
  data: MusicData,
  folder: string,
): Promise<Readonly<Partial<Record<DatabaseName, string>>>> {
  const model = loadModel(rules ? ruled : declaration)
  const addresses: Partial<Record<DatabaseName, string>> = {}
  if (database.includes("sqlite")) addresses.sqlite = join(folder, "music.sqlite")
  if (database.includes("postgres")) addresses.postgres = postgresAddress()
  if (addresses.sqlite !== undefined) await setUp(addresses.sqlite, fillCommands(model, sqlite, data))
  if (addresses.postgres !== undefined) await setUp(addresses.postgres, fillCommands(model, postgres, data))
  return addresses
}

function postgresAddress(): string {
  const address = process.env["BIFOLD_BENCH_POSTGRES"]
  if (!address)
    throw new Error(
      "Run it by `npm run bench`, which starts a PostgreSQL, or leave it out: --database sqlite",
    )
  return address
}

async function versionOf(address: string | undefined): Promise<string | undefined> {
  if (address === undefined) return undefined
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const { rows } = await client.query<{ server_version: string }>("SHOW server_version")
  await client.end()
  return rows[0]?.server_version
}

interface Course {
  readonly contestants: readonly Contestant[]
  readonly fleet: Fleet
  readonly data: MusicData
  readonly folder: string
  /** Filled with what keeps a peer from taking part. */
  readonly absent: Set<string>
}

async function measureAll(options: Options, course: Course): Promise<readonly Measured[]> {
  const taken: Taken[] = []
  // One process differs from another of the same program, by where its memory happens to lie.
  for (let pass = 0; pass < options.passes; pass += 1) {
    if (pass > 0) await course.fleet.stop()
    taken.push(...(await measurePass(options, course)))
  }
  return summaries(taken)
}

async function measurePass(options: Options, course: Course): Promise<readonly Taken[]> {
  const taken: Taken[] = []
  const { rounds, seconds } = options
  for (const ask of asksOf(options)) {
    const { workload } = ask
    const asked = await prepare(course, ask, options.turns)
    await refuseDifferences(workload, asked)
    const prepared = options.distinct
      ? asked.map((one) => ({ ...one, requests: distinctDocuments(one.requests) }))
      : asked
    for (const connections of options.connections) {
      const cell = { ...ask, connections }
      const results = await measureCell(cell, prepared, {
        rounds,
        seconds,
        folder: course.folder,
        progress: showProgress(rounds),
      })
      if (process.stderr.isTTY) process.stderr.write("\r\x1b[2K")
      say(oneLine(cell, summaries(results)))
      taken.push(...results)
    }
  }
  return taken
}

type Ask = Omit<Cell, "connections">

/** Reads come before writes, which make the tables longer. */
const asksOf = ({ database, face, workload, values, distinct }: Options): readonly Ask[] =>
  database.flatMap((database) =>
    (distinct ? (["graphql"] as const) : face).flatMap((face) =>
      workload.flatMap((workload) => values.map((values): Ask => ({ database, face, workload, values }))),
    ),
  )

async function prepare(
  { contestants, fleet, data, absent }: Course,
  { workload, face, database, values }: Ask,
  length: number | undefined,
): Promise<readonly Prepared[]> {
  const turns = turnsOf(workload, data, { values, ...(length !== undefined && { length }) })
  const able = contestants.filter(
    ({ faces, databases }) => faces.includes(face) && databases.includes(database),
  )
  const prepared = await Promise.all(
    able.map(async (contestant): Promise<Prepared | undefined> => {
      const started = fleet.server(contestant, face, database)
      if (contestant.kind === "peer") {
        const trouble = await started.then(() => undefined, String)
        if (trouble !== undefined) {
          absent.add(`${contestant.name} could not be started on ${database}: ${trouble.split("\n", 1)[0]}`)
          return undefined
        }
      }
      const { url, pid } = await started
      const ask = askOver(url)
      const requests = await contestant.requests(ask, { workload, face, database, turns })
      return { contestant, url, pid, ask, requests }
    }),
  )
  return prepared.filter((one) => one !== undefined)
}

const showProgress =
  (rounds: number) =>
  ({ workload, values, face, database, connections }: Cell, server: string, round: number): void => {
    if (!process.stderr.isTTY) return
    const at = round === 0 ? "warming up" : `round ${round} of ${rounds}`
    process.stderr.write(
      `\r\x1b[2K${workload} ${values} ${face} ${database}, ${connections} connections: ${server}, ${at}`,
    )
  }

function oneLine(
  { workload, values, face, database, connections }: Cell,
  results: readonly Measured[],
): string {
  const [hand] = results
  const each = results.map(({ server, perSecond }) => {
    const ratio = hand && server !== hand.server ? ` (${(perSecond / hand.perSecond).toFixed(2)})` : ""
    return `${server} ${perSecond.toFixed(0)}/s${ratio}`
  })
  return `${workload} ${values} ${face} ${database}, ${connections}: ${each.join(", ")}`
}

function howMeasured({ passes, rounds, seconds, turns }: Options, busy: number): readonly string[] {
  const others = `When it began, other programs kept ${busy.toFixed(1)} cores busy (the load average): ratios are rough.`
  const anew = passes === 1 ? "" : ` in each of ${passes} passes by servers started anew`
  const client = `Load by ${clientName()}; medians of ${rounds} rounds of ${seconds} s that take turns${anew}, after one to warm up; all answers were compared first.`
  const cores = canPin()
    ? "The server has one core to itself, the client another; PostgreSQL runs on either."
    : "Server and client could not be given cores of their own here."
  const asked =
    turns === undefined
      ? `Different requests were asked in turn: ${workloadNames.map(countsOf).join("; ")}.`
      : `${turns} different requests of each workload were asked in turn, or as many as there are.`
  return [client, cores, asked, ...(busy > 0.3 ? [others] : [])]
}

const countsOf = (name: WorkloadName): string =>
  `${name} ${valuesNames.map((values) => `${workloads[name].turns[values]} ${values}`).join(", ")}`

async function measureAlone(
  options: Options,
  folder: string,
  undo: (() => void | Promise<void>)[],
): Promise<Alone> {
  const progress = (text: string): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`)
  }
  if (options.start)
    return alone(await measureStarts(Math.max(options.rounds, 9), folder, progress), startTable)
  if (options.transitions) return alone(await measureFired(options, folder, progress), transitionsTable)
  if (options.versions) return alone(await measureOlder(options, folder, progress), versionsTable)
  if (options.growth !== undefined) return await measureGrown(options, options.growth, folder, progress)
  if (options.events !== undefined) return await measureFollowed(options, options.events, folder, progress)
  const data = musicData()
  if (options.watch) {
    const { sqlite: address = "" } = await fillDatabases({ ...options, database: ["sqlite"] }, data, folder)
    const against = options.against === undefined ? undefined : checkOut(options.against, folder)
    if (against) undo.push(() => against.remove())
    const connections = options.connections.includes(32) ? 32 : (options.connections[0] ?? 32)
    const course = { root: join(here, ".."), against, address, data, progress, connections }
    // As long as rounds of a second, in pieces.
    return alone(await measureWatch({ ...options, ...course, slices: options.rounds * 8 }), watchTable)
  }
  const contestant = bifoldAt(join(here, ".."), "Bifold")
  if (options.beside) {
    const addresses = await fillDatabases(options, data, folder)
    return alone(
      await measureBeside({ ...options, contestant, addresses, data, folder, progress }),
      besideTable,
    )
  }
  if (options.overload !== undefined) {
    const addresses = await fillDatabases(options, data, folder)
    const seconds = options.overload
    return alone(
      await measureOverload({ contestants: [contestant], addresses, data, seconds, progress }),
      overloadTable,
    )
  }
  const { sqlite: database = "" } = await fillDatabases({ ...options, database: ["sqlite"] }, data, folder)
  const { soak: minutes = 1 } = options
  const course = { contestant, database, minutes, turns: turnsOf("W1", data), folder, progress }
  return alone(await soak(course), soakTable)
}

async function stateful(options: Options, folder: string) {
  const addresses: Partial<Record<DatabaseName, string>> = {}
  if (options.database.includes("sqlite")) addresses.sqlite = join(folder, "stateful.sqlite")
  if (options.database.includes("postgres")) addresses.postgres = postgresAddress()
  for (const database of options.database) await fillStateful(database, addresses[database] ?? "")
  const contestant = bifoldAt(join(here, ".."), "Bifold", undefined, "stateful/service.ts")
  return { contestant, addresses }
}

async function measureFired(
  options: Options,
  folder: string,
  progress: (text: string) => void,
): Promise<readonly Fired[]> {
  return measureTransitions({ ...options, ...(await stateful(options, folder)), folder, progress })
}

async function measureOlder(
  options: Options,
  folder: string,
  progress: (text: string) => void,
): Promise<readonly VersionFigures[]> {
  const addresses: Partial<Record<DatabaseName, string>> = {}
  if (options.database.includes("sqlite")) addresses.sqlite = join(folder, "versioned.sqlite")
  if (options.database.includes("postgres")) addresses.postgres = postgresAddress()
  for (const database of options.database) await fillVersioned(database, addresses[database] ?? "")
  const contestant = bifoldAt(join(here, ".."), "Bifold", undefined, "versioned/service.ts")
  return measureVersions({ ...options, addresses, contestant, folder, progress })
}

async function measureFollowed(
  options: Options,
  minutes: number,
  folder: string,
  progress: (text: string) => void,
): Promise<Alone> {
  const opened = { ...options, ...(await stateful(options, folder)), folder, progress }
  const followed = await measureEvents({ ...opened, minutes })
  const logged = await measureTransitions({ ...opened, kinds: ["plain", "kept"] })
  return {
    figures: { logged, ...followed },
    tables: [delaysTable(followed), crowdsTable(followed), loggedTable(logged)],
  }
}

async function measureGrown(
  options: Options,
  mostRows: number,
  folder: string,
  progress: (text: string) => void,
): Promise<Alone> {
  const addresses: Partial<Record<DatabaseName, string>> = {}
  if (options.database.includes("sqlite")) addresses.sqlite = join(folder, "grown.sqlite")
  if (options.database.includes("postgres")) addresses.postgres = postgresAddress()
  const served = bifoldAt(join(here, ".."), "Bifold", "anonymous", "grown/service.ts")
  const points = await measureGrowth({
    ...options,
    addresses,
    mostRows,
    folder,
    progress,
    command: (address, env) => ({ ...served.command("graphql", address), env }),
  })
  return { figures: points, tables: [growthTable(points)], pictures: growthCharts(points) }
}

/** What has a section of its own in the report, and no server by hand beside it. */
interface Alone {
  readonly figures: unknown
  readonly tables: readonly Table[]
  /** By their names in docs/pictures. */
  readonly pictures?: ReadonlyMap<string, string>
}

const alone = <Figures>(figures: Figures, toTable: (figures: Figures) => Table): Alone => ({
  figures,
  tables: [toTable(figures)],
})

function publishAlone(options: Options, { figures, tables, pictures }: Alone, busy: number): void {
  for (const table of tables) show(table)
  if (busy > 0.3)
    say(`\nWhen it began, other programs kept ${busy.toFixed(1)} cores busy (the load average).`)
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(figures, null, 2))
  if (!options.write) {
    say("\nbench/RESULTS.md stays as it was: --write puts the table there.")
    return
  }
  writeFileSync(resultsFile, tables.reduce(withTable, readFileSync(resultsFile, "utf8")))
  for (const [name, svg] of pictures ?? []) writeFileSync(join(here, "..", "docs", "pictures", name), svg)
  say("\nWritten to bench/RESULTS.md.")
}

async function publish(options: Options, report: Report): Promise<void> {
  for (const table of [...ratioTables(report), ...processorTables(report), memoryTable(report)]) show(table)
  for (const note of [...report.notes, ...clientWarnings(report)]) say(`\n${note}`)
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(report, null, 2))
  if (!options.write && !isWhole(options)) {
    say("\nbench/RESULTS.md stays as it was: this was only a part (--write writes it all the same).")
    return
  }
  const before = existsSync(resultsFile) ? readFileSync(resultsFile, "utf8") : ""
  const after = options.rules ? withTable(before, rulesTable(report)) : renderResults(report, before)
  writeFileSync(resultsFile, after)
  say("\nWritten to bench/RESULTS.md.")
}

function show({ title, head, rows }: Table): void {
  const table = new CliTable({ head: [...head], style: { head: [], border: [] } })
  table.push(...rows.map((row) => [...row]))
  console.log(`\n${title}\n${table.toString()}`)
}

try {
  await main()
} catch (error) {
  say(`\n${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
