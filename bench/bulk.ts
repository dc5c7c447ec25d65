// Ordinary bulk traffic: one client makes records over many connections, alone and beside 20 normal clients, on databases
// whose commits take no time, 10 and 25 ms. Each connection asks again when it was answered (a closed model).
import { connect, type Socket } from "node:net"
import { performance } from "node:perf_hooks"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { type ServerCommand, type ServerProcess, startServer } from "./processes.ts"
import { type Contestant, type DatabaseName, databaseTitles } from "./servers.ts"
import type { Table } from "./table.ts"

export interface BulkOptions {
  readonly contestant: Contestant
  readonly addresses: Readonly<Partial<Record<DatabaseName, string>>>
  readonly connections: readonly number[]
  /** Of each cell. */
  readonly seconds: number
  readonly progress: (text: string) => void
}

interface Answers {
  /** Milliseconds of answers with success. */
  readonly good: readonly number[]
  readonly refused: number
  readonly failed: number
}

interface Cell {
  readonly database: DatabaseName
  /** Milliseconds. */
  readonly commit: number
  readonly workers: number
  readonly connections: number
  readonly kind: "kept" | "new"
}

export interface BulkFigures extends Cell {
  /** Records a second. */
  readonly alone: number
  readonly refused: number
  readonly failed: number
  /** Beside the normal clients. */
  readonly beside: number
  readonly besideRefused: number
  /** Normal clients by themselves, and beside the bulk: milliseconds of the 99th of a hundred. */
  readonly calm: readonly [read: number, write: number]
  readonly crowded: readonly [read: number, write: number]
  readonly normalRefused: number
  /** Lists that were refused of 1,000 after a second of rest. */
  readonly after: number
}

/** Milliseconds of a commit, as far as it is made slower. */
const commits = [0, 10, 25] as const
const normal = { clients: 20, pause: 50 } as const

export async function measureBulk(options: BulkOptions): Promise<readonly BulkFigures[]> {
  const figures: BulkFigures[] = []
  for (const [database, address] of Object.entries(options.addresses) as [DatabaseName, string][])
    for (const commit of commits)
      for (const workers of commit === 10 ? [1, 2] : [1])
        figures.push(...(await measureServer(options, { database, address, commit, workers })))
  return figures
}

interface Served extends Pick<Cell, "database" | "commit" | "workers"> {
  readonly address: string
}

async function measureServer(options: BulkOptions, served: Served): Promise<readonly BulkFigures[]> {
  const { contestant, connections, progress } = options
  const { database, commit, workers, address } = served
  if (database === "postgres") await slowCommits(address, commit)
  const server = await startServer(commandOf(contestant.command("rest", address), served))
  try {
    const figures: BulkFigures[] = []
    await load(server, { connections: 32, seconds: 2, kind: "kept", from: "10.9.0.1" })
    progress(`${database}, ${commit} ms: normal clients alone`)
    const calm = p99s(await besides(server, options.seconds, async () => {}))
    for (const count of connections)
      for (const kind of count === 128 ? (["kept", "new"] as const) : (["kept"] as const)) {
        progress(`${database}, ${commit} ms, ${workers} workers, ${count} connections ${kind}`)
        const bulk = { connections: count, seconds: options.seconds, kind, from: "10.9.0.1" }
        const alone = await load(server, bulk)
        const rested = await afterRest(server)
        let beside: Answers = { good: [], refused: 0, failed: 0 }
        const normals = await besides(server, options.seconds, async () => {
          beside = await load(server, bulk)
        })
        figures.push({
          ...{ database, commit, workers, connections: count, kind, calm },
          alone: alone.good.length / options.seconds,
          refused: alone.refused,
          failed: alone.failed + beside.failed,
          beside: beside.good.length / options.seconds,
          besideRefused: beside.refused,
          crowded: p99s(normals),
          normalRefused: normals.refused,
          after: rested,
        })
      }
    return figures
  } finally {
    await server.stop()
    if (database === "postgres") await slowCommits(address, 0)
  }
}

/** A sync of a SQLite file is made slower by strace, where there is one. */
function commandOf(command: ServerCommand, { database, commit, workers }: Served): ServerCommand {
  const args = [...command.args, ...(workers > 1 ? ["--workers", String(workers)] : [])]
  const env = { ...command.env, BIFOLD_PROXIES: "1", BIFOLD_MAX_CONNECTIONS: "0" }
  if (database === "postgres" || commit === 0) return { ...command, args, env, cores: "any" }
  const syncs = "fsync,fdatasync"
  const slower = ["-f", "--seccomp-bpf", "-qqq", "-o", "/dev/null", "-e", `trace=${syncs}`]
  const inject = ["-e", `inject=${syncs}:delay_exit=${commit * 1_000}`]
  return {
    ...command,
    env,
    cores: "any",
    program: "strace",
    args: [...slower, ...inject, command.program, ...args],
  }
}

/** The server waits before each sync, and all that commit meanwhile share it. */
async function slowCommits(address: string, milliseconds: number): Promise<void> {
  const client = new pg.Client(address)
  await client.connect()
  const { rows } = await client.query<{ name: string }>("SELECT quote_ident(current_database()) AS name")
  const name = rows[0]?.name
  await client.query(`ALTER DATABASE ${name} SET commit_delay = ${milliseconds * 1_000}`)
  await client.query(`ALTER DATABASE ${name} SET commit_siblings = 0`)
  await client.end()
}

interface Load {
  readonly connections: number
  readonly seconds: number
  readonly kind: Cell["kind"]
  readonly from: string
}

/** One client over so many connections, each of which makes an artist when the one before is answered. */
async function load(server: ServerProcess, { connections, seconds, kind, from }: Load): Promise<Answers> {
  const told = { good: [] as number[], refused: 0, failed: 0 }
  const until = performance.now() + seconds * 1_000
  await Promise.all(
    Array.from({ length: connections }, async (_, at) => {
      const client = new Client(server.url, from)
      for (let turn = 0; performance.now() < until; turn += 1) {
        tell(told, await client.ask("POST", "/artists", artist(`${at} ${turn}`)))
        if (kind === "new") client.close()
      }
      client.close()
    }),
  )
  return told
}

const artist = (name: string): string => JSON.stringify({ name, country: "SE" })

interface Normals extends Answers {
  readonly reads: readonly number[]
  readonly writes: readonly number[]
}

/** Normal clients read a record and make one in turn, with pauses. */
async function besides(server: ServerProcess, seconds: number, work: () => Promise<void>): Promise<Normals> {
  const told = { good: [] as number[], reads: [] as number[], writes: [] as number[], refused: 0, failed: 0 }
  const until = performance.now() + seconds * 1_000
  const path = await firstArtist(server)
  await Promise.all([
    work(),
    ...Array.from({ length: normal.clients }, async (_, at) => {
      const client = new Client(server.url, `10.8.0.${at + 1}`)
      await sleep((at * normal.pause) / normal.clients)
      for (let turn = 0; performance.now() < until; turn += 1) {
        const isRead = turn % 2 === 0
        const answer = isRead
          ? await client.ask("GET", path)
          : await client.ask("POST", "/artists", artist(`normal ${at} ${turn}`))
        tell(told, answer)
        if (answer.status < 300 && answer.status > 0) (isRead ? told.reads : told.writes).push(answer.took)
        await sleep(normal.pause)
      }
      client.close()
    }),
  ])
  return told
}

async function firstArtist({ url }: ServerProcess): Promise<string> {
  const { data } = (await (await fetch(`${url}/artists?limit=1`)).json()) as { data: { id: string }[] }
  return `/artists/${data[0]?.id}`
}

/** A thousand lists over 100 connections, a second after the last answer. */
async function afterRest(server: ServerProcess): Promise<number> {
  await sleep(1_000)
  const told = { good: [] as number[], refused: 0, failed: 0 }
  await Promise.all(
    Array.from({ length: 100 }, async () => {
      const client = new Client(server.url, "10.9.0.1")
      for (let turn = 0; turn < 10; turn += 1) tell(told, await client.ask("GET", "/artists?limit=20"))
      client.close()
    }),
  )
  return told.refused + told.failed
}

interface Answer {
  /** 0: the connection was lost. */
  readonly status: number
  readonly took: number
}

function tell(told: { good: number[]; refused: number; failed: number }, { status, took }: Answer): void {
  if (status >= 200 && status < 300) told.good.push(took)
  else if (status === 503) told.refused += 1
  else told.failed += 1
}

/** Asks one request at a time over a connection, which is made when it is needed. */
class Client {
  readonly #url: URL
  readonly #from: string
  #socket: Socket | undefined
  #head = ""
  #left = -1
  #status = 0
  #answered: ((status: number) => void) | undefined

  constructor(url: string, from: string) {
    this.#url = new URL(url)
    this.#from = from
  }

  async ask(method: string, path: string, body = ""): Promise<Answer> {
    const began = performance.now()
    const socket = this.#socket ?? this.#connect()
    const status = await new Promise<number>((resolve) => {
      this.#answered = resolve
      const content =
        body && `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
      socket.write(
        `${method} ${path} HTTP/1.1\r\nhost: ${this.#url.host}\r\nx-forwarded-for: ${this.#from}\r\n${content}\r\n${body}`,
      )
    })
    return { status, took: performance.now() - began }
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #connect(): Socket {
    const socket = connect(Number(this.#url.port), this.#url.hostname)
    this.#socket = socket
    this.#head = ""
    this.#left = -1
    socket.setNoDelay(true)
    socket.on("data", (bytes: Buffer) => this.#take(bytes))
    socket.on("error", () => {})
    socket.on("close", () => {
      if (this.#socket !== socket) return
      this.#socket = undefined
      this.#end(0)
    })
    return socket
  }

  #take(bytes: Buffer): void {
    if (this.#left >= 0) this.#left -= bytes.length
    else {
      this.#head += bytes.toString("latin1")
      const end = this.#head.indexOf("\r\n\r\n")
      if (end < 0) return
      this.#status = Number(this.#head.slice(9, 12))
      const length = Number(/content-length: (\d+)/i.exec(this.#head)?.[1] ?? 0)
      this.#left = length - (this.#head.length - end - 4)
    }
    if (this.#left <= 0) this.#end(this.#status)
  }

  #end(status: number): void {
    this.#head = ""
    this.#left = -1
    const answered = this.#answered
    this.#answered = undefined
    answered?.(status)
  }
}

const p99s = ({ reads, writes }: Normals): readonly [number, number] => [p99(reads), p99(writes)]

function p99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? Number.NaN
}

const ms = ([read, write]: readonly [number, number]): string => `${read.toFixed(0)} / ${write.toFixed(0)}`

export const bulkTable = (figures: readonly BulkFigures[]): Table => ({
  title: "Bulk writes of one client",
  head: [
    "",
    "commit ms",
    "workers",
    "connections",
    "records/s",
    "of the best",
    "refused",
    "beside 20: records/s",
    "refused",
    "normal p99 ms alone (read / write)",
    "beside",
    "refused",
    "refused of 1,000 after 1 s",
    "failed",
  ],
  rows: figures.map((one) => {
    const like = figures.filter(
      ({ database, commit, workers }) =>
        database === one.database && commit === one.commit && workers === one.workers,
    )
    return [
      databaseTitles[one.database],
      String(one.commit),
      String(one.workers),
      `${one.connections} ${one.kind}`,
      one.alone.toFixed(0),
      (one.alone / Math.max(...like.map(({ alone }) => alone))).toFixed(2),
      String(one.refused),
      one.beside.toFixed(0),
      String(one.besideRefused),
      ms(one.calm),
      ms(one.crowded),
      String(one.normalRefused),
      String(one.after),
      String(one.failed),
    ]
  }),
})
