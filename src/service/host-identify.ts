// Callers as the host knows them, by sessions of its own; where it says nothing, by Bifold's keys and tokens.
import { createRecent } from "../base/clock-cache.ts"
import { Refusal } from "../base/problem.ts"
import { brokenCode } from "../engine/code/user-code-error.ts"
import { isClients } from "../http/same-caller.ts"
import { actorFromPerson, actorFromText, type Person } from "../identity/actor-text.ts"
import { withVersions } from "../identity/choose-version.ts"
import type { Identify } from "../identity/identify.ts"
import type { Model } from "../model/model.ts"
import { type Actor, strangerTo } from "../plan/access/actor.ts"
import type { AllowedOrigins } from "../server/cors.ts"
import type { Incoming } from "../server/incoming.ts"
import { refuseForeignPage } from "./foreign-page.ts"

/** A caller in words (`customer:cus_1+role:staff`), as an object, or one of no account. */
type HostActor = string | HostPerson | null | undefined

interface HostPerson extends Person {
  /** Tells callers apart in limits and histories that have no viewer; those of equal roles are one without it. */
  readonly name?: string
}

/** A request as a host gave it to the service. */
export interface FromHost extends Incoming {
  /** For the host's own `identify`; the message itself when absent. */
  readonly caller?: unknown
}

export interface HostIdentifyOptions {
  readonly model: Model
  /** Bifold's own. */
  readonly own: Identify
  /** The host's. */
  readonly identify: (caller: never) => HostActor | Promise<HostActor>
  readonly cors: AllowedOrigins
}

const mostKept = 10_000

export function createHostIdentify({ model, own, identify, cors }: HostIdentifyOptions): Identify {
  const stranger = strangerTo(model)
  const kept = createRecent<string, Actor>({ count: mostKept, weight: mostKept })
  const actorOf = (said: string | HostPerson): Actor => {
    const key = JSON.stringify(said)
    const known = kept.get(key)
    if (known) return known
    const actor = readActor(model, said)
    kept.set(key, actor, 1)
    return actor
  }
  const atVersion = withVersions((_, found) => (found as { readonly actor: Actor }).actor, model)
  const use = (said: HostActor, headers: Parameters<Identify>[0], message: FromHost) => {
    if (said === undefined) return own(headers, message)
    if (said === null) return atVersion(headers, { actor: stranger })
    const actor = sayingWhose(() => actorOf(said))
    refuseForeignPage(message, cors)
    return atVersion(headers, { actor })
  }
  return (headers, request) => {
    // An anonymous caller is asked for.
    if (!request) return own(headers)
    const message = request as FromHost
    const said = sayingWhose(() => identify((message.caller ?? message) as never))
    if (!(said instanceof Promise)) return use(said, headers, message)
    return said.then(
      (later) => use(later, headers, message),
      (thrown: unknown) => {
        throw faultOf(thrown)
      },
    )
  }
}

function readActor(model: Model, said: unknown): Actor {
  if (typeof said === "string") return actorFromText(model, said)
  if (typeof said !== "object" || said === null)
    throw new TypeError(
      `It gave ${String(said)}, which is no actor. Give { viewer, roles, scopes }, or text.`,
    )
  const { name, viewer, roles, scopes, ...others } = said as HostPerson
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw new TypeError(
      `An actor has no member ${JSON.stringify(unknown)}: it has viewer, roles, scopes and name.`,
    )
  for (const list of [roles, scopes])
    if (list !== undefined && !Array.isArray(list))
      throw new TypeError("Roles and scopes of an actor are lists.")
  for (const text of [name, viewer])
    if (text !== undefined && typeof text !== "string")
      throw new TypeError("The viewer and the name of an actor are text.")
  const actor = actorFromPerson(model, {
    ...(viewer !== undefined && { viewer }),
    ...(roles && { roles }),
    ...(scopes && { scopes }),
  })
  return name === undefined ? actor : { ...actor, name: `host:${name}`, label: name }
}

/** A Refusal that blames the client is the host's own word. */
const faultOf = (thrown: unknown): Refusal =>
  thrown instanceof Refusal && isClients(thrown) && thrown.problems[0].code !== "invalid_command"
    ? thrown
    : brokenCode("identify", thrown, undefined)

function sayingWhose<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (thrown) {
    throw faultOf(thrown)
  }
}
