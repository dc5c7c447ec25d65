// A PostgreSQL server of a test's own, whose acknowledgements are on disk, and which can be killed.
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Hooks } from "./database.ts"

export interface OwnPostgres {
  /** Of an empty database. */
  readonly url: string
  /** SIGKILL to its first process; the others end when they notice. */
  kill(): Promise<void>
  /** Starts it again, with the same address and what is on disk. */
  revive(): Promise<void>
  /** Ends it, copies its data, and starts it again. */
  save(): Promise<void>
  /** Kills it, and starts it with the data that was saved. */
  restore(): Promise<void>
  /** Kills it, and promotes a standby in its place that has the data that was saved, and nothing that came later. */
  promote(): Promise<void>
}

interface Launcher {
  startPostgres(options: { readonly durable: boolean }): Promise<OwnPostgres & { stop(): Promise<void> }>
}

const launcher = pathToFileURL(join(import.meta.dirname, "../../scripts/postgres.mjs")).href

export async function ownPostgres(hooks: Hooks): Promise<OwnPostgres> {
  const { startPostgres } = (await import(launcher)) as Launcher
  const server = await startPostgres({ durable: true })
  hooks.after(() => server.stop())
  return server
}
