// JSON Web Tokens (RFC 7519) of an issuer: verification, and the actor that they name. The service's declaration pins
// algorithms and claims; the token does not choose them (RFC 8725).
import type { JWTPayload } from "jose"
import { Refusal } from "../../base/problem.ts"
import type { JwtIdentity } from "../../model/identity.ts"
import type { Credentials } from "../../plan/access/actor.ts"
import { refuseCredentials } from "./credential-error.ts"
import { type FetchOptions, findKeys, joseModule } from "./issuer-keys.ts"

interface VerifiedToken {
  readonly credentials: Credentials
  /** The token names its bearer, who has other tokens at other times. */
  readonly hasSubject: boolean
  /** Milliseconds since 1970. */
  readonly expires: number
}

/** Rejects with a Refusal. @param digest of the token */
export type VerifyToken = (token: string, digest: string) => Promise<VerifiedToken>

export function createVerifier(jwt: JwtIdentity, options: FetchOptions): VerifyToken {
  const findKey = findKeys(jwt.jwks, options)
  return async (token, digest) => {
    if (!isCanonical(token)) throw refuseCredentials("the token is not written as one")
    const { jwtVerify } = await joseModule()
    const { payload, protectedHeader } = await jwtVerify(token, findKey, {
      algorithms: [...jwt.algorithms],
      issuer: jwt.issuer,
      audience: [...jwt.audience],
      clockTolerance: jwt.leeway,
      requiredClaims: ["exp"],
      currentDate: new Date(options.now()),
    }).catch((error: unknown) => {
      throw error instanceof Refusal ? error : refuseCredentials(faultIn(error))
    })
    // The one extension that jose knows; services do not declare it (RFC 7797 section 7). jose refuses all others in `crit`.
    if (protectedHeader.b64 !== undefined) throw refuseCredentials(extended)
    return {
      credentials: readClaims(jwt, payload, digest),
      hasSubject: hasSubject(payload),
      expires: (payload.exp ?? 0) * 1000,
    }
  }
}

/** Three parts of base64url as they are encoded: bits that no byte needs are 0, so that a token has one spelling. */
function isCanonical(token: string): boolean {
  const parts = token.split(".")
  return (
    parts.length === 3 &&
    parts.every((part) => part !== "" && Buffer.from(part, "base64url").toString("base64url") === part)
  )
}

const extended = "the token has an extension that has to be understood"

/** In Bifold's own words, by the code of jose's error: its message may repeat parts of the token. */
const faults: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: "the token has expired",
  ERR_JWT_CLAIM_VALIDATION_FAILED: "a claim does not have the required value",
  ERR_JWT_INVALID: "the token's claims cannot be read",
  ERR_JWS_INVALID: "the token cannot be read, or has an unknown part",
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "the signature is not the issuer's",
  ERR_JWKS_NO_MATCHING_KEY: "the issuer has no such key",
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: "the token does not say which of several keys it is signed with",
  ERR_JOSE_ALG_NOT_ALLOWED: "the algorithm is not one of those that are declared",
  ERR_JOSE_NOT_SUPPORTED: "the token has an unsupported part",
}
const checkedClaims: readonly unknown[] = ["iss", "aud", "exp", "nbf", "iat"]

function faultIn(error: unknown): string {
  if (!(error instanceof Error && "code" in error)) return "the token cannot be verified"
  const fault = faults[String(error.code)] ?? "the token cannot be verified"
  return "claim" in error && checkedClaims.includes(error.claim) ? `${fault} (${error.claim})` : fault
}

function readClaims({ issuer, claims }: JwtIdentity, payload: JWTPayload, digest: string): Credentials {
  const viewer = claims.viewer && readViewer(claimAt(payload, claims.viewer))
  const tier = claims.tier && claimAt(payload, claims.tier)
  // A token without a subject is a credential of its own.
  const subject = hasSubject(payload) ? ["sub", payload.sub] : ["token", digest]
  return {
    name: `jwt:${JSON.stringify([issuer, ...subject, viewer ?? null])}`,
    // A service takes one issuer's tokens, so the subject alone identifies the caller.
    label: subject[0] === "sub" ? `token:${payload.sub}` : "token",
    ...(viewer !== undefined && { viewer }),
    roles: claims.roles ? readNames(claimAt(payload, claims.roles)) : [],
    scopes: claims.scopes ? readNames(claimAt(payload, claims.scopes)) : [],
    ...(typeof tier === "string" && { tier }),
    ...applicationOf(payload),
  }
}

const hasSubject = (payload: JWTPayload): payload is JWTPayload & { readonly sub: string } =>
  typeof payload.sub === "string" && payload.sub !== ""

/** RFC 9068 section 2.2, and OpenID Connect Core section 2. */
function applicationOf({ client_id: client, azp }: JWTPayload): Pick<Credentials, "application"> {
  const application = client ?? azp
  return typeof application === "string" && application !== "" ? { application } : {}
}

function claimAt(payload: JWTPayload, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, name)
        ? (value as Readonly<Record<string, unknown>>)[name]
        : undefined,
    payload,
  )
}

/** A list, or a text with spaces between (RFC 8693 section 4.2). */
function readNames(claim: unknown): readonly string[] {
  if (typeof claim === "string") return claim.split(" ").filter((name) => name !== "")
  return Array.isArray(claim) ? claim.filter((name) => typeof name === "string") : []
}

/** Absent: the caller has no viewer record. */
function readViewer(claim: unknown): string | undefined {
  if (claim === undefined || claim === null) return undefined
  if (typeof claim === "string" && claim !== "") return claim
  if (Number.isSafeInteger(claim)) return String(claim)
  throw refuseCredentials("the claim of the viewer holds no id")
}
