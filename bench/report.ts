// The measurements as tables: for the terminal, and for bench/RESULTS.md, where each face and database has a section.
import { type Measured, median } from "./rounds.ts"
import { type DatabaseName, databaseTitles, handNames } from "./servers.ts"
import { type Table, withTable } from "./table.ts"
import { type FaceName, valuesNames, workloadNames, writeNames } from "./workloads.ts"

export interface Report {
  /** Sentences on when, where and how it was measured, and on what could not be. */
  readonly notes: readonly string[]
  readonly measured: readonly Measured[]
}

/** A table for each face and database: what each server did, and how Bifold compares with each. */
export function faceTables({ notes, measured }: Report): readonly Table[] {
  const groups = Map.groupBy(measured, ({ face, database }) => titleOf(face, database))
  return [...groups].map(([title, group]) => ({
    title,
    notes: [...notes, legend, ...clientWarnings(group)],
    ...comparison(group),
    below: [...peersTable(group), detailTable(group)],
  }))
}

/** A run with rules has one section of its own, with all faces and databases. */
export const rulesTable = ({ notes, measured }: Report): Table => ({
  title: "Rules",
  notes: [...notes, legend, ...clientWarnings(measured)],
  ...comparison(measured, true),
})

/** A run of tables that are not STRICT has a section, too. */
export const foreignTable = ({ notes, measured }: Report): Table => ({
  title: "Tables that are not STRICT, SQLite",
  notes: [...notes, legend, ...clientWarnings(measured)],
  ...comparison(measured, true),
})

const titleOf = (face: FaceName, database: DatabaseName): string =>
  `${face === "graphql" ? "GraphQL" : "REST"}, ${databaseTitles[database]}`

const legend =
  "A cell has successful answers per second; a refusal for overload is no success. µs of processor time for a request follow: the server's, and after a plus PostgreSQL's own. A ratio compares the answers per second, and after × the server's processor time. For example, 0.80, ×1.25 is a fifth fewer requests a second, and a quarter more processor time. Each is the median of the rounds' ratios, for which servers took turns. Values are fresh (never repeated), literals (fresh, and part of the document) or repeated (some hundred requests that come again)."

const bifold = "Bifold"
const handServers: readonly string[] = Object.values(handNames)

/** @param whole with a column for the face and the database */
function comparison(group: readonly Measured[], whole = false): Pick<Table, "head" | "rows"> {
  const servers = [
    ...new Set(group.filter(({ kind }) => kind !== "peer").map(({ server }) => server)),
  ].toSorted((a, b) => place(handServers, a) - place(handServers, b))
  const others = servers.filter((name) => name !== bifold)
  // How far Bifold is from each server by hand, and how far its other forms are from it.
  const ratios = others.map((name): readonly [string, string] =>
    handServers.includes(name) ? [bifold, name] : [name, bifold],
  )
  const rows = [...cellsOf(group)].map((cell) => {
    const [first] = cell
    const find = (name: string): Measured | undefined => cell.find(({ server }) => server === name)
    return [
      ...(whole ? [titleOf(first.face, first.database)] : []),
      first.workload,
      first.values,
      String(first.connections),
      String(first.cores),
      ...servers.map((name) => figures(find(name))),
      ...ratios.map(([one, other]) => ratio(find(one), find(other))),
    ]
  })
  return {
    head: [
      ...(whole ? [""] : []),
      "",
      "values",
      "conn.",
      "cores",
      ...servers,
      ...ratios.map(([one, other]) => `${one} : ${other}`),
    ],
    rows,
  }
}

/** Beside Bifold, each with its ratio to it. */
function peersTable(group: readonly Measured[]): readonly Table[] {
  const peers = [...new Set(group.filter(({ kind }) => kind === "peer").map(({ server }) => server))]
  if (peers.length === 0) return []
  const rows = cellsOf(group).map((cell) => {
    const [first] = cell
    const own = cell.find(({ server }) => server === bifold)
    return [
      first.workload,
      first.values,
      String(first.connections),
      String(first.cores),
      figures(own),
      ...peers.map((name) => {
        const peer = cell.find(({ server }) => server === name)
        return peer ? `${figures(peer)} (${ratio(peer, own)})` : "–"
      }),
    ]
  })
  return [
    { title: "Peers (ratio to Bifold)", head: ["", "values", "conn.", "cores", bifold, ...peers], rows },
  ]
}

type SameCell = readonly [Measured, ...Measured[]]

/** Reads first, the usual number of connections first. */
function cellsOf(group: readonly Measured[]): readonly SameCell[] {
  const cells = Map.groupBy(group, ({ workload, face, database, values, cores, connections }) =>
    JSON.stringify([face, database, workload, values, cores, connections]),
  )
  return [...cells.values()]
    .flatMap(([first, ...rest]): readonly SameCell[] => (first ? [[first, ...rest]] : []))
    .toSorted(([a], [b]) => {
      const [one, other] = [order(a), order(b)]
      const index = one.findIndex((value, at) => value !== other[at])
      return (one[index] ?? 0) - (other[index] ?? 0)
    })
}

const order = ({ workload, face, database, values, connections, cores }: Measured): readonly number[] => [
  place(["sqlite", "postgres"], database),
  place(["graphql", "rest"], face),
  Number(writeNames.some((name) => name === workload)),
  place(valuesNames, values),
  connections === 32 ? 0 : connections,
  place(workloadNames, workload),
  cores,
]

/** Those that are not in the list come after it. */
function place(list: readonly string[], name: string): number {
  const index = list.indexOf(name)
  return index < 0 ? list.length : index
}

function figures(one: Measured | undefined): string {
  // A server without answers has no time per request.
  if (!one || !Number.isFinite(one.perSecond)) return "–"
  const failed = one.failed === 0 ? "" : `, ${Math.ceil(one.failedPart * 100)} % failed`
  if (one.processor === undefined || !Number.isFinite(one.processor)) return rate(one.perSecond) + failed
  const behind = one.behind === undefined ? "" : ` + ${micros(one.behind)}`
  return `${rate(one.perSecond)}, ${micros(one.processor)}${behind} µs${failed}`
}

function ratio(one: Measured | undefined, other: Measured | undefined): string {
  if (!one || !other) return "–"
  const each = (measure: (round: Measured["rounds"][number]) => number | undefined): number =>
    median(
      one.rounds.map((round, index) => {
        const beside = other.rounds[index]
        return (measure(round) ?? Number.NaN) / ((beside && measure(beside)) ?? Number.NaN)
      }),
    )
  // A server without answers has no ratio.
  const [speed, time] = [each(({ perSecond }) => perSecond), each(({ processor }) => processor)]
  if (!Number.isFinite(speed)) return "–"
  return Number.isFinite(time) ? `${speed.toFixed(2)}, ×${time.toFixed(2)}` : speed.toFixed(2)
}

function detailTable(group: readonly Measured[]): Table {
  return {
    title: "All figures",
    head: [
      "",
      "values",
      "conn.",
      "cores",
      "server",
      "requests/s",
      "least–most",
      "N",
      "p50 ms",
      "p99 ms",
      "CPU µs",
      "PostgreSQL µs",
      "client",
      "failed",
    ],
    rows: cellsOf(group).flatMap((cell) =>
      cell.map((one) => {
        const rates = one.rounds.map(({ perSecond }) => perSecond)
        return [
          one.workload,
          one.values,
          String(one.connections),
          String(one.cores),
          one.server,
          rate(one.perSecond),
          `${rate(Math.min(...rates))}–${rate(Math.max(...rates))}`,
          String(rates.length),
          milliseconds(one.p50),
          milliseconds(one.p99),
          ...[one.processor, one.behind].map((value) =>
            value === undefined || !Number.isFinite(value) ? "" : micros(value),
          ),
          one.clientBusy === undefined ? "" : `${Math.round(one.clientBusy * 100)} %`,
          String(one.failed),
        ]
      }),
    ),
  }
}

/** The greatest that each server process had come to when one of its cells was done. */
export function memoryTable({ notes, measured }: Report): Table {
  const known = measured.filter(({ resident }) => resident !== undefined)
  const groups = Map.groupBy(known, ({ server, database }) => `${server}, ${database}`)
  return {
    title: "Memory",
    notes: notes.slice(0, 1),
    head: ["server", "resident MB"],
    rows: [...groups].map(([name, group]) => [
      name,
      (Math.max(...group.map(({ resident }) => resident ?? 0)) / 1e6).toFixed(0),
    ]),
  }
}

/** Figures at which the client had no processor time to spare are a lower bound. */
function clientWarnings(measured: readonly Measured[]): readonly string[] {
  const full = measured.filter(({ clientBusy }) => clientBusy !== undefined && clientBusy > 0.9)
  if (full.length === 0) return []
  const servers = new Map<string, number>()
  for (const { server } of full) servers.set(server, (servers.get(server) ?? 0) + 1)
  const counts = [...servers].map(([server, count]) => `${count} of ${server}`)
  return [
    `The client took more than 90 % of its core in ${full.length} of ${measured.length} measurements. Those servers may be faster than measured (${counts.join(", ")}); processor times are unaffected.`,
  ]
}

const rate = (value: number): string =>
  value >= 10_000
    ? `${(value / 1_000).toFixed(1)}k`
    : value >= 1_000
      ? `${(value / 1_000).toFixed(2)}k`
      : value.toFixed(0)

const micros = (value: number): string => value.toFixed(value < 100 ? 1 : 0)

const milliseconds = (microseconds: number): string => (microseconds / 1_000).toFixed(2)

/** One line a cell, while it goes on. */
export function oneLine(results: readonly Measured[]): string {
  const [first] = results
  if (!first) return ""
  const own = results.find(({ server }) => server === bifold)
  const each = results.map((one) => {
    const compared = own && one.kind === "hand" ? ratio(own, one) : own && one !== own ? ratio(one, own) : ""
    return `${one.server} ${figures(one)}${compared === "" ? "" : ` (${compared})`}`
  })
  const { workload, values, connections, cores } = first
  const asked = `${workload} ${values} ${titleOf(first.face, first.database)}, ${connections} on ${cores}`
  return `${asked}: ${each.join("; ")}`
}

/** @param before the file as it was: other sections stay, and what people wrote */
export const renderResults = (report: Report, before: string): string =>
  [...faceTables(report), memoryTable(report)].reduce(withTable, before)
