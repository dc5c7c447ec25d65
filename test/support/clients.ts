// The tests of client folders: test/clients/<name>/ is a package of its own, which `npm test` installs. Where it could not,
// the tests are skipped with the reason, unless BIFOLD_CLIENTS is `required`.
import assert from "node:assert/strict"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"

const home = join(import.meta.dirname, "../clients")

/** Why the packages of a folder are not there; undefined where they are. */
function absenceOf(name: string): string | undefined {
  const failed = JSON.parse(process.env["BIFOLD_CLIENTS_FAILED"] ?? "{}") as Readonly<Record<string, string>>
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
  const reason = absenceOf(name)
  if (reason === undefined) await load()
  else if (process.env["BIFOLD_CLIENTS"] === "required") test(`client ${name}`, () => assert.fail(reason))
  else test(`client ${name}`, { skip: reason }, () => {})
}
