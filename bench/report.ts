// What was measured, as tables: for the terminal, and for bench/RESULTS.md.
import type { Measured } from "./rounds.ts"
import { markdown, sectionOf, type Table } from "./table.ts"
import { type ValuesName, type WorkloadName, workloadNames, workloads } from "./workloads.ts"

export interface Report {
  readonly machine: readonly (readonly [string, string])[]
  /** Sentences on how it was measured, and on what could not be. */
  readonly notes: readonly string[]
  readonly measured: readonly Measured[]
}

/** For each face, database and number of connections: requests per second, and the ratio to the server by hand. */
export const ratioTables = (report: Report): readonly Table[] =>
  tablesOf(report, {
    title: "requests/s (ratio)",
    measure: ({ perSecond }) => perSecond,
    show: rate,
  })

/** The same of the processor time that the server process takes for one request, which other programs disturb less. */
export const processorTables = (report: Report): readonly Table[] =>
  tablesOf(report, {
    title: "server's CPU µs per request (times by hand)",
    measure: ({ processor }) => processor,
    show: (value) => value.toFixed(value < 100 ? 1 : 0),
  })

/** Both for a run with rules, which has one section of its own. */
export function rulesTable(report: Report): Table {
  const kinds = [
    ["requests/s (ratio)", ratioTables(report)],
    ["CPU µs (times)", processorTables(report)],
  ] as const
  const rows = kinds.flatMap(([kind, tables]) =>
    tables.flatMap(({ title, rows }) =>
      rows.map(([server = "", ...cells]) => [title, kind, server, ...cells]),
    ),
  )
  const [first] = ratioTables(report)
  return { title: "Rules", head: ["", "", "", ...(first?.head.slice(1) ?? [])], rows }
}

interface Column {
  readonly title: string
  readonly measure: (one: Measured) => number | undefined
  readonly show: (value: number) => string
}

function tablesOf({ measured }: Report, column: Column): readonly Table[] {
  const tables: Table[] = []
  const known = measured.filter((one) => column.measure(one) !== undefined)
  for (const [title, group] of Map.groupBy(known, groupKey)) {
    const present = workloadNames.filter((name) => group.some(({ workload }) => workload === name))
    const rows = [...Map.groupBy(group, ({ server }) => server)].map(([server, own]) => [
      server,
      ...present.map((name) => cellOf(column, group, own, name)),
    ])
    tables.push({ title, head: [column.title, ...present], rows })
  }
  return tables.toSorted((a, b) => order(a.title) - order(b.title))
}

const groupKey = ({ face, database, connections, values }: Measured): string =>
  `${face === "graphql" ? "GraphQL" : "REST"}, ${database === "sqlite" ? "SQLite" : "PostgreSQL"}, ${connections} connection${connections === 1 ? "" : "s"}, ${valuesTitles[values]}`

const valuesTitles: Readonly<Record<ValuesName, string>> = {
  fresh: "values that never come again",
  repeated: "the same values again",
}

/** By connections, 32 first: that is what ratios are usually told of. */
function order(title: string): number {
  const connections = Number(/(\d+) connection/.exec(title)?.[1])
  const place = connections === 32 ? 0 : connections
  return (
    place * 10 +
    (title.endsWith(valuesTitles.repeated) ? 4 : 0) +
    (title.includes("PostgreSQL") ? 2 : 0) +
    (title.startsWith("REST") ? 1 : 0)
  )
}

function cellOf(
  { measure, show }: Column,
  group: readonly Measured[],
  own: readonly Measured[],
  name: WorkloadName,
): string {
  const figure = (one: Measured | undefined): number | undefined => one && measure(one)
  const mine = figure(own.find(({ workload }) => workload === name))
  const hand = figure(group.find(({ workload, server }) => workload === name && server === "by hand"))
  // Of a server that answered nothing in its time there is no time per request.
  if (mine === undefined || !Number.isFinite(mine)) return "–"
  return hand === undefined ? show(mine) : `${show(mine)} (${(mine / hand).toFixed(2)})`
}

function detailTable({ measured }: Report): Table {
  return {
    title: "All figures",
    head: [
      "workload",
      "face",
      "database",
      "values",
      "conn.",
      "server",
      "requests/s",
      "rounds",
      "p50 ms",
      "p99 ms",
      "CPU µs",
      "client",
      "failed",
    ],
    rows: measured.map((one) => [
      one.workload,
      one.face,
      one.database,
      one.values,
      String(one.connections),
      one.server,
      rate(one.perSecond),
      one.spread.map(rate).join("–"),
      milliseconds(one.p50),
      milliseconds(one.p99),
      one.processor === undefined || !Number.isFinite(one.processor)
        ? ""
        : one.processor.toFixed(one.processor < 100 ? 1 : 0),
      one.clientBusy === undefined ? "" : `${Math.round(one.clientBusy * 100)} %`,
      String(one.failed),
    ]),
  }
}

/** The greatest that each server process had come to when one of its cells was done. */
export function memoryTable({ measured }: Report): Table {
  const known = measured.filter(({ resident }) => resident !== undefined)
  const groups = Map.groupBy(known, ({ server, database }) => `${server}, ${database}`)
  return {
    title: "Memory",
    head: ["server", "resident MB"],
    rows: [...groups].map(([name, group]) => [
      name,
      (Math.max(...group.map(({ resident }) => resident ?? 0)) / 1e6).toFixed(0),
    ]),
  }
}

/** Figures at which the client had no processor time to spare are a lower bound. */
export function clientWarnings({ measured }: Report): readonly string[] {
  const full = measured.filter(({ clientBusy }) => clientBusy !== undefined && clientBusy > 0.9)
  if (full.length === 0) return []
  const cells = full.map(
    (one) => `${one.workload} ${one.values} ${one.face} ${one.database} ${one.connections} ${one.server}`,
  )
  return [
    `The client took more than 90 % of its core in ${full.length} of ${measured.length} measurements, so that those servers may be faster than was seen: ${cells.join("; ")}.`,
  ]
}

const rate = (value: number): string =>
  value >= 10_000
    ? `${(value / 1_000).toFixed(1)}k`
    : value >= 1_000
      ? `${(value / 1_000).toFixed(2)}k`
      : value.toFixed(0)

const milliseconds = (microseconds: number): string => (microseconds / 1_000).toFixed(2)

/** Sections that a run of their own fills in: `--rules`, `--start`, `--soak`. */
const measuredAlone = ["Rules", "Start", "Memory over time"]

const ownWords = "<!-- What follows is written by people and kept when the tables are written anew. -->"

/** @param before the file as it was: what people wrote at its end stays */
export function renderResults(report: Report, before: string): string {
  const legend = workloadNames.map((name) => `${name} ${workloads[name].title}`).join("; ")
  const parts = [
    "# What was measured",
    "Written by `npm run bench`; docs/operate/performance.md says how it works and how to repeat it.",
    report.machine.map(([what, which]) => `- ${what}: ${which}`).join("\n"),
    [...report.notes, ...clientWarnings(report)].map((note) => `- ${note}`).join("\n"),
    `Workloads: ${legend}. Medians of requests per second; in parentheses the ratio to the server written by hand for the same face and database.`,
    ...ratioTables(report).map((table) => markdown(table, 2)),
    "## Processor time",
    ...processorTables(report).map((table) => markdown(table, 3)),
    markdown(memoryTable(report), 2),
    ...measuredAlone.map(
      (title) => sectionOf(before, title)?.trimEnd() ?? `## ${title}\n\nNot measured yet.`,
    ),
    markdown(detailTable(report), 2),
  ]
  const kept = before.includes(ownWords)
    ? before.slice(before.indexOf(ownWords) + ownWords.length).trim()
    : ""
  return `${parts.join("\n\n")}\n\n${ownWords}\n${kept === "" ? "" : `\n${kept}\n`}`
}
