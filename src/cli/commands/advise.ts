// `bifold advise`: indexes that a service's rules, orders and registered documents would be served by, and that are missing.
import { Command } from "commander"
import { refusal } from "../../base/problem.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { figure } from "../../plan/cost/allowance.ts"
import { openStorage } from "../../storage/open.ts"
import { type AdvisedIndex, advisedIndexes, isCounted } from "../../tools/doctor/advised-indexes.ts"
import { columns } from "../output/columns.ts"
import { withSettings } from "../settings/options.ts"
import { findSource, openSource } from "../source.ts"

interface Options {
  readonly database?: string
  readonly json?: true
}

export function adviseCommand(terminal: Terminal): Command {
  const command = new Command("advise")
    .summary("list indexes that are missing")
    .description(
      "Lists indexes that would serve lists under the service's rules, their orders, and registered documents, and that the database lacks. Nothing is changed.",
    )
    .argument("[source]", "a service file, or the address of a database; service.ts when absent")
    .option("--json", "print the result as JSON")
  return withSettings(command, { database: "the database of a service file" })
    .addHelpText(
      "after",
      `
Examples:
  $ bifold advise service.ts --database shop.db
  $ bifold advise postgres://localhost/shop --json

The sizes of tables are those that the database knows: PostgreSQL's last estimate, SQLite's last ANALYZE or greatest row.
A list that looks at 5,000 rows at the most needs no index.`,
    )
    .action((source: string | undefined, options: Options) => advise(terminal, source, options))
}

async function advise(terminal: Terminal, given: string | undefined, options: Options): Promise<void> {
  const source = findSource(given)
  const url = source.kind === "database" ? source.url : options.database
  if (url === undefined)
    throw refusal("invalid_command", "Nothing says how large the tables are.", {
      hint: "Name the database: --database shop.db, or set BIFOLD_DATABASE.",
    })
  const { model } = await openSource(source)
  const storage = await openStorage(url)
  try {
    const all = await advisedIndexes(model, storage)
    if (options.json) terminal.print(JSON.stringify({ missing: all.map(adviceJson) }, null, 2))
    else if (all.length === 0) terminal.print(`${terminal.out.green("✓")} No index is missing.`)
    else terminal.print(adviceTable(terminal, all))
    if (!all.every(isCounted))
      terminal.say("The rows of some tables are not counted yet: run ANALYZE, and ask again.")
  } finally {
    await storage.close()
  }
}

const adviceJson = (advice: AdvisedIndex): object => ({
  resource: advice.resource,
  index: advice.members,
  rows: isCounted(advice) ? advice.rows : null,
  reasons: advice.reasons,
})

function adviceTable({ out }: Terminal, all: readonly AdvisedIndex[]): string {
  return columns([
    ["Resource", "Index", "Rows looked at", "For"].map((head) => out.dim(head)),
    ...all.map((advice) => [
      out.bold(advice.resource),
      `[${advice.members.map((name) => JSON.stringify(name)).join(", ")}]`,
      isCounted(advice) ? figure(advice.rows) : "not known",
      advice.reasons.join("; "),
    ]),
  ])
}
