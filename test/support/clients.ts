// The tests of client folders: test/clients/<name>/ is a package of its own, which `npm test` installs. Where it could not,
// the tests are skipped with the reason, unless BIFOLD_CLIENTS is `required`.
import assert from "node:assert/strict"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"

const home = join(import.meta.dirname, "../clients")

/** What `npm test` could not install: said before the tests begin or, where all are run, by a file when that is known. */
async function failures(): Promise<Readonly<Record<string, string>>> {
  const file = process.env["BIFOLD_CLIENTS_FILE"]
  while (file !== undefined && !existsSync(file)) await sleep(200)
  return JSON.parse(
    file === undefined ? (process.env["BIFOLD_CLIENTS_FAILED"] ?? "{}") : readFileSync(file, "utf8"),
  )
}

/** Why the packages of a folder are not there; undefined where they are. */
async function absenceOf(name: string): Promise<string | undefined> {
  const failed = await failures()
  if (failed[name] !== undefined) return `test/clients/${name} was not installed: ${failed[name]}`
  return existsSync(join(home, name, "node_modules", ".bifold-client"))
    ? undefined
    : `test/clients/${name} is not installed; npm test installs it`
}

/**
 * Loads the tests of a client, whose modules import packages of its folder.
 * @param name the folder
 * @param load imports the module that has the tests
 */
export async function clientTests(name: string, load: () => Promise<unknown>): Promise<void> {
  const reason = await absenceOf(name)
  if (reason === undefined) await load()
  else if (process.env["BIFOLD_CLIENTS"] === "required") test(`client ${name}`, () => assert.fail(reason))
  else test(`client ${name}`, { skip: reason }, () => {})
}
