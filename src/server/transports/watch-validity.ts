// Reports that a certificate will expire, each day, and that it has expired, once.
import type { Observe } from "../observation.ts"
import { type Validity, validityState } from "./certificate.ts"

export interface ValidityWatch {
  /** The certificate was read anew. */
  look(): void
  end(): void
}

/** Milliseconds between looks. */
const interval = 60_000

/** @param now milliseconds; the clock when absent */
export function watchValidity(
  valid: () => Validity | undefined,
  observe: Observe,
  { every = interval, now = Date.now }: { readonly every?: number; readonly now?: () => number } = {},
): ValidityWatch {
  let told = ""
  const look = (): void => {
    const current = valid()
    if (!current) return
    const state = validityState(current, now())
    const { kind } = state
    const telling = `${kind} ${kind === "expiring" ? state.days : ""} ${current.until.getTime()}`
    if (telling === told) return
    told = telling
    if (kind === "expiring") observe({ kind, until: current.until, days: state.days })
    else if (kind === "outdated") observe({ kind, valid: current })
  }
  look()
  const timer = setInterval(look, every).unref()
  const lookAnew = (): void => {
    told = ""
    look()
  }
  return { look: lookAnew, end: () => clearInterval(timer) }
}
