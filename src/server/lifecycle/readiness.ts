// Readiness: whether a balancer should send requests to this process, with the state of each check.
import { answering } from "../../base/asker.ts"
import { Refusal, refusal } from "../../base/problem.ts"
import type { Observe } from "../observation.ts"
import type { Health } from "../service.ts"

interface Readiness {
  readonly ready: boolean
  readonly checks: Checks
}

/** States are words of this list: texts of the database could tell anybody what is in it. */
interface Checks {
  readonly database: "ok" | "unavailable" | "unchecked"
  /** `partial`: some resources of a database that others manage cannot be served, and the rest can. */
  readonly migrations: "ok" | "partial" | "mismatch" | "unchecked"
  readonly shutdown: "ok" | "draining"
}

export interface ReadinessOptions {
  /** Rejects when the service cannot answer now. */
  readonly health: () => Promise<Health>
  /** Bifold makes and migrates the tables: each difference is one of releases, which other processes may not have. */
  readonly managed: boolean
  /** Is told when readiness is lost, and when it is there again. */
  readonly observe: Observe
}

export interface ReadinessCheck {
  check(): Promise<Readiness>
  /** Readiness fails from now on. */
  drain(): void
}

/**
 * The database is asked once for all who ask at the same time, and in the name of none of them: a client that leaves takes nothing
 * from the others. Nothing else bounds requests to probes.
 */
export function shareHealth(health: ReadinessOptions["health"]): ReadinessOptions["health"] {
  let asking: Promise<Health> | undefined
  return () => {
    asking ??= answering({ client: "probe", since: Date.now() }, health).finally(() => {
      asking = undefined
    })
    return asking
  }
}

/** @param health as it is shared */
export function createReadiness({ health, managed, observe }: ReadinessOptions): ReadinessCheck {
  let draining = false
  const note = createNote(observe)
  const ask = async (): Promise<Omit<Checks, "shutdown">> => {
    try {
      const { unavailable } = await health()
      if (unavailable > 0 && managed) {
        note("migrations", refusal("database_mismatch", lacking(unavailable)))
        return { database: "ok", migrations: "mismatch" }
      }
      note(undefined)
      return { database: "ok", migrations: unavailable === 0 ? "ok" : "partial" }
    } catch (fault) {
      const differs = fault instanceof Refusal && fault.problems.some(({ code }) => mismatches.has(code))
      if (!draining) note(differs ? "migrations" : "database", fault)
      return differs
        ? { database: "ok", migrations: "mismatch" }
        : { database: "unavailable", migrations: "unchecked" }
    }
  }
  return {
    async check() {
      // The balancer waits for nothing: a database that does not answer would delay the answer.
      if (draining) return { ready: false, checks: unready }
      const found = await ask()
      // The signal may have come meanwhile.
      const shutdown = draining ? "draining" : "ok"
      const ready = shutdown === "ok" && found.database === "ok" && serves.has(found.migrations)
      return { ready, checks: { ...found, shutdown } }
    },
    drain() {
      draining = true
    },
  }
}

const lacking = (resources: number): string =>
  `The database lacks tables or columns of ${resources === 1 ? "a resource" : `${resources} resources`}.`

/** Tells once that a check fails, and once that all hold again: nobody may send requests meanwhile, whose refusals would tell it. */
function createNote(
  observe: Observe,
): (check: "database" | "migrations" | undefined, fault?: unknown) => void {
  let failing: { readonly check: string; readonly since: number } | undefined
  return (check, fault) => {
    if (check === failing?.check) return
    if (check !== undefined) {
      failing = { check, since: failing?.since ?? performance.now() }
      observe({ kind: "unready", check, fault })
    } else if (failing) {
      observe({ kind: "ready", after: performance.now() - failing.since })
      failing = undefined
    }
  }
}

const mismatches: ReadonlySet<string> = new Set(["database_mismatch", "resource_unavailable"])
const serves: ReadonlySet<Checks["migrations"]> = new Set(["ok", "partial"])
const unready: Checks = { database: "unchecked", migrations: "unchecked", shutdown: "draining" }
