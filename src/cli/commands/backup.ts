// `bifold backup`: copies a SQLite database while it is served, and checks the copy.
import { statSync } from "node:fs"
import { Command } from "commander"
import { refusal } from "../../base/problem.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { shellWord } from "../../observe/terminal/terminal.ts"
import { readAddress } from "../../storage/address.ts"

interface Options {
  readonly replace?: true
  readonly json?: true
}

export function backupCommand(terminal: Terminal): Command {
  return new Command("backup")
    .summary("copy a SQLite database while it is served")
    .description(
      "Copies a SQLite database as it is at the start, while it is served, and checks the copy. For PostgreSQL it prints the command to run.",
    )
    .argument("<database>", "the path of a SQLite file, or the address of a PostgreSQL database")
    .argument("<file>", "the copy")
    .option("--replace", "replace an existing file")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ bifold backup shop.db shop-backup.db
  $ bifold backup shop.db backups/today.db --replace --json

Requests are answered meanwhile, and what is written meanwhile is not in the copy. To restore it, end the
service, put the copy in the place of the database, remove shop.db-wal and shop.db-shm, and start the service.`,
    )
    .action((database: string, file: string, options: Options) => run(terminal, { database, file, options }))
}

interface Arguments {
  readonly database: string
  readonly file: string
  readonly options: Options
}

const ends = ["SIGINT", "SIGTERM"] as const

async function run(terminal: Terminal, { database, file, options }: Arguments): Promise<void> {
  const address = readAddress(database)
  if (address.kind === "postgres")
    throw refusal("invalid_command", "PostgreSQL has its own program for this.", {
      hint: `Run pg_dump --format=custom --file=${shellWord(file)} with the database's address, and restore with pg_restore.`,
    })
  if (address.path === ":memory:")
    throw refusal("invalid_command", "A database in memory is with its process alone.", {
      hint: "Name the path of a SQLite file.",
    })
  const { backUpSqlite, removeUnfinished } = await import("../../storage/sqlite/backup.ts")
  // A signal that ends the program removes the unfinished copy.
  const ended = (signal: NodeJS.Signals): void => {
    for (const one of ends) process.off(one, ended)
    removeUnfinished(file)
    process.kill(process.pid, signal)
  }
  for (const signal of ends) process.on(signal, ended)
  const since = performance.now()
  const made = await backUpSqlite({
    from: address.path,
    to: file,
    replace: options.replace === true,
    progress: (copied, pages) => terminal.progress(`${Math.floor((100 * copied) / pages)} % copied`),
  }).finally(() => {
    for (const signal of ends) process.off(signal, ended)
    terminal.settle()
  })
  const seconds = (performance.now() - since) / 1_000
  if (options.json) return terminal.print(JSON.stringify({ file, seconds, ...made }, null, 2))
  const size = `${(made.bytes / 1_000_000).toFixed(1)} MB`
  terminal.print(
    `${terminal.out.green("✓")} ${file}: ${size}, ${made.tables} tables, checked, in ${seconds.toFixed(1)} s.`,
  )
  if (made.danglingReferences > 0)
    terminal.say(
      terminal.err.yellow(
        `${made.danglingReferences} references lead to records that are not there, in the database as in the copy.`,
      ),
    )
  if (isOnSameDisk(address.path, file))
    terminal.say(terminal.err.dim("The copy is on the disk of the database: keep another one elsewhere."))
}

const isOnSameDisk = (one: string, other: string): boolean => statSync(one).dev === statSync(other).dev
