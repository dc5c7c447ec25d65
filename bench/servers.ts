// Who takes part: Bifold, perhaps of two revisions, the hand-written servers, and peers; how each is started and asked.
import { type IncomingMessage, request } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { type AskJson, bifoldSpelling, handSpelling } from "./answers.ts"
import type { HandOptions } from "./by-hand/server.ts"
import { askingLabel } from "./data.ts"
import { olderVersion } from "./everything/service.ts"
import type { Cores } from "./machine.ts"
import { type ServerCommand, type ServerProcess, startServer } from "./processes.ts"
import type { Signed } from "./ruled/token.ts"
import { type FaceName, type HttpRequest, requestOf, type Turn, type WorkloadName } from "./workloads.ts"

export type DatabaseName = "sqlite" | "postgres"
export const databaseTitles: Readonly<Record<DatabaseName, string>> = {
  sqlite: "SQLite",
  postgres: "PostgreSQL",
}

/** The owner of the tables: the library, or `everything/service.ts`, which has more. */
export type TablesName = "plain" | "everything"
export type Addresses = Readonly<Partial<Record<DatabaseName, string>>>

/** A server that can be measured with one face of one database. */
export interface Contestant {
  /** As the report calls it. */
  readonly name: string
  readonly kind: "hand" | "bifold" | "peer"
  readonly faces: readonly FaceName[]
  readonly databases: readonly DatabaseName[]
  /** The numbers of cores with which it takes part; all when absent. */
  readonly cores?: readonly Cores[]
  /** The library's own tables when absent. */
  readonly tables?: TablesName
  command(face: FaceName, database: string): ServerCommand
  /** The requests that ask about these turns, one each. */
  requests(ask: AskJson, question: Question): Promise<readonly HttpRequest[]>
}

export interface Question {
  readonly workload: WorkloadName
  readonly face: FaceName
  readonly database: DatabaseName
  readonly turns: readonly Turn[]
}

const here = import.meta.dirname
const node = ["--disable-warning=ExperimentalWarning"]

const both = { faces: ["graphql", "rest"], databases: ["sqlite", "postgres"] } as const

/** Servers by hand: bare, with the headers of Bifold, and without a driver. */
export const handNames = {
  bare: "by hand",
  headers: "by hand, same headers",
  pipelined: "by hand, pipelined",
} as const
export type HandKind = keyof typeof handNames

/** The servers that Bifold is compared with. */
export const serverNames = ["bare", "headers", "pipelined", "everything", "workers"] as const
export type ServerName = (typeof serverNames)[number]

export const isByHand = (name: ServerName): name is HandKind => name in handNames

/** The first is the one that all others are compared with. */
export const byHand = (
  kind: HandKind = "bare",
  { label, foreign }: HandOptions & { readonly foreign?: boolean } = {},
): Contestant => ({
  name: handNames[kind],
  kind: "hand",
  ...both,
  ...(kind === "pipelined" && { databases: ["postgres"] }),
  command: (face, database) => ({
    program: process.execPath,
    args: [
      ...node,
      join(here, "by-hand", "main.ts"),
      face,
      database,
      ...(label === undefined ? [] : ["--label", String(label)]),
      ...(kind === "headers" ? ["--full"] : []),
      ...(foreign ? ["--foreign"] : []),
      ...(kind === "pipelined" ? ["--raw"] : []),
    ],
  }),
  requests: async (_ask, { workload, face, turns }) =>
    turns.map((turn) => requestOf(workload, face, turn, handSpelling)),
})

/** The caller of a service with rules: anonymous, an actor named by `--as`, or the bearer of a token. */
export type Asker = "anonymous" | { readonly as: string } | { readonly signed: Signed }

/**
 * @param root a checkout of Bifold, with its dependencies
 * @param asker the service has rules; it has none when absent
 */
export const bifoldAt = (
  root: string,
  name: string,
  asker?: Asker,
  service = asker ? "ruled/service.ts" : "service.ts",
): Contestant => ({
  name,
  kind: "bifold",
  ...both,
  command: (_face, database) => ({
    program: process.execPath,
    args: [
      ...node,
      "--max-semi-space-size=8", // as `npm start` and --workers have it
      join(root, "src", "cli", "main.ts"),
      "serve",
      join(here, service),
      "--database",
      database,
      "--port",
      "0",
      ...standing(asker),
    ],
    ...(typeof asker === "object" && "signed" in asker && { env: asker.signed.env }),
  }),
  async requests(ask, { workload, face, turns }) {
    const signed = (request: HttpRequest): HttpRequest =>
      typeof asker === "object" && "signed" in asker
        ? { ...request, authorization: asker.signed.authorization }
        : request
    const spelling = await bifoldSpelling((request) => ask(signed(request)), workload, turns)
    return turns.map((turn) => signed(requestOf(workload, face, turn, spelling)))
  },
})

/** Two processes that answer, where there are as many cores. */
export function twoWorkers(root: string, name: string): Contestant {
  const bifold = bifoldAt(root, name)
  return {
    ...bifold,
    cores: [2],
    command(face, database) {
      const command = bifold.command(face, database)
      return { ...command, args: [...command.args, "--workers", "2"] }
    },
  }
}

/** Bifold as its users have it: `everything/service.ts`, asked by a token in an older version, and with metrics. */
export function everythingOn(root: string, name: string, signed: Signed): Contestant {
  const bifold = bifoldAt(root, name, { signed }, "everything/service.ts")
  const older = (request: HttpRequest): HttpRequest => ({ ...request, version: olderVersion })
  return {
    ...bifold,
    tables: "everything",
    command(face, database) {
      const command = bifold.command(face, database)
      return { ...command, args: [...command.args, "--metrics", "0"] }
    },
    requests: async (ask, question) => {
      const turns = question.turns.map(ofAskingLabel)
      return (await bifold.requests((request) => ask(older(request)), { ...question, turns })).map(older)
    },
  }
}

/** A new record belongs to the caller's label. */
const ofAskingLabel = (turn: Turn): Turn =>
  turn.kind === "insert" ? { ...turn, input: { ...turn.input, labelId: String(askingLabel) } } : turn

/** Who may do what: as the rules say, or everybody everything. */
function standing(asker: Asker | undefined): readonly string[] {
  if (!asker) return ["--open", "write"]
  return typeof asker === "object" && "as" in asker ? ["--as", asker.as] : []
}

/** Server processes, each started when it is first needed and kept for all that follows. */
export interface Fleet {
  server(contestant: Contestant, place: Place): Promise<ServerProcess>
  stop(): Promise<void>
}

/** The face, database and cores of one server. */
interface Place {
  readonly face: FaceName
  readonly database: DatabaseName
  readonly cores: Cores
}

export function createFleet(addresses: Readonly<Record<TablesName, Addresses>>): Fleet {
  const running = new Map<string, Promise<ServerProcess>>()
  return {
    server(contestant, { face, database, cores }) {
      const address = addresses[contestant.tables ?? "plain"][database]
      if (address === undefined) throw new Error(`There is no ${database} here.`)
      const command = { ...contestant.command(face, address), cores }
      const key = JSON.stringify(command)
      const server = running.get(key) ?? startServer(command)
      running.set(key, server)
      return server
    },
    async stop() {
      const servers = await Promise.allSettled(running.values())
      running.clear()
      await Promise.all(
        servers.map((server) => (server.status === "fulfilled" ? server.value.stop() : undefined)),
      )
    },
  }
}

/** Each by a connection of its own: one that is kept may be closed by the server while it is taken for the next request. */
export const askOver =
  (url: string): AskJson =>
  async ({ method, path, body, authorization, version }) => {
    const headers = {
      ...(body !== undefined && {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      }),
      ...(authorization !== undefined && { authorization }),
      ...(version !== undefined && { "api-version": version }),
    }
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(url + path, { method, headers, agent: false }, resolve)
      sent.once("error", reject)
      sent.end(body)
    })
    const answer = await text(response)
    const { statusCode = 0 } = response
    if (statusCode < 200 || statusCode > 299)
      throw new Error(`${method} ${path} ${body ?? ""}: ${statusCode} ${answer.slice(0, 500)}`)
    return JSON.parse(answer) as unknown
  }
