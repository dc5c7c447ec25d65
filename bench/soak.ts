// Whether memory stays what it is: one question for minutes, and what the server held meanwhile.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { applyLoad } from "./load.ts"
import { residentBytes } from "./machine.ts"
import { type ServerProcess, startServer } from "./processes.ts"
import { askOver, type Contestant } from "./servers.ts"
import type { Table } from "./table.ts"
import type { Turn } from "./workloads.ts"

export interface Soak {
  readonly minutes: number
  readonly start: Held
  readonly tenths: readonly Tenth[]
  /** After the first three tenths, by the line that fits the samples best: bytes in a minute. */
  readonly growth: { readonly resident: number; readonly heap: number }
}

/** Bytes. */
interface Held {
  readonly resident: number
  /** V8's heap as it was smallest, which is after a collection; what lies outside of it, such as buffers. */
  readonly heap: number
  readonly external: number
}

interface Tenth extends Held {
  readonly requests: number
  readonly perSecond: number
  readonly failed: number
}

interface Sample extends Held {
  /** Since the start of the load, in minutes. */
  readonly at: number
}

export interface SoakOptions {
  readonly contestant: Contestant
  /** A SQLite file. */
  readonly database: string
  readonly minutes: number
  readonly turns: readonly Turn[]
  readonly folder: string
  readonly progress: (text: string) => void
}

const parts = 10
const settled = 3
const connections = 32

/** W1 by GraphQL, over 32 connections. */
export async function soak({
  contestant,
  database,
  minutes,
  turns,
  folder,
  progress,
}: SoakOptions): Promise<Soak> {
  const file = join(folder, "memory.jsonl")
  const server = await startServer(probed(contestant.command("graphql", database), file))
  try {
    const question = { workload: "W1", face: "graphql", database: "sqlite", turns } as const
    const requests = await contestant.requests(askOver(server.url), question)
    const samples = sample(server, file)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    const start = leastOf(samples.taken)
    const tenths: Tenth[] = []
    for (let part = 1; part <= parts; part++) {
      progress(`part ${part} of ${parts}`)
      const before = samples.taken.length
      const load = { url: server.url, requests, connections, seconds: Math.ceil((minutes * 60) / parts) }
      const result = await applyLoad(load, folder)
      const { requests: answered, failed, seconds } = result
      tenths.push({
        requests: answered,
        failed,
        perSecond: answered / seconds,
        ...leastOf(samples.taken.slice(before)),
      })
    }
    samples.end()
    const late = samples.taken.filter(({ at }) => at > (minutes * settled) / parts)
    return {
      minutes,
      start,
      tenths,
      growth: { resident: slope(late, "resident"), heap: slope(late, "heap") },
    }
  } finally {
    await server.stop()
  }
}

function probed(command: ReturnType<Contestant["command"]>, file: string): ReturnType<Contestant["command"]> {
  const probe = ["--import", new URL("./memory-probe.mjs", import.meta.url).href]
  return { ...command, args: [...probe, ...command.args], env: { ...command.env, BIFOLD_BENCH_MEMORY: file } }
}

/** Once a second, what the system says of the process and what it says of itself. */
function sample({ pid }: ServerProcess, file: string): { readonly taken: Sample[]; end(): void } {
  const taken: Sample[] = []
  const started = performance.now()
  const timer = setInterval(() => {
    const last = readFileSync(file, { encoding: "utf8", flag: "a+" }).trimEnd().split("\n").at(-1)
    const resident = residentBytes(pid)
    if (!last || resident === undefined) return
    const { heapUsed, external } = JSON.parse(last) as NodeJS.MemoryUsage
    taken.push({ at: (performance.now() - started) / 60_000, resident, heap: heapUsed, external })
  }, 1_000)
  return { taken, end: () => clearInterval(timer) }
}

/** Resident memory as it was last; the heap as it was smallest. */
function leastOf(samples: readonly Sample[]): Held {
  const least = samples.toSorted((a, b) => a.heap - b.heap)[0]
  const last = samples.at(-1)
  return { resident: last?.resident ?? 0, heap: least?.heap ?? 0, external: last?.external ?? 0 }
}

/** Least squares. */
function slope(samples: readonly Sample[], of: "resident" | "heap"): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const [at, held] = [mean(samples.map((one) => one.at)), mean(samples.map((one) => one[of]))]
  const both = samples.reduce((sum, one) => sum + (one.at - at) * (one[of] - held), 0)
  return both / samples.reduce((sum, one) => sum + (one.at - at) ** 2, 0)
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)

export function soakTable({ minutes, start, tenths, growth }: Soak): Table {
  const held = ({ resident, heap, external }: Held): readonly string[] =>
    [resident, heap, external].map(megabytes)
  let total = 0
  return {
    title: "Memory over time",
    head: [
      "W1, GraphQL, SQLite",
      "requests so far",
      "requests/s",
      "failed",
      "resident MB",
      "heap MB",
      "outside MB",
    ],
    rows: [
      ["at the start", "0", "–", "0", ...held(start)],
      ...tenths.map((tenth, index) => {
        total += tenth.requests
        const at = ((minutes * (index + 1)) / tenths.length).toFixed(1)
        return [
          `${at} minutes`,
          total.toLocaleString("en"),
          tenth.perSecond.toFixed(0),
          String(tenth.failed),
          ...held(tenth),
        ]
      }),
      [
        "growth, MB a minute",
        "–",
        "–",
        "–",
        ...[growth.resident, growth.heap].map((value) => (value / 1e6).toFixed(2)),
        "–",
      ],
    ],
  }
}
