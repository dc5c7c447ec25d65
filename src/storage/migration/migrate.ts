// Moves a database to the tables that a model needs. Each run compares the two anew, so a further run ends one that was
// cut short.
import { existsSync } from "node:fs"
import { match } from "../../base/match.ts"
import { type Problem, refusal } from "../../base/problem.ts"
import type { Model } from "../../model/model.ts"
import { sqlite } from "../../sql/dialects/sqlite.ts"
import { planMigration } from "../../sql/migration/migration.ts"
import type { Step } from "../../sql/migration/steps.ts"
import { systemTablesOf } from "../../sql/schema/system-tables.ts"
import { tablesOf } from "../../sql/schema/tables.ts"
import { type Address, readAddress } from "../address.ts"
import { chooseSteps, type Migrated, type MigrationRun } from "./migrate-choice.ts"

/** The differences; nothing is changed, and a missing file is not made. Throws a Refusal when it cannot be read. */
export async function compareDatabase(url: string, model: Model): Promise<readonly Step[]> {
  return match<Address, Promise<readonly Step[]>>(readAddress(url), {
    sqlite: async ({ path }) => {
      if (!model.managed) return nothingCaptured(model)
      const found = existsSync(path) ? (await import("./migrate-sqlite.ts")).readSqlite(path) : []
      return planMigration(tablesOf(model, sqlite), found, sqlite, systemTablesOf(model))
    },
    postgres: async (address) => (await import("./migrate-postgres.ts")).comparePostgres(address, model),
  })
}

/** Obstacles to `migrate`: steps that lose data unasked, and preconditions that records do not meet. */
export function checkSteps(
  url: string,
  steps: readonly Step[],
  allow: readonly string[],
): Promise<readonly Problem[]> {
  return match<Address, Promise<readonly Problem[]>>(readAddress(url), {
    // A file that is not there has no records.
    sqlite: async ({ path }) =>
      existsSync(path)
        ? (await import("./migrate-sqlite.ts")).checkSqlite(path, steps, allow)
        : chooseSteps(steps, allow).problems,
    postgres: async ({ url: address, shown }) =>
      (await import("./migrate-postgres.ts")).checkPostgres({ url: address, shown }, steps, allow),
  })
}

/** Runs the steps that differ. Throws a Refusal, and has then changed nothing, when one of them must not be run. */
export function migrate(url: string, model: Model, run: MigrationRun): Promise<Migrated> {
  return match<Address, Promise<Migrated>>(readAddress(url), {
    sqlite: async ({ path }) =>
      model.managed
        ? (await import("./migrate-sqlite.ts")).migrateSqlite(path, model, run)
        : { done: nothingCaptured(model), kept: [] },
    postgres: async ({ url: address, shown }) =>
      (await import("./migrate-postgres.ts")).migratePostgres({ url: address, shown }, model, run),
  })
}

/** No steps. A trigger of SQLite cannot tell whose session it runs in: Bifold's own writes would be logged twice. */
function nothingCaptured({ log }: Model): readonly Step[] {
  if (!log?.capture) return []
  throw refusal("invalid_declaration", "SQLite cannot log what other programs write to a file.", {
    place: ["log", "capture"],
    hint: "Leave out `log.capture` and write by Bifold, or keep the records in PostgreSQL.",
  })
}
