// The cost of logs, metrics and traces: processor time of the server for one request, with and without them. Short
// slices take turns, since other work on the machine disturbs a long one.
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { MusicData } from "./data.ts"
import { processorTime } from "./machine.ts"
import { type ServerProcess, startServer } from "./processes.ts"
import { median } from "./rounds.ts"
import { askOver, bifoldAt, type Contestant } from "./servers.ts"
import { openSlices } from "./slices.ts"
import type { Table } from "./table.ts"
import { type FaceName, turnsOf, type WorkloadName } from "./workloads.ts"

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
const workloads = ["W1", "W2"] as const
/** Requests of a slice: it takes about a tenth of a second. */
const counts = { W1: 1_000, W2: 200 } as const

export interface WatchFigures {
  readonly workload: WorkloadName
  readonly face: FaceName
  readonly way: string
  /** Microseconds of the server's processor time for one request, by slice. */
  readonly processor: readonly number[]
}

/** The measurement of one process. */
interface Taken {
  readonly workload: WorkloadName
  readonly face: FaceName
  readonly way: string
  readonly spent: readonly number[]
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
  /** In turns, of each. */
  readonly slices: number
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
  const taken: Taken[] = []
  // One process differs from another of the same program, by where its memory happens to lie.
  for (let pass = 0; pass < passes; pass += 1) {
    const servers: ServerProcess[] = []
    try {
      for (const { contestant } of all)
        servers.push(await startServer(contestant.command("rest", options.address)))
      for (const face of faces)
        for (const workload of workloads.filter((name) => asked.includes(name)))
          taken.push(...(await measureCell(options, { face, workload, all, servers })))
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
  }
  return figuresOf(taken)
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

interface Cell {
  readonly face: FaceName
  readonly workload: (typeof workloads)[number]
  readonly all: readonly Watched[]
  readonly servers: readonly ServerProcess[]
}

async function measureCell(
  { data, connections, slices, progress }: WatchOptions,
  { face, workload, all, servers }: Cell,
): Promise<readonly Taken[]> {
  const turns = turnsOf(workload, data)
  const count = counts[workload]
  const asked = await Promise.all(
    all.map(async ({ name, contestant }, at) => {
      const { url = "", pid = 0 } = servers[at] ?? {}
      const requests = await contestant.requests(askOver(url), { workload, face, database: "sqlite", turns })
      return { name, pid, spent: [] as number[], load: openSlices(url, requests, connections) }
    }),
  )
  try {
    for (const { name, load } of asked) {
      progress(`${workload} ${face}, ${name}: warming up`)
      await load.ask(count * warming)
    }
    for (let slice = 0; slice < slices; slice += 1) {
      progress(`${workload} ${face}: ${slice + 1} of ${slices}`)
      // They begin in turn.
      for (const index of asked.keys()) {
        const one = asked[(index + slice) % asked.length]
        if (!one) continue
        const before = processorTime(one.pid)
        await one.load.ask(count)
        one.spent.push(((processorTime(one.pid) - before) / count) * 1e6)
      }
    }
    return asked.map(({ name, spent }) => ({ face, workload, way: name, spent }))
  } finally {
    for (const { load } of asked) load.close()
  }
}

/** Slices that warm a server up. */
const warming = 12

function figuresOf(taken: readonly Taken[]): readonly WatchFigures[] {
  const same = Map.groupBy(taken, ({ face, workload, way }) => `${workload} ${face} ${way}`)
  return [...same.values()].flatMap((own) => {
    const [first] = own
    if (!first) return []
    const { face, workload, way } = first
    return [{ face, workload, way, processor: own.flatMap(({ spent }) => spent) }]
  })
}

/** The lowest quartile of the slices: other work on the machine only adds to them. */
function least(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 4)] ?? Number.NaN
}

export const watchTable = (measured: readonly WatchFigures[]): Table => ({
  title: "Logs, metrics and traces",
  head: [
    "the same request",
    "watched by",
    "µs of processor",
    "beside none, µs",
    "ratio",
    "median, µs",
    "slices",
  ],
  rows: measured.map(({ face, workload, way, processor }) => {
    const none = measured.find(
      (one) => one.face === face && one.workload === workload && one.way === unwatched.name,
    )
    const [own, beside] = [least(processor), least(none?.processor ?? [])]
    return [
      `${workload}, ${face}`,
      way,
      own.toFixed(1),
      (own - beside).toFixed(1),
      (own / beside).toFixed(3),
      median(processor).toFixed(1),
      String(processor.length),
    ]
  }),
})
