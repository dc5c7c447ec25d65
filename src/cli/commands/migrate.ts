// `bifold migrate`: moves a database to the tables that a service declares.
import { Argument, Command, Option } from "commander"
import { type Problem, Refusal, refusal } from "../../base/problem.ts"
import type { Model } from "../../model/model.ts"
import { exitCodeOf, exitCodes, problemLines } from "../../observe/terminal/failure.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { leftText } from "../../service/skipped-step.ts"
import { isSafe } from "../../sql/migration/migration.ts"
import { hintOf, type Step } from "../../sql/migration/steps.ts"
import { readAddress } from "../../storage/address.ts"
import { checkSteps, compareDatabase, migrate } from "../../storage/migration/migrate.ts"
import { columns } from "../output/columns.ts"
import { several, withSettings } from "../settings/options.ts"
import { findSource, openSource } from "../source.ts"

interface Options {
  readonly database?: string
  readonly allow: readonly string[]
  readonly json?: true
}

type What = "plan" | "apply" | "status"

export function migrateCommand(terminal: Terminal): Command {
  const command = new Command("migrate")
    .summary("move a database to the tables of a service")
    .description(
      "Shows or runs the steps from the tables of a database to the tables that a service declares.",
    )
    .addArgument(
      new Argument(
        "<what>",
        "plan shows the steps, apply runs them, status says whether there are any",
      ).choices(["plan", "apply", "status"]),
    )
    .argument("[service]", "the service file; service.ts when absent")
    .addOption(
      new Option("--allow <step>", "a step that loses data, by its name; can be given again")
        .default([])
        .argParser(several),
    )
    .option("--json", "print the result as JSON")
  return withSettings(command, { database: "the database" })
    .addHelpText(
      "after",
      `
Examples:
  $ bifold migrate plan service.ts --database shop.db
  $ bifold migrate apply service.ts --database shop.db
  $ bifold migrate apply service.ts --database shop.db --allow drop:order.note

What was renamed is renamed when the declaration says so: name: f.text({ was: "fullName" }).`,
    )
    .action((what: What, service: string | undefined, options: Options) =>
      run(terminal, what, { service, options }),
    )
}

async function run(
  terminal: Terminal,
  what: What,
  { service, options }: { readonly service: string | undefined; readonly options: Options },
): Promise<void> {
  const { model, database, file } = await readTarget(service, options)
  const about = { terminal, database, json: options.json === true }
  if (!model.managed && !model.log?.capture) await refuseUnmanaged(database, model, file)
  if (what === "apply") return apply(about, model, options.allow)
  const steps = await compareDatabase(database, model)
  if (what === "status") status(about, steps)
  else plan(about, steps, await checkSteps(database, steps, options.allow))
}

interface About {
  readonly terminal: Terminal
  readonly database: string
  readonly json: boolean
}

async function readTarget(
  service: string | undefined,
  { database }: Options,
): Promise<{ readonly model: Model; readonly database: string; readonly file: string }> {
  const source = findSource(service)
  if (source.kind === "database")
    throw refusal("invalid_command", "A database is no service: it says nothing of what it should be.", {
      hint: "Give a service file, and the database with --database.",
    })
  if (database === undefined)
    throw refusal("invalid_command", `Nothing says which database ${source.file} is about.`, {
      hint: "Name it: --database shop.db, or set BIFOLD_DATABASE.",
    })
  const { model } = await openSource(source)
  return { model, database, file: source.file }
}

/** Triggers that a former version of the service had captures by can be removed. */
async function refuseUnmanaged(database: string, model: Model, file: string): Promise<void> {
  if ((await compareDatabase(database, model)).length > 0) return
  throw refusal("invalid_command", `The tables of ${file} are not managed by Bifold.`, {
    hint: "If they are to be Bifold's own, leave out `managed: false`.",
  })
}

const shown = (database: string): string => readAddress(database).shown

/** Ends as `apply` would, where it would refuse. */
function plan(
  { terminal, database, json }: About,
  steps: readonly Step[],
  problems: readonly Problem[],
): void {
  const text = steps.length === 0 ? matches(terminal, database) : stepLines(terminal, steps, !isFirst(steps))
  terminal.print(json ? jsonText({ steps: steps.map(stepJson), problems: problems.map(problemJson) }) : text)
  const [first, ...more] = problems
  if (!first) return
  terminal.exitWith(exitCodeOf(problems))
  if (!json) terminal.say(`apply would refuse this:\n${problemLines([first, ...more], terminal)}`)
}

const problemJson = ({ code, message, hint }: Problem): object => ({ code, message, ...(hint && { hint }) })

function status({ terminal, database, json }: About, steps: readonly Step[]): void {
  const differing = steps.filter(({ leftover }) => !leftover)
  if (differing.length > 0) terminal.exitWith(exitCodes.failed)
  const count = steps.length === 1 ? "1 step" : `${steps.length} steps`
  const head =
    differing.length > 0
      ? `${terminal.out.red("✗")} ${shown(database)}: ${count} to be done.`
      : `${matches(terminal, database)}${steps.length > 0 ? " It has more than that:" : ""}`
  const lines = steps.length > 0 ? [head, stepLines(terminal, steps)] : [head]
  terminal.print(
    json ? jsonText({ ok: differing.length === 0, steps: steps.map(stepJson) }) : lines.join("\n"),
  )
}

async function apply(
  { terminal, database, json }: About,
  model: Model,
  allow: readonly string[],
): Promise<void> {
  const say = (text: string): void => terminal.say(terminal.err.dim(`  ${text}`))
  const { done, kept } = await migrate(database, model, { allow, say }).catch((error: unknown) => {
    if (json && error instanceof Refusal)
      terminal.print(jsonText({ ok: false, problems: error.problems.map(problemJson) }))
    throw error
  })
  const count = done.length === 1 ? "1 step" : `${done.length} steps`
  const text =
    done.length === 0
      ? matches(terminal, database)
      : `${terminal.out.green("✓")} ${shown(database)}: ${count} done.`
  terminal.print(json ? jsonText({ ok: true, done: done.map(stepJson), kept: kept.map(stepJson) }) : text)
  for (const name of allow)
    if (!done.some((step) => step.name === name)) terminal.say(`There was no step ${name}.`)
  for (const step of kept)
    terminal.say(`Left as it is: --allow ${step.name} would ${step.says}.${leftText(step)}`)
}

const matches = ({ out }: Terminal, database: string): string =>
  `${out.green("✓")} ${shown(database)} has all that the service needs.`

/** There is nothing yet that a previous version could serve. */
const isFirst = (steps: readonly Step[]): boolean =>
  steps.every(({ changes }) => changes.every(({ kind }) => kind === "createTable" || kind === "makeOwn"))

const stepLines = ({ out }: Terminal, steps: readonly Step[], marks = false): string =>
  columns(
    steps.map((step) => {
      const { name, says, loses, refused } = step
      const hint = hintOf(step)
      const marked = refused ? " (cannot be done)" : loses ? " (only with --allow)" : ""
      const served = isSafe(step)
        ? out.dim(" [safe while the previous version serves]")
        : out.yellow(" [end the previous version first]")
      return [
        `  ${loses || refused ? out.yellow(name) : out.bold(name)}`,
        `${says}${out.yellow(marked)}${refused || !marks ? "" : served}${hint ? ` ${hint}` : ""}`,
      ]
    }),
  )

const stepJson = (step: Step): object => {
  const hint = hintOf(step)
  return {
    name: step.name,
    says: step.says,
    loses: step.loses,
    leftover: step.leftover,
    refused: step.refused !== undefined,
    safe: isSafe(step),
    ...(hint !== undefined && { hint }),
  }
}

const jsonText = (value: object): string => JSON.stringify(value, null, 2)
