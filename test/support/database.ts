// Databases and folders for one test file, gone when it ends.
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"

/** Where clean-up is registered: a test's context, or what `cleanUp` gives for a suite. */
export interface Hooks {
  after(work: () => Promise<void> | void): void
}

/** For suites: pass the `after` of node:test while the suite is being declared. Runs last registered first. */
export function cleanUp(after: (work: () => Promise<void>) => void): Hooks {
  const works: (() => Promise<void> | void)[] = []
  after(async () => {
    for (const work of works.reverse()) await work()
  })
  return { after: (work) => void works.push(work) }
}

export async function temporaryFolder(hooks: Hooks): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bifold-test-"))
  hooks.after(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** The address of a new PostgreSQL database, which is empty unless it is a copy of another. */
export async function temporaryPostgres(
  hooks: Hooks,
  template = "template0",
  name = `bifold_test_${process.pid}_${randomBytes(4).toString("hex")}`,
): Promise<string> {
  const server = process.env["BIFOLD_TEST_POSTGRES"]
  if (!server)
    throw new Error("The tests need PostgreSQL: run them by `npm test -- <files>`, which starts one.")
  // Copied as files: a sixth of the server's work of writing each page to its log, which is PostgreSQL's own way.
  await administer(server, `CREATE DATABASE "${name}" TEMPLATE "${template}" STRATEGY file_copy`)
  hooks.after(() => administer(server, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`))
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** A connection takes the server as long as half a database. */
let administrator: pg.Pool | undefined

async function administer(server: string, command: string): Promise<void> {
  if (!administrator) {
    administrator = new pg.Pool({ connectionString: server, max: 1, allowExitOnIdle: true })
    // The next command connects anew.
    administrator.on("error", () => {})
  }
  await administrator.query(command)
}
