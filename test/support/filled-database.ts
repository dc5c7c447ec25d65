// Databases of examples: filled once for all test files of a run, and copied for each that opens one.
import { copyFileSync, existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { type Hooks, temporaryFolder, temporaryPostgres } from "./database.ts"

interface Lock {
  whileLocked(name: string, work: () => Promise<void>): Promise<void>
}

interface Wanted {
  /** Equal names have equal records. */
  readonly name: string
  readonly database: "sqlite" | "postgres"
  readonly fill: (url: string) => Promise<void>
}

/** The address of a database of the test's own. */
export async function filledDatabase(hooks: Hooks, wanted: Wanted): Promise<string> {
  // Named by `npm test`, with a server that ends with the run: what is copied has to be gone then.
  const home = process.env["BIFOLD_TEST_TEMPLATES"]
  if (!home) {
    const url = await open(hooks, wanted)
    await wanted.fill(url)
    return url
  }
  await prepare(home, wanted)
  return await open(hooks, wanted, join(home, wanted.name))
}

/** Empty, or a copy. */
async function open(hooks: Hooks, { database, name }: Wanted, file?: string): Promise<string> {
  if (database === "postgres") return await temporaryPostgres(hooks, file && templateOf(name))
  const path = join(await temporaryFolder(hooks), "service.sqlite")
  if (file) copyFileSync(file, path)
  return path
}

const templateOf = (name: string): string => `bifold_template_${name}`

async function prepare(home: string, { name, database, fill }: Wanted): Promise<void> {
  const isFilled = join(home, `${name}.filled`)
  if (existsSync(isFilled)) return
  const lock = pathToFileURL(join(import.meta.dirname, "../../scripts/lock.mjs")).href
  const { whileLocked } = (await import(lock)) as Lock
  await whileLocked(`filling-${name}`, async () => {
    if (existsSync(isFilled)) return
    const kept = { after: () => {} }
    await fill(
      database === "sqlite" ? join(home, name) : await temporaryPostgres(kept, "template0", templateOf(name)),
    )
    writeFileSync(isFilled, "")
  })
}
