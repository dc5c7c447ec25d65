// The shared part of commands that work on a service's own database: their options, and how it is opened.
import type { Command } from "commander"
import { refusal } from "../base/problem.ts"
import type { Model } from "../model/model.ts"
import { type Needed, refuseLacking } from "../service/database-check.ts"
import type { Settings } from "../settings/settings.ts"
import { openStorage } from "../storage/open.ts"
import type { Storage } from "../storage/storage.ts"
import { withSettings } from "./settings/options.ts"
import { findSource, openSource } from "./source.ts"

export interface DatabaseOptions extends Pick<Settings, "database" | "acceptDataLoss"> {
  readonly json?: true
}

export const onDatabase = (command: Command): Command =>
  withSettings(command, {
    database: "the database",
    acceptDataLoss: "write to a PostgreSQL server that may lose what it has acknowledged",
  }).option("--json", "print the result as JSON")

export interface CommandArguments<Options extends DatabaseOptions = DatabaseOptions> {
  readonly service: string | undefined
  readonly options: Options
}

/** Requirements of the command on a service and its database. */
interface Demand {
  /** The part of a service that a database alone does not have. */
  readonly says: string
  /** Throws a Refusal. */
  declared(model: Model, file: string): void
  needs(model: Model): Needed
}

/** Milliseconds until the database has to have answered. */
const deadline = 10_000

/** Closes the database when the work is done. */
export async function withDatabase<Result>(
  { service, options: { database, acceptDataLoss } }: CommandArguments,
  demand: Demand,
  work: (model: Model, storage: Storage) => Promise<Result>,
): Promise<Result> {
  const source = findSource(service)
  if (source.kind === "database")
    throw refusal("invalid_command", `A database is no service: it does not say ${demand.says}.`, {
      hint: "Give a service file, and the database with --database.",
    })
  const { file } = source
  if (database === undefined)
    throw refusal("invalid_command", `Nothing says which database ${file} is about.`, {
      hint: "Name it: --database shop.db, or set BIFOLD_DATABASE.",
    })
  const { model } = await openSource(source)
  demand.declared(model, file)
  // A service and its database differ during each deployment, and a leaked key has to end then too.
  await refuseLacking({ model, database, file }, demand.needs(model))
  const storage = await openStorage(database, { deadline, writes: acceptDataLoss ? "unsafe" : "durable" })
  try {
    return await work(model, storage)
  } finally {
    await storage.close()
  }
}
