// The body of a webhook: an event as its owner may see it, in one of two envelopes.
import type { JsonValue } from "../base/json.ts"
import type { Endpoint } from "./endpoint.ts"

/** An event as `GET /events` has it, with the record as it is now. */
export type EventData = Readonly<Record<string, JsonValue>> & {
  readonly id: string
  readonly type: string
  readonly at: string
  readonly resource: string
  readonly recordId: string
}

export interface Payload {
  readonly contentType: string
  readonly body: string
}

/** Bytes; of what is larger the thin form is sent. */
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
