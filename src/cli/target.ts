// The service and the database that `bifold serve` serves; refuses combinations that cannot be meant.
import { refusal } from "../base/problem.ts"
import type { CodeThreads } from "../engine/code/threads.ts"
import type { Drift } from "../engine/drift.ts"
import type { Model } from "../model/model.ts"
import { loadService } from "../plan/access/policies.ts"
import { checkDatabase, watchDatabase } from "../service/database-check.ts"
import { withSystem } from "../system/with-system.ts"
import { shellWord } from "../telemetry/terminal/shell.ts"
import type { Terminal } from "../telemetry/terminal/terminal.ts"
import { type AccessModeOptions, accessModeOf } from "./access-mode.ts"
import { serveFile } from "./code-threads.ts"
import type { Samples } from "./samples.ts"
import { findSource, openSource } from "./source.ts"
import type { WatchedFiles } from "./watched-files.ts"

export interface TargetOptions extends AccessModeOptions {
  readonly example?: true
  /** The database is brought to what the service declares, where nothing is lost. */
  readonly dev?: true
  readonly database?: string
  /** Files of the service that are read anew. */
  readonly watched?: WatchedFiles | undefined
  /**
   * Runs once it is known what is served, before a database is made or changed. Rejects with a Refusal.
   * @param model as it was declared; absent where it comes with its database
   */
  readonly beforeChange?: (model?: Model) => Promise<void>
}

/** The service, and its database. */
export interface Target {
  readonly model: Model
  readonly drift: Drift
  readonly database: string
  /** A bare database, without rules. */
  readonly bare: boolean
  /** As a person called it. */
  readonly name: string
  /** A question to try, below the base; one that fits the service when absent. */
  readonly samples?: Samples
  readonly secret?: string
  /** Threads of the service's user code; absent where it has none. */
  readonly threads?: CodeThreads
}

/** The actor of the example's requests without credentials: one that sees everything. */
export const exampleActor = "role:staff"

export async function openTarget(
  terminal: Terminal,
  given: string | undefined,
  options: TargetOptions,
): Promise<Target> {
  const open = options.example ? exampleTarget : targetOf
  const target = await open(terminal, given, options)
  return { ...target, ...watchDatabase(terminal, { ...target, dev: options.dev }) }
}

type Opened = Omit<Target, "drift">

async function exampleTarget(
  terminal: Terminal,
  given: string | undefined,
  options: TargetOptions,
): Promise<Opened> {
  if (given !== undefined)
    throw refusal("invalid_command", `--example is a service of its own, so ${given} is one too many.`, {
      hint: "Leave out one of the two.",
    })
  await options.beforeChange?.()
  const { openExample } = await import("./example.ts")
  const { samples, ...example } = await openExample(terminal, options.database)
  return { ...example, ...(options.as === exampleActor && { samples }), bare: false, name: "The example" }
}

async function targetOf(
  terminal: Terminal,
  given: string | undefined,
  options: TargetOptions,
): Promise<Opened> {
  const source = findSource(given)
  if (source.kind === "database") {
    if (options.database !== undefined)
      throw refusal("invalid_command", "Two databases are named.", {
        hint: "--database is for service files. Leave it out.",
      })
    if (options.open === undefined) throw noRules(given ?? source.url)
    const { model, notes } = await openSource(source)
    if (notes.length > 0) (await import("./output/notes.ts")).sayNotes(terminal, notes)
    return { model, database: source.url, bare: true, name: given ?? source.url }
  }
  if (options.database === undefined)
    throw refusal("invalid_command", `Nothing says which database ${source.file} is about.`, {
      hint: `Name it: bifold serve ${shellWord(source.file)} --database shop.db, or set BIFOLD_DATABASE.`,
    })
  const { declaration, threads } = await serveFile(source.file, options.watched)
  const declared = loadService(withSystem(declaration))
  // Before a database is made or changed for what cannot be served.
  accessModeOf(declared, source.file, options)
  const { database, dev = false } = options
  await options.beforeChange?.(declared)
  const model = await checkDatabase(terminal, { model: declared, database, file: source.file, dev })
  return { model, database, bare: false, name: source.file, ...(threads && { threads }) }
}

function noRules(source: string): Error {
  return refusal(
    "invalid_command",
    "A database served as it is has no rules: every client may do everything.",
    {
      hint: `If that is meant, for this machine only: bifold serve ${shellWord(source)} --open read, or --open write. To say who may what, write a service file with bifold introspect.`,
    },
  )
}
