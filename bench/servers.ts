// Who takes part: Bifold, perhaps of two revisions, the hand-written servers, and peers; how each is started and asked.
import { join } from "node:path"
import { type AskJson, bifoldSpelling, handSpelling } from "./answers.ts"
import type { HandOptions } from "./by-hand/server.ts"
import { type ServerCommand, type ServerProcess, startServer } from "./processes.ts"
import type { Signed } from "./ruled/token.ts"
import { type FaceName, type HttpRequest, requestOf, type Turn, type WorkloadName } from "./workloads.ts"

export type DatabaseName = "sqlite" | "postgres"

/** A server that can be measured with one face of one database. */
export interface Contestant {
  /** As the report calls it. */
  readonly name: string
  readonly kind: "hand" | "bifold" | "peer"
  readonly faces: readonly FaceName[]
  readonly databases: readonly DatabaseName[]
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

/** The server that all others are compared with, and one that says as much in its headers as Bifold does. */
export const byHand = ({ label, full = false }: HandOptions = {}): Contestant => ({
  name: full ? "by hand, same headers" : "by hand",
  kind: "hand",
  ...both,
  command: (face, database) => ({
    program: process.execPath,
    args: [
      ...node,
      join(here, "by-hand", "main.ts"),
      face,
      database,
      ...(label === undefined ? [] : ["--label", String(label)]),
      ...(full ? ["--full"] : []),
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

/** Who may do what: as the rules say, or everybody everything. */
function standing(asker: Asker | undefined): readonly string[] {
  if (!asker) return ["--open", "write"]
  return typeof asker === "object" && "as" in asker ? ["--as", asker.as] : []
}

/** Server processes, each started when it is first needed and kept for all that follows. */
export interface Fleet {
  server(contestant: Contestant, face: FaceName, database: DatabaseName): Promise<ServerProcess>
  stop(): Promise<void>
}

export function createFleet(addresses: Readonly<Partial<Record<DatabaseName, string>>>): Fleet {
  const running = new Map<string, Promise<ServerProcess>>()
  return {
    server(contestant, face, database) {
      const address = addresses[database]
      if (address === undefined) throw new Error(`There is no ${database} here.`)
      const command = contestant.command(face, address)
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

export const askOver =
  (url: string): AskJson =>
  async ({ method, path, body, authorization, version }) => {
    const headers = {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(authorization !== undefined && { authorization }),
      ...(version !== undefined && { "api-version": version }),
    }
    const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) })
    const text = await response.text()
    if (!response.ok)
      throw new Error(`${method} ${path} ${body ?? ""}: ${response.status} ${text.slice(0, 500)}`)
    return JSON.parse(text) as unknown
  }
