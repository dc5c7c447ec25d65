// Answers that last, such as streams and subscriptions: how many one client may have open in a process.
import { refusal } from "../../base/problem.ts"

/** Gives what ends the answer's count. Throws a Refusal where the client has as many as it may. */
export type BeginLasting = (client: string) => () => void

/** @param most of one client */
export function createLasting(most: number): BeginLasting {
  const open = new Map<string, number>()
  return (client) => {
    const count = open.get(client) ?? 0
    if (count >= most)
      throw refusal("rate_limited", `${most} streams and subscriptions of this caller are open already.`, {
        hint: "End one of them first.",
      })
    open.set(client, count + 1)
    let ended = false
    return () => {
      if (ended) return
      ended = true
      const others = (open.get(client) ?? 1) - 1
      if (others > 0) open.set(client, others)
      else open.delete(client)
    }
  }
}
