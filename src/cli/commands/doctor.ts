// `bifold doctor`: looks at the process, the database and the service as an operator would, and says what to do.
import { existsSync } from "node:fs"
import { Command } from "commander"
import { match } from "../../base/match.ts"
import { Refusal } from "../../base/problem.ts"
import { createCheckpoints } from "../../events/handlers/checkpoints.ts"
import { hasEvents } from "../../http/changes.ts"
import type { Model } from "../../model/model.ts"
import { exitCodes } from "../../observe/terminal/failure.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { resolveSettings } from "../../settings/resolve.ts"
import { type Settings, settingKeys } from "../../settings/settings.ts"
import { type Address, readAddress } from "../../storage/address.ts"
import { readFault } from "../../storage/faults.ts"
import { openStorage } from "../../storage/open.ts"
import { advisedIndexes, isCounted } from "../../tools/doctor/advised-indexes.ts"
import {
  bad,
  type Finding,
  findingsOf,
  good,
  type Judged,
  unknown,
  warning,
} from "../../tools/doctor/finding.ts"
import { processFacts, processFindings } from "../../tools/doctor/process-checks.ts"
import { columns } from "../output/columns.ts"
import { readConfig } from "../settings/config-file.ts"
import { withSettings } from "../settings/options.ts"
import { findSource, openSource } from "../source.ts"

interface Options {
  readonly database?: string
  readonly secret?: string
  readonly jit: Settings["jit"]
  readonly deep?: true
  readonly json?: true
}

export function doctorCommand(terminal: Terminal): Command {
  const command = new Command("doctor")
    .summary("find causes of trouble in production")
    .description(
      "Checks Node, limits of the system, the secret, the database's settings, statistics and indexes, and suggests remedies. Nothing is changed.",
    )
    .argument("[source]", "a service file, or the address of a database; service.ts when absent")
    .option("--deep", "read the whole of a SQLite file, and check it for damage")
    .option("--json", "print the result as JSON")
  return withSettings(command, {
    database: "the database of a service file",
    secret: "the secret that serve is given",
    jit: "the setting jit of serve: off, or server",
  })
    .addHelpText(
      "after",
      `
Examples:
  $ bifold doctor service.ts --database shop.db
  $ bifold doctor postgres://localhost/shop --json

Run it as the user, and with the environment, of the service. The exit code is 1 where something is bad.`,
    )
    .action((source: string | undefined, options: Options) => doctor(terminal, source, options))
}

async function doctor(terminal: Terminal, given: string | undefined, options: Options): Promise<void> {
  const source = findSource(given)
  const { model } = await openSource(source)
  const database = source.kind === "database" ? source.url : options.database
  const facts = processFacts({
    secret: options.secret,
    secretIsKept: model.webhooks !== undefined || hasEvents(model),
  })
  const found = [
    ...processFindings(facts),
    ...findingsOf("machine", { settings: await judgeSettings(process.env) }),
    ...(database === undefined
      ? findingsOf("database", { connection: unknown("No database is named: give it with --database.") })
      : await databaseFindings(model, database, {
          deep: options.deep === true,
          today: facts.today,
          jit: options.jit,
        })),
    // Steps of migration would invite to make an empty database in the place of a lost one.
    ...(database === undefined || missingFile(database) !== undefined
      ? []
      : await serviceFindings(model, database, source.kind === "file")),
  ]
  const isBad = found.some(({ verdict }) => verdict === "bad")
  if (options.json) terminal.print(JSON.stringify({ healthy: !isBad, findings: found }, null, 2))
  else terminal.print(textOf(terminal, found))
  if (isBad) terminal.exitWith(exitCodes.failed)
}

/** Settings of `serve` that the environment and the configuration file give. */
async function judgeSettings(environment: Readonly<Record<string, string | undefined>>): Promise<Judged> {
  try {
    const config = await readConfig(environment)
    resolveSettings(settingKeys, { options: {}, environment, ...(config && { config }) })
    return good("Each setting that the environment gives to serve has a value that it takes.")
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    const [{ message, hint = "" }] = fault.problems
    const more = fault.problems.length === 1 ? "" : ` So are others (${fault.problems.length - 1}).`
    return bad(
      `serve does not start with these settings. ${message}${more}`,
      `${hint} Run bifold config.`.trim(),
    )
  }
}

interface Looked {
  readonly deep: boolean
  readonly today: string
  readonly jit: Settings["jit"]
}

/** The file of a database that is not there. */
function missingFile(database: string): string | undefined {
  const address = readAddress(database)
  return address.kind === "sqlite" && address.path !== ":memory:" && !existsSync(address.path)
    ? address.path
    : undefined
}

async function databaseFindings(
  model: Model,
  database: string,
  { deep, today, jit }: Looked,
): Promise<readonly Finding[]> {
  const address = readAddress(database)
  const missing = missingFile(database)
  if (missing !== undefined)
    return findingsOf("database", {
      connection: bad(
        `There is no database ${missing}.`,
        "Correct the path; bifold migrate apply makes a new database.",
      ),
    })
  try {
    return await match<Address, Promise<readonly Finding[]>>(address, {
      async sqlite({ path }) {
        const { sqliteFindings } = await import("../../tools/doctor/sqlite-checks.ts")
        return sqliteFindings(path, { deep })
      },
      async postgres({ url }) {
        const { postgresFindings } = await import("../../tools/doctor/postgres-checks.ts")
        const { mostConnections } = await import("../../storage/postgres/postgres.ts")
        const tables = [...model.resources.values()].map(({ table }) => table.name)
        return postgresFindings({ url, today, tables, connections: mostConnections, jit })
      },
    })
  } catch (fault) {
    return findingsOf("database", { connection: unreachable(address.shown, fault) })
  }
}

function unreachable(shown: string, fault: unknown): Judged {
  const known = readFault(fault)
  if (!(known instanceof Refusal)) throw fault
  const reason = fault instanceof Error ? fault.message : String(fault)
  return bad(
    `${shown}: ${known.problems[0].message} (${reason})`,
    "Check the address, the network and the role.",
  )
}

async function serviceFindings(
  model: Model,
  database: string,
  isDeclared: boolean,
): Promise<readonly Finding[]> {
  return findingsOf("service", {
    ...(isDeclared && { tables: await looked(() => judgeTables(model, database)) }),
    ...(isDeclared && (model.handlers || model.webhooks) && { log: await looked(() => judgeLog(database)) }),
    missing_indexes: await looked(() => judgeIndexes(model, database)),
  })
}

/** Report an unreachable database once. */
async function looked(judge: () => Promise<Judged>): Promise<Judged> {
  try {
    return await judge()
  } catch (fault) {
    const known = readFault(fault)
    if (!(known instanceof Refusal)) throw fault
    return unknown(known.problems[0].message)
  }
}

async function judgeTables(model: Model, database: string): Promise<Judged> {
  const { compareDatabase } = await import("../../storage/migration/migrate.ts")
  const steps = (await compareDatabase(database, model)).filter(({ leftover }) => !leftover)
  if (steps.length === 0) return good("The database is what the service declares.")
  const names = steps.map(({ name }) => name)
  return bad(
    `${steps.length} steps of migration are to be done: ${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""}.`,
    model.managed
      ? "Run bifold migrate plan, then bifold migrate apply."
      : "bifold check tells what the database lacks.",
  )
}

async function judgeLog(database: string): Promise<Judged> {
  const storage = await openStorage(database)
  try {
    const lost = [...(await createCheckpoints(storage).lost()).keys()]
    return lost.length === 0
      ? good("The log has the places of all that follow it.")
      : warning(
          `The log was emptied or replaced: it lacks the places of ${lost.slice(0, 3).join(", ")}${lost.length > 3 ? ", …" : ""}.`,
          "They go back to its start when the service runs; events may be handled again.",
        )
  } finally {
    await storage.close()
  }
}

async function judgeIndexes(model: Model, database: string): Promise<Judged> {
  const storage = await openStorage(database)
  try {
    const all = await advisedIndexes(model, storage)
    const counted = all.filter(isCounted)
    const [first] = counted
    if (first)
      return warning(
        `${counted.length} indexes are missing; the first is [${first.members.join(", ")}] of ${first.resource}.`,
        "bifold advise lists them, with what each is for.",
      )
    return all.length > 0
      ? unknown("The rows of some tables are not counted yet: run ANALYZE.")
      : good("No index is missing for the rules, orders and registered documents.")
  } finally {
    await storage.close()
  }
}

function textOf({ out }: Terminal, found: readonly Finding[]): string {
  const signs = {
    good: out.green("✓"),
    warning: out.yellow("!"),
    bad: out.red("✗"),
    unknown: out.dim("?"),
  }
  const count = (verdict: Finding["verdict"]): number => found.filter((one) => one.verdict === verdict).length
  const areas = ["machine", "database", "service"] as const
  const blocks = areas.flatMap((area) => {
    const own = found.filter((one) => one.area === area)
    if (own.length === 0) return []
    return [
      out.bold(area),
      columns(
        own.map(({ check, verdict, found: text, advice }) => [
          `  ${signs[verdict]} ${check}`,
          advice === undefined ? text : `${text}\n${out.cyan("→")} ${advice}`,
        ]),
      ),
    ]
  })
  const sums = `${count("good")} good, ${count("warning")} to look at, ${count("bad")} bad, ${count("unknown")} not known.`
  return [...blocks, sums].join("\n")
}
