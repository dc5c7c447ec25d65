// Whether a database has the tables that a service needs, when `serve` starts. Bifold's own tables have to match;
// unmanaged ones may have drifted under some of the resources.
import { existsSync } from "node:fs"
import { match } from "../base/match.ts"
import { type Problem, Refusal, refusal } from "../base/problem.ts"
import type { Drift } from "../engine/drift.ts"
import type { TableList } from "../model/introspection/catalog.ts"
import { markDrifted, watchDrift } from "../model/introspection/schema-drift.ts"
import { findMismatches } from "../model/introspection/schema-mismatches.ts"
import type { Model } from "../model/model.ts"
import { driftText } from "../observe/observations.ts"
import { problemLines } from "../observe/terminal/failure.ts"
import type { Terminal as WholeTerminal } from "../observe/terminal/terminal.ts"
import { shellWord } from "../observe/terminal/terminal.ts"
import type { Observe } from "../server/observation.ts"
import type { Step } from "../sql/migration/steps.ts"
import { systemTableNames } from "../sql/schema/system-tables.ts"
import { readAddress } from "../storage/address.ts"
import { listTables } from "../storage/introspection/inspect.ts"
import { leftText } from "./skipped-step.ts"

/** For the person who reads along. */
interface Terminal extends Pick<WholeTerminal, "say" | "err"> {
  /** Receives messages that are also events of a service's log. */
  readonly observe?: Observe
}

interface Served {
  readonly model: Model
  readonly database: string
  /** The service file, for what to run next. */
  readonly file: string
  /** Whether safe steps are run right away. */
  readonly dev: boolean
}

/** The model as it can be served. Throws a Refusal that says what differs and what to do. */
export async function checkDatabase(terminal: Terminal, served: Served): Promise<Model> {
  if (!served.model.managed) return fitForeign(terminal, served)
  if (served.dev) await migrateSafely(terminal, served)
  else await refuseDifferent(served)
  return served.model
}

/** The model, whose resources are served as far as the database has what they need whenever it is looked at. */
export function watchDatabase(
  terminal: Terminal,
  { model, database, dev }: Pick<Served, "model" | "database"> & { readonly dev?: boolean | undefined },
): { readonly model: Model; readonly drift: Drift } {
  const watched = watchDrift(model, model.managed ? [systemTableNames.log, systemTableNames.epoch] : [])
  const look = async (): Promise<boolean> => {
    const problems = watched.compare(await tablesNow(database))
    if (!problems) return false
    sayDrift(terminal, { problems })
    return true
  }
  // Elsewhere a service begins with a database that lacks something, too.
  const { isWhole } = watched
  return { model: watched.model, drift: { look, ...(model.managed && !dev && { isWhole }) } }
}

function sayDrift(terminal: Terminal, drift: Omit<Parameters<typeof driftText>[1], "kind">): void {
  const drifted = { kind: "drifted", ...drift } as const
  if (terminal.observe) terminal.observe(drifted)
  else terminal.say(driftText(terminal, drifted))
}

async function tablesNow(database: string): Promise<TableList> {
  try {
    return await listTables(database)
  } catch (fault) {
    const isEmpty = fault instanceof Refusal && fault.problems.some(({ code }) => code === "empty_database")
    if (!isEmpty) throw fault
    return { dialect: readAddress(database).kind, tables: [], notes: [] }
  }
}

/** Does every step that loses nothing, and tells each. */
export async function migrateSafely(
  terminal: Terminal,
  { model, database }: Pick<Served, "model" | "database">,
): Promise<void> {
  const { migrate } = await import("../storage/migration/migrate.ts")
  const say = (text: string): void => terminal.say(terminal.err.dim(`  ${text}`))
  const { done, kept } = await migrate(database, model, { allow: [], say })
  if (done.length > 0) terminal.say("The database has been migrated.")
  for (const step of kept)
    terminal.say(terminal.err.dim(`Left as it is: ${step.name}, which would ${step.says}.${leftText(step)}`))
}

async function refuseDifferent({ model, database, file }: Omit<Served, "dev">): Promise<void> {
  refuseAbsent({ database, file })
  const { compareDatabase } = await import("../storage/migration/migrate.ts")
  const steps = (await compareDatabase(database, model)).filter(({ leftover }) => !leftover)
  if (steps.length === 0) return
  const { shown } = readAddress(database)
  const hint = applyText({ database, file })
  const made = new Set(
    steps.flatMap(({ changes }) =>
      changes.flatMap((change) => (change.kind === "createTable" ? change.table.name.name : [])),
    ),
  )
  if ([...model.resources.values()].every(({ table }) => made.has(table.name)))
    throw refusal("empty_database", `The database ${shown} has none of the service's tables.`, {
      hint: `Make them: ${hint}`,
    })
  throw new Refusal([
    {
      code: "database_mismatch",
      message: `The database ${shown} is not what ${file} declares.`,
      hint: `Migrate it: ${hint}`,
    },
    ...steps.map(differs),
  ])
}

const applyText = ({ database, file }: Pick<Served, "database" | "file">): string => {
  const address = match(readAddress(database), {
    sqlite: ({ path }) => shellWord(path),
    postgres: () => "<its address>",
  })
  return `bifold migrate apply ${shellWord(file)} --database ${address}`
}

function refuseAbsent({ database, file }: Pick<Served, "database" | "file">): void {
  const { shown, ...address } = readAddress(database)
  if ("path" in address && !existsSync(address.path))
    throw refusal("storage_unavailable", `There is no database ${shown}.`, {
      hint: `Make it: ${applyText({ database, file })}`,
    })
}

/** Tables that a command works on, apart from all else that the service declares. */
export interface Needed {
  readonly resources?: readonly string[]
  /** For tables that Bifold keeps for itself. */
  readonly tables?: readonly string[]
}

/** Throws a Refusal that names what of it the database lacks; other differences are no concern of the command. */
export async function refuseLacking(
  { model, database, file }: Omit<Served, "dev">,
  { resources = [], tables = [] }: Needed,
): Promise<void> {
  refuseAbsent({ database, file })
  const found = await tablesNow(database)
  const own = new Map([...model.resources].filter(([name]) => resources.includes(name)))
  const there = new Set(found.tables.map(({ name }) => name))
  const lacking = [
    ...findMismatches({ ...model, resources: own }, found),
    ...tables
      .filter((table) => !there.has(table))
      .map(
        (table): Problem => ({ code: "database_mismatch", message: `The database has no table "${table}".` }),
      ),
  ]
  if (lacking.length === 0) return
  const { shown } = readAddress(database)
  throw new Refusal([
    {
      code: "database_mismatch",
      message: `The database ${shown} lacks tables or columns that this command needs.`,
      hint: model.managed
        ? `Migrate it: ${applyText({ database, file })}`
        : `Add them: bifold schema --sql ${found.dialect} ${shellWord(file)} prints how, among the others.`,
    },
    ...lacking,
  ])
}

const differs = ({ name, says }: Step): Problem => ({
  code: "database_mismatch",
  message: `${name} is to be done: ${says}.`,
})

async function fitForeign(terminal: Terminal, served: Served): Promise<Model> {
  const { model, database } = served
  const uncaptured = await uncapturedChanges(served)
  if (uncaptured.length > 0) {
    terminal.say(problemLines(uncaptured, terminal))
    terminal.say(`${terminal.err.yellow("Some changes by other programs are not logged")} until then.`)
  }
  const { model: marked, problems, whole } = markDrifted(model, await listTables(database))
  const [first, ...rest] = problems
  if (!first) return model
  if (whole.length === 0) throw new Refusal([first, ...rest])
  sayDrift(terminal, { problems, served: whole })
  return marked
}

/** Throws a Refusal that says in what the database is not what the service declares. */
export async function refuseMismatch(served: Omit<Served, "dev">): Promise<void> {
  const { model, database } = served
  if (model.managed) return refuseDifferent(served)
  refuseAbsent(served)
  const uncaptured = await uncapturedChanges(served)
  const [first, ...rest] = [...uncaptured, ...findMismatches(model, await tablesNow(database))]
  if (first) throw new Refusal([first, ...rest])
}

/** Triggers that are missing, or of an older declaration. Throws a Refusal where there can be none. */
async function uncapturedChanges({
  model,
  database,
  file,
}: Pick<Served, "model" | "database" | "file">): Promise<readonly Problem[]> {
  if (!model.log?.capture) return []
  const { compareDatabase } = await import("../storage/migration/migrate.ts")
  const steps = (await compareDatabase(database, model)).filter(({ leftover }) => !leftover)
  if (steps.length === 0) return []
  const what = "The triggers that log changes by other programs are not what the service declares."
  const hint = `Bring them up to date: ${applyText({ database, file })}`
  return [{ code: "database_mismatch", message: what, hint }, ...steps.map(differs)]
}
