// Results as server-sent events: "distinct connections mode" of the GraphQL over Server-Sent Events Protocol.
import type { JsonText } from "../../base/json.ts"
import { dataOf } from "../../http/event-stream.ts"
import type { SharedBytes } from "../../http/shared-bytes.ts"

/** One frame for each result, and one for the end. */
export async function* framesOf(
  results: AsyncIterable<JsonText>,
  share: SharedBytes,
): AsyncGenerator<string | Buffer, void> {
  for await (const result of results) yield share(frame(result))
  yield complete
}

/** All frames of an operation that has one result. */
export const wholeFrames = (result: JsonText): string => `${frame(result)}${complete}`

const complete = "event: complete\ndata:\n\n"

const frame = (result: JsonText): string => `event: next\n${dataOf(result)}\n`
