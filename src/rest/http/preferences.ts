// Preferences of the client (RFC 7240). Unknown ones are ignored, as its section 2 says.
import { refusal } from "../../base/problem.ts"

export interface Preferences {
  /** `count=exact`: a list's total. */
  readonly count: boolean
  /** `return=minimal`: a write's answer has no body. */
  readonly minimal: boolean
  /** `max-affected=n`: records that a write may change. */
  readonly maxAffected?: number
}

/** `dry-run`: only the price of the request is wanted. */
export const isDryRun = (prefer: string | undefined): boolean =>
  prefer !== undefined && /(?:^|,)\s*dry-run\s*(?:[,;]|$)/i.test(prefer)

/** @throws Refusal when `max-affected` is not a number, since an ignored limit would be none */
export function readPreferences(prefer: string | undefined): Preferences {
  if (prefer === undefined) return { count: false, minimal: false }
  const given = new Map<string, string>()
  for (const part of prefer.split(",")) {
    const [name = "", value = ""] = (part.split(";", 1)[0] ?? "").split("=").map((text) => text.trim())
    const plain = /^".*"$/.test(value) ? value.slice(1, -1) : value
    // The first of several is the one that counts.
    if (!given.has(name.toLowerCase())) given.set(name.toLowerCase(), plain)
  }
  const most = given.get("max-affected")
  if (most !== undefined && !/^[0-9]{1,9}$/.test(most))
    throw refusal("invalid_value", "max-affected in Prefer must be a whole number.", {
      hint: "Write Prefer: max-affected=10.",
      place: ["Prefer"],
    })
  return {
    count: given.get("count")?.toLowerCase() === "exact",
    minimal: given.get("return")?.toLowerCase() === "minimal",
    ...(most === undefined ? {} : { maxAffected: Number(most) }),
  }
}
