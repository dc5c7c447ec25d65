// V8's memory settings for a process that serves.
import { setFlagsFromString } from "node:v8"

const flag = "--heap-growing-percent"

/**
 * Percent of what is in use by which the old generation may grow before all of it is looked through. V8's own part is up to
 * 300, but small where bytes outside of the heap come and go: then it looks through a heap in which hardly anything is dead,
 * several times a second (docs/decisions/0083).
 */
const percent = 200

/** A person's own setting wins. */
export function letHeapGrow(given: readonly string[] = process.execArgv, set = setFlagsFromString): void {
  if (!given.some((one) => one.startsWith(flag))) set(`${flag}=${percent}`)
}
