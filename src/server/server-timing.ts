// The header Server-Timing (W3C), by which a browser's developer tools show where the time of an answer went.
import { type RequestRecord, stages } from "../base/telemetry.ts"

/** Stages that have ended when the headers are sent, and all of the time until then. */
export function timingOf({ times, began }: RequestRecord): string {
  const parts = stages.flatMap((stage) => (times[stage] > 0 ? [`${stage};dur=${shown(times[stage])}`] : []))
  return [...parts, `total;dur=${shown(performance.now() - began)}`].join(", ")
}

/** Microseconds are the finest that mean anything. */
const shown = (milliseconds: number): string => String(Number(milliseconds.toFixed(3)))
