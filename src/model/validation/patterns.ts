// A pattern is an ECMAScript regular expression with the flag `u`, of the parts that can be matched in linear time.
import type { FieldDeclaration } from "../declaration/declaration.ts"
import { compilePattern } from "../pattern.ts"
import { type Rule, valuesOf } from "./context.ts"

export const patterns: Rule = (service, report) => {
  for (const { name, member, place } of valuesOf(service)) {
    const { pattern } = member
    if (pattern === undefined) continue
    const wrong = mistakeOf(pattern)
    if (wrong !== undefined) {
      report([...place, "pattern"], `The pattern of "${name}" is no regular expression: ${wrong}.`)
      continue
    }
    const compiled = compilePattern(pattern)
    if ("reason" in compiled)
      report(
        [...place, "pattern"],
        `The pattern of "${name}" cannot be matched in a time that is known beforehand: ${compiled.reason}.`,
        "Use letters, classes, groups, alternatives and repetitions; say lengths by `min` and `max`.",
      )
    else if (longest(member) > compiled.longest)
      report(
        [...place, "pattern"],
        `The pattern of "${name}" is too long for texts of ${longest(member)} characters: with it they have at most ${compiled.longest}.`,
        "Say a smaller `max`, or a pattern with fewer or smaller repetitions.",
      )
  }
}

const longest = ({ list, max, items }: FieldDeclaration): number => (list ? items?.max : max) ?? 0

function mistakeOf(pattern: string): string | undefined {
  try {
    new RegExp(pattern, "u")
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^Invalid regular expression: /, "") : String(error)
  }
}
