// The time from the start of a process to its first answer: the storefront, and a service of 300
// resources. Each runs on an existing SQLite file, from the sources and from the built package.
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { storefrontData } from "../examples/storefront/data.ts"
import storefront from "../examples/storefront/service.ts"
import type { ServiceDeclaration } from "../src/model/declaration/declaration.ts"
import { load } from "../src/model/load.ts"
import { withSystem } from "../src/model/system/with-system.ts"
import { sqlite } from "../src/sql/dialects/sqlite.ts"
import type { Records } from "../src/sql/write/insert.ts"
import { setUp } from "../src/storage/migration/set-up.ts"
import { fillCommands } from "./data.ts"
import { processorSeconds, residentBytes } from "./machine.ts"
import { startServer } from "./processes.ts"
import { median } from "./rounds.ts"
import { askOver } from "./servers.ts"
import type { Table } from "./table.ts"
import wide from "./wide/service.ts"
import type { FaceName, HttpRequest } from "./workloads.ts"

export interface Started {
  readonly service: string
  readonly server: string
  /** The face of the first request. */
  readonly face: FaceName
  /** Milliseconds from the start of the process to its first answer, each time. */
  readonly first: readonly number[]
  /** Medians: milliseconds of processor time until then, and bytes of resident memory. */
  readonly processor: number | undefined
  readonly resident: number | undefined
}

interface Startable {
  readonly service: string
  /** For whom it is served, so that the question is answered. */
  readonly standing: readonly string[]
  readonly file: string
  readonly declaration: ServiceDeclaration
  readonly data: Records
  readonly questions: Readonly<Record<FaceName, HttpRequest>>
}

const root = join(import.meta.dirname, "..")
const nothing: Records = { records: new Map(), links: [] }

const startables: readonly Startable[] = [
  {
    service: "storefront",
    standing: ["--as", "role:staff"],
    file: join(root, "examples", "storefront", "service.ts"),
    declaration: storefront,
    data: storefrontData(),
    questions: {
      graphql: byGraphql(
        "{ orders(first: 3) { nodes { number total customer { name } lines { nodes { quantity product { name } } } } } }",
      ),
      rest: { method: "GET", path: "/orders?limit=3&sort=-placedAt&include=customer,lines.product" },
    },
  },
  {
    service: `${Object.keys(wide.resources).length} resources`,
    standing: ["--open", "write"],
    file: join(root, "bench", "wide", "service.ts"),
    declaration: wide,
    data: nothing,
    questions: {
      graphql: byGraphql(
        "{ coldOrders(first: 3) { nodes { code parent { title } children { nodes { id } } } } }",
      ),
      rest: { method: "GET", path: "/cold-orders?limit=3&include=parent,children" },
    },
  },
]

function byGraphql(query: string): HttpRequest {
  return { method: "POST", path: "/graphql", body: JSON.stringify({ query }) }
}

const mains = [
  ["sources", join(root, "src", "cli", "main.ts")],
  ["built", join(root, "dist", "cli", "main.js")],
] as const

/** Starts take turns; round 0 fills Node's compile cache and is not counted. */
export async function measureStarts(
  rounds: number,
  folder: string,
  progress: (text: string) => void,
): Promise<readonly Started[]> {
  execFileSync(process.execPath, [join(root, "scripts", "build.mjs")])
  const alone: Start[] = []
  const cells = await prepareCells(folder)
  for (let round = 0; round <= rounds; round++) {
    progress(round === 0 ? "starting each once" : `round ${round} of ${rounds}`)
    const empty = await startNode()
    if (round > 0) alone.push(empty)
    for (const cell of cells) {
      const start = await startOnce(cell)
      if (round > 0) cell.starts.push(start)
    }
  }
  const node = { service: "none", server: "Node alone", face: "rest", ...summary(alone) } as const
  return [
    node,
    ...cells.map(({ service, server, face, starts }) => ({ service, server, face, ...summary(starts) })),
  ]
}

interface Cell extends Pick<Started, "service" | "server" | "face"> {
  readonly args: readonly string[]
  readonly question: HttpRequest
  readonly starts: Start[]
}

interface Start {
  readonly first: number
  readonly processor: number | undefined
  readonly resident: number | undefined
}

async function prepareCells(folder: string): Promise<readonly Cell[]> {
  const cells: Cell[] = []
  for (const { service, standing, file, declaration, data, questions } of startables) {
    const database = join(folder, `${service.replaceAll(" ", "-")}.sqlite`)
    await setUp(database, fillCommands(load(withSystem(declaration)), sqlite, data))
    const serve = ["serve", file, "--database", database, "--port", "0", ...standing]
    for (const [server, main] of mains)
      for (const face of ["graphql", "rest"] as const) {
        const args = ["--disable-warning=ExperimentalWarning", main, ...serve]
        cells.push({ service, server, face, args, question: questions[face], starts: [] })
      }
  }
  return cells
}

async function startOnce({ args, question }: Cell): Promise<Start> {
  const started = performance.now()
  const { url, pid, stop } = await startServer({ program: process.execPath, args, cores: "any" })
  await askOver(url)(question)
  const first = performance.now() - started
  const seconds = processorSeconds(pid)
  const start = {
    first,
    processor: seconds === undefined ? undefined : seconds * 1_000,
    resident: residentBytes(pid),
  }
  // Node writes its compile cache at a normal exit.
  await stop("SIGTERM")
  return start
}

/** The lower bound for every program that runs in Node. */
async function startNode(): Promise<Start> {
  const started = performance.now()
  await once(spawn(process.execPath, ["--eval", "0"], { stdio: "ignore" }), "exit")
  return { first: performance.now() - started, processor: undefined, resident: undefined }
}

function summary(starts: readonly Start[]): Pick<Started, "first" | "processor" | "resident"> {
  const known = (values: readonly (number | undefined)[]): number | undefined => {
    const numbers = values.filter((value) => value !== undefined)
    return numbers.length === 0 ? undefined : median(numbers)
  }
  return {
    first: starts.map(({ first }) => first),
    processor: known(starts.map(({ processor }) => processor)),
    resident: known(starts.map(({ resident }) => resident)),
  }
}

export function startTable(starts: readonly Started[]): Table {
  return {
    title: "Start",
    head: [
      "service",
      "server",
      "first question by",
      "first answer ms",
      "least–most",
      "CPU ms",
      "resident MB",
      "starts",
    ],
    rows: starts.map(({ service, server, face, first, processor, resident }) => [
      service,
      server,
      service === "none" ? "–" : face,
      median(first).toFixed(0),
      `${Math.min(...first).toFixed(0)}–${Math.max(...first).toFixed(0)}`,
      processor === undefined ? "–" : processor.toFixed(0),
      resident === undefined ? "–" : (resident / 1e6).toFixed(0),
      String(first.length),
    ]),
  }
}
