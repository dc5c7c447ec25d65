// A read by REST whose answer is to last: `live=true` beside what it asks for.
import { refusal } from "../../base/problem.ts"
import { defaultInterval, readInterval } from "../../http/changes.ts"
import type { FaceRequest } from "../../http/face.ts"

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
