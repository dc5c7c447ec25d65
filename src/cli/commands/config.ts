// `bifold config`: the effective settings of `serve`, each with its origin; secrets are masked.
import { Command } from "commander"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { type Effective, type Origin, placeOf } from "../../settings/resolve.ts"
import { masked } from "../../settings/setting.ts"
import { settingOf } from "../../settings/settings.ts"
import { everySetting, SettingOption, withSettings } from "../settings/options.ts"

interface Options {
  readonly json?: true
}

export function configCommand(terminal: Terminal): Command {
  const command = new Command("config")
    .summary("show the settings that serve would have, and their origins")
    .description(
      "Shows each setting with its effective value and the origin of it: option, variable of the environment, configuration file, default. Secrets are masked. Nothing is started.",
    )
    .option("--json", "print the result as JSON")
  return withSettings(command, everySetting)
    .addHelpText(
      "after",
      `
Examples:
  $ bifold config
  $ BIFOLD_PORT=8080 bifold config --json

Options go before variables that begin with BIFOLD_, these before PORT and DATABASE_URL, these before bifold.config.ts.`,
    )
    .action((options: Options) => config(terminal, command, options))
}

async function config(terminal: Terminal, command: Command, { json }: Options): Promise<void> {
  const effective = command.options.flatMap((option) =>
    option instanceof SettingOption && option.effective ? [option.effective] : [],
  )
  if (json) return terminal.print(JSON.stringify(effective.map(asJson), null, 2))
  const { columns } = await import("../output/columns.ts")
  const { bold, dim } = terminal.out
  const rows = effective.map((one) => {
    const isUsual = one.origin.kind === "default" || one.origin.kind === "unset"
    return [
      isUsual ? one.key : bold(one.key),
      textOf(one),
      isUsual ? dim(one.origin.kind) : placeOf(one.origin),
    ]
  })
  terminal.print(columns([["setting", "value", "from"].map((title) => dim(title)), ...rows]))
}

function textOf({ key, given }: Effective): string {
  const setting = settingOf(key)
  const shown = masked(setting, given)
  if (shown === undefined || shown === "" || (Array.isArray(shown) && shown.length === 0)) return "-"
  const text = Array.isArray(shown) ? shown.join(", ") : String(shown)
  return setting.unit ? `${text} ${setting.unit}` : text
}

interface SettingJson {
  readonly setting: string
  /** As `bifold.config.ts` gives it; null when unset. */
  readonly value: unknown
  readonly unit?: string
  readonly from: Origin
}

function asJson({ key, given, origin }: Effective): SettingJson {
  const setting = settingOf(key)
  return {
    setting: key,
    value: masked(setting, given) ?? null,
    ...(setting.unit && { unit: setting.unit }),
    from: origin,
  }
}
