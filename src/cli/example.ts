// The storefront example: its service, and its database, which is filled the first time.
import { createHash, randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { ownFolder } from "../base/own-files.ts"
import { Refusal, refusal } from "../base/problem.ts"
import type { CodeThreads } from "../engine/code/threads.ts"
import { load } from "../model/load.ts"
import type { Model } from "../model/model.ts"
import { withSystem } from "../model/system/with-system.ts"
import { problemLines } from "../observe/terminal/failure.ts"
import type { Terminal } from "../observe/terminal/terminal.ts"
import { checkDatabase, migrateSafely } from "../service/database-check.ts"
import type { Dialect } from "../sql/dialect.ts"
import { dialects } from "../sql/dialects/dialects.ts"
import type { Step } from "../sql/migration/steps.ts"
import { createSchema } from "../sql/schema/schema.ts"
import { type Command, insertRecords, type Records } from "../sql/write/insert.ts"
import { readAddress } from "../storage/address.ts"
import { listTables } from "../storage/introspection/inspect.ts"
import { serveFile } from "./service-file.ts"
import type { Samples } from "./source.ts"

export interface Example {
  readonly model: Model
  readonly database: string
  readonly secret?: string
  readonly samples: Samples
  readonly threads?: CodeThreads
}

const root = fileURLToPath(ownFolder())
const sources = join(root, "examples", "storefront")
/** Kept from everybody else on the machine, and out of the repository. */
const folder = join(root, ".bifold")

const samples: Samples = {
  graphql: "{orders(first:3){nodes{number total customer{name} lines{nodes{quantity product{name}}}}}}",
  rest: "/orders?limit=3&sort=-placedAt&include=customer,lines.product",
}

/** @param database another than the example's own SQLite file; filled when it is empty */
export async function openExample(terminal: Terminal, database: string | undefined): Promise<Example> {
  if (!existsSync(sources))
    throw refusal("invalid_command", "The example comes only with a clone of Bifold's repository.", {
      hint: "Serve a service of your own: bifold serve service.ts --database shop.db",
    })
  const { declaration, threads } = await serveFile(join(sources, "service.ts"))
  const model = load(withSystem(declaration))
  const example = { model, samples, ...(threads && { threads }) }
  if (database === undefined) return { ...example, ...(await ownFile(terminal, model)) }
  await fillWhenEmpty(terminal, model, database)
  return { ...example, database }
}

/** The SQLite file of this clone: migrated when the service changed, made anew when its records are to be others or it cannot be migrated. */
async function ownFile(terminal: Terminal, model: Model): Promise<{ database: string; secret: string }> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const database = join(folder, "storefront.sqlite")
  const stampFile = join(folder, "storefront.stamp")
  const stamp = fingerprint()
  const known = existsSync(database) && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp
  if (!known || !(await isMigrated(terminal, model, database))) {
    // A process that starts at the same moment makes a file of its own; the last one to finish stays.
    const unfinished = `${database}.${process.pid}`
    rmSync(unfinished, { force: true })
    await fill(terminal, model, unfinished)
    for (const rest of ["-wal", "-shm"]) rmSync(`${database}${rest}`, { force: true })
    renameSync(unfinished, database)
    writeFileSync(stampFile, stamp)
  }
  return { database, secret: ownSecret() }
}

/** With all of its records in place. */
async function isMigrated(terminal: Terminal, model: Model, database: string): Promise<boolean> {
  try {
    await migrateSafely(terminal, { model, database })
    return true
  } catch (error) {
    if (!(error instanceof Refusal) || error.problems.some(({ code }) => code !== "migration_refused"))
      throw error
    terminal.say(problemLines(error.problems, terminal))
    return false
  }
}

/** So that cursors outlive a restart. */
function ownSecret(): string {
  const file = join(folder, "secret")
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600 })
  return readFileSync(file, "utf8")
}

/** A digest of the source of the example's records. */
function fingerprint(): string {
  const hash = createHash("sha256")
  for (const name of readdirSync(sources).sort())
    if (name !== "service.ts") hash.update(name).update(readFileSync(join(sources, name)))
  return hash.digest("hex")
}

/** Filled when there is nothing in it, migrated when it is the example's already. */
async function fillWhenEmpty(terminal: Terminal, model: Model, database: string): Promise<void> {
  const { compareDatabase } = await import("../storage/migration/migrate.ts")
  const lacking = (await compareDatabase(database, model)).filter(isMade).map(({ name }) => name)
  const tables = [...model.resources.keys()].filter((name) => lacking.includes(`add:${name}`))
  if (tables.length === 0) await migrateSafely(terminal, { model, database })
  else if (tables.length === model.resources.size && (await isEmpty(database)))
    await fill(terminal, model, database)
  else
    await checkDatabase(terminal, {
      model,
      database,
      file: join("examples", "storefront", "service.ts"),
      dev: false,
    })
}

const isMade = ({ changes }: Step): boolean => changes.some(({ kind }) => kind === "createTable")

async function isEmpty(database: string): Promise<boolean> {
  const address = readAddress(database)
  if (address.kind === "sqlite" && !existsSync(address.path)) return true
  try {
    return (await listTables(database)).tables.length === 0
  } catch (error) {
    if (!(error instanceof Refusal) || error.problems[0].code !== "empty_database") throw error
    return true
  }
}

async function fill(terminal: Terminal, model: Model, database: string): Promise<void> {
  const { storefrontData } = (await import(pathToFileURL(join(sources, "data.ts")).href)) as {
    storefrontData(): Records
  }
  const { setUp } = await import("../storage/migration/set-up.ts")
  const started = performance.now()
  terminal.say("Making the storefront's database, once …")
  const data = storefrontData()
  const total = [...data.records.values()].reduce((sum, rows) => sum + rows.length, 0)
  const dialect = dialects[readAddress(database).kind]
  await setUp(database, reported(terminal, total, commands(model, dialect, data)))
  terminal.settle()
  terminal.say(
    `${total.toLocaleString("en")} records in ${((performance.now() - started) / 1_000).toFixed(1)} s.`,
  )
}

function* commands(model: Model, dialect: Dialect, data: Records): Iterable<Command> {
  for (const text of createSchema(model, dialect)) yield { text, parameters: [] }
  yield* insertRecords(model, dialect, data)
}

function* reported(terminal: Terminal, total: number, given: Iterable<Command>): Iterable<Command> {
  let done = 0
  for (const command of given) {
    yield command
    done += command.rows ?? 0
    terminal.progress(`  ${Math.round((done / total) * 100)} %`)
  }
}
