// The caller of an answer that lasts: its credentials may be revoked, or come to mean something else.
import { kindEntry } from "../base/codes.ts"
import { kindOf, Refusal } from "../base/problem.ts"
import type { FaceRequest, Lasting } from "./face.ts"

interface Caller extends Pick<FaceRequest, "actor" | "headers"> {
  readonly lasting?: Pick<Lasting, "identify" | "bySession">
}

/** `unknown` while the service cannot look the credentials up, such as in an outage of its database. */
export type CallerState = "same" | "ended" | "unknown"

/** Whether the credentials of an answer still stand for its caller; the answer ends unless it is `same`. */
export async function callerState({ actor, headers, lasting }: Caller): Promise<CallerState> {
  if (!lasting || (headers["authorization"] === undefined && !lasting.bySession)) return "same"
  try {
    const now = await lasting.identify()
    // User code is given the name, too.
    const isSame =
      now.model === actor.model && now.name === actor.name && textOf(now.key) === textOf(actor.key)
    return isSame ? "same" : "ended"
  } catch (error) {
    return isClients(error) ? "ended" : "unknown"
  }
}

/** Whether a client could have avoided the refusal. */
export const isClients = (error: unknown): boolean =>
  error instanceof Refusal && kindEntry(kindOf(error.problems[0])).blame === "client"

const textOf = (key: unknown): string =>
  JSON.stringify(key, (_, part) => (typeof part === "bigint" ? `${part}n` : part))
