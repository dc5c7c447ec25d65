#!/usr/bin/env node
// Makes a project with a service: reads the command line, asks for a folder where none is given and somebody can answer.
// Also runs on a Node that is too old for Bifold, as far as it has to say so.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline/promises"
import { fileURLToPath } from "node:url"
import { create, Refusal } from "./create.js"

const oldest = "24.10"
const clone = fileURLToPath(new URL("..", import.meta.url))
const inClone = existsSync(new URL("../src/index.ts", import.meta.url))
const proposal = "my-service"
/** Never by a name of the registry that a clone does not own. */
const command = inClone ? `node ${shellWord(process.argv[1])}` : "create-bifold"
const usage = `Usage: ${command} <folder>

Makes a new service in a folder that is absent or empty: a service file with rules, its tests and what runs them.

Options:
  -h, --help     show help
  -V, --version  print the version

Example:
  $ ${command} ${proposal}
`

async function main(given) {
  if (given.includes("-h") || given.includes("--help")) return process.stdout.write(usage)
  if (given.includes("-V") || given.includes("--version")) return process.stdout.write(`${version()}\n`)
  const unknown = given.find((each) => each.startsWith("-"))
  if (unknown !== undefined) throw new Refusal(`There is no option ${unknown}.`, usage, 2)
  if (given.length > 1) throw new Refusal("More than one folder is named.", usage, 2)
  if (process.versions.node.localeCompare(oldest, "en", { numeric: true }) < 0)
    throw new Refusal(
      `Bifold needs Node ${oldest} or later; this is Node ${process.versions.node}.`,
      `Install it from https://nodejs.org, or by a version manager: nvm install 24`,
    )
  const folder = given[0] ?? (await askForFolder())
  const { files, name } = create(folder, inClone ? `file:${tarball()}` : `^${version()}`)
  const enter = folder === "." ? "" : `  cd ${shellWord(folder)}\n`
  const pack = inClone ? `  (cd ${shellWord(clone)} && npm pack)\n` : ""
  process.stdout.write(`✓ ${name}: ${files.length} files.

Next:
${pack}${enter}  npm install
  npm test         the tests of the service
  npm run dev      http://127.0.0.1:4000, with a database that follows the service file
`)
}

/** The package that the project of a clone needs: packed from the clone, so that nothing of its name is fetched. */
function tarball() {
  return join(clone, `bifold-${version()}.tgz`)
}

async function askForFolder() {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new Refusal("No folder is named.", usage, 2)
  const questions = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await questions.question(`Folder (${proposal}): `)).trim() || proposal
  } finally {
    questions.close()
  }
}

function version() {
  return JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")).version
}

function shellWord(text) {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  process.stderr.write(`✗ ${error.message}\n  → ${error.hint.trimEnd()}\n`)
  process.exitCode = error.exitCode
}
