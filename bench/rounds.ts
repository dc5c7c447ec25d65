// Rounds that take turns: A B C, A B C, …, so that what else the machine does falls on all alike.

import type { Prepared } from "./compare.ts"
import { applyLoad, type LoadResult } from "./load.ts"
import { processorSeconds, residentBytes } from "./machine.ts"
import type { DatabaseName } from "./servers.ts"
import type { FaceName, ValuesName, WorkloadName } from "./workloads.ts"

/** One place in the tables. */
export interface Cell {
  readonly workload: WorkloadName
  readonly face: FaceName
  readonly database: DatabaseName
  readonly values: ValuesName
  readonly connections: number
}

export interface Measured extends Cell {
  readonly server: string
  /** Medians over the rounds. */
  readonly perSecond: number
  /** Microseconds. */
  readonly p50: number
  readonly p99: number
  /** Microseconds of the server process's processor time for one request. */
  readonly processor: number | undefined
  /** Part of a core that the client took. */
  readonly clientBusy: number | undefined
  readonly failed: number
  /** Least and greatest of the rounds' requests per second. */
  readonly spread: readonly [number, number]
  /** Bytes of resident memory when the rounds were over. */
  readonly resident: number | undefined
}

export interface Rounds {
  readonly rounds: number
  readonly seconds: number
  readonly folder: string
  /** Told before each round of each server. */
  readonly progress: (cell: Cell, server: string, round: number) => void
}

interface Round extends LoadResult {
  readonly processor: number | undefined
}

/** The rounds of one server in one place of the tables. */
export interface Taken {
  readonly cell: Cell
  readonly server: string
  readonly rounds: readonly Round[]
  /** Bytes of resident memory when they were over. */
  readonly resident: number | undefined
}

export async function measureCell(
  cell: Cell,
  prepared: readonly Prepared[],
  { rounds, seconds, folder, progress }: Rounds,
): Promise<readonly Taken[]> {
  const results = prepared.map((): Round[] => [])
  // Round 0 warms them up.
  for (let round = 0; round <= rounds; round++)
    for (const [index, server] of prepared.entries()) {
      progress(cell, server.contestant.name, round)
      const result = await measureOnce(server, cell.connections, { seconds, folder })
      if (round > 0) results[index]?.push(result)
    }
  return prepared.map(({ contestant, pid }, index) => ({
    cell,
    server: contestant.name,
    rounds: results[index] ?? [],
    resident: residentBytes(pid),
  }))
}

async function measureOnce(
  { url, pid, requests }: Prepared,
  connections: number,
  { seconds, folder }: { readonly seconds: number; readonly folder: string },
): Promise<Round> {
  const before = processorSeconds(pid)
  const result = await applyLoad({ url, requests, connections, seconds }, folder)
  const after = processorSeconds(pid)
  const spent = before === undefined || after === undefined ? undefined : after - before
  return { ...result, processor: spent === undefined ? undefined : (spent / result.requests) * 1e6 }
}

/** What was taken of one server in one place is summed up as one, however many processes it was taken of. */
export function summaries(taken: readonly Taken[]): readonly Measured[] {
  const same = Map.groupBy(taken, ({ cell, server }) => JSON.stringify([cell, server]))
  return [...same.values()].map(summary)
}

function summary(taken: readonly Taken[]): Measured {
  const [first] = taken
  if (!first) throw new Error("Nothing was taken.")
  const rounds = taken.flatMap((one) => one.rounds)
  const rates = rounds.map(({ requests, seconds }) => requests / seconds)
  const known = (values: readonly (number | undefined)[]): number | undefined => {
    const numbers = values.filter((value) => value !== undefined)
    return numbers.length === 0 ? undefined : median(numbers)
  }
  return {
    ...first.cell,
    server: first.server,
    perSecond: median(rates),
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
    processor: known(rounds.map(({ processor }) => processor)),
    clientBusy: known(rounds.map(({ clientBusy }) => clientBusy)),
    failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
    spread: [Math.min(...rates), Math.max(...rates)],
    resident: known(taken.map(({ resident }) => resident)),
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = 0, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (low + high) / 2
}
