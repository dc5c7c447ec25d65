// The version of a request: the header's, else the one that the key is pinned to, else the newest.
import { refusal } from "../base/problem.ts"
import type { ApiVersion, Model } from "../model/model.ts"
import { modelAt } from "../model/versions/model-at.ts"
import { versionHeader } from "../model/versions/served.ts"
import type { Actor } from "../plan/access/actor.ts"
import { quoteInput } from "../plan/quote-input.ts"

/** Finds the caller of a request by its headers, or by all of it. */
type FindCaller = (
  headers: Readonly<Record<string, string | undefined>>,
  request?: object,
) => Actor | Promise<Actor>

/** @param now milliseconds since 1970 */
export function withVersions(
  identify: FindCaller,
  { versions }: Model,
  now: () => number = Date.now,
): FindCaller {
  if (!versions) return identify
  const known = new WeakMap<Actor, Map<string, Actor>>()
  const at = (actor: Actor, version: string): Actor => {
    const model = modelAt(actor.model, version)
    if (model === actor.model) return actor
    const made = known.get(actor) ?? new Map<string, Actor>()
    known.set(actor, made)
    // A caller is one object for each version: what is kept of its plans goes by it.
    const found = made.get(version) ?? { ...actor, model }
    made.set(version, found)
    return found
  }
  const choose = (actor: Actor, asked: string | undefined): Actor => {
    const wanted = asked ?? actor.version
    return wanted === undefined ? actor : at(actor, served(versions, wanted, now()).name)
  }
  return (headers, request) => {
    const actor = identify(headers, request)
    const asked = headers[versionHeader]
    return actor instanceof Promise ? actor.then((one) => choose(one, asked)) : choose(actor, asked)
  }
}

/** Throws a Refusal for a version that is not served, or no longer. */
function served(versions: readonly ApiVersion[], name: string, now: number): ApiVersion {
  const found = versions.find((version) => version.name === name)
  if (found && !hasEnded(found, now)) return found
  const hint = `Ask for ${versions
    .filter((version) => !hasEnded(version, now))
    .map((version) => version.name)
    .join(", ")}.`
  if (found) throw refusal("version_ended", `Version ${name} of this API ended on ${found.ends}.`, { hint })
  throw refusal("unknown_version", `There is no version ${quoteInput(name)} of this API.`, { hint })
}

const hasEnded = ({ ends }: ApiVersion, now: number): boolean =>
  ends !== undefined && ends <= new Date(now).toISOString().slice(0, 10)
