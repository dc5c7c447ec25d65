// Observations of a running server: one union, rendered elsewhere (the command line writes it to stderr).
import type { Problem, Withheld } from "../base/problem.ts"
import type { HandlerObservation } from "../events/handlers/followed.ts"
import type { SinkObservation } from "../events/sinks/sink.ts"
import type { Faults } from "../http/face.ts"

export type Observation =
  /** A fault of ours while a request was answered; the client saw `internal` and the same request id. */
  | {
      readonly kind: "failed"
      /** The only request, or the last. */
      readonly requestId: string
      readonly error: unknown
      /** Further ones of one cause, reported together; 1 when absent. */
      readonly count?: number
    }
  /** The service could not answer, for now or until the database is repaired: one request, or several in a while. */
  | {
      readonly kind: "unanswered"
      /** The only request, or the last. */
      readonly requestId: string
      readonly problem: Problem
      /** The fault that the database, or the driver, reported. */
      readonly cause: unknown
      readonly count: number
    }
  /** User code was refused in words that its client did not get. */
  | {
      readonly kind: "withheld"
      /** The only request, or the last. */
      readonly requestId: string
      readonly error: Withheld
      /** Further ones of one cause, reported together; 1 when absent. */
      readonly count?: number
    }
  /** Credentials were not accepted: which fault it was, in words of ours, is for the log alone. One request, or several in a while. */
  | {
      readonly kind: "unidentified"
      /** The only request, or the last. */
      readonly requestId: string
      readonly fault: string
      readonly count: number
    }
  /** The store of limits did not answer, and requests went on without being counted: one, or several in a while. */
  | { readonly kind: "uncounted"; readonly fault: unknown; readonly count: number }
  /** Connections were refused, or cut where there was no room for an answer: one, or several in a while. */
  | { readonly kind: "refused"; readonly problem: Problem; readonly count: number }
  /** A WebSocket, or a connection of HTTP/2 (`frames`), was closed since its client went on beyond a bound: one, or several in a while. */
  | {
      readonly kind: "flooded"
      readonly bound: "messages" | "bytes" | "points" | "frames"
      readonly count: number
    }
  /** A probe found that the process should get no requests. */
  | {
      readonly kind: "unready"
      readonly check: "database" | "migrations" | "program"
      readonly fault: unknown
    }
  /** Probes find it ready again, after so many milliseconds. */
  | { readonly kind: "ready"; readonly after: number }
  /** Closing took longer than it may; what was still running has been cut off. */
  | { readonly kind: "cut"; readonly connections: number }
  /** A worker ended unexpectedly; another takes its place. */
  | { readonly kind: "lost"; readonly process: number | undefined; readonly reason: string }
  /** A worker has not taken its connection for so many milliseconds; others get the next ones. */
  | { readonly kind: "hung"; readonly process: number | undefined; readonly after: number }
  /** The worker takes connections again. */
  | { readonly kind: "unhung"; readonly process: number | undefined }
  /** A line on standard error of a worker, beside its log. */
  | { readonly kind: "said"; readonly process: number | undefined; readonly text: string }
  /** A worker that was to take a place could not serve; it is tried again. */
  | { readonly kind: "unstarted"; readonly problems: readonly Problem[]; readonly cause?: unknown }
  /** Renewed files of the certificate were read; or they cannot be used, and the last ones are kept. */
  | { readonly kind: "certificate"; readonly problem: Problem | undefined }
  /** The certificate is valid for a few days more: it has not been renewed. */
  | { readonly kind: "expiring"; readonly until: Date; readonly days: number }
  /** The certificate is not valid now; it is served all the same. */
  | { readonly kind: "outdated"; readonly valid: { readonly from: Date; readonly until: Date } }
  /** User code ended its thread outside any call; `what` names it, if known. */
  | {
      readonly kind: "crashed"
      readonly what: string | undefined
      readonly error: unknown
      /** Further ones of one cause, reported together; 1 when absent. */
      readonly count?: number
    }
  /** The database was changed, or lacks something that resources need; in words, for an embedded service. */
  | { readonly kind: "noticed"; readonly text: string }
  /** The database lacks what some resources need, which are not served until it has it; or it has all of it again. */
  | {
      readonly kind: "drifted"
      /** Empty once it has all of it again. */
      readonly problems: readonly Problem[]
      /** Names of the other resources, at the start. */
      readonly served?: readonly string[]
    }
  | HandlerObservation
  | SinkObservation

export type Observe = (observation: Observation) => void

// Faults of an answer, or of a later part of one that lasts, for the log.
export function reportFaults(observe: Observe, requestId: string, { fault, withheld, unable }: Faults): void {
  if (fault !== undefined) observe({ kind: "failed", requestId, error: fault })
  if (withheld) observe({ kind: "withheld", requestId, error: withheld })
  if (!unable) return
  const { problems, cause } = unable
  observe({ kind: "unanswered", requestId, problem: problems[0], cause, count: 1 })
}
