// `bifold rules`: who may do what, as a table, and as a file that is kept under version control and compared.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { Command, Option } from "commander"
import { refusal } from "../../base/problem.ts"
import { exitCodes } from "../../observe/terminal/failure.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { shellWord } from "../../observe/terminal/terminal.ts"
import { withoutInternal } from "../../plan/access/visible-model.ts"
import { type PermissionMatrix, permissionMatrixOf } from "../../plan/analysis/permission-matrix.ts"
import { type DiffLine, diffLines, matrixFile, matrixTables, placedLines } from "../output/matrix-text.ts"
import { findSource, openSource } from "../source.ts"

interface Options {
  readonly write?: true
  readonly check?: true
  readonly file?: string
  readonly json?: true
}

export function rulesCommand(terminal: Terminal): Command {
  return new Command("rules")
    .summary("show permissions, and compare them with a reviewed file")
    .description("Shows the permissions of each kind of actor: on records, on fields, and to call user code.")
    .argument("[file]", "the service file; service.ts when absent")
    .option("--write", "write them to a file beside the service file")
    .addOption(
      new Option("--check", "compare them with that file, and exit with 1 at a difference").conflicts(
        "write",
      ),
    )
    .option("--file <path>", "path of that file; the service file's path with the ending .rules when absent")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ bifold rules service.ts
  $ bifold rules service.ts --write
  $ bifold rules service.ts --check`,
    )
    .action((file: string | undefined, options: Options) => rules(terminal, file, options))
}

async function rules(terminal: Terminal, given: string | undefined, options: Options): Promise<void> {
  const source = findSource(given)
  if (source.kind === "database")
    throw refusal("invalid_command", "A database without a service file has no rules.", {
      hint: "Write a service file with bifold introspect, and say in it who may do what.",
    })
  if (options.file !== undefined && !options.write && !options.check)
    throw refusal("invalid_command", "--file alone does nothing.", {
      hint: "Add --write or --check.",
    })
  const { model } = await openSource(source)
  const matrix = permissionMatrixOf(withoutInternal(model))
  const file = options.file ?? source.file.replace(/\.[^./\\]+$/, ".rules")
  if (options.check)
    return check(terminal, { matrix, file, source: source.file, json: options.json === true })
  if (options.write) {
    writeFileSync(file, matrixFile(matrix))
    terminal.say(`${terminal.err.green("✓")} ${file}: ${counted(matrix)}.`)
  }
  if (options.json) terminal.print(JSON.stringify(matrix, null, 2))
  else if (!options.write) terminal.print(matrixTables(matrix, terminal))
}

const counted = ({ actors, resources }: PermissionMatrix): string =>
  `${actors.length} kinds of actors, ${resources.length === 1 ? "1 resource" : `${resources.length} resources`}`

interface Checked {
  readonly matrix: PermissionMatrix
  readonly file: string
  /** The service file. */
  readonly source: string
  readonly json: boolean
}

function check(terminal: Terminal, { matrix, file, source, json }: Checked): void {
  const own = file === source.replace(/\.[^./\\]+$/, ".rules") ? "" : ` --file ${shellWord(file)}`
  const write = `bifold rules ${shellWord(source)} --write${own}`
  // Some checkouts turn the line ends of text files.
  const agreed = existsSync(file) ? readFileSync(file, "utf8").replaceAll("\r\n", "\n") : undefined
  const differences =
    agreed === undefined ? [] : diffLines(placedLines(agreed), placedLines(matrixFile(matrix)))
  const ok = agreed !== undefined && differences.length === 0
  if (!ok) terminal.exitWith(exitCodes.failed)
  if (json) {
    const changes = differences.flat().filter(({ kind }) => kind !== "same")
    terminal.print(JSON.stringify({ ok, file, changes }, null, 2))
    return
  }
  if (ok) {
    terminal.print(`${terminal.out.green("✓")} ${file} is what ${source} allows.`)
    return
  }
  const { red, dim } = terminal.err
  if (agreed === undefined) {
    terminal.say(`${red("✗")} There is no file ${file} to compare with.`)
    terminal.say(`  ${dim(`→ Write it, and have it reviewed: ${write}`)}`)
    return
  }
  terminal.print(differences.map((lines) => diffText(lines, terminal)).join("\n\n"))
  terminal.say(`\n${red("✗")} ${source} and ${file} differ.`)
  terminal.say(
    `  ${dim(`→ If the change is intended, write the file again, and have it reviewed: ${write}`)}`,
  )
}

/** Below the resource and the action that the lines are about. */
function diffText(lines: readonly DiffLine[], { out }: Terminal): string {
  const { resource = null, action = null } = lines[0] ?? {}
  const title = [resource, action].filter((name) => name !== null).join(" · ")
  return [...(title === "" ? [] : [out.bold(title)]), ...lines.map((line) => lineText(line, out))].join("\n")
}

function lineText({ kind, text }: DiffLine, out: Terminal["out"]): string {
  if (kind === "gone") return out.red(`- ${text}`)
  return kind === "new" ? out.green(`+ ${text}`) : `  ${text}`.trimEnd()
}
