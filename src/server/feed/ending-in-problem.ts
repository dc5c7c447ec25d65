// Streams of events that end in a problem: their clients connect again, after the last id that they have.

import { type JsonText, textOf } from "../../base/json.ts"
import { Refusal } from "../../base/problem.ts"
import { wholeBody } from "../../http/answer.ts"
import type { Piece } from "../../http/changes.ts"
import { dataOf } from "../../http/event-stream.ts"
import { type FaceRequest, faultIn } from "../../http/face.ts"
import { locateIn, problemResponse } from "../../rest/question/problem.ts"

/** Frames, with one for the Refusal that ends them. */
export async function* endingInProblem(
  frames: AsyncIterable<Piece>,
  request: FaceRequest,
  signal: AbortSignal,
): AsyncGenerator<Piece, void> {
  try {
    yield* frames
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (signal.aborted) return
    request.lasting?.report(faultIn(error))
    const { body } = problemResponse(error, { requestId: request.requestId, locate: locateIn(request) })
    yield problemFrame(textOf(await wholeBody(body)))
  }
}

export const problemFrame = (text: JsonText): string => `event: problem\n${dataOf(text)}\n`
