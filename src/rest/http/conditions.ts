// Conditional writes (RFC 9110 section 13): what `If-Match` and `If-None-Match` ask of the record that is written.
import { refusal } from "../../base/problem.ts"
import type { FaceRequest } from "../../http/face.ts"

export interface Conditions {
  /** The record must have one of these versions. */
  readonly match?: readonly string[]
  /** `If-Match` is given, perhaps as `*`: there must be a record. */
  readonly exists: boolean
  /** `If-None-Match: *`: there must be none. */
  readonly absent: boolean
}

/** @throws Refusal when a header has another form */
export function readConditions(headers: FaceRequest["headers"]): Conditions {
  const match = headers["if-match"]?.trim()
  const noneMatch = headers["if-none-match"]?.trim()
  if (noneMatch !== undefined && noneMatch !== "*")
    throw refusal("invalid_value", "If-None-Match of a write can only be *: there must be no such record.", {
      hint: "To write a record only as you have seen it, send its ETag in If-Match.",
      place: ["If-None-Match"],
    })
  if (match !== undefined && noneMatch !== undefined)
    throw refusal("invalid_value", "If-Match and If-None-Match: * cannot both hold.", { place: ["If-Match"] })
  return {
    ...(match === undefined || match === "*" ? {} : { match: readTags(match) }),
    exists: match !== undefined,
    absent: noneMatch !== undefined,
  }
}

const tag = /^(W\/)?"([\x21\x23-\x7e\x80-\uffff]*)"$/

/** The versions that strong tags begin with (section 8.8.3.2): `"7.x3f…"` of an answer, or `"7"` as GraphQL gives it. */
function readTags(header: string): readonly string[] {
  const versions: string[] = []
  for (const text of header.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)) {
    const [all, weak, opaque = ""] = tag.exec(text.trim()) ?? []
    if (all === undefined)
      throw refusal("malformed_request", "If-Match is not a list of entity tags.", {
        hint: 'Send the ETag of an answer, quotation marks included, as in If-Match: "7".',
        place: ["If-Match"],
      })
    if (weak === undefined) versions.push(opaque.split(".", 1)[0] ?? "")
  }
  if (versions.length === 0)
    throw refusal("stale_version", "If-Match names weak entity tags alone, which no record has.", {
      hint: "Send the ETag of an answer as it is, without W/.",
      place: ["If-Match"],
    })
  return versions
}
