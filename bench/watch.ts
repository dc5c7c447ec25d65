// What logs, metrics and traces take beside none: processor time of the server for one request, in rounds that take turns.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { MusicData } from "./data.ts"
import { applyLoad } from "./load.ts"
import { processorTime } from "./machine.ts"
import { type ServerProcess, startServer } from "./processes.ts"
import { median } from "./rounds.ts"
import { askOver, bifoldAt, type Contestant } from "./servers.ts"
import type { Table } from "./table.ts"
import { type FaceName, type HttpRequest, turnsOf, type WorkloadName } from "./workloads.ts"

/** A way to watch a service. */
interface Way {
  readonly name: string
  readonly args?: readonly string[]
  /** Part of the traces that an SDK records. */
  readonly traced?: number
}

const unwatched: Way = { name: "none" }
const ways: readonly Way[] = [
  { name: "log: errors", args: ["--log-requests", "errors", "--slow-statement", "1000"] },
  { name: "log: all", args: ["--log-requests", "all"] },
  { name: "metrics", args: ["--metrics", "0"] },
  { name: "traces: 1 %", traced: 0.01 },
  { name: "traces: all", traced: 1 },
]
const workloads = ["W1", "W2"] as const satisfies readonly WorkloadName[]

export interface WatchFigures {
  readonly workload: WorkloadName
  readonly face: FaceName
  readonly way: string
  /** Microseconds of the server's processor time for one request, by round. */
  readonly processor: readonly number[]
  /** Of the same rounds, parts of what it takes unwatched. */
  readonly ratios: readonly number[]
  readonly failed: number
}

export interface WatchOptions {
  readonly root: string
  /** A checkout of another revision, measured unwatched. */
  readonly against?: { readonly root: string; readonly short: string } | undefined
  readonly address: string
  readonly data: MusicData
  readonly face: readonly FaceName[]
  readonly workload: readonly WorkloadName[]
  readonly connections: number
  readonly passes: number
  readonly rounds: number
  readonly seconds: number
  readonly folder: string
  readonly progress: (text: string) => void
}

interface Watched {
  readonly name: string
  readonly contestant: Contestant
}

export async function measureWatch(options: WatchOptions): Promise<readonly WatchFigures[]> {
  const { root, against, face: faces, workload: asked, passes } = options
  const bifold = bifoldAt(root, "Bifold")
  const all: readonly Watched[] = [
    { name: unwatched.name, contestant: bifold },
    ...(against ? [{ name: `none, at ${against.short}`, contestant: bifoldAt(against.root, "before") }] : []),
    ...ways.map((way) => ({ name: way.name, contestant: watchedBy(bifold, way) })),
  ]
  const rounds: Round[] = []
  // One process differs from another of the same program, by where its memory happens to lie.
  for (let pass = 0; pass < passes; pass += 1) {
    const servers: ServerProcess[] = []
    try {
      for (const { contestant } of all)
        servers.push(await startServer(contestant.command("rest", options.address)))
      for (const face of faces)
        for (const workload of workloads.filter((name) => asked.includes(name)))
          rounds.push(...(await measureCell(options, { face, workload, all, servers })))
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
  }
  return figuresOf(rounds)
}

function watchedBy(bifold: Contestant, { args = [], traced }: Way): Contestant {
  return {
    ...bifold,
    command(face, database) {
      const command = bifold.command(face, database)
      const sdk = pathToFileURL(join(import.meta.dirname, "watched", "sdk.ts")).href
      const loaded = traced === undefined ? [] : ["--import", sdk]
      return {
        ...command,
        args: [...loaded, ...command.args, ...args],
        ...(traced !== undefined && { env: { BENCH_TRACED: String(traced) } }),
      }
    },
  }
}

/** One round of all in turn. */
interface Round {
  readonly face: FaceName
  readonly workload: WorkloadName
  readonly of: ReadonlyMap<string, { readonly processor: number; readonly failed: number }>
}

interface Cell {
  readonly face: FaceName
  readonly workload: WorkloadName
  readonly all: readonly Watched[]
  readonly servers: readonly ServerProcess[]
}

async function measureCell(
  { data, connections, rounds, seconds, folder, progress }: WatchOptions,
  { face, workload, all, servers }: Cell,
): Promise<readonly Round[]> {
  const turns = turnsOf(workload, data)
  const asked = await Promise.all(
    all.map(
      async ({ contestant }, at): Promise<readonly HttpRequest[]> =>
        contestant.requests(askOver(servers[at]?.url ?? ""), { workload, face, database: "sqlite", turns }),
    ),
  )
  const taken: Round[] = []
  // Round 0 warms them up.
  for (let round = 0; round <= rounds; round += 1) {
    const of = new Map<string, { readonly processor: number; readonly failed: number }>()
    // They begin in turn.
    for (const [index] of all.entries()) {
      const at = (index + round) % all.length
      const [one, server] = [all[at], servers[at]]
      if (!one || !server) continue
      progress(`${workload} ${face}, ${one.name}: round ${round} of ${rounds}`)
      const own = join(folder, `watch-${at}`)
      mkdirSync(own, { recursive: true })
      const before = processorTime(server.pid)
      const result = await applyLoad(
        { url: server.url, requests: asked[at] ?? [], connections, seconds },
        own,
      )
      const processor = ((processorTime(server.pid) - before) / result.requests) * 1e6
      of.set(one.name, { processor, failed: result.failed })
    }
    if (round > 0) taken.push({ face, workload, of })
  }
  return taken
}

function figuresOf(rounds: readonly Round[]): readonly WatchFigures[] {
  const cells = Map.groupBy(rounds, ({ face, workload }) => `${workload} ${face}`)
  return [...cells.values()].flatMap((own) => {
    const [first] = own
    if (!first) return []
    const { face, workload } = first
    return [...first.of.keys()].map((way): WatchFigures => {
      const processor = own.map(({ of }) => of.get(way)?.processor ?? Number.NaN)
      const ratios = own.map(({ of }, at) => (processor[at] ?? 0) / (of.get(unwatched.name)?.processor ?? 0))
      const failed = own.reduce((sum, { of }) => sum + (of.get(way)?.failed ?? 0), 0)
      return { face, workload, way, processor, ratios, failed }
    })
  })
}

export const watchTable = (measured: readonly WatchFigures[]): Table => ({
  title: "Logs, metrics and traces",
  head: ["the same request", "watched by", "µs of processor", "ratio", "rounds: least–most", "failed"],
  rows: measured.map(({ face, workload, way, processor, ratios, failed }) => [
    `${workload}, ${face}`,
    way,
    median(processor).toFixed(1),
    median(ratios).toFixed(3),
    `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)} of ${ratios.length}`,
    String(failed),
  ]),
})
