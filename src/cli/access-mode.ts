// The access mode of `serve`: by rules, or open to every client. Refuses contradicting options.
import { isLoopback } from "../base/networks.ts"
import { refusal } from "../base/problem.ts"
import { actorFromText } from "../identity/actor-text.ts"
import type { Model } from "../model/model.ts"
import { hasRules, rulesOf } from "../plan/access/policies.ts"
import type { AccessMode } from "../service/access-mode.ts"

export interface AccessModeOptions {
  readonly open?: "read" | "write"
  /** An actor in words. */
  readonly as?: string
  readonly host: string
}

/** @param source what is served, as it was given */
export function accessModeOf(
  model: Model,
  source: string,
  { open, as, host }: AccessModeOptions,
): AccessMode {
  if (!hasRules(model)) return openStanding(source, { ...(open && { open }), ...(as && { as }), host })
  if (open !== undefined)
    throw refusal("invalid_command", `${source} has rules, so it cannot be opened without them.`, {
      hint: "Leave out --open. To act as a role on this machine, use --as role:staff, for example.",
    })
  rulesOf(model)
  if (as === undefined) return { kind: "rules" }
  if (!isLoopback(host))
    throw refusal("invalid_command", `--as is for this machine only, not for ${host}.`, {
      hint: "Leave out --host, or --as: others sign in with keys or tokens.",
    })
  return { kind: "rules", nobody: actorFromText(model, as) }
}

function openStanding(source: string, { open, as, host }: AccessModeOptions): AccessMode {
  if (as !== undefined)
    throw refusal("invalid_command", `${source} has no rules, so every actor has the same access.`, {
      hint: "Leave out --as.",
    })
  if (open !== undefined) return { kind: "open", what: open }
  const elsewhere = isLoopback(host) ? "" : ` to every client that can reach ${host}`
  throw refusal("invalid_command", `${source} has no rules, so every request would be refused.`, {
    hint: `Say it in the file with allow, or open all of it${elsewhere}: --open read, or --open write.`,
  })
}
