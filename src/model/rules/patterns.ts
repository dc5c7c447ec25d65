// A pattern is an ECMAScript regular expression with the flag `u`.
import { fieldsOf, type Rule } from "./rule.ts"

export const patterns: Rule = (service, report) => {
  for (const { name, member, place } of fieldsOf(service)) {
    if (member.pattern === undefined) continue
    try {
      new RegExp(member.pattern, "u")
    } catch (error) {
      const reason =
        error instanceof Error ? error.message.replace(/^Invalid regular expression: /, "") : String(error)
      report([...place, "pattern"], `The pattern of "${name}" is no regular expression: ${reason}.`)
    }
  }
}
