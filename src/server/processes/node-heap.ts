// V8's memory settings for a process that serves.
import { setFlagsFromString } from "node:v8"

const flag = "--heap-growing-percent"

/**
 * Growth of the old generation, in percent of its used part, before a full collection. V8's own value is up to 300, but small
 * where bytes outside of the heap come and go. V8 would then collect a heap with hardly any garbage several times a second
 * (docs/decisions/0083).
 */
const percent = 200

/** A person's own setting wins. */
export function letHeapGrow(given: readonly string[] = process.execArgv, set = setFlagsFromString): void {
  if (!given.some((one) => one.startsWith(flag))) set(`${flag}=${percent}`)
}
