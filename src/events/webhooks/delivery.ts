// One event to one endpoint: sent, and written down what became of it.
import { type Clock, unhurried } from "../../base/clock.ts"
import type { JsonValue } from "../../base/json.ts"
import type { Telemetry } from "../../base/telemetry.ts"
import { spanned, traceHeader } from "../../base/tracing.ts"
import { DialError, type Dialer, type DialFault } from "../../http/dialer.ts"
import { canonicalDateTime } from "../../model/values/datetime.ts"
import type { Retry } from "../handlers/followed.ts"
import type { Endpoint } from "./endpoint.ts"
import { type EventData, payloadOf, signedHeaders, signingSeeds } from "./payload.ts"
import type { Delivery, Records } from "./records.ts"

interface SendOptions extends Clock {
  /** The service's name. */
  readonly service: string
  readonly records: Records
  readonly dialer: Dialer
  readonly telemetry?: Telemetry | undefined
}

/** A receiver that did not take an event; thrown to the follower of the log. */
export class DeliveryFailure extends Error {
  readonly retry: Retry

  constructor(message: string, retry: Retry) {
    super(message)
    this.retry = retry
  }
}

interface Sending {
  readonly endpoint: Endpoint
  readonly event: EventData
  /** One delivery outside of the order, which is not tried again. */
  readonly once: boolean
  readonly stop: AbortSignal
}

/** Rejects with a DeliveryFailure where it was not taken, and as a storage does. */
type SendEvent = (sending: Sending) => Promise<void>

/** Attempts that are kept of a delivery. */
const mostKept = 20

interface Attempt {
  /** A canonical timestamp. */
  readonly at: string
  readonly milliseconds: number
  readonly status?: number
  readonly error?: string
  /** Milliseconds. */
  readonly retryAfter?: number
}

export function createSendEvent({
  service,
  records,
  dialer,
  now,
  elapsed,
  telemetry,
}: SendOptions): SendEvent {
  const unhurriedNow = unhurried({ now, elapsed })
  const attempt = async ({ endpoint, event, stop }: Sending): Promise<Attempt> => {
    const [began, since] = [now(), elapsed()]
    const { body, contentType } = payloadOf(endpoint, event, service)
    const signed = signedHeaders(signingSeeds(endpoint.seeds, began), {
      id: event.id,
      seconds: Math.floor(began / 1_000),
      body,
    })
    const at = canonicalDateTime(began)
    const request = { body, signal: stop, headers: { ...signed, "content-type": contentType } }
    try {
      const { status, headers } = await call(dialer, { endpoint, event, request })
      const retryAfter = readRetryAfter(headers["retry-after"], now())
      return {
        at,
        status,
        milliseconds: Math.round(elapsed() - since),
        ...(retryAfter !== undefined && { retryAfter }),
      }
    } catch (error) {
      if (!(error instanceof DialError)) throw error
      return { at, error: error.fault, milliseconds: Math.round(elapsed() - since) }
    }
  }
  return async (sending) => {
    const { endpoint, event, once } = sending
    const made = await attempt(sending)
    const isTaken = made.status !== undefined && made.status >= 200 && made.status <= 299
    telemetry?.webhookAttempted(isTaken)
    const known = await records.delivery(endpoint.id, event.id)
    const attempts = (known?.attempts ?? 0) + 1
    const pause = isTaken || once ? undefined : pauseAfterAttempt(attempts, made.retryAfter, Math.random())
    const change = {
      attempts,
      log: logOf(known, made),
      status: isTaken ? "delivered" : pause === undefined ? "failed" : "pending",
      nextAt: pause === undefined ? null : canonicalDateTime(now() + pause),
      ...(isTaken && { deliveredAt: canonicalDateTime(now()) }),
    }
    if (known) await records.changeDelivery(known.id, change)
    else {
      const { id: endpointId, roles, scopes } = endpoint
      const { id, type, recordId: record } = event
      await records.addDelivery({ endpointId, event: id, type, record, roles, scopes }, change)
    }
    await judge(sending, { ...made, attempts, isTaken })
    if (!isTaken && !once) throw new DeliveryFailure(textOf(made), pause === undefined ? "passed" : pause)
  }

  /** Endpoints that are gone for good, or have failed for long, are disabled. */
  async function judge(
    { endpoint }: Sending,
    { attempts, isTaken, ...made }: Attempt & { readonly attempts: number; readonly isTaken: boolean },
  ): Promise<void> {
    const { id, failingSince } = endpoint
    if (isTaken && failingSince !== null) await records.changeEndpoint(id, { failingSince: null })
    if (isTaken) return
    const unreachable = unreachableTexts.get(made.error ?? "")
    if (made.status === 410) await records.disable(id, "The endpoint answered 410 Gone.")
    else if (unreachable !== undefined) await records.disable(id, unreachable)
    else if (failingSince === null)
      await records.changeEndpoint(id, { failingSince: canonicalDateTime(now()) })
    else if (
      attempts >= disabledAfter.attempts &&
      unhurriedNow() - Date.parse(failingSince) > disabledAfter.time
    )
      await records.disable(id, `Calls have failed since ${failingSince}, at last with ${textOf(made)}.`)
  }
}

interface Call extends Pick<Sending, "endpoint" | "event"> {
  readonly request: { body: string; signal: AbortSignal; headers: Readonly<Record<string, string>> }
}

/** With the trace of the attempt, where spans are collected, or else of the write. */
function call(dialer: Dialer, { endpoint, event, request }: Call): ReturnType<Dialer["send"]> {
  const { id, url } = endpoint
  const origin = URL.parse(url)?.origin ?? ""
  const of = { kind: "delivery", origin, event: event.type, eventId: event.id, endpoint: id } as const
  return spanned(of, async (answered) => {
    const headers = { ...request.headers, ...traceHeader(), "user-agent": "Bifold-Webhooks" }
    const answer = await dialer.send(url, { method: "POST", ...request, headers })
    answered(answer.status)
    return answer
  })
}

/** By the dialer's fault: for addresses that no further attempt will reach. */
const unreachableTexts: ReadonlyMap<string, string> = new Map<DialFault, string>([
  [
    "address_forbidden",
    "Its address is private or reserved, and nothing was sent. Change the URL, then resume it.",
  ],
  ["address_invalid", "Its URL cannot be called, and nothing was sent. Change it, then resume it."],
])

const textOf = ({ status, error }: Attempt): string =>
  status === undefined ? String(error) : `status ${status}`

function logOf(
  known: Delivery | undefined,
  { at, status, error, milliseconds }: Attempt,
): readonly JsonValue[] {
  const own: JsonValue = {
    at,
    milliseconds,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
  }
  return [...(known?.log ?? []), own].slice(-mostKept)
}

// When a delivery that failed is tried again: sooner at first, for three days in all.
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Milliseconds after each failure. */
const pauses = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  ...[1, 2, 4, 8, 12, 12, 12, 12, 8].map((hours) => hours * hour),
]
/** An endpoint may ask for so much at the most. */
const longest = 24 * hour

export const longestPause = Math.max(longest, ...pauses.map((pause) => 1.2 * pause))

/**
 * An endpoint is disabled when failures alone have lasted for this time and one event has had so many attempts. The attempts
 * take half a day, and guard against a calendar that was set forward before a start.
 */
const disabledAfter = { time: 72 * hour, attempts: 10 } as const

/**
 * Milliseconds; undefined where it is given up.
 * @param attempts how often it has been tried, from 1 on
 * @param retryAfter milliseconds that the endpoint asks for
 * @param chance from 0 to 1
 */
export function pauseAfterAttempt(
  attempts: number,
  retryAfter: number | undefined,
  chance: number,
): number | undefined {
  const pause = pauses[attempts - 1]
  if (pause === undefined) return undefined
  return Math.max(Math.round(pause * (0.8 + 0.4 * chance)), Math.min(retryAfter ?? 0, longest))
}

/** Milliseconds of `Retry-After` (RFC 9110 section 10.2.3): seconds, or a moment. @param now milliseconds since 1970 */
function readRetryAfter(header: unknown, now: number): number | undefined {
  if (typeof header !== "string") return undefined
  const time = /^\d+$/.test(header)
    ? Math.min(Number(header) * second, Number.MAX_SAFE_INTEGER)
    : Date.parse(header) - now
  return Number.isFinite(time) && time > 0 ? time : undefined
}
