// Callers as the host knows them, by sessions of its own; where it says nothing, by Bifold's keys and tokens.

import { actorFromPerson, actorFromText, type Person } from "../access/identity/actor-text.ts"
import { type Identify, withVersions } from "../access/identity/identify.ts"
import { createRecent } from "../base/caches.ts"
import { omitUndefined } from "../base/compact.ts"
import { Refusal, refusal } from "../base/problem.ts"
import { inTime } from "../engine/code/deadline.ts"
import { brokenCode } from "../engine/code/user-code-error.ts"
import { isClients } from "../http/same-caller.ts"
import type { Model } from "../model/model.ts"
import { type Actor, strangerTo } from "../plan/access/actor.ts"
import type { AllowedOrigins } from "../server/cross-site.ts"
import type { Incoming } from "../server/incoming.ts"

/** A caller in words (`customer:cus_1+role:staff`), as an object, or one of no account. */
type HostActor = string | HostPerson | null | undefined

interface HostPerson extends Person {
  /** Tells apart callers without a viewer, in limits and histories; unnamed callers of equal roles count as one. */
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
  /** Milliseconds for it. */
  readonly deadline: number
  readonly cors: AllowedOrigins
}

const mostKept = 10_000

export function createHostIdentify({ model, own, identify, deadline, cors }: HostIdentifyOptions): Identify {
  const stranger = strangerTo(model)
  const kept = createRecent<string, Actor>({ count: mostKept, weight: mostKept })
  const actorOf = (said: unknown): Actor => {
    const read = readSaid(said)
    if (read === undefined) return stranger
    // Made of what was read: an object may hide its members from JSON, or show others there.
    const key = JSON.stringify(
      typeof read === "string" ? read : [read.viewer, read.roles, read.scopes, read.name],
    )
    const known = kept.get(key)
    if (known) return known
    const actor = readActor(model, read)
    kept.set(key, actor, 1)
    return actor
  }
  const atVersion = withVersions((_, found) => (found as { readonly actor: Actor }).actor, model)
  const use = (said: unknown, headers: Parameters<Identify>[0], message: FromHost) => {
    if (said === undefined) return own(headers, message)
    if (said === null) return atVersion(headers, { actor: stranger })
    const actor = sayingWhose(() => actorOf(said))
    if (actor !== stranger) refuseForeignPage(message, cors)
    return atVersion(headers, { actor })
  }
  const late = (): Error => new Error(`The answer took longer than ${deadline} ms.`)
  return (headers, request) => {
    // An anonymous caller is asked for.
    if (!request) return own(headers)
    const message = request as FromHost
    const said = sayingWhose(() => {
      const given: unknown = identify((message.caller ?? message) as never)
      return isThenable(given) ? { later: given } : { now: given }
    })
    if ("now" in said) return use(said.now, headers, message)
    return inTime({ milliseconds: deadline, late }, async () => said.later).then(
      (later) => use(later, headers, message),
      (thrown: unknown) => {
        throw faultOf(thrown)
      },
    )
  }
}

const readSaid = (said: unknown): string | HostPerson | undefined =>
  typeof said === "string" ? said : readPerson(said)

/** The actor for code of the host. Throws an error where none is given. */
export function actorOfHost(model: Model, said: unknown): Actor {
  const read = said === null ? undefined : readSaid(said)
  return read === undefined ? strangerTo(model) : readActor(model, read)
}

/** Promises of other realms and libraries are waited for as well: taken for an actor, one would be signed in. */
const isThenable = (given: unknown): given is PromiseLike<unknown> =>
  typeof given === "object" && given !== null && "then" in given && typeof given.then === "function"

const readActor = (model: Model, said: string | HostPerson): Actor => {
  if (typeof said === "string") return actorFromText(model, said)
  const { name, ...person } = said
  const actor = actorFromPerson(model, person)
  return name === undefined ? actor : { ...actor, name: `host:${name}`, label: name }
}

const members = ["viewer", "roles", "scopes", "name"] as const

/** Reads each member once; undefined where all are absent. Throws an error that describes the mistake. */
function readPerson(said: unknown): HostPerson | undefined {
  if (!isPerson(said))
    throw new TypeError(`An actor cannot be ${kindOf(said)}. Give { viewer, roles, scopes }, or text.`)
  const { name, viewer, roles, scopes, ...others } = said as Readonly<Record<string, unknown>>
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw new TypeError(
      `An actor has no member ${JSON.stringify(unknown)}: it has viewer, roles, scopes and name.`,
    )
  const given = { viewer, roles, scopes, name }
  // Such as the id of a session that does not exist: its bearer would be signed in, as no record.
  const absent = members.find((member) => member in said && given[member] === undefined)
  if (absent !== undefined)
    throw new TypeError(
      `The member \`${absent}\` of the actor is undefined. Give null for an anonymous caller, or leave the member out.`,
    )
  if (name === "") throw new TypeError("The name of an actor is empty.")
  const read = omitUndefined<HostPerson>({
    viewer: readText(viewer),
    roles: readList(roles),
    scopes: readList(scopes),
    name: readText(name),
  })
  return Object.values(read).every((value) => Array.isArray(value) && value.length === 0) ? undefined : read
}

/**
 * A plain object, or one whose class has a member of actors. An array, a map or an error has none, and would be signed in
 * all the same.
 */
function isPerson(said: unknown): said is object {
  if (typeof said !== "object" || said === null) return false
  if (Object.prototype.toString.call(said) !== "[object Object]") return false
  const prototype: unknown = Object.getPrototypeOf(said)
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null
  return isPlain || members.some((member) => member in said)
}

const kindOf = (said: unknown): string =>
  typeof said === "object" ? Object.prototype.toString.call(said) : String(said)

function readText(text: unknown): string | undefined {
  if (text === undefined || typeof text === "string") return text
  throw new TypeError("The viewer and the name of an actor are text.")
}

function readList(list: unknown): readonly string[] | undefined {
  if (list === undefined) return undefined
  const texts: readonly unknown[] | undefined = Array.isArray(list) ? [...list] : undefined
  if (texts?.every((text) => typeof text === "string")) return texts
  throw new TypeError("Roles and scopes of an actor are lists of texts.")
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

// Writes that a page of another site sends with the session of its visitor (cross-site request forgery). A browser
// names the site of a request (Fetch Metadata, section 2.1; RFC 6454 section 7).
const safe: ReadonlySet<string | undefined> = new Set([undefined, "GET", "HEAD", "OPTIONS"])

/** Throws a Refusal. @param cors `*` shares answers, and lets no page act for its visitors */
function refuseForeignPage({ method, headers }: Incoming, cors: AllowedOrigins): void {
  const { origin, host, authorization } = headers
  const site = headers["sec-fetch-site"]
  if (safe.has(method) || site === "same-origin" || site === "none") return
  // Browsers never add this header on their own.
  if (/^bearer /i.test(authorization ?? "")) return
  if (origin === undefined ? site === undefined : cors.includes(origin)) return
  if (site === undefined && URL.parse(origin ?? "")?.host === host) return
  throw refusal("forbidden", "Pages of this origin may not write in the name of a session.", {
    hint: "Name the origin of the page in the option cors, or send a token.",
  })
}
