// `bifold check`: every mistake of a service file at once.
import { Command } from "commander"
import { type Place, Refusal } from "../../base/problem.ts"
import type { ServiceDeclaration } from "../../model/declaration/declaration.ts"
import { countOf, exitCodes, problemJson, problemLines, sayStack } from "../../observe/terminal/failure.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { handlerNotes, ruleNotes, stateNotes } from "../../plan/analysis/warnings.ts"
import { refuseMismatch } from "../../service/database-check.ts"
import { sayNotes } from "../output/notes.ts"
import { readServiceFile } from "../service-file.ts"
import { findSource, loadWritten, ownPlace } from "../source.ts"

export function checkCommand(terminal: Terminal): Command {
  return new Command("check")
    .summary("find the mistakes in a service file")
    .description("Finds every mistake in a service file, each with its place and a correction.")
    .argument("[file]", "the service file; service.ts when absent")
    .option("--database <url>", "a database, which is compared with what the service declares")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  $ bifold check\n  $ bifold check examples/storefront/service.ts --json\n  $ bifold check --database postgres://localhost/shop",
    )
    .action((file: string | undefined, options: Options) => check(terminal, file, options))
}

interface Options {
  readonly database?: string
  readonly json?: boolean
}

async function check(
  terminal: Terminal,
  given: string | undefined,
  { database, json = false }: Options,
): Promise<void> {
  const source = findSource(given?.includes(".") === false ? `${given}.ts` : given)
  const file = source.kind === "file" ? source.file : source.url
  try {
    const declaration = await readServiceFile(file)
    const written = (place: Place): boolean =>
      place[0] !== "resources" || Object.hasOwn(declaration.resources, String(place[1]))
    const whole = loadWritten(declaration)
    if (database !== undefined) await refuseMismatch({ model: whole, database, file })
    const all = [...ruleNotes(whole), ...stateNotes(whole), ...handlerNotes(whole)].map((note) =>
      note.place[2] === "grants" ? { ...note, place: ownPlace(declaration, note.place) } : note,
    )
    const notes = all.filter(({ place }) => written(place))
    if (json) terminal.print(JSON.stringify({ ok: true, file, problems: [], notes }, null, 2))
    else {
      terminal.print(`${terminal.out.green("✓")} ${file}: ${summary(declaration)}, no mistakes.`)
      sayNotes(
        terminal,
        notes.map(({ place, what, hint }) => ({ place: place.map(String), what, reason: hint })),
      )
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.problems.some(({ code }) => code === "invalid_command"))
      throw error
    terminal.exitWith(exitCodes.failed)
    if (json) {
      terminal.print(JSON.stringify({ ok: false, file, problems: error.problems.map(problemJson) }, null, 2))
      return
    }
    sayStack(error, terminal)
    const count = countOf(error.problems)
    terminal.say(problemLines(error.problems, terminal))
    terminal.say(`\n${file}: ${count === 1 ? "1 mistake" : `${count} mistakes`}.`)
  }
}

/** Counts members as declared. The model has more: fields of states, the relation `history`. */
function summary({ resources }: ServiceDeclaration): string {
  const all = Object.values(resources)
  const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`
  const members = (list: readonly (object | undefined)[]): number =>
    list.reduce((total, declared) => total + Object.keys(declared ?? {}).length, 0)
  return [
    counted(all.length, "resource"),
    counted(members(all.map(({ fields }) => fields)), "field"),
    counted(members(all.map(({ relations }) => relations)), "relation"),
  ].join(", ")
}
