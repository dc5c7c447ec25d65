// Options of commands, made from the list of settings.
import { type Command, InvalidArgumentError, Option } from "commander"
import { refusal } from "../../base/problem.ts"
import { readDuration } from "../../model/log.ts"
import type { Effective } from "../../settings/resolve.ts"
import { checkValue, longOptionOf, readText, type Setting, variableOf } from "../../settings/setting.ts"
import { type SettingKey, settingKeys, settingOf } from "../../settings/settings.ts"

/** An option whose value Commander leaves to `applySettings`: it reads neither the environment nor a default. */
export class SettingOption extends Option {
  readonly key: SettingKey
  /** Once `applySettings` has found it. */
  effective: Effective | undefined

  constructor(key: SettingKey, description: string) {
    const setting = settingOf(key)
    super(setting.flags, `${description} (${detailsOf(key, setting)})`)
    this.key = key
    if (setting.form !== "switch") this.argParser((text, before) => readOption(setting, text, before))
  }
}

/** In the words of Commander's own help. */
function detailsOf(key: SettingKey, setting: Setting): string {
  const { choices, default: usual } = setting
  const parts = [
    ...(choices ? [`choices: ${choices.map((one) => JSON.stringify(one)).join(", ")}`] : []),
    ...(isTold(usual) ? [`default: ${JSON.stringify(usual)}`] : []),
    `env: ${[variableOf(key), ...(setting.customary ? [setting.customary] : [])].join(" or ")}`,
  ]
  return parts.join(", ")
}

const isTold = (usual: unknown): boolean =>
  usual !== undefined && usual !== "" && typeof usual !== "boolean" && !Array.isArray(usual)

/** The value as a configuration file would give it. */
function readOption(setting: Setting, text: string, before: unknown): unknown {
  const isList = setting.form === "list"
  const given = isList ? [text] : readText(setting, text)
  const checked = checkValue(setting, given)
  if (!checked.ok) {
    // Commander would repeat the value.
    if (setting.secret)
      throw refusal("invalid_command", `The value of ${longOptionOf(setting)} is not one that it takes.`, {
        hint: checked.expected,
      })
    throw new InvalidArgumentError(checked.expected)
  }
  return isList && Array.isArray(before) ? [...before, text] : given
}

type Descriptions = { readonly [Key in SettingKey]?: string | true }

/** @param wanted the settings of the command; with a text where it has another meaning there */
export function withSettings(command: Command, wanted: Descriptions): Command {
  for (const [key, description] of Object.entries(wanted)) addSetting(command, key as SettingKey, description)
  return command
}

/** For `serve`. */
export const everySetting: Descriptions = Object.fromEntries(settingKeys.map((key) => [key, true]))

function addSetting(command: Command, key: SettingKey, description: string | true): void {
  const { description: own } = settingOf(key)
  command.addOption(new SettingOption(key, description === true ? own : description))
}

// Options that several commands take, read once from their text.
function wholeNumber(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text)
  throw new InvalidArgumentError("Give a whole number.")
}

export function atLeastOne(text: string): number {
  const number = wholeNumber(text)
  if (number > 0) return number
  throw new InvalidArgumentError("Give a whole number above 0.")
}

/** Collects an option given several times. */
export const several = (text: string, before: readonly string[]): readonly string[] => [...before, text]

/** Milliseconds. */
export function lifetime(text: string): number | "never" {
  const time = text === "never" ? text : readDuration(text)
  if (time !== undefined) return time
  throw new InvalidArgumentError(
    'Give a time such as 12h, 90d, "90 days" or 1y, a century at the most, or never.',
  )
}

/** RFC 3339, full-date. */
export function day(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))) return text
  throw new InvalidArgumentError("Give a date such as 2027-06-01.")
}
