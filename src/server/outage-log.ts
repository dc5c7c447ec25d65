// Requests that the service could not answer, could not count, or whose credentials it did not accept: of each code and each fault the
// first is reported at once, then every ten seconds the number of further ones, as long as there are any.
import type { Observation, Observe } from "./observation.ts"

type Bundled = Extract<Observation, { readonly kind: "unanswered" | "unidentified" | "uncounted" }>

interface Bundle {
  readonly timer: NodeJS.Timeout
  /** Not reported yet, with their number. */
  latest: Bundled | undefined
}

interface Bundling {
  readonly observe: Observe
  /** Reports what has not been reported. */
  end(): void
}

const isBundled = (observation: Observation): observation is Bundled =>
  ["unanswered", "unidentified", "uncounted"].includes(observation.kind)

/** Codes and faults are words of ours, so there are few bundles whatever is sent. */
const nameOf = (told: Bundled): string =>
  told.kind === "unanswered"
    ? `code ${told.problem.code}`
    : told.kind === "uncounted"
      ? told.kind
      : `fault ${told.fault}`

/** @param every milliseconds; 0: all are reported at once */
export function createOutageLog(observe: Observe, every = 10_000): Bundling {
  const bundles = new Map<string, Bundle>()
  const tell = (bundle: Bundle): void => {
    if (bundle.latest) observe(bundle.latest)
    bundle.latest = undefined
  }
  const begin = (name: string): void => {
    const pass = (): void => {
      if (bundle.latest) tell(bundle)
      else {
        clearInterval(bundle.timer)
        bundles.delete(name)
      }
    }
    const bundle: Bundle = { timer: setInterval(pass, every).unref(), latest: undefined }
    bundles.set(name, bundle)
  }
  return {
    observe(observation) {
      if (every === 0 || !isBundled(observation)) return observe(observation)
      const name = nameOf(observation)
      const bundle = bundles.get(name)
      if (bundle) bundle.latest = { ...observation, count: (bundle.latest?.count ?? 0) + observation.count }
      else {
        observe(observation)
        begin(name)
      }
    },
    end() {
      for (const bundle of bundles.values()) {
        clearInterval(bundle.timer)
        tell(bundle)
      }
      bundles.clear()
    },
  }
}
