// Gives a command the effective values of its settings, before it runs.
import type { Command } from "commander"
import { Refusal } from "../../base/problem.ts"
import { resolveSettings } from "../../settings/resolve.ts"
import type { SettingKey } from "../../settings/settings.ts"
import { findUnknownVariables } from "../../settings/unknown.ts"
import type { Terminal } from "../output/terminal.ts"
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
  await refuseUnknown(command, terminal, environment)
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

/** Names that are not near to one of a setting may be meant for another program: one that starts a server is told of them. */
async function refuseUnknown(command: Command, terminal: Terminal, environment: Environment): Promise<void> {
  const { refused, others } = findUnknownVariables(environment)
  const [first, ...rest] = refused
  if (first) throw new Refusal([first, ...rest])
  if (others.length === 0 || !warned.includes(command.name()) || (await isWorker())) return
  terminal.say(
    terminal.err.yellow(
      `${others.join(", ")}: no setting of Bifold has this name. bifold config lists all of them.`,
    ),
  )
}

const warned: readonly string[] = ["serve", "config"]

/** The process that started it has said what there is to say. */
const isWorker = async (): Promise<boolean> => (await import("node:cluster")).default.isWorker
