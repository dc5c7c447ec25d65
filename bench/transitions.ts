// The cost of a transition beside the same change as a plain update, of records with a history and without one.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { load as loadModel } from "../src/model/load.ts"
import { postgres } from "../src/sql/dialects/postgres.ts"
import { sqlite } from "../src/sql/dialects/sqlite.ts"
import { createSchema } from "../src/sql/schema/schema.ts"
import { insertRecords } from "../src/sql/write/insert.ts"
import { setUp } from "../src/storage/migration/set-up.ts"
import { applyLoad, type LoadResult } from "./load.ts"
import { processorSeconds } from "./machine.ts"
import { startServer } from "./processes.ts"
import { median } from "./rounds.ts"
import { askOver, type Contestant, type DatabaseName } from "./servers.ts"
import declaration from "./stateful/service.ts"
import type { Table } from "./table.ts"
import type { FaceName, HttpRequest } from "./workloads.ts"

const kinds = ["plain", "kept", "transition"] as const
type Kind = (typeof kinds)[number]

export interface Fired {
  readonly database: DatabaseName
  readonly face: FaceName
  readonly connections: number
  readonly of: Readonly<Record<Kind, Figures>>
}

interface Figures {
  /** Medians of the rounds, and each of them. */
  readonly perSecond: number
  readonly rounds: readonly number[]
  /** Microseconds of the server process's processor time for one request. */
  readonly processor: number | undefined
  readonly failed: number
}

export interface FiredOptions {
  readonly contestant: Contestant
  readonly addresses: Readonly<Partial<Record<DatabaseName, string>>>
  readonly face: readonly FaceName[]
  readonly connections: readonly number[]
  readonly rounds: number
  readonly seconds: number
  readonly folder: string
  readonly progress: (text: string) => void
  /** All when absent. */
  readonly kinds?: readonly Kind[]
}

const records = 2_000

export async function fillStateful(database: DatabaseName, address: string): Promise<void> {
  const model = loadModel(declaration)
  const dialect = database === "sqlite" ? sqlite : postgres
  const rows = Array.from({ length: records }, (_, index) => ({
    id: index + 1,
    title: `Number ${index + 1}`,
    priority: index % 9,
    startedAt: null,
    state: "waiting",
  }))
  const data = { records: new Map(["job", "kept", "plain"].map((name) => [name, rows])), links: [] }
  await setUp(address, [
    ...createSchema(model, dialect).map((text) => ({ text, parameters: [] })),
    ...insertRecords(model, dialect, data),
  ])
}

/** The same change of every record in turn, in the spelling of a face. */
const requestsOf: Readonly<Record<FaceName, (kind: Kind, id: number) => HttpRequest>> = {
  graphql: (kind, id) => ({ method: "POST", path: "/graphql", body: JSON.stringify(documentOf(kind, id)) }),
  rest: (kind, id) =>
    kind === "transition"
      ? { method: "POST", path: `/jobs/${id}/transitions/run`, body: "{}" }
      : { method: "PATCH", path: `/${paths[kind]}/${id}`, body: JSON.stringify(input()) },
}
const paths = { plain: "plains", kept: "kepts" } as const
const input = () => ({ state: "running", startedAt: "2026-11-22T12:00:00Z" })

function documentOf(kind: Kind, id: number): { readonly query: string; readonly variables: object } {
  const selected = "{ id title state startedAt }"
  if (kind === "transition")
    return { query: `mutation Run($id: ID!) { runJob(id: $id) { job ${selected} } }`, variables: { id } }
  const type = kind === "plain" ? "Plain" : "Kept"
  return {
    query: `mutation Change($id: ID!, $input: ${type}UpdateInput!) { update${type}(id: $id, input: $input) { ${kind} ${selected} } }`,
    variables: { id, input: input() },
  }
}

export async function measureTransitions(options: FiredOptions): Promise<readonly Fired[]> {
  const measured: Fired[] = []
  for (const database of ["sqlite", "postgres"] as const) {
    const address = options.addresses[database]
    if (address === undefined) continue
    const server = await startServer(options.contestant.command("rest", address))
    try {
      for (const face of options.face)
        for (const connections of options.connections)
          measured.push(await measureOne(options, server, { database, face, connections }))
    } finally {
      await server.stop()
    }
  }
  return measured
}

/** A server that begins on a busy machine may say at first that it has too much to do. */
async function askUntilAnswered(url: string, request: HttpRequest): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await askOver(url)(request)
    } catch (error) {
      if (attempt === 50 || !String(error).includes("503")) throw error
      await sleep(200)
    }
}

async function measureOne(
  { rounds, seconds, folder, progress, kinds: measured = kinds }: FiredOptions,
  { url, pid }: { readonly url: string; readonly pid: number },
  { database, face, connections }: Omit<Fired, "of">,
): Promise<Fired> {
  const results = new Map<Kind, (LoadResult & { readonly processor: number | undefined })[]>()
  const asked = new Map<Kind, readonly HttpRequest[]>()
  for (const kind of measured) {
    const requests = Array.from({ length: 500 }, (_, index) =>
      requestsOf[face](kind, 1 + ((index * 7) % records)),
    )
    asked.set(kind, requests)
    const [first] = requests
    // A request that is refused would be fast, and measure nothing.
    const answer = first && JSON.stringify(await askUntilAnswered(url, first))
    if (!answer?.includes('"running"')) throw new Error(`${kind} by ${face} on ${database}: ${answer}`)
  }
  // Round 0 warms it up.
  for (let round = 0; round <= rounds; round += 1)
    for (const kind of measured) {
      progress(
        `${kind} ${face} ${database}, ${connections}: ${round === 0 ? "warming up" : `round ${round} of ${rounds}`}`,
      )
      const own = join(folder, `${database}-${kind}`)
      mkdirSync(own, { recursive: true })
      const before = processorSeconds(pid)
      const result = await applyLoad({ url, requests: asked.get(kind) ?? [], connections, seconds }, own)
      const after = processorSeconds(pid)
      const spent = before === undefined || after === undefined ? undefined : after - before
      const processor = spent === undefined ? undefined : (spent / result.requests) * 1e6
      if (round > 0) results.set(kind, [...(results.get(kind) ?? []), { ...result, processor }])
    }
  const figures = (kind: Kind): Figures => {
    const own = results.get(kind) ?? []
    const spent = own.flatMap(({ processor }) => processor ?? [])
    const perSecond = own.map((one) => one.requests / one.seconds)
    return {
      perSecond: median(perSecond),
      rounds: perSecond,
      processor: spent.length === 0 ? undefined : median(spent),
      failed: own.reduce((sum, { failed }) => sum + failed, 0),
    }
  }
  return {
    database,
    face,
    connections,
    of: { plain: figures("plain"), kept: figures("kept"), transition: figures("transition") },
  }
}

export const transitionsTable = (measured: readonly Fired[]): Table => ({
  title: "Transitions",
  head: [
    "the same change",
    "connections",
    "plain update/s",
    "with a history/s",
    "transition/s",
    "transition : update with a history, time",
    "transition : plain update, time",
    "µs of processor: plain, history, transition",
    "failed",
  ],
  rows: measured.map(({ database, face, connections, of: { plain, kept, transition } }) => [
    `${face}, ${database}`,
    String(connections),
    plain.perSecond.toFixed(0),
    kept.perSecond.toFixed(0),
    transition.perSecond.toFixed(0),
    (kept.perSecond / transition.perSecond).toFixed(2),
    (plain.perSecond / transition.perSecond).toFixed(2),
    [plain, kept, transition].map(({ processor }) => processor?.toFixed(0) ?? "–").join(", "),
    String(plain.failed + kept.failed + transition.failed),
  ]),
})
