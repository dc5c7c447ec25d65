// Ordinary bulk traffic: one client makes records over many connections, alone and beside 20 normal clients. Commits of the
// databases take no time, 10 or 25 milliseconds. Each connection asks again after its answer (a closed model).
import { performance } from "node:perf_hooks"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { askAsNormals, type Normals } from "./normal-clients.ts"
import { artist, type Counts, OneByOne, tell } from "./one-by-one.ts"
import { applyOpenLoad, type OpenResult } from "./overload.ts"
import { type ServerCommand, type ServerProcess, startServer } from "./processes.ts"
import { type Contestant, type DatabaseName, databaseTitles } from "./servers.ts"
import type { Table } from "./table.ts"

export interface BulkOptions {
  readonly contestant: Contestant
  readonly addresses: Readonly<Partial<Record<DatabaseName, string>>>
  readonly connections: readonly number[]
  /** Milliseconds of a commit, as far as it is made slower. */
  readonly commits: readonly number[]
  readonly workers: readonly number[]
  /** The time of each cell. */
  readonly seconds: number
  readonly progress: (text: string) => void
}

interface Cell {
  readonly database: DatabaseName
  /** Milliseconds. */
  readonly commit: number
  readonly workers: number
  readonly connections: number
  readonly kind: "kept" | "new"
}

interface BulkFigures extends Cell {
  /** Records a second. */
  readonly alone: number
  readonly refused: number
  readonly failed: number
  /** Beside the normal clients. */
  readonly beside: number
  readonly besideRefused: number
  /** Normal clients by themselves, and beside the bulk. */
  readonly calm: Times
  readonly crowded: Times
  readonly normalRefused: number
  /** Lists that were refused of 1,000 after a second of rest. */
  readonly after: number
}

interface FloodFigures extends Pick<Cell, "database" | "commit" | "workers"> {
  readonly capacity: number
  readonly flood: OpenResult
}

export interface Bulk {
  readonly cells: readonly BulkFigures[]
  readonly floods: readonly FloodFigures[]
}

/** Milliseconds of reads and of writes. */
interface Times {
  readonly p50: readonly [read: number, write: number]
  readonly p99: readonly [read: number, write: number]
}

/** Milliseconds after the last request in which it is answered: longer than its deadline. An answer that comes later has failed. */
const lastAnswer = 12_000
/** Connections of ten times more than can be answered. */
const crowd = 2_000

export async function measureBulk(options: BulkOptions): Promise<Bulk> {
  const cells: BulkFigures[] = []
  const floods: FloodFigures[] = []
  for (const [database, address] of Object.entries(options.addresses) as [DatabaseName, string][])
    for (const commit of options.commits)
      for (const workers of options.workers) {
        const measured = await measureServer(options, { database, address, commit, workers })
        cells.push(...measured.cells)
        floods.push(...measured.floods)
      }
  return { cells, floods }
}

interface Served extends Pick<Cell, "database" | "commit" | "workers"> {
  readonly address: string
}

async function measureServer(options: BulkOptions, served: Served): Promise<Bulk> {
  const { contestant, connections, progress, seconds } = options
  const { database, commit, workers, address } = served
  if (database === "postgres") await slowCommits(address, commit)
  const server = await startServer(commandOf(contestant.command("rest", address), served))
  try {
    const cells: BulkFigures[] = []
    await load(server, { connections: 32, seconds: 1, kind: "kept", from: "10.9.0.1" })
    progress(`${database}, ${commit} ms, ${workers} workers: normal clients alone`)
    const calm = timesOf(await askAsNormals({ url: server.url, seconds }))
    for (const count of connections)
      for (const kind of ["kept", "new"] as const) {
        progress(`${database}, ${commit} ms, ${workers} workers, ${count} connections ${kind}`)
        const cell = { database, commit, workers, connections: count, kind }
        cells.push({ ...cell, calm, ...(await measureCell(server, { ...cell, seconds })) })
      }
    progress(`${database}, ${commit} ms, ${workers} workers: ten times more than can be answered`)
    const capacity = Math.max(...cells.map(({ alone }) => alone))
    const flood = await applyOpenLoad({
      url: server.url,
      requests: Array.from({ length: 100 }, (_, at) => ({
        ...{ method: "POST", path: "/artists", body: artist(`flood ${at}`) },
      })),
      perSecond: capacity * 10,
      seconds,
      connections: crowd,
    })
    return { cells, floods: [{ database, commit, workers, capacity, flood }] }
  } finally {
    await server.stop()
    if (database === "postgres") await slowCommits(address, 0)
  }
}

async function measureCell(
  server: ServerProcess,
  { connections, kind, seconds }: Cell & { readonly seconds: number },
): Promise<Omit<BulkFigures, keyof Cell | "calm">> {
  const bulk = { connections, seconds, kind, from: "10.9.0.1" }
  const alone = await load(server, bulk)
  const after = await afterRest(server)
  const [normals, beside] = await Promise.all([
    askAsNormals({ url: server.url, seconds }),
    load(server, bulk),
  ])
  return {
    alone: alone.good.length / seconds,
    refused: alone.refused,
    failed: alone.failed + beside.failed + normals.failed,
    beside: beside.good.length / seconds,
    besideRefused: beside.refused,
    crowded: timesOf(normals),
    normalRefused: normals.refused,
    after,
  }
}

/** strace, where installed, delays syncs of a SQLite file. strace attaches to the server, so that the child process stays the server. */
function commandOf(command: ServerCommand, { database, commit, workers }: Served): ServerCommand {
  const args = [...command.args, ...(workers > 1 ? ["--workers", String(workers)] : [])]
  const env = { ...command.env, BIFOLD_PROXIES: "1", BIFOLD_MAX_CONNECTIONS: "0" }
  if (database === "postgres" || commit === 0) return { ...command, args, env, cores: "any" }
  const syncs = "fsync,fdatasync"
  const slower = ["-D", "-f", "--seccomp-bpf", "-qqq", "-o", "/dev/null", "-e", `trace=${syncs}`]
  const inject = ["-e", `inject=${syncs}:delay_exit=${commit * 1_000}`]
  return {
    ...command,
    env,
    cores: "any",
    program: "strace",
    args: [...slower, ...inject, command.program, ...args],
  }
}

/** The server waits before each sync, and all that commit meanwhile share it. */
async function slowCommits(address: string, milliseconds: number): Promise<void> {
  const client = new pg.Client(address)
  await client.connect()
  const { rows } = await client.query<{ name: string }>("SELECT quote_ident(current_database()) AS name")
  const name = rows[0]?.name
  await client.query(`ALTER DATABASE ${name} SET commit_delay = ${milliseconds * 1_000}`)
  await client.query(`ALTER DATABASE ${name} SET commit_siblings = 0`)
  await client.end()
}

interface Load {
  readonly connections: number
  readonly seconds: number
  readonly kind: Cell["kind"]
  readonly from: string
}

/** One client over so many connections: each makes an artist after the answer to the last. */
async function load(server: ServerProcess, { connections, seconds, kind, from }: Load): Promise<Counts> {
  const told = { good: [] as number[], refused: 0, failed: 0 }
  const until = performance.now() + seconds * 1_000
  const clients = Array.from({ length: connections }, () => new OneByOne(server.url, from))
  const late = setTimeout(
    () => {
      for (const client of clients) client.giveUp()
    },
    seconds * 1_000 + lastAnswer,
  )
  await Promise.all(
    clients.map(async (client, at) => {
      for (let turn = 0; performance.now() < until; turn += 1) {
        tell(told, await client.ask("POST", "/artists", artist(`${at} ${turn}`)))
        if (kind === "new") client.close()
      }
      client.close()
    }),
  )
  clearTimeout(late)
  return told
}

/** A thousand lists over 100 connections, a second after the last answer. */
async function afterRest(server: ServerProcess): Promise<number> {
  await sleep(1_000)
  const told = { good: [] as number[], refused: 0, failed: 0 }
  await Promise.all(
    Array.from({ length: 100 }, async () => {
      const client = new OneByOne(server.url, "10.9.0.1")
      for (let turn = 0; turn < 10; turn += 1) tell(told, await client.ask("GET", "/artists?limit=20"))
      client.close()
    }),
  )
  return told.refused + told.failed
}

const timesOf = ({ reads, writes }: Normals): Times => ({
  p50: [percentile(reads, 0.5), percentile(writes, 0.5)],
  p99: [percentile(reads, 0.99), percentile(writes, 0.99)],
})

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

const ms = ([read, write]: readonly [number, number]): string => `${read.toFixed(0)} / ${write.toFixed(0)}`

const nameOf = ({ database, commit, workers }: Pick<Cell, "database" | "commit" | "workers">): string =>
  `${databaseTitles[database]}, ${commit} ms, ${workers} ${workers === 1 ? "worker" : "workers"}`

/** The best rate with as many connections or fewer: what more of them do to it. */
function bestUpTo(one: BulkFigures, { cells }: Bulk): number {
  const like = cells.filter(
    (other) =>
      nameOf(other) === nameOf(one) && other.kind === one.kind && other.connections <= one.connections,
  )
  return Math.max(...like.map(({ alone }) => alone))
}

export const bulkTable = (bulk: Bulk): Table => ({
  title: "Bulk writes of one client",
  head: [
    "",
    "connections",
    "records/s",
    "of the best with so many or fewer",
    "refused",
    "beside 20: records/s",
    "refused",
    "normal p50 ms alone (read / write)",
    "beside",
    "p99 alone",
    "beside",
    "refused",
    "refused of 1,000 after 1 s",
    "failed",
  ],
  rows: bulk.cells.map((one) => [
    nameOf(one),
    `${one.connections} ${one.kind}`,
    one.alone.toFixed(0),
    (one.alone / bestUpTo(one, bulk)).toFixed(2),
    String(one.refused),
    one.beside.toFixed(0),
    String(one.besideRefused),
    ms(one.calm.p50),
    ms(one.crowded.p50),
    ms(one.calm.p99),
    ms(one.crowded.p99),
    String(one.normalRefused),
    String(one.after),
    String(one.failed),
  ]),
})

export const floodTable = ({ floods }: Bulk): Table => ({
  title: `Ten times more writes than can be answered, over ${crowd} connections`,
  head: [
    "",
    "answered/s at best",
    "answered/s",
    "of the best",
    "p99 ms",
    "refused/s",
    "failed/s",
    "not sent/s",
  ],
  rows: floods.map((one) => [
    nameOf(one),
    one.capacity.toFixed(0),
    one.flood.good.toFixed(0),
    (one.flood.good / one.capacity).toFixed(2),
    one.flood.p99.toFixed(0),
    one.flood.refused.toFixed(0),
    one.flood.failed.toFixed(0),
    one.flood.unsent.toFixed(0),
  ]),
})
