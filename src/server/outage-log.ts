// Bundles reports of unanswered and uncounted requests, refused credentials, and connections refused or closed for a flood.
// The first of each code and each fault is reported at once, then the number of further ones every ten seconds.
// Faults likewise, by their cause.
import type { Observation, Observe } from "./observation.ts"

type Bundled = Extract<
  Observation,
  { readonly kind: "unanswered" | "unidentified" | "uncounted" | "refused" | "flooded" }
>
type Fault = Extract<
  Observation,
  { readonly kind: "failed" | "withheld" | "unhandled" | "undelivered" | "crashed" }
>

interface Bundle<Of> {
  readonly timer: NodeJS.Timeout
  /** Observations that were reported one by one. */
  reported: number
  /** Not reported yet, with their number. */
  latest: (Of & { readonly count: number }) | undefined
}

interface Bundling {
  readonly observe: Observe
  /** Reports what has not been reported. */
  end(): void
}

interface BundlingOptions<Of> {
  readonly isBundled: (observation: Observation) => observation is Of & Observation
  /** Observations of one name are bundled. */
  readonly nameOf: (observation: Of) => string
  /** Names that are kept apart; the rest is one. */
  readonly mostNames: number
  /** Observations of one name that are reported one by one. */
  readonly each: number
  /** Milliseconds between two reports of the further ones. */
  readonly every: number
}

function createBundling<Of extends Bundled | Fault>(
  observe: Observe,
  { isBundled, nameOf, mostNames, each, every }: BundlingOptions<Of>,
): Bundling {
  const bundles = new Map<string, Bundle<Of>>()
  const report = (bundle: Bundle<Of>): void => {
    if (bundle.latest) observe(bundle.latest)
    bundle.latest = undefined
  }
  const begin = (name: string): Bundle<Of> => {
    const pass = (): void => {
      if (bundle.latest) report(bundle)
      else {
        clearInterval(bundle.timer)
        bundles.delete(name)
      }
    }
    const bundle: Bundle<Of> = { timer: setInterval(pass, every).unref(), reported: 0, latest: undefined }
    bundles.set(name, bundle)
    return bundle
  }
  return {
    observe(observation) {
      if (!isBundled(observation)) return observe(observation)
      const own = nameOf(observation)
      const name = bundles.has(own) || bundles.size < mostNames ? own : "other"
      const bundle = bundles.get(name) ?? begin(name)
      if (bundle.reported < each) {
        bundle.reported += 1
        return observe(observation)
      }
      const { count = 1 } = observation
      bundle.latest = { ...observation, count: (bundle.latest?.count ?? 0) + count }
    },
    end() {
      for (const bundle of bundles.values()) {
        clearInterval(bundle.timer)
        report(bundle)
      }
      bundles.clear()
    },
  }
}

/** @param every milliseconds; 0: all are reported at once */
export function createOutageLog(observe: Observe, every = 10_000): Bundling {
  if (every === 0) return { observe, end: () => {} }
  return createBundling<Bundled>(observe, {
    isBundled: (observation): observation is Bundled =>
      ["unanswered", "unidentified", "uncounted", "refused", "flooded"].includes(observation.kind),
    nameOf: codeOrFault,
    mostNames: Number.POSITIVE_INFINITY,
    each: 1,
    every,
  })
}

/** Codes and faults are words of ours, so there are few bundles whatever is sent. */
function codeOrFault(observation: Bundled): string {
  if (observation.kind === "unanswered") return `code ${observation.problem.code}`
  if (observation.kind === "refused") return `refused: ${observation.problem.message}`
  if (observation.kind === "flooded") return `flooded: ${observation.bound}`
  return observation.kind === "uncounted" ? observation.kind : `fault ${observation.fault}`
}

/**
 * Reports each of the first ten faults of one cause, of user code or of Bifold, with its request or its record. Further ones are
 * counted, and reported together every ten seconds: a fault that each request meets fills no disk.
 */
export const createFaultLog = (observe: Observe): Bundling =>
  createBundling<Fault>(observe, {
    isBundled: (observation): observation is Fault =>
      ["failed", "withheld", "unhandled", "undelivered", "crashed"].includes(observation.kind),
    nameOf: causeOf,
    mostNames: 100,
    each: 10,
    every: 10_000,
  })

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
