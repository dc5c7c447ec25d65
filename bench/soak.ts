// Whether memory stays what it is: mixed requests for minutes, and what the server held meanwhile.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { seeded } from "../examples/storefront/random.ts"
import type { AskJson } from "./answers.ts"
import type { MusicData } from "./data.ts"
import { withLiterals } from "./literals.ts"
import { loadFrom, writeSupply } from "./load.ts"
import { residentBytes } from "./machine.ts"
import { type ServerProcess, startServer } from "./processes.ts"
import { askOver, type Contestant, type DatabaseName, databaseTitles } from "./servers.ts"
import type { Table } from "./table.ts"
import { type FaceName, type HttpRequest, turnsOf, type ValuesName, type WorkloadName } from "./workloads.ts"

export interface Soak {
  readonly minutes: number
  readonly database: DatabaseName
  /** How many different requests take turns. */
  readonly different: number
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
  readonly database: DatabaseName
  readonly address: string
  readonly data: MusicData
  readonly workload: readonly WorkloadName[]
  readonly face: readonly FaceName[]
  readonly values: readonly ValuesName[]
  /** The number of turns of each combination, in place of the values' own number. */
  readonly turns?: number
  readonly minutes: number
  readonly folder: string
  readonly progress: (text: string) => void
}

const parts = 10
const settled = 3
const connections = 32

/** Over 32 connections, in an order by chance that is the same each time. */
export async function soak(options: SoakOptions): Promise<Soak> {
  const { contestant, database, address, minutes, folder, progress } = options
  const file = join(folder, "memory.jsonl")
  const server = await startServer(probed(contestant.command("graphql", address), file))
  try {
    progress("making the requests")
    const requests = await mixedRequests(options, askOver(server.url))
    const supply = writeSupply(server.url, requests, join(folder, "requests.bin"))
    const different = requests.length
    requests.length = 0
    const samples = sample(server, file)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    const start = leastOf(samples.taken)
    const tenths: Tenth[] = []
    for (let part = 1; part <= parts; part++) {
      progress(`part ${part} of ${parts}`)
      const before = samples.taken.length
      const load = { connections, seconds: Math.ceil((minutes * 60) / parts) }
      const { requests: answered, failed, seconds } = await loadFrom(supply, load, folder)
      tenths.push({
        requests: answered,
        failed,
        perSecond: answered / seconds,
        ...leastOf(samples.taken.slice(before)),
      })
    }
    samples.end()
    const late = samples.taken.filter(({ at }) => at > (minutes * settled) / parts)
    const growth = { resident: slope(late, "resident"), heap: slope(late, "heap") }
    return { minutes, database, different, start, tenths, growth }
  } finally {
    await server.stop()
  }
}

async function mixedRequests(options: SoakOptions, ask: AskJson): Promise<HttpRequest[]> {
  const { contestant, database, data, turns: length } = options
  const all: HttpRequest[] = []
  for (const face of options.face)
    for (const values of options.values)
      for (const workload of options.workload) {
        if (values === "literals" && face === "rest") continue
        const turns = turnsOf(workload, data, { values, ...(length !== undefined && { length }) })
        const requests = await contestant.requests(ask, { workload, face, database, turns })
        for (const request of values === "literals" ? withLiterals(requests) : requests) all.push(request)
      }
  const random = seeded(11)
  for (let index = all.length - 1; index > 0; index--) {
    const other = random.between(0, index)
    const [one, two] = [all[index], all[other]]
    if (one && two) [all[index], all[other]] = [two, one]
  }
  return all
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

export function soakTable({ minutes, database, different, start, tenths, growth }: Soak): Table {
  const held = ({ resident, heap, external }: Held): readonly string[] =>
    [resident, heap, external].map(megabytes)
  let total = 0
  return {
    title: `Memory over time, ${databaseTitles[database]}`,
    head: [
      `${different.toLocaleString("en")} different requests`,
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
