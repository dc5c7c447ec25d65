// Answers that last, such as streams and subscriptions: how many one client may have open in a process.

import type { OpenMeter } from "../../access/limits/meters.ts"
import { refusal } from "../../base/problem.ts"
import { type Request, startRequest } from "../../base/request.ts"
import type { Actor } from "../../plan/access/actor.ts"

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

export interface Counting {
  readonly openMeter: OpenMeter | undefined
  readonly actor: Actor
  readonly client: string
}

/** Makes a part of an answer that lasts as a request of its own. Rejects with a Refusal for a caller over its limits. */
export async function runCounted<Part>(
  { openMeter, actor, client }: Counting,
  make: (request: Request) => Promise<Part>,
): Promise<Part> {
  const meter = openMeter?.(actor, client)
  try {
    if (meter?.refused) throw meter.refused
    const part = await make({ ...startRequest(client), meter })
    await meter?.settle()
    return part
  } finally {
    meter?.end()
  }
}
