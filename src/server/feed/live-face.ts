// Live reads by REST: the answer as the first event, then what changes in it.
import { textOf } from "../../base/json.ts"
import { Refusal } from "../../base/problem.ts"
import { wholeBody } from "../../http/body.ts"
import type { AwaitWrites } from "../../http/changes.ts"
import { dataOf, openEventStream, streamHead } from "../../http/event-stream.ts"
import type { Face, FaceRequest, FaceResponse } from "../../http/face.ts"
import { type Asked, createSources, type LiveItem, liveFrames } from "../../http/live.ts"
import { locateIn, problemResponse } from "../../rest/question/problem.ts"
import { endingInProblem, problemFrame } from "./ending-in-problem.ts"
import type { LiveRequest } from "./live-request.ts"

interface Asking {
  readonly rest: Face
  readonly writes: AwaitWrites
}

/** A read that the face refuses is answered as it is without `live`. */
export async function answerLive(
  { request: given, interval }: LiveRequest,
  { rest, writes }: Asking,
): Promise<FaceResponse> {
  const request: FaceRequest = { ...given, method: "GET", headers: plain(given.headers) }
  if (given.refused) return rest(request)
  const opened = openOr(given)
  if (!("signal" in opened)) return opened
  const { signal, cut } = opened
  try {
    const sources = createSources()
    const asked: Face = (again) => sources.reading(() => rest(again))
    const awaited = await writes({ signal, cut, concerns: sources.concerns })
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
    const answered = await (request.lasting?.run(() => rest(request)) ?? rest(request))
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
