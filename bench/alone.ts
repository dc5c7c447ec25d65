// Parts of the benchmark that are measured by themselves: each has an option, and a section of its own in the report.
import { join } from "node:path"
import { besideTable, measureBeside } from "./beside.ts"
import { bulkTable, floodTable, measureBulk } from "./bulk.ts"
import { musicData } from "./data.ts"
import { fillDatabases, postgresAddress, recordsOf } from "./databases.ts"
import { crowdsTable, delaysTable, loggedTable, measureEvents } from "./events.ts"
import { growthCharts, growthTable, measureGrowth } from "./growth.ts"
import { hardTable, measureHard } from "./hard.ts"
import type { Options } from "./options.ts"
import { measureOverload, overloadTable } from "./overload.ts"
import { measureOwnCode, ownCodeTable } from "./own-code.ts"
import { checkOut } from "./revision.ts"
import { bifoldAt, type Contestant, type DatabaseName } from "./servers.ts"
import { type Soak, soak, soakTable } from "./soak.ts"
import { measureStarts, startTable } from "./start.ts"
import type { Table } from "./table.ts"
import { askingPerson, measureTeams, teamsTable } from "./teams.ts"
import { type Fired, fillStateful, measureTransitions, transitionsTable } from "./transitions.ts"
import { fillVersioned, measureVersions, type VersionFigures, versionsTable } from "./versions.ts"
import { measureWatch, watchTable } from "./watch.ts"

const here = import.meta.dirname

/** Whether the options ask for a part with a measurement of its own. */
export const isAlone = (options: Options): boolean =>
  Boolean(
    options.start ??
      options.beside ??
      options.bulk ??
      options.transitions ??
      options.teams ??
      options.ownCode ??
      options.versions ??
      options.watch ??
      options.hard,
  ) || [options.overload, options.events, options.growth, options.soak].some((value) => value !== undefined)

export async function measureAlone(
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
  if (options.teams) {
    const addresses: Partial<Record<DatabaseName, string>> = {}
    if (options.database.includes("sqlite")) addresses.sqlite = join(folder, "teams.sqlite")
    if (options.database.includes("postgres")) addresses.postgres = postgresAddress()
    const asker = { as: `person:${askingPerson}` }
    const served = bifoldAt(join(here, ".."), "Bifold", asker, "teams/service.ts")
    return alone(
      await measureTeams({ ...options, addresses, contestant: served, folder, progress }),
      teamsTable,
    )
  }
  if (options.ownCode) return alone(await measureOwnCode({ ...options, undo, progress }), ownCodeTable)
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
  if (options.bulk) {
    const addresses = await fillDatabases(options, data, folder)
    const figures = await measureBulk({ ...options, contestant, addresses, progress })
    return { figures, tables: [bulkTable(figures), floodTable(figures)] }
  }
  if (options.overload !== undefined) {
    const addresses = await fillDatabases(options, data, folder)
    const seconds = options.overload
    return alone(
      await measureOverload({ contestants: [contestant], addresses, data, seconds, progress }),
      overloadTable,
    )
  }
  if (options.hard)
    return alone(await measureHard({ ...options, contestant, data, folder, progress }), hardTable)
  return alone(await measureSoak(options, contestant, folder, progress), soakTable)
}

async function measureSoak(
  { soak: minutes = 1, ...options }: Options,
  contestant: Contestant,
  folder: string,
  progress: (text: string) => void,
): Promise<Soak> {
  const data = recordsOf(options)
  const [database = "sqlite"] = options.database
  const { [database]: address = "" } = await fillDatabases({ ...options, database: [database] }, data, folder)
  return soak({ ...options, contestant, database, address, data, minutes, folder, progress })
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

/** A part with a section of its own in the report, and no server by hand beside it. */
export interface Alone {
  readonly figures: unknown
  readonly tables: readonly Table[]
  /** By their names in docs/pictures. */
  readonly pictures?: ReadonlyMap<string, string>
}

const alone = <Figures>(figures: Figures, toTable: (figures: Figures) => Table): Alone => ({
  figures,
  tables: [toTable(figures)],
})
