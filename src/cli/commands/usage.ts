// `bifold usage`: who uses which version of the API, and which members that newer versions changed.
import { Command, Option } from "commander"
import type { ClientUse, PinnedKey } from "../../access/usage/read-use.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { type DatabaseOptions, onDatabase } from "../on-database.ts"
import { columns } from "../output/columns.ts"
import { atLeastOne } from "../settings/options.ts"
import { firstDay, withUsage } from "../versions/usage-wanted.ts"

interface Options extends DatabaseOptions {
  readonly days: number
}

export function usageCommand(terminal: Terminal): Command {
  return onDatabase(
    new Command("usage")
      .summary("show the API versions that clients use")
      .description(
        "Lists clients by the version of the API that they use, with the members that newer versions changed. Serving processes write down what they counted every 30 seconds.",
      )
      .argument("[service]", "the service file; service.ts when absent"),
  )
    .addOption(new Option("--days <number>", "up to today").default(30).argParser(atLeastOne))
    .addHelpText(
      "after",
      `
Examples:
  $ bifold usage service.ts --database shop.db
  $ bifold usage service.ts --database shop.db --days 90 --json`,
    )
    .action((service: string | undefined, options: Options) => usage(terminal, service, options))
}

async function usage(terminal: Terminal, service: string | undefined, options: Options): Promise<void> {
  const since = firstDay(options.days)
  const { uses, keys } = await withUsage({ service, options }, async (records) => ({
    uses: await records.uses(since),
    keys: await records.keys(),
  }))
  if (options.json)
    terminal.print(JSON.stringify({ since, uses: uses.map((use) => named(use, keys)) }, null, 2))
  else if (uses.length === 0)
    terminal.say(`No client has used the API since ${since}, as far as it is written down.`)
  else terminal.print(tableOf(terminal, uses, keys))
}

const keyOf = ({ client }: ClientUse, keys: readonly PinnedKey[]): PinnedKey | undefined =>
  keys.find(({ id }) => client === `key:${id}`)

function named(use: ClientUse, keys: readonly PinnedKey[]): ClientUse & { readonly name?: string } {
  const key = keyOf(use, keys)
  return { ...use, ...(key && { name: key.name }) }
}

function tableOf({ out }: Terminal, uses: readonly ClientUse[], keys: readonly PinnedKey[]): string {
  const head = ["Version", "Client", "Requests", "Last day", "Uses of members that have changed since"]
  return columns([
    head.map((title) => out.dim(title)),
    ...uses.map((use) => {
      const key = keyOf(use, keys)
      return [
        out.bold(use.version),
        key ? `${key.name} (${use.client})` : use.client,
        String(use.requests),
        use.last,
        membersText(use),
      ]
    }),
  ])
}

/** Members that are shown; `--json` has them all. */
const mostShown = 5

function membersText({ members }: ClientUse): string {
  const all = Object.entries(members).toSorted(([, one], [, other]) => other - one)
  const shown = all.slice(0, mostShown).map(([name, count]) => `${name} ${count}`)
  return [...shown, ...(all.length > mostShown ? [`and ${all.length - mostShown} more`] : [])].join(", ")
}
