// Stored values that do not fit their declaration are null in what REST answers, as they are by GraphQL, and the answer
// says which: in a header, and in a list's envelope. Only what the engine calls flawed is looked through.
import { type Json, textOf } from "../../base/json.ts"
import type { Place } from "../../base/problem.ts"
import { unrepresentable } from "../../plan/marks.ts"
import type { Answer } from "../../plan/types.ts"
import { errorJson, flawedAnswer, locateInJson, pointerTo } from "./problem.ts"

interface Completed {
  readonly json: Json
  readonly headers: Readonly<Record<string, string>>
}

/**
 * @param envelope whether the text is an object around records, which takes `errors` as its last member
 * @throws a Refusal where own code failed, which is not about a stored value
 */
export function withNulls(
  json: Json,
  { flawed, failures = [], fault }: Pick<Answer, "flawed" | "failures" | "fault">,
  envelope = false,
): Completed {
  if (!flawed) return { json, headers: {} }
  const text = textOf(json)
  const refused = flawedAnswer(text, { failures, fault })
  if (failures.length > 0) throw refused
  if (!text.includes(unrepresentable)) return { json: text, headers: {} }
  const whole = text.replaceAll(unrepresentable, "null")
  const { problems } = refused
  const errors = JSON.stringify(problems.map((problem) => errorJson(problem, locateInJson)))
  return {
    json: envelope ? `${whole.slice(0, whole.lastIndexOf("}"))},"errors":${errors}}` : whole,
    headers: { [valueErrors]: headerText(problems.map(({ place }) => place ?? [])) },
  }
}

const valueErrors = "value-errors"

/** More of them would make a header that proxies refuse. */
const mostPointers = 20

/** A dictionary of structured fields (RFC 9651 section 3.2). */
function headerText(places: readonly Place[]): string {
  const pointers = places.slice(0, mostPointers).map((place) => `"${inAscii(pointerTo(place))}"`)
  return `count=${places.length}, pointers=(${pointers.join(" ")})`
}

const inAscii = (text: string): string => text.replace(/[\\"]/g, "\\$&").replace(/[^ -~]/g, "?")
