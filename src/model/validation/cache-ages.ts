// Ages for caches are whole seconds, and no longer than caches keep anything (RFC 9111 section 1.2.2 asks for 2^31 at the most).
import { type Rule, resourcesOf } from "./context.ts"

/** A year. */
const longest = 31_536_000

export const cacheAges: Rule = (service, report) => {
  for (const { resource, place } of resourcesOf(service)) {
    const seconds = resource.cache?.public
    if (seconds === undefined || (Number.isInteger(seconds) && seconds >= 1 && seconds <= longest)) continue
    report(
      [...place, "cache", "public"],
      `"public" must be a whole number of seconds from 1 to ${longest}, not ${seconds}.`,
      "Leave out `cache` where nothing is to be kept.",
    )
  }
}
