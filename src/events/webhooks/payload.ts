// The body of a webhook: an event as its owner may see it, in one of two envelopes.

import { createHmac, sign } from "node:crypto"
import type { JsonValue } from "../../base/json.ts"
import { keysOfSeed, type WebhookKeys } from "../../base/webhook-keys.ts"
import type { Endpoint } from "./endpoint.ts"

/** An event as `GET /events` has it, with the record as it is now. */
export type EventData = Readonly<Record<string, JsonValue>> & {
  readonly id: string
  readonly type: string
  readonly at: string
  readonly resource: string
  readonly recordId: string
}

interface Payload {
  readonly contentType: string
  readonly body: string
}

/** Bytes; larger payloads are sent in the thin form. */
const mostBytes = 1_048_576

/** @param service its name, which CloudEvents have for their source */
export function payloadOf(
  { payload, format }: Pick<Endpoint, "payload" | "format">,
  event: EventData,
  service: string,
): Payload {
  const envelope = format === "cloudevents" ? cloudEvent(service) : standard
  const full = envelope(event, payload === "full" ? event : thin(event))
  if (payload === "thin" || Buffer.byteLength(full.body) <= mostBytes) return full
  return envelope(event, { ...thin(event), isCut: true })
}

const thin = ({ id, resource, recordId }: EventData): Data => ({ id, resource, recordId })

type Data = Readonly<Record<string, JsonValue>>
type Envelope = (event: EventData, data: Data) => Payload

/** Standard Webhooks 1.0.0, "Payload structure". */
const standard: Envelope = ({ type, at }, data) => ({
  contentType: "application/json",
  body: JSON.stringify({ type, timestamp: at, data }),
})

/** CloudEvents 1.0.2, JSON format, section 3. */
const cloudEvent =
  (service: string): Envelope =>
  ({ id, type, at, recordId }, data) => ({
    contentType: "application/cloudevents+json",
    body: JSON.stringify({
      specversion: "1.0",
      id,
      source: `/${service}`,
      type,
      subject: recordId,
      time: at,
      datacontenttype: "application/json",
      data,
    }),
  })

// Signatures of webhooks (Standard Webhooks 1.0.0): of `id.timestamp.body`, by HMAC-SHA256 (`v1`) and by Ed25519 (`v1a`).

/** Headers of one message. @param seeds each signs @param seconds since 1970 */
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
/** Secrets that sign at a time: receivers and their proxies take some kilobytes of a header. */
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
