// Rounds that take turns: A B C, A B C, …, so that what else the machine does falls on all alike.

import type { Prepared } from "./compare.ts"
import { type LoadResult, loadFrom, type Supply } from "./load.ts"
import { type Cores, familyBytes, familySeconds } from "./machine.ts"
import type { Contestant, DatabaseName } from "./servers.ts"
import type { FaceName, ValuesName, WorkloadName } from "./workloads.ts"

/** One place in the tables. */
export interface Cell {
  readonly workload: WorkloadName
  readonly face: FaceName
  readonly database: DatabaseName
  readonly values: ValuesName
  /** The server's cores. */
  readonly cores: Cores
  readonly connections: number
}

export interface Measured extends Cell {
  readonly server: string
  readonly kind: Contestant["kind"]
  /** Medians over the rounds, of successful answers. */
  readonly perSecond: number
  /** Microseconds. */
  readonly p50: number
  readonly p99: number
  /** Microseconds of the server process's processor time for one request. */
  readonly processor: number | undefined
  /** The same of the processes of PostgreSQL. */
  readonly behind: number | undefined
  /** Part of a core that the client took. */
  readonly clientBusy: number | undefined
  readonly failed: number
  /** Part of all answers. */
  readonly failedPart: number
  /** Successes per second, and microseconds of processor time, of each round. Rounds of other servers have the same index. */
  readonly rounds: readonly { readonly perSecond: number; readonly processor: number | undefined }[]
  /** Bytes of resident memory when the rounds were over. */
  readonly resident: number | undefined
}

export interface Rounds {
  readonly rounds: number
  readonly seconds: number
  readonly folder: string
  /** The process whose children are PostgreSQL's, where it is asked. */
  readonly postgres: number | undefined
  /** Told before each round of each server. */
  readonly progress: (cell: Cell, server: string, round: number) => void
}

/** One whose requests are in a file. */
export type Ready = Prepared & { readonly supply: Supply }

interface Round extends LoadResult {
  readonly processor: number | undefined
  readonly behind: number | undefined
}

/** The rounds of one server in one place of the tables. */
export interface Taken {
  readonly cell: Cell
  readonly server: string
  readonly kind: Contestant["kind"]
  readonly rounds: readonly Round[]
  /** Bytes of resident memory when they were over. */
  readonly resident: number | undefined
}

export async function measureCell(
  cell: Cell,
  servers: readonly Ready[],
  options: Rounds,
): Promise<readonly Taken[]> {
  const results = servers.map((): Round[] => [])
  // Round 0 warms them up.
  for (let round = 0; round <= options.rounds; round++)
    for (const [index, server] of servers.entries()) {
      options.progress(cell, server.contestant.name, round)
      const result = await measureOnce(server, cell.connections, options)
      if (round > 0) results[index]?.push(result)
    }
  return servers.map(({ contestant, pid }, index) => ({
    cell,
    server: contestant.name,
    kind: contestant.kind,
    rounds: results[index] ?? [],
    resident: familyBytes(pid),
  }))
}

async function measureOnce(
  { supply, pid }: Ready,
  connections: number,
  { seconds, folder, postgres }: Rounds,
): Promise<Round> {
  const spent = (): readonly (number | undefined)[] => [
    familySeconds(pid),
    postgres === undefined ? undefined : familySeconds(postgres),
  ]
  const before = spent()
  const result = await loadFrom(supply, { connections, seconds }, folder)
  const [processor, behind] = spent().map((after, index) => {
    const earlier = before[index]
    return after === undefined || earlier === undefined
      ? undefined
      : ((after - earlier) / result.requests) * 1e6
  })
  return { ...result, processor, behind }
}

/** Merges the measurements of one server in one cell, over all its processes. */
export function summaries(taken: readonly Taken[]): readonly Measured[] {
  const same = Map.groupBy(taken, ({ cell, server }) => JSON.stringify([cell, server]))
  return [...same.values()].map(summary)
}

function summary(taken: readonly Taken[]): Measured {
  const [first] = taken
  if (!first) throw new Error("Nothing was taken.")
  const rounds = taken.flatMap((one) => one.rounds)
  const each = rounds.map(({ requests, failed, seconds, processor }) => ({
    // A refusal is quick, and answers nothing.
    perSecond: Math.max(0, requests - failed) / seconds,
    processor,
  }))
  const failed = rounds.reduce((sum, one) => sum + one.failed, 0)
  const known = (values: readonly (number | undefined)[]): number | undefined => {
    const numbers = values.filter((value) => value !== undefined)
    return numbers.length === 0 ? undefined : median(numbers)
  }
  return {
    ...first.cell,
    server: first.server,
    kind: first.kind,
    perSecond: median(each.map(({ perSecond }) => perSecond)),
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
    processor: known(rounds.map(({ processor }) => processor)),
    behind: known(rounds.map(({ behind }) => behind)),
    clientBusy: known(rounds.map(({ clientBusy }) => clientBusy)),
    failed,
    failedPart: failed / rounds.reduce((sum, { requests }) => sum + requests, 0),
    rounds: each,
    resident: known(taken.map(({ resident }) => resident)),
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = 0, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (low + high) / 2
}
