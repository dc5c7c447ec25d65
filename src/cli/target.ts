// What `bifold serve` is to serve, and from which database; refuses what cannot be meant.
import { Refusal, refusal } from "../base/problem.ts"
import { findMissing } from "../model/missing.ts"
import type { Model } from "../model/model.ts"
import { readAddress } from "../storage/address.ts"
import { listTables } from "../storage/inspect.ts"
import { type Samples, samplesOf } from "./samples.ts"
import { findSource, openSource } from "./source.ts"
import type { Terminal } from "./terminal.ts"

export interface TargetOptions {
  readonly example?: true
  readonly open?: "read"
  readonly database?: string
}

/** What is served, and from where. */
export interface Target {
  readonly model: Model
  readonly database: string
  /** A database as it is: nobody has said who may read what. */
  readonly bare: boolean
  /** A question to try, below the base. */
  readonly samples: Samples
  readonly secret?: string
}

export function openTarget(
  terminal: Terminal,
  given: string | undefined,
  options: TargetOptions,
): Promise<Target> {
  return options.example ? exampleTarget(terminal, given, options) : targetOf(terminal, given, options)
}

async function exampleTarget(
  terminal: Terminal,
  given: string | undefined,
  options: TargetOptions,
): Promise<Target> {
  if (given !== undefined)
    throw refusal("invalid_command", `--example is a service of its own, so ${given} is one too many.`, {
      hint: "Leave out one of the two.",
    })
  const { openExample } = await import("./example.ts")
  return { ...(await openExample(terminal, options.database)), bare: false }
}

async function targetOf(
  terminal: Terminal,
  given: string | undefined,
  options: TargetOptions,
): Promise<Target> {
  const source = findSource(given)
  if (source.kind === "database") {
    if (options.database !== undefined)
      throw refusal("invalid_command", "Two databases are named.", {
        hint: "--database is for service files. Leave it out.",
      })
    if (options.open === undefined) throw noRules(given ?? source.url)
    const { model, notes } = await openSource(source)
    if (notes.length > 0) (await import("./notes.ts")).sayNotes(terminal, notes)
    return { model, database: source.url, bare: true, samples: samplesOf(model) }
  }
  if (options.database === undefined)
    throw refusal("invalid_command", `Nothing says which database ${source.file} is about.`, {
      hint: `Name it: bifold serve ${source.file} --database shop.db, or set BIFOLD_DATABASE.`,
    })
  const { model } = await openSource(source)
  await refuseUnfit(model, source.file, options.database)
  return { model, database: options.database, bare: false, samples: samplesOf(model) }
}

/** Throws a Refusal that names every table and column that the service needs and the database lacks. */
async function refuseUnfit(model: Model, file: string, database: string): Promise<void> {
  const tables = await listTables(database).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.problems[0].code !== "empty_database") throw error
    const { kind, shown } = readAddress(database)
    const make = `bifold schema --sql ${kind} ${file} | ${kind === "sqlite" ? `sqlite3 ${shown}` : "psql with its address"}`
    throw refusal("empty_database", `The database ${shown} has no tables.`, { hint: `Make them: ${make}` })
  })
  const [first, ...rest] = findMissing(model, tables)
  if (first) throw new Refusal([first, ...rest])
}

function noRules(source: string): Error {
  return refusal(
    "invalid_command",
    "A database that is served as it is has no rules: everybody may read everything.",
    {
      hint: `If that is meant, for this machine only: bifold serve ${source} --open read. To say who may what, write a service file with bifold introspect.`,
    },
  )
}
