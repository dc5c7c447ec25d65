// Faces whose answers are all text: what is long leaves them as bytes.
import { textOf } from "../../src/base/json.ts"
import { wholeBody } from "../../src/http/answer.ts"
import type { Face, FaceRequest, FaceResponse } from "../../src/http/face.ts"
import type { Model } from "../../src/model/model.ts"
import { everybodyOf } from "../../src/plan/access/actor.ts"

export interface TextResponse extends Omit<FaceResponse, "body"> {
  readonly body: string
}

/** Without an actor, everybody asks of the service as it is given. */
export type TextFace = (request: Unasked) => Promise<TextResponse>
type Unasked = Omit<FaceRequest, "actor"> & Partial<Pick<FaceRequest, "actor">>

export const asText =
  (face: Face, model: Model): TextFace =>
  async (request) => {
    const response = await face({ actor: everybodyOf(model), ...request })
    return { ...response, body: textOf(await wholeBody(response.body)) }
  }
