// Values that own code could not compute for the answer to a write: the write is done, so they are null in its answer, which
// says where and why: in a header, and in the envelope of a list or a batch.
import { type Json, textOf } from "../../base/json.ts"
import type { Place } from "../../base/problem.ts"
import { unrepresentable } from "../../plan/marks.ts"
import type { Answer } from "../../plan/types.ts"
import type { FaceResponse } from "../exchange.ts"
import { errorJson, failureMarks, flawedAnswer, locateInJson, pointerTo } from "./problem.ts"

interface Completed extends Pick<FaceResponse, "headers" | "fault"> {
  readonly json: Json
}

/**
 * @param envelope whether the text is an object around records, which takes `errors` as its last member
 * @throws Refusal where a stored value does not fit its declaration
 */
export function withFailed(json: Json, answer: Answer, envelope: boolean): Completed {
  if (!answer.flawed) return { json, headers: {} }
  const text = textOf(json)
  const refused = flawedAnswer(text, answer)
  const whole = text.replace(failureMarks, "null")
  if (whole.includes(unrepresentable)) throw refused
  if (whole === text) return { json, headers: {} }
  const { problems, cause } = refused
  const errors = JSON.stringify(problems.map((problem) => errorJson(problem, locateInJson)))
  return {
    json: envelope ? `${whole.slice(0, whole.lastIndexOf("}"))},"errors":${errors}}` : whole,
    headers: { "value-errors": headerText(problems.map(({ place = [] }) => place)) },
    ...(cause !== undefined && { fault: cause }),
  }
}

/** More of them would make a header that proxies refuse. */
const mostPointers = 20

/** A dictionary of structured fields (RFC 9651 section 3.2). */
function headerText(places: readonly Place[]): string {
  const pointers = places.slice(0, mostPointers).map((place) => `"${inAscii(pointerTo(place))}"`)
  return `count=${places.length}, pointers=(${pointers.join(" ")})`
}

const inAscii = (text: string): string => text.replace(/[\\"]/g, "\\$&").replace(/[^ -~]/g, "?")
