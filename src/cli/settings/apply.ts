// Gives a command the effective values of its settings, before it runs.
import type { Command } from "commander"
import { Refusal } from "../../base/problem.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { resolveSettings } from "../../settings/resolve.ts"
import type { SettingKey } from "../../settings/settings.ts"
import { findUnknownVariables } from "../../settings/unknown.ts"
import { readConfig } from "./config-file.ts"
import { SettingOption } from "./options.ts"

type Environment = Readonly<Record<string, string | undefined>>

/** Commands without settings look at nothing. Throws a Refusal for a name or a value that cannot be. */
export async function applySettings(
  command: Command,
  terminal: Terminal,
  environment: Environment,
): Promise<void> {
  const options = command.options.filter((option) => option instanceof SettingOption)
  if (options.length === 0) return
  refuseUnknown(environment)
  // `serve` tells of them in its log.
  if (command.name() === "config") sayOtherVariables(terminal, environment)
  const config = await readConfig(environment)
  const given: Partial<Record<SettingKey, unknown>> = {}
  for (const { key } of options)
    if (command.getOptionValueSource(key) === "cli") given[key] = command.getOptionValue(key)
  const keys = options.map(({ key }) => key)
  const all = resolveSettings(keys, { options: given, environment, ...(config && { config }) })
  for (const option of options) {
    const one = all.find(({ key }) => key === option.key)
    option.effective = one
    if (one?.value !== undefined) command.setOptionValueWithSource(one.key, one.value, one.origin.kind)
  }
}

function refuseUnknown(environment: Environment): void {
  const [first, ...rest] = findUnknownVariables(environment).refused
  if (first) throw new Refusal([first, ...rest])
}

/** Names that are not near to one of a setting may be meant for another program. */
export function sayOtherVariables(terminal: Terminal, environment: Environment): void {
  const { others } = findUnknownVariables(environment)
  if (others.length > 0)
    terminal.say(
      terminal.err.yellow(
        `${others.join(", ")}: no setting of Bifold has this name. bifold config lists all of them.`,
      ),
    )
}
