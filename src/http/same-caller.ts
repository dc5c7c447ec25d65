// The caller of an answer that lasts: its credentials may be revoked, or come to mean something else.
import type { FaceRequest } from "./face.ts"

/** Whether the answer has to end. */
export async function hasEnded({
  actor,
  headers,
  identifyAgain,
}: Pick<FaceRequest, "actor" | "headers" | "identifyAgain">): Promise<boolean> {
  if (!identifyAgain || headers["authorization"] === undefined) return false
  try {
    const now = await identifyAgain()
    return now.model !== actor.model || textOf(now.key) !== textOf(actor.key)
  } catch {
    return true
  }
}

const textOf = (key: unknown): string =>
  JSON.stringify(key, (_, part) => (typeof part === "bigint" ? `${part}n` : part))
