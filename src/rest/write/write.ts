// Requests that change something, from the request to the response.

import { Refusal } from "../../base/problem.ts"
import type { FaceRequest, FaceResponse } from "../../http/face.ts"
import { withIdempotency } from "../../http/idempotency.ts"
import { createShapes } from "../../plan/draft/plan-cache.ts"
import type { WriteRoute } from "../http/route.ts"
import { refuseParameters } from "../question/parameters.ts"
import { withNulls } from "../question/problem.ts"
import { inBody, type WriteContext } from "../question/request-context.ts"
import { createWriteQuestions, type WriteQuestions } from "../read/query-cache.ts"
import { answerBatch } from "./batch.ts"
import { type Call, createCall } from "./call.ts"
import { changeOf } from "./change.ts"
import type { Serving } from "./context.ts"
import { modify } from "./modify.ts"
import { refusedWrite, writtenResponse } from "./write-answer.ts"
import { formOf, planWrite, type WriteShapes } from "./write-plan.ts"
import { decisive, readWrite, readWriteBody } from "./write-request.ts"

export interface Writer {
  write(route: WriteRoute, request: FaceRequest): Promise<FaceResponse>
  batch(request: FaceRequest): Promise<FaceResponse>
  readonly call: Call
}

export function createWriter(serving: Serving): Writer {
  const { cache } = serving
  const kept: Writing = { serving, shapes: createShapes(cache), questions: createWriteQuestions(cache) }
  return {
    write: (route, request) => write(kept, route, request),
    call: createCall(serving),
    async batch(request) {
      const { input } = readWriteBody({ kind: "batch" }, request)
      refuseParameters(request.query, "The changes belong in the body.")
      const { actor } = request
      return answerBatch(serving, input, {
        actor,
        request: withIdempotency(request, () => decisive(request)),
      })
    },
  }
}

interface Writing {
  readonly serving: Serving
  readonly shapes: WriteShapes
  readonly questions: WriteQuestions
}

async function write(
  { serving, shapes, questions }: Writing,
  route: WriteRoute,
  request: FaceRequest,
): Promise<FaceResponse> {
  const { input, type } = readWriteBody(route, request)
  const { actor, query, headers } = request
  const read = questions(route, query)
  const asked = readWrite(route, { model: serving.context.model, read, headers, input, place: [inBody] })
  const inner = withIdempotency(request, () => decisive(request))
  const change = changeOf(asked, type)
  const { context } = serving
  const done = (made: WriteContext) => serving.answer(planWrite(context, shapes, made), actor, inner)
  try {
    const answer = await (change
      ? modify(serving, asked, change, {
          actor,
          request: request.inner,
          done,
          keyed: inner?.once !== undefined,
        })
      : done(asked))
    const root = answer.roots[0] ?? "null"
    const {
      json,
      headers: told,
      ...fault
    } = withNulls(root, answer, {
      envelope: formOf(asked) === "list",
      written: true,
    })
    const response = writtenResponse(serving, asked, { ...answer, roots: [json] }, 0)
    return { ...response, ...fault, headers: { ...response.headers, ...told } }
  } catch (error) {
    throw error instanceof Refusal ? refusedWrite(asked, error, context) : error
  }
}
