// The command line: finds the command, and turns what it throws into words and an exit code.
import type { Writable } from "node:stream"
import { Command, CommanderError } from "commander"
import { ownVersion } from "../base/own-files.ts"
import { exitCodes, sayFailure } from "../observe/terminal/failure.ts"
import { openTerminal, type Terminal, type Host as TerminalHost } from "../observe/terminal/terminal.ts"
import { applySettings } from "./settings/apply.ts"

const help = `
Examples:
  $ bifold serve --example                      in a clone of Bifold: the storefront, right away
  $ bifold serve shop.db --open read            a database as it is, for this machine only
  $ bifold introspect shop.db --out service.ts  the same database as a service file, to edit
  $ bifold check service.ts                     every mistake in a service file
  $ bifold migrate apply service.ts --database shop.db
  $ bifold key create service.ts --database shop.db --role staff
  $ bifold explain '{ orders { totalCount } }' service.ts

Exit codes: 0 all is well, 1 what was asked for failed, 2 the command line is wrong.
Set BIFOLD_DEBUG=1 for stack traces, NO_COLOR=1 for no colors.`

type MakeCommand = (terminal: Terminal) => Command

/** In the order of the help. Each loads many modules, so only the called command is loaded. */
const commands: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  serve: async () => (await import("./commands/serve.ts")).serveCommand,
  introspect: async () => (await import("./commands/introspect.ts")).introspectCommand,
  config: async () => (await import("./commands/config.ts")).configCommand,
  check: async () => (await import("./commands/check.ts")).checkCommand,
  migrate: async () => (await import("./commands/migrate.ts")).migrateCommand,
  handlers: async () => (await import("./commands/handlers.ts")).handlersCommand,
  events: async () => (await import("./commands/events.ts")).eventsCommand,
  webhooks: async () => (await import("./commands/webhooks.ts")).webhooksCommand,
  key: async () => (await import("./commands/key.ts")).keyCommand,
  documents: async () => (await import("./commands/documents.ts")).documentsCommand,
  schema: async () => (await import("./commands/schema.ts")).schemaCommand,
  diagram: async () => (await import("./commands/diagram.ts")).diagramCommand,
  explain: async () => (await import("./commands/explain.ts")).explainCommand,
  advise: async () => (await import("./commands/advise.ts")).adviseCommand,
  doctor: async () => (await import("./commands/doctor.ts")).doctorCommand,
  backup: async () => (await import("./commands/backup.ts")).backupCommand,
  diff: async () => (await import("./commands/diff.ts")).diffCommand,
  changelog: async () => (await import("./commands/changelog.ts")).changelogCommand,
  versions: async () => (await import("./commands/versions.ts")).versionsCommand,
  usage: async () => (await import("./commands/usage.ts")).usageCommand,
  rules: async () => (await import("./commands/rules.ts")).rulesCommand,
  can: async () => (await import("./commands/can.ts")).canCommand,
  test: async () => (await import("./commands/test-files.ts")).testCommand,
}

/** The command that is called, or all of them when that is not clear. */
async function loadCommands(called: string | undefined): Promise<readonly MakeCommand[]> {
  if (called === "--version" || called === "-V") return []
  const load = called !== undefined && Object.hasOwn(commands, called) ? commands[called] : undefined
  return load ? [await load()] : Promise.all(Object.values(commands).map((each) => each()))
}

/** `process` is one. Beyond it, a command sees the working directory and reads the environment of the process that it runs in. */
export interface Host extends TerminalHost {
  readonly argv: readonly string[]
  readonly stdout: Writable & TerminalHost["stdout"]
  readonly stderr: Writable & TerminalHost["stderr"]
}

async function program(terminal: Terminal, host: Host): Promise<Command> {
  const { stdout, stderr } = host

  const root = new Command("bifold")
    .description("Declare a service once, or point at a database, and serve it as GraphQL and REST.")
    .version(version(), "-V, --version", "print the version")
    .helpCommand("help [command]", "show help for a command")
    .addHelpText("after", help)
    .hook("preAction", (_, called) => applySettings(called, terminal, host.env))
  for (const make of await loadCommands(host.argv[2])) root.addCommand(make(terminal))
  for (const [command, name] of [...commandsOf(root)])
    command
      .exitOverride()
      .showSuggestionAfterError()
      .helpOption("-h, --help", "show help")
      .configureOutput({
        writeOut: (text) => void stdout.write(text),
        writeErr: (text) => void stderr.write(text),
        getOutHelpWidth: () => widthOf(stdout),
        getErrHelpWidth: () => widthOf(stderr),
        outputError: (text, write) => write(text.replace(/^error: /, `${terminal.err.red("✗")} `)),
      })
      .showHelpAfterError(`Run ${name} --help for its arguments and options.`)
  return root
}

/** As Commander has it where no stream is given. */
const widthOf = ({ isTTY, columns = 80 }: TerminalHost["stdout"]): number => (isTTY === true ? columns : 80)

/** The command and all below it, each with its whole name. */
function* commandsOf(command: Command, above = ""): Iterable<readonly [Command, string]> {
  const name = `${above}${command.name()}`
  yield [command, name]
  for (const below of command.commands) yield* commandsOf(below, `${name} `)
}

function version(): string {
  return `${ownVersion()} (Node ${process.versions.node}, SQLite ${process.versions["sqlite"] ?? "absent"})`
}

export async function run(host: Host): Promise<void> {
  const terminal = openTerminal(host)
  watchOutputs(host, terminal)
  try {
    const root = await program(terminal, host)
    if (host.argv.length <= 2) {
      root.outputHelp({ error: true })
      terminal.exitWith(exitCodes.usage)
      return
    }
    await root.parseAsync(host.argv)
  } catch (error) {
    if (!(error instanceof CommanderError)) terminal.exitWith(sayFailure(error, terminal))
    else terminal.exitWith(error.exitCode === 0 ? exitCodes.fine : exitCodes.usage)
  }
}

/** Reports a full disk once; a reader that has gone, as `head` does, has what it wanted. */
function watchOutputs({ stdout, stderr }: Host, { err, say, exitWith }: Terminal): void {
  let told = false
  stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (told || code === "EPIPE") return
    told = true
    exitWith(exitCodes.failed)
    say(`${err.red("✗")} The output could not be written: ${message}`)
  })
  stderr.on("error", () => {}) // an error of stderr has no reader left
}
