// Writes that a page of another site sends with the session of its visitor (cross-site request forgery): a browser says from
// where a request comes (Fetch Metadata, section 2.1; RFC 6454 section 7).
import { refusal } from "../base/problem.ts"
import type { AllowedOrigins } from "../server/cross-site.ts"
import type { Incoming } from "../server/incoming.ts"

const safe: ReadonlySet<string | undefined> = new Set([undefined, "GET", "HEAD", "OPTIONS"])

/** Throws a Refusal. @param cors `*` shares answers, and lets no page act for its visitors */
export function refuseForeignPage({ method, headers }: Incoming, cors: AllowedOrigins): void {
  const { origin, host, authorization } = headers
  const site = headers["sec-fetch-site"]
  if (safe.has(method) || site === "same-origin" || site === "none") return
  // No browser adds it by itself.
  if (/^bearer /i.test(authorization ?? "")) return
  if (origin === undefined ? site === undefined : cors.includes(origin)) return
  if (site === undefined && URL.parse(origin ?? "")?.host === host) return
  throw refusal("forbidden", "Pages of this origin may not write in the name of a session.", {
    hint: "Name the origin of the page in the option cors, or send a token.",
  })
}
