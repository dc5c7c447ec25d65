// `npm run bench`: fills the databases, starts the servers, compares their answers, measures them in turns, reports.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import CliTable from "cli-table3"
import { type Alone, isAlone, measureAlone } from "./alone.ts"
import { gather, howMeasured, measureAll } from "./course.ts"
import { describePostgres, fillDatabases, fillEverything, recordsOf } from "./databases.ts"
import { describeMachine } from "./machine.ts"
import { isWhole, type Options, readOptions } from "./options.ts"
import { faceTables, foreignTable, memoryTable, type Report, renderResults, rulesTable } from "./report.ts"
import { createFleet } from "./servers.ts"
import { type Table, withTable } from "./table.ts"

const here = import.meta.dirname
const resultsFile = join(here, "RESULTS.md")

const say = (text: string): void => void process.stderr.write(`${text}\n`)

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  const [busy = 0] = loadavg()
  process.setMaxListeners(100) // each server is ended when this process ends
  const folder = mkdtempSync(join(tmpdir(), "bifold-bench-"))
  const undo: (() => void | Promise<void>)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const undoAll = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void undoAll().finally(() => process.exit(1)))
  try {
    if (isAlone(options)) publishAlone(options, await measureAlone(options, folder, undo), busy)
    else publish(options, await compareServers(options, busy, { folder, undo }))
  } finally {
    await undoAll()
  }
}

async function compareServers(
  options: Options,
  busy: number,
  { folder, undo }: { readonly folder: string; readonly undo: (() => void | Promise<void>)[] },
): Promise<Report> {
  const { contestants, notes } = await gather(options, folder, undo)
  say("Filling the databases …")
  const data = recordsOf(options)
  const plain = await fillDatabases(options, data, folder)
  const everything = contestants.some(({ tables }) => tables === "everything")
    ? await fillEverything(options, data, { folder, undo })
    : {}
  const fleet = createFleet({ plain, everything })
  undo.push(() => fleet.stop())
  const absent = new Set<string>()
  const postgres = plain.postgres === undefined ? undefined : await describePostgres(plain.postgres)
  const course = { contestants, fleet, data, folder, absent, postgres: postgres?.pid }
  const measured = await measureAll(options, course)
  const machine = describeMachine(postgres?.version).map(([what, which]) => `${what}: ${which}`)
  const when = [new Date().toISOString().slice(0, 10), ...machine].join("; ")
  return { notes: [`${when}.`, ...howMeasured(options, data, busy), ...notes, ...absent], measured }
}

function publishAlone(options: Options, { figures, tables, pictures }: Alone, busy: number): void {
  for (const table of tables) show(table)
  if (busy > 0.3)
    say(`\nWhen it began, other programs kept ${busy.toFixed(1)} cores busy (the load average).`)
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(figures, null, 2))
  if (!options.write) {
    say("\nbench/RESULTS.md stays as it was: --write puts the table there.")
    return
  }
  writeFileSync(resultsFile, tables.reduce(withTable, readFileSync(resultsFile, "utf8")))
  for (const [name, svg] of pictures ?? []) writeFileSync(join(here, "..", "docs", "pictures", name), svg)
  say("\nWritten to bench/RESULTS.md.")
}

function publish(options: Options, report: Report): void {
  const alone = options.foreign ? foreignTable(report) : options.rules ? rulesTable(report) : undefined
  const tables = alone ? [alone] : [...faceTables(report), memoryTable(report)]
  for (const { below = [], ...table } of tables)
    for (const each of [table, ...below.filter(({ title }) => title !== "All figures")]) show(each)
  for (const note of report.notes) say(`\n${note}`)
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(report, null, 2))
  if (!options.write && !isWhole(options)) {
    say("\nbench/RESULTS.md stays as it was: this was only a part (--write writes it all the same).")
    return
  }
  const before = readFileSync(resultsFile, "utf8")
  const after = alone ? withTable(before, alone) : renderResults(report, before)
  writeFileSync(resultsFile, after)
  say("\nWritten to bench/RESULTS.md.")
}

function show({ title, head, rows }: Table): void {
  const table = new CliTable({ head: [...head], style: { head: [], border: [] } })
  table.push(...rows.map((row) => [...row]))
  console.log(`\n${title}\n${table.toString()}`)
}

try {
  await main()
} catch (error) {
  say(`\n${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
