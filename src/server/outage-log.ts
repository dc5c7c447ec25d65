// Requests that the service could not answer, could not count, or whose credentials it did not accept: of each code and each fault the
// first is reported at once, then every ten seconds the number of further ones, as long as there are any. Faults likewise, by their cause.
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

type Fault = Extract<Observation, { readonly kind: "failed" | "unhandled" | "crashed" }>

/** Faults of one cause. */
interface FaultBundle {
  readonly timer: NodeJS.Timeout
  told: number
  /** Not reported yet, with their number. */
  latest: (Fault & { readonly count: number }) | undefined
}

/** Reported one by one. */
const each = 10
const every = 10_000
/** Causes that are told apart; the rest is counted as one. */
const mostCauses = 100

const isFault = (observation: Observation): observation is Fault =>
  ["failed", "unhandled", "crashed"].includes(observation.kind)

/**
 * For faults of user code and of Bifold itself. Each of the first ten of one cause is reported, with its request or its record; further
 * ones are counted, and reported together every ten seconds: a fault that each request meets fills no disk.
 */
export function createFaultLog(observe: Observe): Bundling {
  const bundles = new Map<string, FaultBundle>()
  const tell = (bundle: FaultBundle): void => {
    if (bundle.latest) observe(bundle.latest)
    bundle.latest = undefined
  }
  const begin = (cause: string): FaultBundle => {
    const pass = (): void => {
      if (bundle.latest) tell(bundle)
      else {
        clearInterval(bundle.timer)
        bundles.delete(cause)
      }
    }
    const bundle: FaultBundle = { timer: setInterval(pass, every).unref(), told: 0, latest: undefined }
    bundles.set(cause, bundle)
    return bundle
  }
  return {
    observe(observation) {
      if (!isFault(observation)) return observe(observation)
      const own = causeOf(observation)
      const cause = bundles.has(own) || bundles.size < mostCauses ? own : "other"
      const bundle = bundles.get(cause) ?? begin(cause)
      if (bundle.told < each) {
        bundle.told += 1
        observe(observation)
      } else bundle.latest = { ...observation, count: (bundle.latest?.count ?? 0) + 1 }
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

/** Whose code it is, the class of the error and its place. Messages have ids and times in them, so that no two are equal. */
function causeOf(fault: Fault): string {
  const { error } = fault
  const thrown = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const [whose, isLast] =
    fault.kind === "unhandled" ? [fault.handler, fault.due === null] : [undefined, undefined]
  const what = error instanceof Error && thrown !== error ? error.message : undefined
  return JSON.stringify([fault.kind, whose, isLast, what, classAndPlace(thrown)])
}

function classAndPlace(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown
  const [place = ""] = /\n +at .*/.exec(String(thrown.stack ?? "")) ?? []
  return `${thrown.name}${place}`
}
