// The API of OpenTelemetry, by which spans are made; it belongs to the host, as the SDK does.
import { Refusal } from "../../base/problem.ts"

export type Api = typeof import("@opentelemetry/api")

/** Throws a Refusal where it cannot be loaded. */
export async function loadApi(): Promise<Api> {
  try {
    return await import("@opentelemetry/api")
  } catch (cause) {
    const message = "An OpenTelemetry SDK is registered, but @opentelemetry/api cannot be loaded."
    const hint = "Install it beside Bifold: npm install @opentelemetry/api"
    throw new Refusal([{ code: "invalid_command", message, hint }], { cause })
  }
}
