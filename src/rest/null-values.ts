// Values that cannot be shown are null in REST's answers, as they are by GraphQL: stored values that do not fit their
// declaration and, once a write is done, fields that user code failed to compute. A header and a list's envelope name them.
import { type Json, textOf } from "../base/json.ts"
import type { Place } from "../base/problem.ts"
import type { AnswerHeaders } from "../http/answer-headers.ts"
import type { FaceResponse } from "../http/face.ts"
import { failurePlaceholders, unrepresentable } from "../plan/placeholders.ts"
import type { Answer } from "../plan/read-plan.ts"
import { errorJson, flawedAnswer, locateInJson, pointerTo } from "./question/problem.ts"

interface Completed extends Pick<FaceResponse, "fault"> {
  readonly json: Json
  readonly headers: AnswerHeaders
}

interface Asked {
  /** The text is an object around records, which takes `errors` as its last member. */
  readonly envelope?: boolean
  /** Something has been written, which a failure of user code does not undo. */
  readonly written?: boolean
}

/** @throws a Refusal where user code failed in an answer to a read */
export function withNulls(
  json: Json,
  { flawed, failures = [], fault }: Pick<Answer, "flawed" | "failures" | "fault">,
  { envelope = false, written = false }: Asked = {},
): Completed {
  if (!flawed) return { json, headers: {} }
  const text = textOf(json)
  const refused = flawedAnswer(text, { failures, fault })
  if (failures.length > 0 && !written) throw refused
  const whole = text.replaceAll(unrepresentable, "null").replace(failurePlaceholders, "null")
  if (whole === text) return { json: text, headers: {} }
  const { problems, cause } = refused
  const errors = JSON.stringify(problems.map((problem) => errorJson(problem, locateInJson)))
  return {
    json: envelope ? `${whole.slice(0, whole.lastIndexOf("}"))},"errors":${errors}}` : whole,
    headers: { [valueErrors]: headerText(problems.map(({ place }) => place ?? [])) },
    ...(written && cause !== undefined && { fault: cause }),
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
