// Mistakes and faults as `application/problem+json` (RFC 9457), with the same codes as GraphQL's errors.
import { type Code, codes, kindEntry } from "../../base/codes.ts"
import { type Json, type JsonValue, textOf } from "../../base/json.ts"
import { isOfService, kindOf, type Place, type Problem, Refusal, refusal } from "../../base/problem.ts"
import { traceIdMember } from "../../base/tracing.ts"
import type { AnswerHeaders } from "../../http/answer.ts"
import { type FaceRequest, type FaceResponse, type JsonResponse, retryAfter } from "../../http/face.ts"
import { failurePlaceholders, markedJson, unrepresentable } from "../../plan/placeholders.ts"
import type { Answer } from "../../plan/read-plan.ts"
import { type QueryParameter, readQuery } from "../http/query.ts"
import { findPlace, placeOf } from "./parameter-place.ts"
import { inBody } from "./request-context.ts"

export const problemType = "application/problem+json"

/** The place of a mistake in the request: a parameter, a spot of a JSON document (RFC 6901), or both. */
interface Location {
  readonly parameter?: string
  readonly pointer?: string
}

type Locate = (place: Place) => Location

interface Telling {
  readonly requestId: string
  readonly locate: Locate
  /** Where it is not the code that decides. */
  readonly status?: number
}

/** Problems of one request: the first one gives the status and the title. */
export function problemResponse(
  { problems }: Pick<Refusal, "problems">,
  { requestId, locate, status: given }: Telling,
): JsonResponse {
  const [first] = problems
  const status = given ?? kindEntry(kindOf(first)).rest
  const { code } = first
  const body: JsonValue = {
    type: problemTypeUri(code),
    title: codes[code].title,
    status,
    detail: problems.length === 1 ? first.message : `The request has ${problems.length} mistakes.`,
    code,
    requestId,
    ...traceIdMember(),
    errors: problems.map((problem) => errorJson(problem, locate)),
  }
  const text = JSON.stringify(body)
  return {
    status,
    headers: {
      "content-type": problemType,
      "cache-control": "no-store",
      "content-length": String(Buffer.byteLength(text)),
      ...retryAfter(status),
    },
    body: text,
    code,
  }
}

/** Identifies a code; nothing is served under it. */
function problemTypeUri(code: Code): string {
  return `urn:problem-type:bifold:${code}`
}

function errorJson({ code, message, hint, place }: Problem, locate: Locate): JsonValue {
  return {
    code,
    detail: message,
    ...(hint === undefined ? {} : { hint }),
    ...located(code, place, locate),
  }
}

function located(code: Code, place: Place | undefined, locate: Locate): ReturnType<Locate> {
  if (place === undefined) return {}
  if (isOfAnswer(code)) return locateInJson(place)
  if (!isOfService(code)) return locate(place)
  // Which of several operations or records it was says nothing against it.
  const index = place.findIndex((step) => typeof step === "number")
  return place[0] === inBody && index > 0 ? locateInJson(place.slice(1, index + 1)) : {}
}

/** The fault is in the answer, and not in the request. */
const isOfAnswer = (code: Code): boolean => codes[code].kind === "data" || code === "computed_failed"

function pointerTo(place: Place): string {
  return place.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
}

/** For a request whose question is in the body, and for an answer. */
const locateInJson: Locate = (place) => ({ pointer: pointerTo(place) })

/** For any request: places in its JSON body are pointers, and the rest are parameters. */
export function locateIn({ method, path, query }: Pick<FaceRequest, "method" | "path" | "query">): Locate {
  const asked = method === "POST" && query === "" && path.endsWith("/query")
  const elsewhere = asked ? locateInJson : locateInQuery(query)
  return (place) => (place[0] === inBody ? locateInJson(place.slice(1)) : elsewhere(place))
}

/** For a request whose question is in the query string: the parameter as it was spelt. */
function locateInQuery(query: string): Locate {
  let parameters: readonly QueryParameter[] = []
  try {
    parameters = readQuery(query)
  } catch {
    // The query cannot be taken apart; its mistakes name the parameters themselves.
  }
  const spots = parameters.map(({ name, parts }) => ({ name, place: placeOf(findPlace(parts)) }))
  return (place) => {
    const steps = place.map(String)
    const around = spots
      .filter((spot) => isPrefix(spot.place, steps))
      .sort((a, b) => b.place.length - a.place.length)[0]
    const within = spots.find((spot) => isPrefix(steps, spot.place))
    if (around && around.place.length === steps.length) return { parameter: around.name }
    if (around?.place.at(-1) === "filter")
      return { parameter: around.name, pointer: pointerTo(place.slice(around.place.length)) }
    return { parameter: around?.name ?? within?.name ?? steps.at(-1) ?? "" }
  }
}

function isPrefix(shorter: readonly string[], longer: readonly string[]): boolean {
  return shorter.every((step, index) => step === longer[index])
}

/** Names every value that is not there, or does not fit its declaration, by its place in what would have been the answer. */
export function flawedAnswer(
  text: string,
  { failures = [], fault }: Pick<Answer, "failures" | "fault"> = {},
): Refusal {
  const stand = crypto.randomUUID()
  const [first, ...rest] = findText(JSON.parse(markedJson(text, stand)), stand, []).map(
    ({ place, number }): Problem => {
      const failure = number === "" ? undefined : failures[Number(number)]
      const { missing: _, ...told } = failure ?? {
        code: "unrepresentable_value",
        message: `The stored value of \`${String(place.at(-1) ?? "the record")}\` does not fit its declaration.`,
      }
      return { ...told, place }
    },
  )
  if (!first) return refusal("unrepresentable_value", "A stored value does not fit its declaration.")
  return new Refusal([first, ...rest], fault === undefined ? {} : { cause: fault })
}

interface Found {
  readonly place: Place
  /** The rest behind the text. */
  readonly number: string
}

function findText(value: unknown, text: string, place: Place): readonly Found[] {
  if (typeof value === "string")
    return value.startsWith(text) ? [{ place, number: value.slice(text.length) }] : []
  if (Array.isArray(value)) return value.flatMap((item, index) => findText(item, text, [...place, index]))
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => findText(inner, text, [...place, name]))
}

// Values that cannot be shown are null in REST's answers, as in GraphQL's. They are stored values that do not fit their
// declaration and, after a write, fields that user code failed to compute. A header and a list's envelope name them.
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
