// Credentials in a service's declaration: accepted issuers of tokens, and whether it makes keys of its own.
import type { JsonValue } from "../base/json.ts"
import type { CallerRule, RuleDeclaration } from "./policy-declaration.ts"

/** The parameters are the names that the service declares. */
export interface IdentityDeclaration<
  Role extends string = string,
  Scope extends string = string,
  Tier extends string = string,
> {
  readonly jwt?: JwtDeclaration
  /** Keys that the service makes itself. */
  readonly keys?: true | KeysDeclaration<Role, Scope, Tier>
}

interface KeysDeclaration<Role extends string, Scope extends string, Tier extends string> {
  /** Callers that may see, make, change and revoke all of them. */
  readonly manage?: RuleDeclaration
  /** Callers that may give keys a role, scope or tier, in place of those that have it themselves. */
  readonly grant?: { readonly [Name in Role | Scope | Tier]?: CallerRule<Role, Scope> }
  /** The longest lifetime of a key that is written by the API, such as `"90 days"`, and the default one. */
  readonly expires?: string
}

/** Signed tokens (RFC 7519) of an identity provider. */
export interface JwtDeclaration {
  /** The required `iss`. */
  readonly issuer: string
  /** The required `aud`, or one that it holds; with several, any of them. */
  readonly audience: string | readonly [string, ...string[]]
  /** All that are accepted. */
  readonly algorithms: readonly [JwtAlgorithm, ...JwtAlgorithm[]]
  /** The issuer's keys (RFC 7517): where they are published, or the keys themselves. */
  readonly jwks: string | JwkSet
  /** Seconds by which clocks may differ; 5 when absent. */
  readonly leeway?: number
  /** The claim that names roles: a list, or a text with spaces between. */
  readonly roles?: Claim
  /** The claim that names scopes, likewise. */
  readonly scopes?: Claim
  /** The claim that holds the id of the viewer's record. */
  readonly viewer?: Claim
  /** The claim that names the tier of `limits` whose limits hold for the caller. */
  readonly tier?: Claim
}

/** A claim's name, or the names that lead to it: `["realm_access", "roles"]`. */
type Claim = string | readonly [string, ...string[]]

export interface JwkSet {
  readonly keys: readonly Jwk[]
}
export type Jwk = Readonly<Record<string, JsonValue>>

/** RFC 7518 section 3.1 and RFC 8037. Algorithms with a secret need a given key of `kty` "oct", which is never fetched. */
export const jwtAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
  "HS256",
  "HS384",
  "HS512",
] as const
type JwtAlgorithm = (typeof jwtAlgorithms)[number]

/** The same of a Model: complete. */
export interface Identity {
  readonly jwt?: JwtIdentity
  readonly keys: boolean
}

export interface JwtIdentity {
  readonly issuer: string
  readonly audience: readonly string[]
  readonly algorithms: readonly JwtAlgorithm[]
  readonly jwks: string | JwkSet
  /** Seconds. */
  readonly leeway: number
  /** The names that lead to each claim. */
  readonly claims: Readonly<Partial<Record<"roles" | "scopes" | "viewer" | "tier", readonly string[]>>>
}

const usualLeeway = 5

export function buildIdentity({ jwt, keys }: IdentityDeclaration): Identity {
  return { ...(jwt && { jwt: buildJwt(jwt) }), keys: keys !== undefined }
}

function buildJwt({ issuer, audience, algorithms, jwks, leeway, ...claims }: JwtDeclaration): JwtIdentity {
  const path = (claim: Claim): readonly string[] => (typeof claim === "string" ? [claim] : claim)
  const { roles, scopes, viewer, tier } = claims
  return {
    issuer,
    audience: typeof audience === "string" ? [audience] : audience,
    algorithms,
    jwks,
    leeway: leeway ?? usualLeeway,
    claims: {
      ...(roles !== undefined && { roles: path(roles) }),
      ...(scopes !== undefined && { scopes: path(scopes) }),
      ...(viewer !== undefined && { viewer: path(viewer) }),
      ...(tier !== undefined && { tier: path(tier) }),
    },
  }
}
