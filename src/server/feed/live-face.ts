// Live reads by REST: the answer as the first event, then what changes in it.
import { textOf } from "../../base/json.ts"
import { Refusal, refusal } from "../../base/problem.ts"
import { type Request, startRequest } from "../../base/request.ts"
import { wholeBody } from "../../http/answer.ts"
import { type AwaitWrites, defaultInterval, readInterval } from "../../http/changes.ts"
import { dataOf, openEventStream, streamHead } from "../../http/event-stream.ts"
import type { Face, FaceRequest, FaceResponse } from "../../http/face.ts"
import { type Asked, createSources, type LiveItem, liveFrames } from "../../http/live.ts"
import { locateIn, problemResponse } from "../../rest/question/problem.ts"
import { endingInProblem, problemFrame } from "./ending-in-problem.ts"

interface Asking {
  readonly rest: Face
  readonly writes: AwaitWrites
}

/** A read that the face refuses is answered as it is without `live`. */
export async function answerLive(whole: FaceRequest, { rest, writes }: Asking): Promise<FaceResponse> {
  const live = asksLive(whole)
  if (!live) return rest(whole)
  const { request: given, interval } = live
  const request: FaceRequest = { ...given, method: "GET", headers: plain(given.headers) }
  if (given.refused) return rest(request)
  const opened = openOr(given)
  if (!("signal" in opened)) return opened
  const { signal, cut } = opened
  try {
    const sources = createSources()
    const asked: Face = (again) => rest({ ...again, inner: sources.noted(again.inner) })
    const awaited = await writes({ request: given.inner, signal, cut, concerns: sources.concerns })
    const first = await asked(request)
    if (!isAnswer(first) || given.method === "HEAD") {
      opened.end()
      return isAnswer(first) ? streamHead : first
    }
    const ask = (): Promise<Asked> => askAgain(request, asked)
    const text = textOf(await wholeBody(first.body))
    const frames = liveFrames({ kind: "answer", text }, { ask, awaited, interval, signal, encode: frameOf })
    return opened.respond(endingInProblem(frames, request, signal))
  } catch (error) {
    opened.end()
    throw error
  }
}

const isAnswer = ({ status, headers }: FaceResponse): boolean =>
  status === 200 && headers["content-type"]?.startsWith("application/json") === true

function openOr(request: FaceRequest): ReturnType<typeof openEventStream> | FaceResponse {
  try {
    return openEventStream(request)
  } catch (error) {
    if (error instanceof Refusal)
      return problemResponse(error, { requestId: request.requestId, locate: locateIn(request) })
    throw error
  }
}

/** A condition on the answer, or another form of it, is of no use here. */
function plain(headers: FaceRequest["headers"]): FaceRequest["headers"] {
  const { accept: _, "if-none-match": _tag, ...others } = headers
  return others
}

async function askAgain(request: FaceRequest, rest: Face): Promise<Asked> {
  try {
    const ask = (inner: Request): Promise<FaceResponse> => rest({ ...request, inner })
    const answered = await (request.lasting?.run(ask) ?? ask(startRequest("")))
    const { status, body } = answered
    if (isAnswer(answered)) return { kind: "answer", text: textOf(await wholeBody(body)) }
    request.lasting?.report(answered)
    if (status === 429 || status >= 500) return { kind: "later" }
    return { kind: "refused", text: textOf(await wholeBody(body)) }
  } catch (error) {
    if (error instanceof Refusal) return { kind: "later" }
    throw error
  }
}

const frameOf = (item: LiveItem): string =>
  item.kind === "patch"
    ? `event: patch\ndata: ${JSON.stringify(item.patch)}\n\n`
    : item.kind === "answer"
      ? `event: answer\n${dataOf(item.text)}\n`
      : problemFrame(item.text)

// A read by REST whose answer is to last: `live=true` beside what it asks for.
export interface LiveRequest {
  /** The read itself. */
  readonly request: FaceRequest
  /** Milliseconds between two answers, at the least. */
  readonly interval: number
}

/** Undefined for any other request. */
export function asksLive(request: FaceRequest): LiveRequest | undefined {
  if (!request.query.includes("live=") || (request.method !== "GET" && request.method !== "HEAD"))
    return undefined
  const pieces = request.query.split("&")
  const [asked, ...others] = pieces.filter((piece) => piece.startsWith("live="))
  if (asked === undefined) return undefined
  const own = pieces.filter((piece) => piece.startsWith("interval="))
  const query = pieces.filter((piece) => !piece.startsWith("live=") && !own.includes(piece)).join("&")
  const [given] = own
  const interval =
    given === undefined ? defaultInterval : readInterval(Number(given.slice("interval=".length)))
  const refused =
    request.refused ??
    (asked !== "live=true" || others.length > 0
      ? refusal("invalid_value", "`live` must be true, or absent.", { place: ["live"] })
      : undefined) ??
    (own.length > 1 || interval === undefined
      ? refusal("invalid_value", "`interval` must be a number of seconds from 0.1 to 3600.", {
          place: ["interval"],
        })
      : undefined)
  return {
    request: { ...request, query, ...(refused && { refused }) },
    interval: interval ?? defaultInterval,
  }
}
