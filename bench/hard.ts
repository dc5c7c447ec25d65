// The effect of hard input on a server: new documents, large variables, and one record that all clients read or
// change. Lists are read while their table grows a hundredfold.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import pg from "pg"
import { setUp } from "../src/storage/migration/set-up.ts"
import { type MusicData, musicData, quickSizes } from "./data.ts"
import { fillDatabases, postgresAddress } from "./databases.ts"
import { applyLoad, type LoadResult } from "./load.ts"
import { familyBytes, familySeconds } from "./machine.ts"
import { type ServerProcess, startServer } from "./processes.ts"
import { median } from "./rounds.ts"
import { askOver, type Contestant, type DatabaseName, databaseTitles } from "./servers.ts"
import type { Table } from "./table.ts"
import { type HttpRequest, turnsOf, type WorkloadName } from "./workloads.ts"

/** The cost of one round of an input. */
interface Round extends LoadResult {
  /** Seconds of processor time for a request. */
  readonly processor: number
}

export interface HardFigures {
  readonly input: string
  /** "data", or the code that such requests are refused with. */
  readonly answer: string
  readonly database: DatabaseName
  readonly rounds: readonly Round[]
  /** Bytes, of the server after the last round. */
  readonly resident: number
}

export interface HardOptions {
  readonly contestant: Contestant
  readonly database: readonly DatabaseName[]
  readonly data: MusicData
  readonly rounds: number
  readonly seconds: number
  readonly folder: string
  readonly progress: (text: string) => void
}

interface Served {
  readonly server: ServerProcess
  readonly database: DatabaseName
  readonly address: string
}

const connections = 32
const different = 200_000

/** Those that a server of its own is asked, in this order. */
const inputs: Readonly<Record<string, (usual: Usual) => readonly HttpRequest[]>> = {
  "one by id, 50,000 in turn": ({ W1 }) => W1,
  "ever another shape of document": ({ W1 }) =>
    Array.from({ length: different }, (_, index) => {
      const { variables } = asked(W1[index % W1.length])
      const alias = `a${index.toString(36)}`
      const query = `query ($id: ID!) { ${alias}: track(id: $id) { id name composer milliseconds bytes ${alias}: unitPrice } }`
      return graphql({ query, variables })
    }),
  "5,000 ids in a variable": ({ W1 }) => listsOf(W1, 5_000),
  "40,000 ids in a variable": ({ W1 }) => listsOf(W1, 40_000),
  "4 MB in a variable": ({ W1 }) => {
    const { query } = asked(W1[0])
    return [graphql({ query, variables: { id: "9".repeat(4_000_000) } })]
  },
  "one record, asked by all": ({ W1 }) => W1.slice(0, 1),
  "the same page of 1,000, asked by all": ({ W7 }) => W7.slice(0, 1),
  "updates of 50,000 in turn": ({ update }) => update,
  "one record, changed by all": ({ update }) => {
    const { variables: first } = asked(update[0])
    return update.map((request) => {
      const { query, variables } = asked(request)
      return graphql({ query, variables: { ...variables, id: first["id"] } })
    })
  },
}

type Usual = Readonly<Record<"W1" | "W2" | "W7" | "update", readonly HttpRequest[]>>

interface Asked {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

const asked = (request: HttpRequest | undefined): Asked => JSON.parse(request?.body ?? "{}") as Asked

const graphql = (body: Asked): HttpRequest => ({
  method: "POST",
  path: "/graphql",
  body: JSON.stringify(body),
})

/** Ten different lists of ids that records have. */
function listsOf(requests: readonly HttpRequest[], length: number): readonly HttpRequest[] {
  const ids = requests.map((request) => asked(request).variables["id"])
  const query = "query ($ids: [ID!]!) { tracks(where: {id: {in: $ids}}, first: 20) { nodes { id name } } }"
  return Array.from({ length: 10 }, (_, list) =>
    graphql({ query, variables: { ids: Array.from({ length }, (_, at) => ids[(at + list) % ids.length]) } }),
  )
}

export async function measureHard(options: HardOptions): Promise<readonly HardFigures[]> {
  const figures: HardFigures[] = []
  const { contestant, data, folder, progress } = options
  for (const database of options.database) {
    const { [database]: address = "" } = await fillDatabases({ database: [database] }, data, folder)
    for (const [input, make] of Object.entries(inputs)) {
      const server = await startServer(contestant.command("graphql", address))
      try {
        progress(`${database}, ${input}`)
        const requests = make(await usualRequests(options, { server, database, address }))
        const answer = await answerTo(server, requests)
        figures.push({ input, answer, database, ...(await measureRounds(options, server, requests)) })
      } finally {
        await server.stop()
      }
    }
    figures.push(...(await measureGrowing(options, database)))
  }
  return figures
}

async function usualRequests(
  { contestant, data }: HardOptions,
  { server, database }: Served,
): Promise<Usual> {
  const of = async (workload: WorkloadName): Promise<readonly HttpRequest[]> =>
    contestant.requests(askOver(server.url), {
      workload,
      face: "graphql",
      database,
      turns: turnsOf(workload, data, { values: workload === "W7" ? "repeated" : "fresh" }),
    })
  return { W1: await of("W1"), W2: await of("W2"), W7: await of("W7"), update: await of("update") }
}

/** GraphQL refuses with status 200. */
async function answerTo({ url }: ServerProcess, [request]: readonly HttpRequest[]): Promise<string> {
  if (!request) throw new Error("There is nothing to ask.")
  const answer = await askOver(url)(request).then(JSON.stringify, String)
  return /"code":"(\w+)"/.exec(answer)?.[1] ?? (answer.startsWith('{"data":') ? "data" : answer.slice(0, 100))
}

async function measureRounds(
  { rounds, seconds, folder }: HardOptions,
  server: ServerProcess,
  requests: readonly HttpRequest[],
): Promise<Pick<HardFigures, "rounds" | "resident">> {
  const taken: Round[] = []
  // Round 0 warms it up.
  for (let round = 0; round <= rounds; round += 1) {
    const result = await measured(server, requests, { seconds, folder })
    if (round > 0) taken.push(result)
  }
  return { rounds: taken, resident: familyBytes(server.pid) ?? Number.NaN }
}

async function measured(
  { url, pid }: ServerProcess,
  requests: readonly HttpRequest[],
  { seconds, folder }: Pick<HardOptions, "seconds" | "folder">,
): Promise<Round> {
  const own = join(folder, "hard")
  mkdirSync(own, { recursive: true })
  const before = familySeconds(pid) ?? Number.NaN
  const result = await applyLoad({ url, requests, connections, seconds }, own)
  return { ...result, processor: ((familySeconds(pid) ?? Number.NaN) - before) / result.requests }
}

const times = 100

/** The list of 20 before, while and after another program turns 5,000 tracks into 500,000. */
async function measureGrowing(options: HardOptions, database: DatabaseName): Promise<readonly HardFigures[]> {
  const { contestant, folder, progress } = options
  const data = musicData(quickSizes)
  const own = join(folder, "growing")
  mkdirSync(own, { recursive: true })
  if (database === "postgres") {
    const anew = ["DROP SCHEMA public CASCADE", "CREATE SCHEMA public"]
    await setUp(
      postgresAddress(),
      anew.map((text) => ({ text, parameters: [] })),
    )
  }
  const { [database]: address = "" } = await fillDatabases({ database: [database] }, data, own)
  const server = await startServer(contestant.command("graphql", address))
  try {
    const { W2 } = await usualRequests({ ...options, data }, { server, database, address })
    const at = async (input: string): Promise<HardFigures> => {
      progress(`${database}, ${input}`)
      const answer = await answerTo(server, W2)
      return { input, answer, database, ...(await measureRounds(options, server, W2)) }
    }
    const before = await at("the list of 20 of 5,000 tracks")
    const rounds: Round[] = []
    progress(`${database}, while the table grows`)
    let growing = true
    const grown = growTracks(database, address, data.tracks.length).finally(() => {
      growing = false
    })
    while (growing) rounds.push(await measured(server, W2, options))
    await grown
    const during = { ...before, input: "while they become 500,000", rounds }
    return [before, during, await at("the list of 20 of 500,000 tracks")]
  } finally {
    await server.stop()
  }
}

/** Copies the tracks, so that there are a hundred times as many; each copy of all is a commit. */
async function growTracks(database: DatabaseName, address: string, count: number): Promise<void> {
  if (database === "postgres") {
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    try {
      const { rows } = await client.query<{ name: string }>(
        "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = 'track'",
      )
      for (const text of copies(rows, count)) await client.query(text)
    } finally {
      await client.end()
    }
    return
  }
  const file = new DatabaseSync(address, { timeout: 10_000 })
  const columns = file.prepare("SELECT name FROM pragma_table_info('track')").all() as { name: string }[]
  for (const text of copies(columns, count)) {
    file.exec(text)
    // The load's own process is watched meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  file.close()
}

function copies(columns: readonly { readonly name: string }[], count: number): readonly string[] {
  const names = columns.map(({ name }) => `"${name}"`)
  return Array.from({ length: times - 1 }, (_, copy) => {
    const values = names.map((name) => (name === '"id"' ? `"id" + ${10 * count * (copy + 1)}` : name))
    return `INSERT INTO track (${names.join(", ")}) SELECT ${values.join(", ")} FROM track WHERE "id" <= ${count}`
  })
}

export const hardTable = (figures: readonly HardFigures[]): Table => ({
  title: "Hard input",
  head: ["", "input", "answer", "requests/s", "not 2xx/s", "CPU µs", "p50 ms", "p99 ms", "resident MB", "N"],
  rows: figures.map(({ input, answer, database, rounds, resident }) => {
    const of = (value: (round: Round) => number): number => median(rounds.map(value))
    return [
      databaseTitles[database],
      input,
      answer,
      of(({ requests, seconds }) => requests / seconds).toFixed(0),
      of(({ failed, seconds }) => failed / seconds).toFixed(0),
      (of(({ processor }) => processor) * 1e6).toFixed(0),
      (of(({ p50 }) => p50) / 1_000).toFixed(1),
      (of(({ p99 }) => p99) / 1_000).toFixed(1),
      (resident / 1e6).toFixed(0),
      String(rounds.length),
    ]
  }),
})
