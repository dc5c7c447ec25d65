// Signatures of webhooks (Standard Webhooks 1.0.0): of `id.timestamp.body`, by HMAC-SHA256 (`v1`) and by Ed25519 (`v1a`).
import { createHmac, sign } from "node:crypto"
import { keysOfSeed, type WebhookKeys } from "../base/webhook-keys.ts"

/** Headers of one message. @param seeds each of which signs @param seconds since 1970 */
export function signedHeaders(
  seeds: readonly string[],
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: string },
): Readonly<Record<string, string>> {
  const text = `${id}.${seconds}.${body}`
  const signatures = seeds
    .map(keysOf)
    .flatMap(({ symmetric, own }) => [
      `v1,${createHmac("sha256", symmetric).update(text).digest("base64")}`,
      `v1a,${sign(null, Buffer.from(text), own).toString("base64")}`,
    ])
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.join(" "),
  }
}

const known = new Map<string, WebhookKeys>()
const mostKnown = 1_000

function keysOf(seed: string): WebhookKeys {
  const keys = known.get(seed) ?? keysOfSeed(seed)
  if (known.size >= mostKnown) known.clear()
  known.set(seed, keys)
  return keys
}

/** Milliseconds for which a secret signs after the next one was made. */
const overlap = 24 * 3_600_000
/** Secrets that sign at a time: a receiver, and what is before it, takes some kilobytes of a header. */
export const mostSigning = 25

interface Seed {
  readonly seed: string
  /** Milliseconds since 1970. */
  readonly since: number
}

/** Those that sign now, the newest first: the last one, and each whose successor is younger than a day. */
export function signingSeeds(seeds: readonly Seed[], now: number): readonly string[] {
  return seeds
    .toSorted((one, other) => other.since - one.since)
    .filter((_, at, all) => now - (all[at - 1]?.since ?? now) < overlap)
    .slice(0, mostSigning)
    .map(({ seed }) => seed)
}
