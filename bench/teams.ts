// Two published benchmarks, repeated among 100,000 records. In one, 64 clients add records under a rule of membership; the
// other reads lists under a rule over two relations. Equal lists share a read, different ones do not.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { loadService } from "../src/plan/access/policies.ts"
import { postgres } from "../src/sql/dialects/postgres.ts"
import { sqlite } from "../src/sql/dialects/sqlite.ts"
import { createSchema } from "../src/sql/schema/schema.ts"
import { insertRecords } from "../src/sql/write/insert.ts"
import { setUp } from "../src/storage/migration/set-up.ts"
import { applyLoad } from "./load.ts"
import { processorSeconds } from "./machine.ts"
import { startServer } from "./processes.ts"
import { median } from "./rounds.ts"
import { askOver, type Contestant, type DatabaseName } from "./servers.ts"
import type { Table } from "./table.ts"
import declaration from "./teams/service.ts"
import type { HttpRequest } from "./workloads.ts"

const [people, teams, items] = [1_000, 100, 100_000]
/** The person who asks, and is a member of half of the teams. */
export const askingPerson = 1

const cases = ["insert", "equal lists", "different lists"] as const
type Case = (typeof cases)[number]
/** The number of requests in the published benchmark, to which the reported time refers. */
const asked: Readonly<Record<Case, number>> = { insert: 100_000, "equal lists": 100, "different lists": 100 }

/** More clients of different lists than processors would be refused. */
const clients: Readonly<Record<Case, number>> = { insert: 64, "equal lists": 64, "different lists": 2 }

interface Figures {
  readonly database: DatabaseName
  readonly of: Case
  /** Medians of the rounds. */
  readonly perSecond: number
  /** Microseconds of the server's processor time for a request. */
  readonly processor: number | undefined
  readonly failed: number
  readonly rounds: number
}

export interface TeamsOptions {
  readonly contestant: Contestant
  readonly addresses: Readonly<Partial<Record<DatabaseName, string>>>
  readonly rounds: number
  readonly seconds: number
  readonly folder: string
  readonly progress: (text: string) => void
}

async function fill(database: DatabaseName, address: string): Promise<void> {
  const model = loadService(declaration)
  const dialect = database === "sqlite" ? sqlite : postgres
  const rows = <Row extends object>(count: number, make: (at: number) => Row) =>
    Array.from({ length: count }, (_, at) => ({ id: at + 1, ...make(at) }))
  const records = new Map<string, readonly Record<string, string | number>[]>([
    ["person", rows(people, (at) => ({ name: `Person ${at}` }))],
    ["team", rows(teams, (at) => ({ name: `Team ${at}` }))],
    [
      "membership",
      rows(people * 5 + teams / 2, (at) => {
        const own = at - people * 5
        return own >= 0
          ? { teamId: own * 2 + 1, personId: askingPerson }
          : { teamId: 1 + ((at * 7) % teams), personId: 2 + (at % (people - 1)) }
      }),
    ],
    [
      "item",
      rows(items, (at) => ({
        name: `Item ${(at * 7919) % items}`,
        rank: at % 1_000,
        teamId: 1 + (at % teams),
      })),
    ],
  ])
  await setUp(address, [
    ...createSchema(model, dialect).map((text) => ({ text, parameters: [] })),
    ...insertRecords(model, dialect, { records, links: [] }),
  ])
}

const requestOf: Readonly<Record<Case, (at: number) => HttpRequest>> = {
  insert: (at) => ({
    method: "POST",
    path: "/items",
    body: JSON.stringify({ name: `New ${at}`, rank: at % 1_000, teamId: `team_${1 + ((at * 2) % teams)}` }),
  }),
  "equal lists": () => ({ method: "GET", path: "/items?sort=name&limit=20" }),
  "different lists": (at) => ({
    method: "GET",
    path: `/items?sort=name&limit=20&filter%5Brank%5D%5Bne%5D=${at}`,
  }),
}

export async function measureTeams(options: TeamsOptions): Promise<readonly Figures[]> {
  const { addresses, contestant, rounds, seconds, folder, progress } = options
  const measured: Figures[] = []
  for (const database of ["sqlite", "postgres"] as const) {
    const address = addresses[database]
    if (address === undefined) continue
    progress(`filling ${database}`)
    await fill(database, address)
    const { url, pid, stop } = await startServer(contestant.command("rest", address))
    try {
      for (const of of cases) {
        const requests = Array.from({ length: 2_000 }, (_, at) => requestOf[of](at))
        const [first] = requests
        // Refusals would be fast, and measure nothing.
        const answer = first && JSON.stringify(await askOver(url)(first))
        if (!answer?.includes('"rank"')) throw new Error(`${of} on ${database}: ${answer}`)
        const own = join(folder, `${database}-${of.replace(" ", "-")}`)
        mkdirSync(own, { recursive: true })
        const found: {
          readonly perSecond: number
          readonly processor: number | undefined
          readonly failed: number
        }[] = []
        // Round 0 warms it up.
        for (let round = 0; round <= rounds; round += 1) {
          progress(`${of} ${database}: ${round === 0 ? "warming up" : `round ${round} of ${rounds}`}`)
          const before = processorSeconds(pid)
          const done = await applyLoad({ url, requests, connections: clients[of], seconds }, own)
          const after = processorSeconds(pid)
          const spent = before === undefined || after === undefined ? undefined : after - before
          const answered = done.requests - done.failed
          const processor = spent === undefined ? undefined : (spent / done.requests) * 1e6
          if (round > 0) found.push({ perSecond: answered / done.seconds, processor, failed: done.failed })
        }
        const spent = found.flatMap(({ processor }) => processor ?? [])
        measured.push({
          database,
          of,
          rounds,
          perSecond: median(found.map(({ perSecond }) => perSecond)),
          processor: spent.length === 0 ? undefined : median(spent),
          failed: found.reduce((sum, { failed }) => sum + failed, 0),
        })
      }
    } finally {
      await stop()
    }
  }
  return measured
}

export const teamsTable = (measured: readonly Figures[]): Table => ({
  title: "Rules of membership",
  head: ["by REST", "database", "clients", "requests/s", "seconds for", "µs of processor", "failed", "N"],
  rows: measured.map(({ database, of, perSecond, processor, failed, rounds }) => [
    of,
    database,
    String(clients[of]),
    perSecond.toFixed(0),
    `${asked[of].toLocaleString("en")}: ${(asked[of] / perSecond).toFixed(2)}`,
    processor?.toFixed(0) ?? "–",
    String(failed),
    String(rounds),
  ]),
})
