// The caller of an answer that lasts: its credentials may be revoked, or come to mean something else.
import type { FaceRequest, Lasting } from "./face.ts"

interface Caller extends Pick<FaceRequest, "actor" | "headers"> {
  readonly lasting?: Pick<Lasting, "identify">
}

/** Whether the answer has to end. */
export async function hasEnded({ actor, headers, lasting }: Caller): Promise<boolean> {
  if (!lasting || headers["authorization"] === undefined) return false
  try {
    const now = await lasting.identify()
    return now.model !== actor.model || textOf(now.key) !== textOf(actor.key)
  } catch {
    return true
  }
}

const textOf = (key: unknown): string =>
  JSON.stringify(key, (_, part) => (typeof part === "bigint" ? `${part}n` : part))
