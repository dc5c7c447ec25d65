// Answers as data for those who follow the log: a value that cannot be shown is null, and a problem names it.
import { randomUUID } from "node:crypto"
import type { JsonValue } from "../base/json.ts"
import type { Place, Problem } from "../base/problem.ts"
import { failed, markedJson, unrepresentable } from "../plan/placeholders.ts"
import type { Answer } from "../plan/read-plan.ts"

interface Read {
  readonly value: JsonValue
  /** Each with its place in the value. */
  readonly problems: readonly Problem[]
}

const stand = randomUUID()

/** @param text JSON of a root, with marks */
export function readMarked(text: string, answer: Pick<Answer, "failures">): Read {
  if (!text.includes(unrepresentable) && !text.includes(failed))
    return { value: JSON.parse(text) as JsonValue, problems: [] }
  const problems: Problem[] = []
  const complete = (value: JsonValue, place: Place): JsonValue => {
    if (Array.isArray(value)) return value.map((one: JsonValue, index) => complete(one, [...place, index]))
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, complete(one, [...place, name])]),
      )
    if (typeof value !== "string" || !value.startsWith(stand)) return value
    const { code, message } = answer.failures?.[Number(value.slice(stand.length) || Number.NaN)] ?? {
      code: "unrepresentable_value" as const,
      message: `The stored value of \`${String(place.at(-1))}\` does not fit its declaration.`,
    }
    problems.push({ code, message, place })
    return null
  }
  return { value: complete(JSON.parse(markedJson(text, stand)) as JsonValue, []), problems }
}
