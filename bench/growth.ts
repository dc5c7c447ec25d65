// How the cost of a request grows: with the rows of a table, the rows of an answer, depth, resources, rules and connections.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { load as loadModel } from "../src/model/load.ts"
import { postgres } from "../src/sql/dialects/postgres.ts"
import { sqlite } from "../src/sql/dialects/sqlite.ts"
import { createSchema } from "../src/sql/schema/schema.ts"
import { setUp } from "../src/storage/migration/set-up.ts"
import { chartSvg } from "./chart.ts"
import { grown, type Size, sizeVariable } from "./grown/service.ts"
import { applyLoad } from "./load.ts"
import { processorSeconds } from "./machine.ts"
import { type ServerCommand, startServer } from "./processes.ts"
import { median } from "./rounds.ts"
import { askOver, type DatabaseName, databaseTitles } from "./servers.ts"
import type { Table } from "./table.ts"
import type { HttpRequest } from "./workloads.ts"

/** The service and data of one server. */
interface Setting extends Size {
  /** Rows of the table that the requests read. */
  readonly rows: number
}

interface Curve {
  readonly name: string
  /** The unit of the growing quantity. */
  readonly unit: string
  readonly points: readonly number[]
  /** The cost stays, or grows by as much for each. */
  readonly line: "flat" | "straight"
  readonly setting: (point: number) => Setting
  /** The requests that take turns. */
  readonly requests: (point: number, rows: number) => readonly HttpRequest[]
  /** 8 when absent. */
  readonly connections?: (point: number) => number
}

const middle: Setting = { rows: 100_000, resources: 1, rules: 1 }
const rowsOfRank = 20
const different = 500

const ask = (query: string, variables: object): HttpRequest => ({
  method: "POST",
  path: "/graphql",
  body: JSON.stringify({ query, variables }),
})

/** Spread over the table. */
const turns = (rows: number, make: (id: number) => HttpRequest): readonly HttpRequest[] =>
  Array.from({ length: different }, (_, at) => make(1 + ((at * 7_919) % rows)))

const byId = (_: number, rows: number) =>
  turns(rows, (id) =>
    ask("query One($id: ID!) { item(id: $id) { id name rank price } }", { id: `item_${id}` }),
  )

const byRank = (_: number, rows: number) =>
  turns(rows / rowsOfRank - 1, (rank) =>
    ask(
      "query Some($rank: Int!) { items(where: { rank: { eq: $rank } }, first: 20) { nodes { id name rank price } } }",
      { rank },
    ),
  )

const first = (count: number) => [
  ask("query Page($first: Int!) { items(first: $first) { nodes { id name rank price } } }", { first: count }),
]

const nested = (depth: number, rows: number) => {
  const selection = Array.from({ length: depth }).reduce<string>(
    (inner) => `name parent { ${inner} }`,
    "name",
  )
  return turns(rows - depth, (id) =>
    ask(`query Deep($id: ID!) { item(id: $id) { ${selection} } }`, { id: `item_${id + depth}` }),
  )
}

export const curves: readonly Curve[] = [
  {
    name: "one by id",
    unit: "rows in the table",
    points: [1e3, 1e4, 1e5, 1e6, 1e7],
    line: "flat",
    setting: (rows) => ({ ...middle, rows }),
    requests: byId,
  },
  {
    name: "20 by an indexed member",
    unit: "rows in the table",
    points: [1e3, 1e4, 1e5, 1e6, 1e7],
    line: "flat",
    setting: (rows) => ({ ...middle, rows }),
    requests: byRank,
  },
  {
    name: "a page",
    unit: "rows in the answer",
    points: [1, 3, 10, 30, 100, 300, 1_000],
    line: "straight",
    setting: () => middle,
    requests: first,
  },
  {
    name: "a record and its ancestors",
    unit: "levels",
    points: [1, 2, 4, 6, 8, 10],
    line: "straight",
    setting: () => middle,
    requests: nested,
  },
  {
    name: "connections",
    unit: "connections",
    points: [1, 4, 16, 64, 256, 1_000],
    line: "flat",
    setting: () => middle,
    requests: byId,
    connections: (count) => count,
  },
  {
    name: "resources of the service",
    unit: "resources",
    points: [1, 3, 10, 30, 100, 300],
    line: "flat",
    setting: (resources) => ({ ...middle, resources }),
    requests: byId,
  },
  {
    name: "rules on the resource",
    unit: "conditions",
    points: [1, 3, 10, 30, 100],
    line: "straight",
    setting: (rules) => ({ ...middle, rules }),
    requests: byRank,
  },
]

export interface Point {
  readonly curve: Curve
  readonly database: DatabaseName
  readonly at: number
  /** Microseconds: of the server process's processor time for one request, and until half of the answers were there. */
  readonly processor: readonly number[]
  readonly p50: readonly number[]
  readonly failed: number
}

export interface GrowthOptions {
  readonly command: (database: string, env: Readonly<Record<string, string>>) => ServerCommand
  readonly addresses: Readonly<Partial<Record<DatabaseName, string>>>
  readonly rounds: number
  readonly seconds: number
  readonly folder: string
  /** The largest table. */
  readonly mostRows: number
  readonly progress: (text: string) => void
}

/** Points of the same setting take turns; other settings are other servers. */
export async function measureGrowth(options: GrowthOptions): Promise<readonly Point[]> {
  const points: Point[] = []
  for (const database of ["sqlite", "postgres"] as const) {
    const address = options.addresses[database]
    if (address === undefined) continue
    for (const [key, asked] of bySetting(options.mostRows)) {
      const setting = JSON.parse(key) as Setting
      options.progress(
        `${database}: ${setting.rows} rows, ${setting.resources} resources, ${setting.rules} rules`,
      )
      const own = database === "sqlite" ? `${address}.${points.length}` : address
      await fillGrown(database, own, setting)
      points.push(...(await measureSetting(options, { database, address: own, setting, asked })))
    }
  }
  return points
}

interface Asked {
  readonly curve: Curve
  readonly at: number
}

function bySetting(mostRows: number): ReadonlyMap<string, readonly Asked[]> {
  const found = new Map<string, Asked[]>()
  for (const curve of curves)
    for (const at of curve.points) {
      const setting = curve.setting(at)
      if (setting.rows > mostRows) continue
      const key = JSON.stringify(setting)
      found.set(key, [...(found.get(key) ?? []), { curve, at }])
    }
  return found
}

interface OneSetting {
  readonly database: DatabaseName
  readonly address: string
  readonly setting: Setting
  readonly asked: readonly Asked[]
}

async function measureSetting(
  { command, rounds, seconds, folder, progress }: GrowthOptions,
  { database, address, setting: { rows, ...size }, asked }: OneSetting,
): Promise<readonly Point[]> {
  const server = await startServer(command(address, { [sizeVariable]: JSON.stringify(size) }))
  const points = asked.map((one) => ({
    ...one,
    database,
    processor: [] as number[],
    p50: [] as number[],
    failed: 0,
  }))
  try {
    for (const { curve, at } of points) {
      const [request] = curve.requests(at, rows)
      // A request that is refused would be fast, and measure nothing.
      const answer = request && JSON.stringify(await askOver(server.url)(request))
      if (!answer?.includes('"Item ')) throw new Error(`${curve.name} at ${at} on ${database}: ${answer}`)
    }
    // Round 0 warms it up.
    for (let round = 0; round <= rounds; round += 1)
      for (const point of points) {
        const { curve, at } = point
        progress(`${database}, ${curve.name} at ${at}: round ${round} of ${rounds}`)
        const own = join(folder, "growth")
        mkdirSync(own, { recursive: true })
        const before = processorSeconds(server.pid)
        const requests = curve.requests(at, rows)
        const connections = curve.connections?.(at) ?? 8
        const result = await applyLoad({ url: server.url, requests, connections, seconds }, own)
        const after = processorSeconds(server.pid)
        if (round === 0) continue
        point.p50.push(result.p50)
        point.failed += result.failed
        if (before !== undefined && after !== undefined)
          point.processor.push(((after - before) / result.requests) * 1e6)
      }
  } finally {
    await server.stop()
  }
  return points
}

async function fillGrown(database: DatabaseName, address: string, { rows, ...size }: Setting): Promise<void> {
  const dialect = database === "sqlite" ? sqlite : postgres
  const numbers =
    database === "sqlite"
      ? `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT`
      : "SELECT"
  const from = database === "sqlite" ? "n" : `generate_series(1, ${rows}) AS n(i)`
  const price = database === "sqlite" ? "100 * (i % 90) + 50" : "i % 90 + 0.5"
  const fill = `INSERT INTO item (id, name, rank, price, parent_id) ${numbers} i, 'Item ' || i, i % ${rows / rowsOfRank}, ${price}, nullif(i - 1, 0) FROM ${from}`
  // The other tables stay empty, and are not asked about.
  const schema = createSchema(loadModel(grown(size)), dialect)
  const anew = database === "sqlite" ? [] : ["DROP SCHEMA public CASCADE", "CREATE SCHEMA public"]
  await setUp(
    address,
    [...anew, ...schema, fill].map((text) => ({ text, parameters: [] })),
  )
}

/** The line that the points should follow: the median, or the straight one that is least wrong in relation to what it says. */
export function expectedLine(
  { line }: Curve,
  points: readonly (readonly [at: number, cost: number])[],
): (at: number) => number {
  if (line === "flat" || points.length < 2) {
    const level = median(points.map(([, cost]) => cost))
    return () => level
  }
  // Weighted least squares, so that a small point counts as much as a large one.
  let [w, wx, wy, wxx, wxy] = [0, 0, 0, 0, 0]
  for (const [x, y] of points) {
    const weight = 1 / y ** 2
    w += weight
    wx += weight * x
    wy += weight * y
    wxx += weight * x * x
    wxy += weight * x * y
  }
  const slope = (w * wxy - wx * wy) / (w * wxx - wx ** 2)
  const base = (wy - slope * wx) / w
  return (at) => base + slope * at
}

export function growthTable(points: readonly Point[]): Table {
  const databases = [...new Set(points.map(({ database }) => database))]
  const rows = curves.flatMap((curve) =>
    databases.flatMap((database) => {
      const own = points.filter((one) => one.curve === curve && one.database === database)
      const costs = own.map(({ at, processor }) => [at, median(processor)] as const)
      const expected = expectedLine(curve, costs)
      return own.map(({ at, p50, failed }, index): readonly string[] => {
        const cost = costs[index]?.[1] ?? Number.NaN
        return [
          `${curve.name}, ${database}`,
          `${at.toLocaleString("en")} ${curve.unit}`,
          cost.toFixed(0),
          expected(at).toFixed(0),
          (cost / expected(at)).toFixed(2),
          (median(p50) / 1_000).toFixed(2),
          String(failed),
        ]
      })
    }),
  )
  return {
    title: "Growth",
    head: ["the same question", "with", "µs of processor", "its line", "of its line", "p50 ms", "failed"],
    rows,
  }
}

/** By their names in docs/pictures. */
export function growthCharts(points: readonly Point[]): ReadonlyMap<string, string> {
  const databases = [...new Set(points.map(({ database }) => database))]
  const measured = curves.filter((curve) => points.some((one) => one.curve === curve))
  return new Map(
    measured.map((curve) => {
      const lines = databases.map((database) => {
        const own = points
          .filter((one) => one.curve === curve && one.database === database)
          .map(({ at, processor }) => [at, median(processor)] as const)
        return { name: databaseTitles[database], points: own, expected: expectedLine(curve, own) }
      })
      const chart = { title: curve.name, x: curve.unit, y: "µs of processor a request", lines }
      return [`growth-${curve.name.replaceAll(" ", "-")}.svg`, chartSvg(chart)] as const
    }),
  )
}
