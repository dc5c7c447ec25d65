// `bifold introspect`: writes the service file of an existing database.
import { writeFileSync } from "node:fs"
import { Command } from "commander"
import { refusal } from "../../base/problem.ts"
import { printDeclaration } from "../../model/language/print.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { shellWord } from "../../observe/terminal/terminal.ts"
import { sayNotes } from "../output/notes.ts"
import { findSource, nameOf, openSource } from "../source.ts"

interface Options {
  readonly out?: string
  readonly force?: true
  readonly json?: true
}

export function introspectCommand(terminal: Terminal): Command {
  return new Command("introspect")
    .summary("write the service file of a database")
    .description(
      "Reads the tables of a SQLite or PostgreSQL database and writes them as a service file, for you to edit.",
    )
    .argument("<database>", "a SQLite file, or postgres://user:password@host/database")
    .option("-o, --out <file>", "write to a file instead of the terminal")
    .option("--force", "overwrite an existing file")
    .option("--json", "print the declaration and the notes as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ bifold introspect shop.db > service.ts
  $ bifold introspect postgres://me:secret@localhost/shop --out service.ts
  $ bifold introspect "postgres://localhost/shop?schemas=public,sales"   only these schemas

What a database has and the service has not is listed, with the reason.`,
    )
    .action((database: string, options: Options) => introspect(terminal, database, options))
}

/** A database does not say who may see its records, so no actor may. */
const noRules = `// No actor may do anything with these records until each resource says who, as in allow: { read: anyone }.
// The page "Permissions" explains rules; bifold check names the resources that no actor may read.
`

async function introspect(terminal: Terminal, given: string, options: Options): Promise<void> {
  const source = findSource(given)
  if (source.kind === "file")
    throw refusal("invalid_command", `${given} is a service file already.`, {
      hint: "Give the address of a database.",
    })
  const { declaration, model, notes } = await openSource(source)
  const text = noRules + printDeclaration(declaration)
  if (options.out !== undefined) write(options.out, text, options.force === true)
  if (options.json) terminal.print(JSON.stringify({ declaration, notes }, null, 2))
  else if (options.out === undefined) terminal.print(text.trimEnd())
  sayNotes(terminal, notes)
  const count = model.resources.size
  const resources = count === 1 ? "1 resource" : `${count} resources`
  if (options.out === undefined)
    terminal.say(`${terminal.err.green("✓")} ${nameOf(source.url)}: ${resources}.`)
  else
    terminal.say(
      `${terminal.err.green("✓")} ${options.out}: ${resources}. Serve it with: bifold serve ${shellWord(options.out)} --database ${shellWord(displayUrl(given))} --open read`,
    )
}

function write(file: string, text: string, force: boolean): void {
  try {
    writeFileSync(file, text, { flag: force ? "w" : "wx" })
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    if (code === "EEXIST")
      throw refusal("invalid_command", `${file} is there already.`, {
        hint: "Overwrite it with --force, or choose another name.",
      })
    throw refusal(
      "invalid_command",
      `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** The address without its password. */
export function displayUrl(url: string): string {
  return url.replace(/^([a-z]+:\/\/[^:/@]+):[^@]*@/i, "$1:…@")
}
