// The cost of an older version of an API beside the newest one: the same records by the names and types of each.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { load as loadModel } from "../src/model/load.ts"
import { withSystem } from "../src/model/system/with-system.ts"
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
import type { Table } from "./table.ts"
import declaration from "./versioned/service.ts"
import type { FaceName, HttpRequest } from "./workloads.ts"

const versions = { newest: "2026-06-01", older: "2026-01-01" } as const
type Which = keyof typeof versions
const kinds = ["record", "list", "update"] as const
type Kind = (typeof kinds)[number]

export interface VersionFigures {
  readonly database: DatabaseName
  readonly face: FaceName
  readonly kind: Kind
  readonly connections: number
  /** Requests a second, by round. */
  readonly rounds: Readonly<Record<Which, readonly number[]>>
  /** Microseconds of the server process's processor time for one request, by round; none where the system does not say. */
  readonly processor: Readonly<Record<Which, readonly number[]>>
  readonly failed: number
}

export interface VersionOptions {
  readonly contestant: Contestant
  readonly addresses: Readonly<Partial<Record<DatabaseName, string>>>
  readonly face: readonly FaceName[]
  readonly connections: readonly number[]
  readonly rounds: number
  readonly seconds: number
  readonly folder: string
  readonly progress: (text: string) => void
}

const authors = 200
const books = 4_000

export async function fillVersioned(database: DatabaseName, address: string): Promise<void> {
  const model = loadModel(withSystem(declaration))
  const dialect = database === "sqlite" ? sqlite : postgres
  const data = {
    records: new Map<string, readonly Readonly<Record<string, string | number | null>>[]>([
      [
        "author",
        Array.from({ length: authors }, (_, at) => ({
          id: at + 1,
          name: `Author ${at + 1}`,
          born: 1900 + (at % 100),
        })),
      ],
      [
        "book",
        Array.from({ length: books }, (_, at) => ({
          id: at + 1,
          title: `Title ${at + 1}`,
          price: `${1 + (at % 90)}.50`,
          pages: 100 + (at % 400),
          abstract: null,
          authorId: 1 + (at % authors),
        })),
      ],
    ]),
    links: [],
  }
  await setUp(address, [
    ...createSchema(model, dialect).map((text) => ({ text, parameters: [] })),
    ...insertRecords(model, dialect, data),
  ])
}

/** The names of each version. */
const names = {
  newest: { title: "title", author: "author", name: "name", price: (units: number) => `${units}.50` },
  older: { title: "name", author: "writer", name: "fullName", price: (units: number) => units * 100 + 50 },
} as const

function requestOf(face: FaceName, kind: Kind, which: Which, at: number): HttpRequest {
  const { title, author, name, price } = names[which]
  const id = 1 + ((at * 7) % books)
  const version = versions[which]
  const post = (query: string, variables: object): HttpRequest => ({
    method: "POST",
    path: "/graphql",
    body: JSON.stringify({ query, variables }),
    version,
  })
  const fields = `id ${title} price pages`
  if (kind === "record")
    return face === "rest"
      ? { method: "GET", path: `/books/${id}`, version }
      : post(`query Book($id: ID!) { book(id: $id) { ${fields} } }`, { id })
  if (kind === "list") {
    const born = 1900 + (at % 100)
    return face === "rest"
      ? {
          method: "GET",
          path: `/books?filter[${author}.born]=${born}&limit=20&sort=pages&include=${author}`,
          version,
        }
      : post(
          `query Books($born: Int!) { books(first: 20, orderBy: [{ field: pages }], where: { ${author}: { born: { eq: $born } } }) { nodes { ${fields} ${author} { ${name} } } } }`,
          { born },
        )
  }
  const input = { [title]: `Title ${at}`, price: price(at % 90) }
  return face === "rest"
    ? { method: "PATCH", path: `/books/${id}`, body: JSON.stringify(input), version }
    : post(
        `mutation Change($id: ID!, $input: BookUpdateInput!) { updateBook(id: $id, input: $input) { book { ${fields} } } }`,
        { id, input },
      )
}

export async function measureVersions(options: VersionOptions): Promise<readonly VersionFigures[]> {
  const measured: VersionFigures[] = []
  for (const database of ["sqlite", "postgres"] as const) {
    const address = options.addresses[database]
    if (address === undefined) continue
    const server = await startServer(options.contestant.command("rest", address))
    try {
      for (const face of options.face)
        for (const kind of kinds)
          for (const connections of options.connections)
            measured.push(await measureOne(options, server, { database, face, kind, connections }))
    } finally {
      await server.stop()
    }
  }
  return measured
}

async function measureOne(
  { rounds, seconds, folder, progress }: VersionOptions,
  { url, pid }: { readonly url: string; readonly pid: number },
  of: Pick<VersionFigures, "database" | "face" | "kind" | "connections">,
): Promise<VersionFigures> {
  const { database, face, kind, connections } = of
  const asked = (which: Which): readonly HttpRequest[] =>
    Array.from({ length: 500 }, (_, at) => requestOf(face, kind, which, at))
  const requests = { newest: asked("newest"), older: asked("older") }
  for (const which of ["newest", "older"] as const) {
    const [first] = requests[which]
    // A request that is refused would be fast, and measure nothing.
    const answer = first && JSON.stringify(await askOver(url)(first))
    if (!answer?.includes(`"${names[which].title}":"Title`))
      throw new Error(`${which} ${kind} by ${face}: ${answer}`)
  }
  const taken: Record<Which, number[]> = { newest: [], older: [] }
  const processor: Record<Which, number[]> = { newest: [], older: [] }
  let failed = 0
  // Round 0 warms it up; then they begin in turn.
  for (let round = 0; round <= rounds; round += 1) {
    const turns = round % 2 === 0 ? (["newest", "older"] as const) : (["older", "newest"] as const)
    for (const which of turns) {
      progress(`${which} ${kind} ${face} ${database}, ${connections}: round ${round} of ${rounds}`)
      const own = join(folder, `${database}-${which}`)
      mkdirSync(own, { recursive: true })
      const before = processorSeconds(pid)
      const result: LoadResult = await applyLoad(
        { url, requests: requests[which], connections, seconds },
        own,
      )
      const after = processorSeconds(pid)
      failed += result.failed
      if (round === 0) continue
      taken[which].push(result.requests / result.seconds)
      if (before !== undefined && after !== undefined)
        processor[which].push(((after - before) / result.requests) * 1e6)
    }
  }
  return { ...of, rounds: taken, processor, failed }
}

export const versionsTable = (measured: readonly VersionFigures[]): Table => ({
  title: "Older versions",
  head: [
    "the same request",
    "connections",
    "newest/s",
    "older/s",
    "ratio",
    "rounds: least–most",
    "µs of processor: newest, older",
    "failed",
  ],
  rows: measured.map(
    ({ database, face, kind, connections, rounds: { newest, older }, processor, failed }) => {
      const ratios = older.map((value, at) => value / (newest[at] ?? Number.NaN))
      return [
        `${kind}, ${face}, ${database}`,
        String(connections),
        median(newest).toFixed(0),
        median(older).toFixed(0),
        median(ratios).toFixed(2),
        `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)} of ${ratios.length}`,
        [processor.newest, processor.older]
          .map((spent) => (spent.length === 0 ? "–" : median(spent).toFixed(0)))
          .join(", "),
        String(failed),
      ]
    },
  ),
})
