// The JSON body of `POST …/query`: the same question as the parameters, for filters that are too long for an address.
import { collectProblems, type Place, type Problems, refusal } from "../../base/problem.ts"
import { parseStrict, utf8In } from "../../http/strict-json.ts"
import { hintFor } from "../../plan/hints.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { hasFewNames } from "./forms.ts"
import {
  emptyQuestion,
  isMemberName,
  type MemberName,
  memberNames,
  mostProblems,
  parameters,
  type Question,
  type QuestionDraft,
  refuseManyIncludes,
  setMember,
} from "./rest-query.ts"

/** Throws a Refusal that names every malformed member. Places refer to the JSON document. */
export function readBody(body: Uint8Array): Question {
  const parsed = parseStrict(decodeUtf8(body))
  if ("fault" in parsed)
    throw refusal("malformed_request", `The body is not JSON: ${parsed.fault}`, {
      hint: 'Send an object such as {"filter": {"total": {"gte": "10.00"}}, "limit": 10}.',
    })
  const problems = collectProblems()
  const question = readQuestion(parsed.value, [], problems)
  refuseManyIncludes(question, problems)
  problems.settle()
  return question
}

/** Throws a Refusal when the bytes are no UTF-8. */
export function decodeUtf8(body: Uint8Array): string {
  const text = utf8In(body)
  if (text !== undefined) return text
  throw refusal("malformed_request", "The body is not UTF-8.", {
    hint: "JSON is sent in UTF-8 (RFC 8259 section 8.1).",
  })
}

/** Nested at most as deep as JSON.parse's own result; plan.ts refuses questions deeper than the Model allows. */
function readQuestion(input: unknown, place: Place, problems: Problems): QuestionDraft {
  const question = emptyQuestion(place)
  if (!isObject(input)) {
    problems.add(
      "invalid_value",
      place,
      `A question is an object, not ${quoteInput(input)}.`,
      "Ask for everything with {}.",
    )
    return question
  }
  for (const [name, value] of Object.entries(input)) {
    if (problems.found.length >= mostProblems) break
    const spot = { place: [...place, name], problems }
    if (isMemberName(name)) {
      question.given.push(name)
      readMember(question, name, value, spot)
    } else
      problems.add(
        "unknown_parameter",
        spot.place,
        `${quoteInput(name)} is not part of a question.`,
        hintFor(name, memberNames),
      )
  }
  return question
}

interface Spot {
  readonly place: Place
  readonly problems: Problems
}

const maxDepth = 64

/** How a member stands in JSON, where that differs from all others. */
const ownForms: Partial<Record<MemberName, (question: QuestionDraft, value: unknown, spot: Spot) => void>> = {
  filter(question, value) {
    question.filters.push({ encoding: "json", value })
  },
  include(question, value, spot) {
    if (!isObject(value)) {
      refuseValue(value, spot, 'Write an object by relation, as in {"customer": {}, "lines": {"limit": 5}}.')
      return
    }
    if (spot.place.length > 2 * maxDepth) {
      spot.problems.add("too_deep", spot.place, "Includes are nested too deeply.")
      return
    }
    for (const [relation, inner] of Object.entries(value))
      question.include.set(relation, readQuestion(inner, [...spot.place, relation], spot.problems))
  },
}

function readMember(question: QuestionDraft, name: MemberName, given: unknown, spot: Spot): void {
  const { form } = parameters[name]
  ownForms[name]?.(question, given, spot)
  if (!form) return
  if (form.kind === "names") {
    setMember(question, name, form.read(readNames(given, spot), spot.place, spot.problems))
    return
  }
  const value = form.fromJson(given)
  if (value === undefined) refuseValue(given, spot, form.hints.json)
  else setMember(question, name, value)
}

function readNames(value: unknown, spot: Spot): readonly string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === "string"))
    return hasFewNames(value, spot.place, spot.problems) ? value : []
  refuseValue(value, spot, 'Write a list of names, as in ["number"].')
  return []
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function refuseValue(value: unknown, { place, problems }: Spot, hint: string): void {
  problems.add("invalid_value", place, `${String(place.at(-1))} cannot be ${quoteInput(value)}.`, hint)
}
