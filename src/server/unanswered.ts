// Requests that the service could not answer: of each code the first is told at once, and then every ten seconds how many more
// there were, for as long as there are any.
import type { Code } from "../base/codes.ts"
import type { Observation, Observe } from "./observation.ts"

type Unanswered = Extract<Observation, { readonly kind: "unanswered" }>

interface Bundle {
  readonly timer: NodeJS.Timeout
  /** Not told yet, with how many there were. */
  latest: Unanswered | undefined
}

interface Bundling {
  readonly observe: Observe
  /** Tells what has not been told. */
  end(): void
}

/** @param every milliseconds */
export function bundleUnanswered(observe: Observe, every = 10_000): Bundling {
  const bundles = new Map<Code, Bundle>()
  const tell = (bundle: Bundle): void => {
    if (bundle.latest) observe(bundle.latest)
    bundle.latest = undefined
  }
  const begin = (code: Code): void => {
    const pass = (): void => {
      if (bundle.latest) tell(bundle)
      else {
        clearInterval(bundle.timer)
        bundles.delete(code)
      }
    }
    const bundle: Bundle = { timer: setInterval(pass, every).unref(), latest: undefined }
    bundles.set(code, bundle)
  }
  return {
    observe(observation) {
      if (observation.kind !== "unanswered") return observe(observation)
      const { code } = observation.problem
      const bundle = bundles.get(code)
      if (bundle) bundle.latest = { ...observation, count: (bundle.latest?.count ?? 0) + observation.count }
      else {
        observe(observation)
        begin(code)
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
