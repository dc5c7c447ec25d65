// The effect of writes on reads: the same reads alone and beside writes, in rounds that take turns.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { MusicData } from "./data.ts"
import { applyLoad, type LoadResult } from "./load.ts"
import { startServer } from "./processes.ts"
import { median } from "./rounds.ts"
import { askOver, type Contestant, type DatabaseName } from "./servers.ts"
import type { Table } from "./table.ts"
import { type HttpRequest, turnsOf } from "./workloads.ts"

export interface Beside {
  readonly database: DatabaseName
  /** Medians of the rounds. */
  readonly alone: Reads
  readonly beside: Reads
  readonly writesPerSecond: number
}

interface Reads {
  readonly perSecond: number
  /** Microseconds. */
  readonly p99: number
  /** Answers that were no success, in all rounds. */
  readonly failed: number
}

export interface BesideOptions {
  readonly contestant: Contestant
  readonly addresses: Readonly<Partial<Record<DatabaseName, string>>>
  readonly data: MusicData
  readonly rounds: number
  readonly seconds: number
  readonly folder: string
  readonly progress: (text: string) => void
}

const readers = 32
const writers = 8

export async function measureBeside(options: BesideOptions): Promise<readonly Beside[]> {
  const measured: Beside[] = []
  for (const database of ["sqlite", "postgres"] as const) {
    const address = options.addresses[database]
    if (address !== undefined) measured.push(await measureOne(options, database, address))
  }
  return measured
}

async function measureOne(
  { contestant, data, rounds, seconds, folder, progress }: BesideOptions,
  database: DatabaseName,
  address: string,
): Promise<Beside> {
  const server = await startServer(contestant.command("graphql", address))
  try {
    const { url } = server
    const requests = (workload: "W1" | "update"): Promise<readonly HttpRequest[]> =>
      contestant.requests(askOver(url), {
        workload,
        face: "graphql",
        database,
        turns: turnsOf(workload, data),
      })
    const [reading, writing] = [await requests("W1"), await requests("update")]
    // Each client reads its requests from a file of its own.
    const [readFolder, writeFolder] = [join(folder, `${database}-reads`), join(folder, `${database}-writes`)]
    for (const own of [readFolder, writeFolder]) mkdirSync(own, { recursive: true })
    const read = (): Promise<LoadResult> =>
      applyLoad({ url, requests: reading, connections: readers, seconds }, readFolder)
    const write = (): Promise<LoadResult> =>
      applyLoad({ url, requests: writing, connections: writers, seconds }, writeFolder)
    const results: {
      readonly alone: LoadResult
      readonly beside: LoadResult
      readonly writes: LoadResult
    }[] = []
    // Round 0 warms it up.
    for (let round = 0; round <= rounds; round += 1) {
      progress(`${database}: ${round === 0 ? "warming up" : `round ${round} of ${rounds}`}`)
      const alone = await read()
      const [beside, writes] = await Promise.all([read(), write()])
      if (round > 0) results.push({ alone, beside, writes })
    }
    return {
      database,
      alone: summary(results.map(({ alone }) => alone)),
      beside: summary(results.map(({ beside }) => beside)),
      writesPerSecond: median(results.map(({ writes }) => writes.requests / writes.seconds)),
    }
  } finally {
    await server.stop()
  }
}

const summary = (rounds: readonly LoadResult[]): Reads => ({
  perSecond: median(rounds.map(({ requests, seconds }) => requests / seconds)),
  p99: median(rounds.map(({ p99 }) => p99)),
  failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
})

export const besideTable = (measured: readonly Beside[]): Table => ({
  title: "Reads beside writes",
  head: [
    `W1, GraphQL, ${readers} connections`,
    "reads/s",
    "p99 ms",
    "times alone",
    "failed",
    "writes/s beside",
  ],
  rows: measured.flatMap(({ database, alone, beside, writesPerSecond }) => {
    const cells = ({ perSecond, p99, failed }: Reads): readonly string[] => [
      perSecond.toFixed(0),
      (p99 / 1_000).toFixed(2),
      (p99 / alone.p99).toFixed(2),
      String(failed),
    ]
    return [
      [`${database}, alone`, ...cells(alone), "–"],
      [`${database}, beside updates on ${writers} connections`, ...cells(beside), writesPerSecond.toFixed(0)],
    ]
  }),
})
