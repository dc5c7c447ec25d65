// The service and the database that `bifold serve` serves; refuses combinations that cannot be meant.

import { actorFromText } from "../access/identity/actor-text.ts"
import { isLoopback } from "../base/networks.ts"
import { refusal } from "../base/problem.ts"
import type { CodeThreads } from "../engine/code/threads.ts"
import type { Drift } from "../engine/drift.ts"
import type { Model } from "../model/model.ts"
import { withSystem } from "../model/system/with-system.ts"
import { shellWord, type Terminal } from "../observe/terminal/terminal.ts"
import { hasRules, loadService, rulesOf } from "../plan/access/policies.ts"
import type { AccessMode } from "../service/access-mode.ts"
import { checkDatabase, watchDatabase } from "../service/database-check.ts"
import { serveFile } from "./service-file.ts"
import { findSource, openSource, type Samples } from "./source.ts"
import type { WatchedFiles } from "./watched-files.ts"

export interface TargetOptions extends AccessModeOptions {
  readonly example?: true
  /** The database is brought to what the service declares, where nothing is lost. */
  readonly dev?: true
  readonly database?: string
  /** Files of the service that are read anew. */
  readonly watched?: WatchedFiles | undefined
  /**
   * Runs once the target is known, before a database is made or changed. Rejects with a Refusal.
   * @param model as it was declared; absent if the database alone defines it
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
      hint: `To do so on this machine only: bifold serve ${shellWord(source)} --open read, or --open write. To set permissions, write a service file with bifold introspect.`,
    },
  )
}

// The access mode of `serve`: by rules, or open to every client. Refuses contradicting options.
interface AccessModeOptions {
  readonly open?: "read" | "write"
  /** An actor in words. */
  readonly as?: string
  readonly host: string
}

/** @param source the served source, as the command line has it */
export function accessModeOf(
  model: Model,
  source: string,
  { open, as, host }: AccessModeOptions,
): AccessMode {
  if (!hasRules(model)) return openStanding(source, { ...(open && { open }), ...(as && { as }), host })
  if (open !== undefined)
    throw refusal("invalid_command", `${source} has rules, so it cannot be opened without them.`, {
      hint: "Leave out --open. To act as a role on this machine, use --as role:staff, for example.",
    })
  rulesOf(model)
  if (as === undefined) return { kind: "rules" }
  if (!isLoopback(host))
    throw refusal("invalid_command", `--as is for this machine only, not for ${host}.`, {
      hint: "Leave out --host, or --as: others sign in with keys or tokens.",
    })
  return { kind: "rules", nobody: actorFromText(model, as) }
}

function openStanding(source: string, { open, as, host }: AccessModeOptions): AccessMode {
  if (as !== undefined)
    throw refusal("invalid_command", `${source} has no rules, so every actor has the same access.`, {
      hint: "Leave out --as.",
    })
  if (open !== undefined) return { kind: "open", what: open }
  const elsewhere = isLoopback(host) ? "" : ` to every client that can reach ${host}`
  throw refusal("invalid_command", `${source} has no rules, so every request would be refused.`, {
    hint: `Say it in the file with allow, or open all of it${elsewhere}: --open read, or --open write.`,
  })
}
