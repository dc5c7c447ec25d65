// Cuts the connection of a client that does not take its answer, which would be kept for it as long as it likes.
import type { ServerResponse } from "node:http"

/**
 * Node counts from the last bytes that the client took, and looks once in this time.
 * @param to its answer is written, or the first of a stream is about to be
 * @param patience milliseconds
 */
export function cutUntaken(to: ServerResponse, patience: number): void {
  // The kernel sends the bytes that it has taken; more of a stream follows.
  if (to.writableLength === 0 && to.writableEnded) return
  to.setTimeout(patience)
  // Before what Node does then: the next answer may not be ready for a while.
  to.prependOnceListener("finish", () => to.socket?.setTimeout(0))
}
