// Whether the host has registered an OpenTelemetry SDK: looked up without loading anything.

/** How the API calls the global in which an SDK registers, before its major version. */
const registry = "opentelemetry.js.api."

/** Whether the host has registered a provider of tracers. */
export const isRegistered = (): boolean =>
  Object.getOwnPropertySymbols(globalThis).some((symbol) => {
    if (symbol.description?.startsWith(registry) !== true) return false
    const registered: unknown = Reflect.get(globalThis, symbol)
    return typeof registered === "object" && registered !== null && "trace" in registered
  })
