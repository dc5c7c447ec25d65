// The effective value of each setting, and its origin: option, variable of Bifold, customary variable, configuration file,
// default, in this order.
import { readFileSync } from "node:fs"
import { collectProblems, type Problems } from "../base/problem.ts"
import {
  type Checked,
  checkValue,
  fileVariableOf,
  longOptionOf,
  maskedValue,
  readText,
  type Setting,
  variableOf,
} from "./setting.ts"
import { type SettingKey, settingOf } from "./settings.ts"

export type Origin =
  | { readonly kind: "option" | "variable" | "customary"; readonly name: string }
  /** The variable that names the file. */
  | { readonly kind: "file"; readonly name: string; readonly file: string }
  | { readonly kind: "config"; readonly file: string; readonly key: string }
  | { readonly kind: "default" }
  | { readonly kind: "unset" }

export interface Effective {
  readonly key: SettingKey
  /** As a configuration file would give it; undefined when unset. */
  readonly given: unknown
  readonly value: unknown
  readonly origin: Origin
}

export interface Sources {
  /** Values of options, as a configuration file would give them. */
  readonly options: Readonly<Partial<Record<SettingKey, unknown>>>
  readonly environment: Environment
  readonly config?: ConfigSource
}

export type Environment = Readonly<Record<string, string | undefined>>

/** A configuration file, whose values were checked. */
export interface ConfigSource {
  readonly file: string
  readonly values: Readonly<Partial<Record<SettingKey, unknown>>>
}

/** Throws a Refusal that names every value that cannot be. */
export function resolveSettings(keys: readonly SettingKey[], sources: Sources): readonly Effective[] {
  const problems = collectProblems(Number.POSITIVE_INFINITY)
  const effective = keys.map((key) => resolve(problems, key, sources))
  problems.settle()
  return effective
}

function resolve(problems: Problems, key: SettingKey, sources: Sources): Effective {
  const setting = settingOf(key)
  const found = find(problems, key, sources)
  if (!found) {
    const { default: usual } = setting
    if (usual === undefined) return { key, given: undefined, value: undefined, origin: { kind: "unset" } }
    return { key, given: usual, value: checkedValue(checkValue(setting, usual)), origin: { kind: "default" } }
  }
  const { given, origin } = found
  const checked = checkValue(setting, given)
  if (!checked.ok) refuse(problems, setting, { ...found, expected: checked.expected })
  return { key, given, value: checkedValue(checked), origin }
}

const checkedValue = (checked: Checked): unknown => (checked.ok ? checked.value : undefined)

interface Found {
  readonly given: unknown
  readonly origin: Origin
}

function find(
  problems: Problems,
  key: SettingKey,
  { options, environment, config }: Sources,
): Found | undefined {
  const setting = settingOf(key)
  if (options[key] !== undefined)
    return { given: options[key], origin: { kind: "option", name: longOptionOf(setting) } }
  const own = findOwn(problems, key, environment)
  if (own) return own
  const { customary } = setting
  const usual = customary === undefined ? undefined : environment[customary]
  if (customary !== undefined && usual !== undefined && usual !== "")
    return { given: readText(setting, usual), origin: { kind: "customary", name: customary } }
  if (config?.values[key] !== undefined)
    return { given: config.values[key], origin: { kind: "config", file: config.file, key } }
  return undefined
}

/** By a variable of Bifold, or by the file that one names. */
function findOwn(problems: Problems, key: SettingKey, environment: Environment): Found | undefined {
  const setting = settingOf(key)
  const [name, fileName] = [variableOf(key), fileVariableOf(key)]
  const text = environment[name]
  const file = setting.secret ? environment[fileName] : undefined
  if (text !== undefined && file !== undefined) {
    problems.add("invalid_command", [], `${name} and ${fileName} are both set.`, "Leave one of the two out.")
    return undefined
  }
  if (file !== undefined) {
    const content = readSecret(problems, fileName, file)
    return content === undefined
      ? undefined
      : { given: readText(setting, content), origin: { kind: "file", name: fileName, file } }
  }
  if (text === undefined) return undefined
  if (text === "") {
    problems.add("invalid_command", [], `${name} is set, and empty.`, "Give it a value, or unset it.")
    return undefined
  }
  return { given: readText(setting, text), origin: { kind: "variable", name } }
}

/** The content without the line break at its end, which editors and `echo` put there. */
function readSecret(problems: Problems, name: string, file: string): string | undefined {
  const refused = (message: string): undefined => {
    problems.add("invalid_command", [], message, `Correct the path in ${name}, or the file's permissions.`)
  }
  if (file === "") return refused(`${name} is set, and empty.`)
  try {
    const content = readFileSync(file, "utf8").replace(/\r?\n$/, "")
    return content === "" ? refused(`The file ${file}, which ${name} names, is empty.`) : content
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException
    return refused(`The file ${file}, which ${name} names, cannot be read: ${reasons[code] ?? code}.`)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  EACCES: "this user may not read it",
  EISDIR: "it is a folder",
}

function refuse(
  problems: Problems,
  setting: Setting,
  { given, origin, expected }: Found & { readonly expected: string },
): void {
  const place = placeOf(origin)
  const message =
    setting.secret === "whole"
      ? `The value of ${place} is not one that it takes.`
      : `${place} is ${maskedValue(setting, given)}.`
  problems.add("invalid_command", [], message, hintFor(given) ?? expected)
}

/** Kubernetes gives each container `<NAME>_PORT` of each Service in its namespace. */
const hintFor = (given: unknown): string | undefined =>
  typeof given === "string" && /^tcp:\/\/[\d.:[\]a-f]+$/i.test(given)
    ? "Kubernetes sets it for a Service of this name: set enableServiceLinks: false, or rename the Service."
    : undefined

/** The place of a value, in words. */
export function placeOf(origin: Origin): string {
  if (origin.kind === "config") return `${origin.key} in ${origin.file}`
  if (origin.kind === "file") return `${origin.name} (${origin.file})`
  return origin.kind === "default" || origin.kind === "unset" ? origin.kind : origin.name
}
