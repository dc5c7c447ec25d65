// Documents are asked for again and again, and long: each is coded once, better than there is time for while an answer waits.
import { cacheBudget } from "../../base/cache-budget.ts"
import { createRecent } from "../../base/clock-cache.ts"
import type { Coding } from "./accept-encoding.ts"
import { compressDocument } from "./compress.ts"

/** @param tag of the bytes, strong */
export type Keep = (coding: Coding, tag: string, bytes: () => Buffer) => Buffer | Promise<Buffer>

export function createKept(): Keep {
  const kept = createRecent<string, Buffer>({ count: 300, weight: 16 * 1024 * 1024 }, cacheBudget)
  const making = new Map<string, Promise<Buffer>>()
  return (coding, tag, bytes) => {
    const key = `${coding} ${tag}`
    const known = kept.get(key) ?? making.get(key)
    if (known) return known
    const made = compressDocument(coding, bytes())
      .then((coded) => {
        kept.set(key, coded, coded.length)
        return coded
      })
      .finally(() => making.delete(key))
    making.set(key, made)
    return made
  }
}
