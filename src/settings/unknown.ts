// Names that no setting has: variables that begin with BIFOLD_, and keys of a configuration file.

import * as z from "zod"
import { collectProblems, type Problem } from "../base/problem.ts"
import { isNear, suggest } from "../base/suggest.ts"
import type { Environment } from "./resolve.ts"
import { fileVariableOf, maskedValue, prefix, variableOf } from "./setting.ts"
import { type SettingKey, settingKeys, settingOf } from "./settings.ts"

/** Variables of the command line that are no settings of a service. */
export const otherVariables = {
  config: `${prefix}CONFIG`,
  debug: `${prefix}DEBUG`,
} as const

/** Kubernetes gives each container these of a Service that is called bifold. */
const serviceLink = /^BIFOLD_(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP|SCTP))/

export interface UnknownVariables {
  /** Nearly the name of a setting, which it was meant to be. */
  readonly refused: readonly Problem[]
  /** Names that may be meant for something else. */
  readonly others: readonly string[]
}

export function findUnknownVariables(environment: Environment): UnknownVariables {
  const known = new Set<string>(Object.values(otherVariables))
  for (const key of settingKeys) {
    known.add(variableOf(key))
    if (settingOf(key).secret) known.add(fileVariableOf(key))
  }
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith(prefix) && !known.has(name) && !serviceLink.test(name),
  )
  const refused = unknown.flatMap((name) => refusedName(name, known))
  const told = new Set(refused.map(({ name }) => name))
  return {
    refused: refused.map(({ problem }) => problem),
    others: unknown.filter((name) => !told.has(name)),
  }
}

interface RefusedName {
  readonly name: string
  readonly problem: Problem
}

function refusedName(name: string, known: ReadonlySet<string>): readonly RefusedName[] {
  const own = name.endsWith("_FILE") ? name.slice(0, -"_FILE".length) : undefined
  if (own !== undefined && known.has(own)) {
    const message = `${own} is no secret, so it is not read from a file.`
    return [{ name, problem: { code: "invalid_command", message, hint: `Set ${own} itself.` } }]
  }
  // The common beginning would make all names near.
  const bare = (variable: string): string => variable.slice(prefix.length)
  const near = [...known].filter((other) => isNear(bare(name), bare(other)))
  const hint = suggest(bare(name), near.map(bare))?.replaceAll(/"(\w+)"/g, `"${prefix}$1"`)
  if (hint === undefined) return []
  const message = `The variable ${name} is no setting.`
  return [{ name, problem: { code: "invalid_command", message, hint } }]
}

/** The values of a configuration file. Throws a Refusal that names every wrong key and value. */
export function checkConfig(file: string, exported: unknown): Readonly<Partial<Record<SettingKey, unknown>>> {
  const members = Object.fromEntries(settingKeys.map((key) => [key, settingOf(key).schema.optional()]))
  const read = z.strictObject(members).safeParse(exported)
  if (read.success) return exported as Readonly<Partial<Record<SettingKey, unknown>>>
  const problems = collectProblems(Number.POSITIVE_INFINITY)
  const told = new Set<unknown>()
  for (const issue of read.error.issues) {
    if (issue.code === "unrecognized_keys")
      for (const key of issue.keys)
        problems.add("invalid_command", [], `${file} has "${key}", which is no setting.`, nearestKey(key))
    const key = issue.path[0]
    if (key === undefined || told.has(key)) continue
    told.add(key)
    const setting = settingOf(key as SettingKey)
    const given = (exported as Readonly<Record<string, unknown>>)[key as string]
    const shown = setting.secret === "whole" ? "not a value of this setting" : maskedValue(setting, given)
    problems.add("invalid_command", [], `${String(key)} in ${file} is ${shown}.`, issue.message)
  }
  problems.settle()
  throw read.error
}

/** Names of options and variables are understood too: `max-requests`, `MAX_REQUESTS`. */
function nearestKey(given: string): string {
  const bare = given.replace(/^BIFOLD_/, "").replaceAll(/[-_]/g, "")
  const same = settingKeys.filter((key) => key.toLowerCase() === bare.toLowerCase())
  return (
    suggest(same[0] ?? given, settingKeys) ??
    "bifold config lists all settings; options such as --dev are not among them."
  )
}
