// Identifies the caller by the request's headers.

import type { AnswerAsBifold } from "../engine/own-records.ts"
import type { Model } from "../model/model.ts"
import { type Actor, actorOf, everybodyOf, strangerTo } from "../plan/access/actor.ts"
import { digestOf, isKeyText } from "../plan/values/secret.ts"
import { withVersions } from "./choose-version.ts"
import { createCredentialCache } from "./credential-cache.ts"
import { refuseCredentials } from "./credential-error.ts"
import { createVerifier } from "./jwt.ts"
import { createKeyFinder } from "./keys.ts"
import { createPins } from "./pins.ts"

/** Names in lower case. */
type RequestHeaders = Readonly<Record<string, string | undefined>>

/**
 * Throws, or rejects with, a Refusal `invalid_credentials` when there are credentials that are not accepted.
 * @param request the whole of it, for a host that has sessions of its own; absent for an anonymous caller
 */
export type Identify = (headers: RequestHeaders, request?: object) => Actor | Promise<Actor>

/** Everybody is the same, in a service that is open to everybody (`openModel`). */
export function everybodyIn(model: Model): Identify {
  const actor = everybodyOf(model)
  return withVersions(() => actor, model)
}

export interface IdentifyOptions {
  /** The service as it was declared, with what `withSystem` adds. */
  readonly model: Model
  /** The engine of the service's database: it is asked for keys. */
  readonly answer: AnswerAsBifold
  /** The actor of requests without credentials; anonymous when absent. */
  readonly development?: Actor
  /** Whether the database can be written to: when each key was used last is written down. */
  readonly writes: boolean
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Milliseconds for which what was found out about a credential is used again. */
  readonly lifetimes?: Partial<Lifetimes>
  /** Milliseconds for one fetch of an issuer's keys; 5 seconds when absent. */
  readonly issuerDeadline?: number
}

interface Lifetimes {
  readonly tokens: number
  readonly keys: number
}

/** Together with what a request that is under way may take, below the five seconds that are promised. */
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
  /** By the whole header: what is a token was looked at when it was new. */
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

/** RFC 6750 section 2.1: one scheme, one space, and what that section allows. */
function bearerIn(authorization: string): string {
  if (authorization.length > longest) throw refuseCredentials("the credentials are too long")
  const [, token] = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization) ?? []
  if (token === undefined) throw refuseCredentials("the header holds something other than one Bearer token")
  return token
}
