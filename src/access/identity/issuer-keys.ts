// The keys of an issuer (RFC 7517), given or fetched. Fetched keys are kept, and fetched again when a token names an unknown
// one. An unreachable issuer does not lock out callers whose keys are known.
import type { CompactJWSHeaderParameters, CryptoKey, JSONWebKeySet, JWK } from "jose"
import { expectModules, lateModule } from "../../base/lazily.ts"
import { refusal } from "../../base/problem.ts"
import type { Dialer } from "../../http/dialer.ts"
import type { JwkSet } from "../../model/identity.ts"

/** The key for a token, by its header. Rejects with an error of jose without such a key. */
export type FindKey = (header: CompactJWSHeaderParameters) => Promise<CryptoKey | Uint8Array>

export interface FetchOptions {
  readonly now: () => number
  /** Milliseconds for one fetch, by the machine's clock; 5 seconds when absent. */
  readonly deadline?: number | undefined
}

const minute = 60_000
/** Milliseconds. */
const pauses = {
  /** Between two fetches for keys that are not known, however many tokens name one. */
  unknown: minute / 2,
  /** After one that failed, while no keys are known. */
  failed: 2_000,
  /** After which keys are fetched again, while requests go on. */
  fresh: 10 * minute,
  /** After which keys are not trusted any more, when no others could be fetched. */
  stale: 24 * 60 * minute,
  /** For one fetch. */
  deadline: 5_000,
} as const
const most = { bytes: 262_144, keys: 100 } as const

export const joseModule = lateModule(() => import("jose"))
const dialerModule = lateModule(() => import("../../http/dialer.ts"))

export function findKeys(jwks: string | JwkSet, options: FetchOptions): FindKey {
  expectModules(joseModule)
  if (typeof jwks === "string") {
    expectModules(dialerModule)
    return fetchedKeys(jwks, options)
  }
  let found: Promise<FindKey> | undefined
  return async (header) => {
    if (!found) found = keysOf(jwks)
    return (await found)(header)
  }
}

/** Finds the keys of a set. An algorithm of secrets finds secrets only; other algorithms find no secret. */
async function keysOf({ keys }: JwkSet): Promise<FindKey> {
  const { createLocalJWKSet, errors, importJWK } = await joseModule()
  const secrets = keys.filter(({ kty }) => kty === "oct")
  const others = keys.filter(({ kty }) => kty !== "oct")
  const findPublic = createLocalJWKSet({ keys: others as readonly JWK[] } as JSONWebKeySet)
  return async (header) => {
    const { alg, kid } = header
    if (!alg?.startsWith("HS")) return findPublic(header)
    const [only, ...more] = secrets.filter(
      (key) => (kid === undefined || key["kid"] === kid) && (key["alg"] === undefined || key["alg"] === alg),
    )
    if (!only) throw new errors.JWKSNoMatchingKey()
    if (more.length > 0) throw new errors.JWKSMultipleMatchingKeys()
    return importJWK(only as JWK, alg)
  }
}

interface Known {
  readonly find: FindKey
  /** When they were asked for, in milliseconds. */
  readonly asked: number
}

function fetchedKeys(url: string, { now, deadline = pauses.deadline }: FetchOptions): FindKey {
  let known: Known | undefined
  let last: { readonly asked: number; readonly failed: boolean } | undefined
  let pending: Promise<void> | undefined
  let opening: Promise<Dialer> | undefined
  const elapsed = (since: number): number => {
    const time = now() - since
    // A clock that was set back does not measure the time since then.
    return time < 0 ? Number.POSITIVE_INFINITY : time
  }
  const load = async (): Promise<void> => {
    const asked = now()
    try {
      opening ??= openDialer(deadline)
      const find = await keysOf(await fetchSet(url, await opening))
      known = { find, asked }
      last = { asked, failed: false }
    } catch {
      last = { asked, failed: true }
    }
    pending = undefined
  }
  /** Waits for a fetch that is under way, or begins one if the last was long enough ago. */
  const refresh = async (pause: number): Promise<void> => {
    if (pending === undefined && (last === undefined || elapsed(last.asked) >= pause)) pending = load()
    await pending
  }
  const usable = (): Known | undefined => (known && elapsed(known.asked) < pauses.stale ? known : undefined)
  return async (header) => {
    const before = usable()
    if (!before) await refresh(pauses.failed)
    else if (elapsed(before.asked) >= pauses.fresh) void refresh(pauses.unknown)
    const current = usable()
    if (!current)
      throw refusal("issuer_unavailable", "Tokens cannot be checked now: their issuer does not answer.", {
        hint: "Try again in a few seconds.",
      })
    try {
      return await current.find(header)
    } catch (error) {
      if (!isUnknown(error)) throw error
      await refresh(pauses.unknown)
      if (!known || known === current) throw error
      return known.find(header)
    }
  }
}

const isUnknown = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_JWKS_NO_MATCHING_KEY"

/** The service names the issuer itself, and the issuer may be in a private network. Loaded when the first token comes. */
async function openDialer(deadline: number): Promise<Dialer> {
  const { createDialer } = await dialerModule()
  return createDialer({ networks: "any", deadline, mostBytes: most.bytes })
}

/** Rejects without a set. Secrets in it are passed over: a published secret protects nothing. */
async function fetchSet(url: string, dialer: Dialer): Promise<JwkSet> {
  const { status, body, isCut } = await dialer.send(url, {
    method: "GET",
    headers: { accept: "application/jwk-set+json, application/json" },
  })
  if (isCut) throw new Error("more than is read")
  const set: unknown = JSON.parse(body.toString())
  if (status < 200 || status > 299 || !isSet(set)) throw new Error("no set of keys")
  return { keys: set.keys.filter(({ kty }) => kty !== "oct").slice(0, most.keys) }
}

function isSet(value: unknown): value is JwkSet {
  const keys: unknown =
    typeof value === "object" && value !== null && "keys" in value ? value.keys : undefined
  return Array.isArray(keys) && keys.every((key) => typeof key === "object" && key !== null)
}
