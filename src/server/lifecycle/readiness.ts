// Readiness: whether a balancer should send requests to this process, with the state of each check.
import { elapsed } from "../../base/clock.ts"
import { allLoaded, loadFailure } from "../../base/lazily.ts"
import { Refusal, refusal } from "../../base/problem.ts"
import { type FaceResponse, retryAfter } from "../../http/face.ts"
import type { Observe } from "../observation.ts"
import type { Health } from "../service.ts"

interface Readiness {
  readonly ready: boolean
  readonly checks: Checks
}

/** States are words of this list: texts of the database could reveal its content. */
interface Checks {
  readonly database: "ok" | "unavailable" | "unchecked"
  /** `partial`: some resources of a database that others manage cannot be served, and the rest can. */
  readonly migrations: "ok" | "partial" | "mismatch" | "unchecked"
  /**
   * `unloadable`: a module or a thread's entry is missing or has changed. `unchecked`: some modules have not been imported yet.
   */
  readonly program: "ok" | "unloadable" | "unchecked"
  readonly shutdown: "ok" | "draining"
}

interface Amiss {
  readonly check: Exclude<keyof Checks, "shutdown">
  readonly fault: unknown
}

interface Asked extends Pick<Checks, "database" | "migrations"> {
  readonly failing?: Amiss
}

export interface ReadinessOptions {
  /** Rejects when the service cannot answer now. */
  readonly health: () => Promise<Health>
  /** Bifold makes and migrates the tables: each difference is one of releases, which other processes may not have. */
  readonly managed: boolean
  /** Receives each loss and return of readiness. */
  readonly observe: Observe
}

export interface ReadinessCheck {
  check(): Promise<Readiness>
  /** Readiness fails from now on. */
  drain(): void
}

/**
 * Probes at the same time share one question to the database. The question belongs to no client, so that one may leave.
 * Nothing else bounds requests to probes.
 */
export function shareHealth(health: ReadinessOptions["health"]): ReadinessOptions["health"] {
  let asking: Promise<Health> | undefined
  return () => {
    asking ??= health().finally(() => {
      asking = undefined
    })
    return asking
  }
}

/** @param health as it is shared */
export function createReadiness({ health, managed, observe }: ReadinessOptions): ReadinessCheck {
  let draining = false
  const note = createNote(observe)
  const ask = async (): Promise<Asked> => {
    try {
      const { unavailable } = await health()
      if (unavailable === 0) return { database: "ok", migrations: "ok" }
      if (!managed) return { database: "ok", migrations: "partial" }
      const fault = refusal("database_mismatch", lacking(unavailable))
      return { database: "ok", migrations: "mismatch", failing: { check: "migrations", fault } }
    } catch (fault) {
      return fault instanceof Refusal && fault.problems.some(({ code }) => mismatches.has(code))
        ? { database: "ok", migrations: "mismatch", failing: { check: "migrations", fault } }
        : { database: "unavailable", migrations: "unchecked", failing: { check: "database", fault } }
    }
  }
  return {
    async check() {
      // The balancer waits for nothing: a database that does not answer would delay the answer.
      if (draining) return { ready: false, checks: unready }
      const [{ failing, ...found }, lost] = await Promise.all([ask(), loadFailure()])
      const program = lost !== undefined ? "unloadable" : allLoaded() ? "ok" : "unchecked"
      const amiss = failing ?? (lost === undefined ? undefined : { check: "program" as const, fault: lost })
      if (!draining || !amiss) note(amiss)
      // The signal may have come meanwhile.
      return {
        ready: !draining && !amiss,
        checks: { ...found, program, shutdown: draining ? "draining" : "ok" },
      }
    },
    drain() {
      draining = true
    },
  }
}

const lacking = (resources: number): string =>
  `The database lacks tables or columns of ${resources === 1 ? "a resource" : `${resources} resources`}.`

/** Reports once that a check fails, and once that all hold again: without requests meanwhile, no refusal would report it. */
function createNote(observe: Observe): (amiss: Amiss | undefined) => void {
  let failing: { readonly check: string; readonly since: number } | undefined
  return (amiss) => {
    if (amiss?.check === failing?.check) return
    if (amiss) {
      failing = { check: amiss.check, since: failing?.since ?? elapsed() }
      observe({ kind: "unready", ...amiss })
    } else if (failing) {
      observe({ kind: "ready", after: elapsed() - failing.since })
      failing = undefined
    }
  }
}

const mismatches: ReadonlySet<string> = new Set(["database_mismatch", "resource_unavailable"])
const unready: Checks = {
  database: "unchecked",
  migrations: "unchecked",
  program: "unchecked",
  shutdown: "draining",
}

// Answers to programs that watch the server: is the process there, should it get requests, what of the service is served.

/** The process and its event loop answer; the database is not asked. */
export const livenessResponse = (): FaceResponse => answer(200, { status: "ok" })

export async function readinessResponse({ check }: Pick<ReadinessCheck, "check">): Promise<FaceResponse> {
  const { ready, checks } = await check()
  return answer(ready ? 200 : 503, { status: ready ? "ready" : "unready", checks })
}

/** @param health rejects when the service cannot answer now */
export async function healthResponse(health: () => Promise<Health>): Promise<FaceResponse> {
  try {
    const { unavailable } = await health()
    // 200: a balancer that took the process away would take the other resources with it. Names are for the log.
    return answer(200, unavailable === 0 ? { status: "ok" } : { status: "degraded", unavailable })
  } catch {
    return answer(503, { status: "unavailable" })
  }
}

function answer(status: number, body: object): FaceResponse {
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" }
  return { status, headers: { ...headers, ...retryAfter(status) }, body: JSON.stringify(body) }
}
