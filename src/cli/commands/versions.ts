// `bifold versions`: begins and ends versions of an API.
import { Command, Option } from "commander"
import type { UsageRecords } from "../../access/usage/read-use.ts"
import { Refusal, refusal } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import { printVersion } from "../../model/language/print.ts"
import type { Model } from "../../model/model.ts"
import { changesBetween } from "../../model/versions/cut.ts"
import { pinOfKey } from "../../model/versions/served.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { withoutInternal } from "../../plan/access/visible-model.ts"
import { type DatabaseOptions, onDatabase } from "../on-database.ts"
import { columns } from "../output/columns.ts"
import { atLeastOne, day } from "../settings/options.ts"
import { findSource, type Opened, openSource } from "../source.ts"
import { addVersion, endVersion } from "../versions/edit-versions.ts"
import { openRevision } from "../versions/revision.ts"
import { firstDay, withUsage } from "../versions/usage-wanted.ts"

interface CutOptions {
  readonly since?: string
  readonly name: string
  readonly print?: true
  readonly json?: true
}

interface EndOptions extends DatabaseOptions {
  readonly on?: string
  readonly days: number
  readonly force?: true
}

const today = (): string => new Date().toISOString().slice(0, 10)

export function versionsCommand(terminal: Terminal): Command {
  const versions = new Command("versions")
    .summary("list, begin and end versions of the API")
    .description("Lists the versions of a service, begins a new one, or ends an old one.")
    .addHelpText(
      "after",
      `
Examples:
  $ bifold versions service.ts
  $ bifold versions cut service.ts --since v1.4:service.ts
  $ bifold versions end 2026-01-01 service.ts --database shop.db --on 2027-06-01

cut and end change \`versions\` in the service file, where they are spelt out there; otherwise they print what to write.`,
    )
  versions.addCommand(
    new Command("list")
      .description("Lists the versions, the newest first.")
      .argument("[service]", "the service file; service.ts when absent")
      .option("--json", "print the result as JSON")
      .action((service: string | undefined, options: { readonly json?: true }) =>
        list(terminal, service, options),
      ),
    { isDefault: true },
  )
  versions.addCommand(
    new Command("cut")
      .description(
        "Begins a version with the changes since another revision of the file, as far as they follow from names and types.",
      )
      .argument("[service]", "the service file; service.ts when absent")
      .option("--since <source>", "the service before: HEAD:service.ts when absent, or a file")
      .addOption(new Option("--name <date>", "of the version").default(today(), "today").argParser(day))
      .option("--print", "print the version, and leave the file as it is")
      .option("--json", "print the result as JSON")
      .action((service: string | undefined, options: CutOptions) => cut(terminal, service, options)),
  )
  versions.addCommand(
    onDatabase(new Command("end").description("Gives a version an end. Refuses while clients use it."))
      .argument("<version>", "its date")
      .argument("[service]", "the service file; service.ts when absent")
      .addOption(
        new Option("--on <date>", "the first day on which it is not served; today when absent").argParser(
          day,
        ),
      )
      .addOption(
        new Option("--days <number>", "days up to today in which its use counts")
          .default(30)
          .argParser(atLeastOne),
      )
      .option("--force", "end it even if clients use it")
      .action((version: string, service: string | undefined, options: EndOptions) =>
        end(terminal, version, { service, options }),
      ),
  )
  return versions
}

interface FileOf extends Opened {
  readonly file: string
}

async function openFile(given: string | undefined): Promise<FileOf> {
  const source = findSource(given)
  if (source.kind === "database")
    throw refusal("invalid_command", "A database without a service file has no versions.", {
      hint: "Write a service file with bifold introspect, and say in it which versions there are.",
    })
  return { ...(await openSource(source)), file: source.file }
}

const namesIn = ({ versions = [] }: Model): readonly string[] => versions.map(({ name }) => name)

async function list(
  terminal: Terminal,
  given: string | undefined,
  { json }: { readonly json?: true },
): Promise<void> {
  const { versions = [] } = (await openFile(given)).model
  const rows = versions.map(({ name, ends, changes }) => ({
    version: name,
    ends: ends ?? null,
    changes: changes.length,
  }))
  const { out } = terminal
  if (json) terminal.print(JSON.stringify({ versions: rows }, null, 2))
  else if (rows.length === 0)
    terminal.say('This service has no versions. Begin with one: versions: { "2026-11-01": [] }.')
  else
    terminal.print(
      columns([
        ["Version", "Changes", "Ends"].map((title) => out.dim(title)),
        ...rows.map(({ version, ends, changes }) => [
          out.bold(version),
          String(changes),
          ends === null ? "" : ends <= today() ? out.red(ends) : out.yellow(ends),
        ]),
      ]),
    )
}

async function cut(
  terminal: Terminal,
  given: string | undefined,
  { since, name, print, json }: CutOptions,
): Promise<void> {
  const { declaration, model, file } = await openFile(given)
  const names = namesIn(model)
  const [newest] = names
  if (newest === undefined)
    throw refusal("invalid_command", "This service has no versions.", {
      hint: `Begin with the one that is served today: versions: { ${JSON.stringify(name)}: [] }.`,
    })
  if (name <= newest)
    throw refusal("invalid_command", `Version ${name} is not newer than ${newest}.`, {
      hint: "Give it a later date: --name.",
    })
  const before = await openRevision(since ?? `HEAD:${file}`)
  const { changes, byHand } = changesBetween(
    { ...before, model: withoutInternal(before.model) },
    { declaration, model: withoutInternal(model) },
  )
  const entry = printVersion(name, changes)
  const written = print === undefined && (await addVersion(file, names, entry))
  if (json) {
    terminal.print(JSON.stringify({ version: name, changes, byHand, written }, null, 2))
    return
  }
  if (written)
    terminal.say(
      `${terminal.err.green("✓")} ${file} has version ${name}, with ${count(changes.length, "change")}.`,
    )
  else if (print === undefined)
    terminal.say(`${file} does not spell its versions out. Write this before the others:`)
  terminal.print(entry)
  for (const text of byHand) terminal.say(`${terminal.err.yellow("!")} ${text}`)
  if (written) terminal.say(terminal.err.dim(`Look at it, then run bifold check and bifold diff.`))
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`

async function end(
  terminal: Terminal,
  version: string,
  { service, options }: { readonly service: string | undefined; readonly options: EndOptions },
): Promise<void> {
  const { model, file } = await openFile(service)
  const names = namesIn(model)
  if (!names.includes(version))
    throw refusal("invalid_command", `There is no version ${JSON.stringify(version)}.`, {
      hint: suggest(version, names) ?? `There are: ${names.join(", ")}.`,
    })
  if (version === names[0])
    throw refusal("invalid_command", "The newest version does not end.", {
      hint: "Begin a newer one first: bifold versions cut.",
    })
  const users = await withUsage({ service, options }, (usage) =>
    usersOf(usage, { model, version, days: options.days }),
  )
  const ends = options.on ?? today()
  if (users.length > 0 && options.force === undefined) {
    if (options.json) terminal.print(JSON.stringify({ version, ends, users, written: false }, null, 2))
    throw inUse(version, users)
  }
  const written = await endVersion(file, names, { name: version, day: ends })
  if (options.json) {
    terminal.print(JSON.stringify({ version, ends, users, written }, null, 2))
    return
  }
  for (const user of users) terminal.say(`${terminal.err.yellow("!")} ${user}`)
  if (written)
    terminal.print(`${terminal.out.green("✓")} Version ${version} ends on ${ends}: ${file} says so now.`)
  else
    terminal.print(
      `${file} does not spell its versions out. Write ${JSON.stringify(version)}: { changes: …, ends: ${JSON.stringify(ends)} }.`,
    )
}

function inUse(version: string, [first = "", ...more]: readonly string[]): Refusal {
  const hint =
    "Move keys with bifold key move, or give it an end in time with --on and --force: clients see it in the header Sunset."
  return new Refusal([
    {
      code: "version_in_use",
      message: `Version ${version} is in use. ${first}`,
      ...(more.length === 0 && { hint }),
    },
    ...more.map((message, index) => ({
      code: "version_in_use" as const,
      message,
      ...(index === more.length - 1 && { hint }),
    })),
  ])
}

/** Bearers of tokens that are counted, at the most. */
const mostPins = 10_000

interface Ending {
  readonly model: Model
  readonly version: string
  /** In which its use counts. */
  readonly days: number
}

/** Each client of the version in a sentence. */
async function usersOf(usage: UsageRecords, { model, version, days }: Ending): Promise<readonly string[]> {
  const keys = await usage.keys()
  const uses = (await usage.uses(firstDay(days))).filter((use) => use.version === version)
  const now = new Date().toISOString()
  const nameOf = (client: string): string => {
    const key = keys.find(({ id }) => client === `key:${id}`)
    return key
      ? `The key "${key.name}" (${key.id})`
      : (others[client] ?? `The client ${client.replace(/^client:/, "")}`)
  }
  const pinned = keys.filter(
    (key) =>
      pinOfKey(model, key) === version &&
      (key.expiresAt === null || key.expiresAt > now) &&
      !uses.some(({ client }) => client === `key:${key.id}`),
  )
  const endpoints = (await usage.endpoints()).filter(
    (one) => one.version === version && one.state !== "disabled",
  )
  const pins = await usage.pins(version, mostPins)
  return [
    ...uses.map(
      ({ client, requests, last }) =>
        `${nameOf(client)} used it in ${count(requests, "request")}, last on ${last}.`,
    ),
    ...pinned.map(({ id, name }) => `The key "${name}" (${id}) is pinned to it.`),
    ...endpoints.map(({ id, url }) => `The webhook endpoint ${id} (${url}) is sent it.`),
    ...(pins > 0
      ? [`${pins >= mostPins ? `${pins} or more` : pins} bearers of tokens are pinned to it.`]
      : []),
  ]
}

const others: Readonly<Record<string, string>> = {
  anonymous: "Requests without credentials",
  tokens: "Bearers of tokens",
  others: "Further clients",
}
