// Identifies the caller by the request's headers.

import { createHash } from "node:crypto"
import { createRecent, perObject } from "../../base/caches.ts"
import { refusal } from "../../base/problem.ts"
import { type AnswerAsBifold, createSystemPlans, readSystemRecord } from "../../engine/own-records.ts"
import type { ApiVersion, Model } from "../../model/model.ts"
import { versionPin } from "../../model/system/version-use.ts"
import { modelAt } from "../../model/versions/model-at.ts"
import { versionHeader } from "../../model/versions/served.ts"
import { type Actor, actorOf, everybodyOf, strangerTo } from "../../plan/access/actor.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { digestOf, isKeyText } from "../../plan/values/typeid.ts"
import { refuseCredentials } from "./credential-error.ts"
import { createVerifier } from "./jwt.ts"
import { createKeyFinder } from "./keys.ts"

/** Names in lower case. */
type RequestHeaders = Readonly<Record<string, string | undefined>>

/**
 * Throws, or rejects with, a Refusal `invalid_credentials` when there are credentials that are not accepted.
 * @param request the whole of it, for a host that has sessions of its own; absent for an anonymous caller
 */
export type Identify = (headers: RequestHeaders, request?: object) => Actor | Promise<Actor>

/** All callers are the same in an open service (`openModel`). */
export function everybodyIn(model: Model): Identify {
  const actor = everybodyOf(model)
  return withVersions(() => actor, model)
}

export interface IdentifyOptions {
  /** The service as it was declared, with the additions of `withSystem`. */
  readonly model: Model
  /** The engine of the service's database: it is asked for keys. */
  readonly answer: AnswerAsBifold
  /** The actor of requests without credentials; anonymous when absent. */
  readonly development?: Actor
  /** Whether the database can be written to: when each key was used last is written down. */
  readonly writes: boolean
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Milliseconds for which the result for a credential is used again. */
  readonly lifetimes?: Partial<Lifetimes>
  /** Milliseconds for one fetch of an issuer's keys; 5 seconds when absent. */
  readonly issuerDeadline?: number
}

interface Lifetimes {
  readonly tokens: number
  readonly keys: number
}

/** Together with the time of a running request, these stay below the promised five seconds. */
const usualLifetimes: Lifetimes = { tokens: 5_000, keys: 3_000 }
const mostKnown = 10_000
/** Characters. */
const longest = 8_192

/** The credential found for a digest. */
interface Known {
  /** Undefined if the credentials name no actor. */
  readonly actor: Actor | undefined
  /** Milliseconds since 1970. */
  readonly expires: number
}

export function createIdentify(options: IdentifyOptions): Identify {
  const { model, now = Date.now } = options
  const { jwt, keys } = model.identity ?? { keys: false }
  const nobody = options.development ?? strangerTo(model)
  const lifetimes = { ...usualLifetimes, ...options.lifetimes }
  const tokens = createCredentialCache<Known>(now, { lifetime: lifetimes.tokens, count: mostKnown })
  const owners = createCredentialCache<Known>(now, { lifetime: lifetimes.keys, count: mostKnown })
  const verify = jwt && createVerifier(jwt, { now, deadline: options.issuerDeadline })
  const findPin = createPins({ model, answer: options.answer, writes: options.writes })
  const findOwner = keys
    ? createKeyFinder({ model, answer: options.answer, now, notesUse: options.writes })
    : undefined

  const byToken = async (token: string, header: string): Promise<Actor> => {
    if (!verify) throw refuseCredentials("tokens are not accepted here")
    const asked = now()
    const { credentials, hasSubject, expires } = await verify(token, digestOf(token))
    const version = hasSubject ? await findPin?.(credentials.name) : undefined
    const actor = actorOf(model, { ...credentials, ...(version !== undefined && { version }) })
    if (!actor) throw refuseCredentials("the claim of the viewer holds no id")
    tokens.set(digestOf(header), { actor, expires }, asked)
    return actor
  }
  /** By the whole header: the token was verified when it was new. */
  const knownToken = (header: string): Actor | undefined => {
    const known = verify && tokens.get(digestOf(header))
    return known && now() < known.expires ? known.actor : undefined
  }

  const askedNow = new Map<string, Promise<Known>>()
  const lookUp = async (digest: string): Promise<Known> => {
    const asked = now()
    const found = await findOwner?.(digest)
    const actor = found && actorOf(model, found.credentials)
    const known: Known = { actor, expires: found?.expires ?? Number.POSITIVE_INFINITY }
    owners.set(digest, known, asked)
    return known
  }
  const ownerIn = ({ actor, expires }: Known): Actor => {
    if (!actor) throw refuseCredentials("there is no such key")
    if (now() >= expires) throw refuseCredentials("the key has expired")
    return actor
  }
  const byKey = (secret: string): Actor | Promise<Actor> => {
    if (!findOwner || !isKeyText(model.name, secret))
      throw refuseCredentials("this is neither a token nor a key")
    const digest = digestOf(secret)
    const known = owners.get(digest)
    if (known) return ownerIn(known)
    const asking = askedNow.get(digest) ?? lookUp(digest).finally(() => askedNow.delete(digest))
    askedNow.set(digest, asking)
    return asking.then(ownerIn)
  }

  const identify: Identify = ({ authorization }) => {
    if (authorization === undefined) return nobody
    const known = knownToken(authorization)
    if (known) return known
    const secret = bearerIn(authorization)
    return secret.includes(".") ? byToken(secret, authorization) : byKey(secret)
  }
  return withVersions(identify, model, now)
}

/** RFC 6750 section 2.1: one scheme, one space, and the characters that the section allows. */
function bearerIn(authorization: string): string {
  if (authorization.length > longest) throw refuseCredentials("the credentials are too long")
  const [, token] = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization) ?? []
  if (token === undefined) throw refuseCredentials("the header holds something other than one Bearer token")
  return token
}

// The version of a request: the header's, else the one that the key is pinned to, else the newest.

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
  const madeOf = perObject((_: Actor) => new Map<string, Actor>())
  const at = (actor: Actor, version: string): Actor => {
    const model = modelAt(actor.model, version)
    if (model === actor.model) return actor
    const made = madeOf(actor)
    // A caller is one object for each version: caches of its plans belong to this object.
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

// A short-lived cache of callers by credential: requests share a lookup, and entries end soon enough to stop a revoked
// credential.
interface CredentialCache<Value> {
  /** Undefined when the cache has no current value. */
  get(key: string): Value | undefined
  /** @param asked milliseconds, before the request for the value was sent, not after its answer */
  set(key: string, value: Value, asked: number): void
}

/** @param lifetime milliseconds @param count values that are kept; the least recently used go */
function createCredentialCache<Value>(
  now: () => number,
  { lifetime, count }: { readonly lifetime: number; readonly count: number },
): CredentialCache<Value> {
  const known = createRecent<string, { readonly value: Value; readonly asked: number }>({
    count,
    weight: count,
  })
  return {
    get(key) {
      const found = known.get(key)
      // A clock that was set back must not make it last.
      const age = found && now() - found.asked
      return age !== undefined && age >= 0 && age < lifetime ? found?.value : undefined
    },
    set: (key, value, asked) => known.set(key, { value, asked }, 1),
  }
}

// Versions that bearers of tokens are pinned to: the newest when each was answered first.
interface PinsOptions {
  /** As it was declared. */
  readonly model: Model
  readonly answer: AnswerAsBifold
  /** Whether the database can be written to. */
  readonly writes: boolean
}

/** The version that the caller of this name is pinned to. Rejects when the database does not answer. */
type FindPin = (name: string) => Promise<string | undefined>

const mostPinned = 100_000

/** Undefined where callers are not pinned. */
function createPins({ model, answer, writes }: PinsOptions): FindPin | undefined {
  const [newest] = model.versions ?? []
  if (!newest || !model.resources.has(versionPin)) return undefined
  const plans = createSystemPlans(model, {
    resource: versionPin,
    unique: "caller",
    noun: "pin",
    members: () => [{ kind: "field", key: "version", field: "version" }],
    mostListed: 1,
  })
  // A pin does not change while it is served.
  const known = createRecent<string, string>({ count: mostPinned, weight: mostKnown })
  const read = async (caller: string): Promise<string | undefined> => {
    const found = readSystemRecord<{ readonly version: string }>(
      await answer(plans.find(caller), plans.actor),
    )
    return found?.version
  }
  const write = async (caller: string): Promise<string> => {
    try {
      await answer(plans.create({ caller, version: newest.name }), plans.actor)
    } catch {
      // Another request of the caller was first, or the database cannot be written for now.
      return (await read(caller)) ?? newest.name
    }
    return newest.name
  }
  return async (name) => {
    const caller = createHash("sha256").update(name).digest("base64url")
    const pinned = known.get(caller) ?? (await read(caller))
    const version = pinned ?? (writes ? await write(caller) : undefined)
    if (version !== undefined) known.set(caller, version, 1)
    return version
  }
}
