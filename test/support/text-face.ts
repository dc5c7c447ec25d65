// Faces whose answers are all text: what is long leaves them as bytes.
import { textOf } from "../../src/base/json.ts"
import type { Face, FaceRequest, FaceResponse } from "../../src/faces/exchange.ts"

export interface TextResponse extends Omit<FaceResponse, "body"> {
  readonly body: string
}

export type TextFace = (request: FaceRequest) => Promise<TextResponse>

export const asText =
  (face: Face): TextFace =>
  async (request) => {
    const response = await face(request)
    return { ...response, body: textOf(response.body) }
  }
