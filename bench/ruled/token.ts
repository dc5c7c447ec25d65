// Signed tokens for one run of the bench: a key that is made for it, told to the server that takes them, and a token.
import type { IdentityDeclaration } from "bifold"
import { exportJWK, generateKeyPair, SignJWT } from "jose"

const [issuer, audience, algorithm] = ["https://bench.example", "music", "ES256"] as const
/** The variable in which a server that takes tokens finds the key (RFC 7517). */
export const keysVariable = "BIFOLD_BENCH_JWKS"

export interface Signed {
  /** The environment of the server. */
  readonly env: Readonly<Record<string, string>>
  /** The header that says who asks. */
  readonly authorization: string
}

/** A token of the label with this key, good for a day. */
export async function signToken(label: number): Promise<Signed> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm)
  const token = await new SignJWT({ label })
    .setProtectedHeader({ alg: algorithm, kid: "bench" })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject("bench")
    .setExpirationTime("1d")
    .sign(privateKey)
  const key = { ...(await exportJWK(publicKey)), kid: "bench", alg: algorithm }
  return { env: { [keysVariable]: JSON.stringify({ keys: [key] }) }, authorization: `Bearer ${token}` }
}

/** For the service's declaration; nothing where there is no key. */
export function tokenIdentity(keys: string | undefined): { readonly identity?: IdentityDeclaration } {
  if (keys === undefined) return {}
  const jwks = JSON.parse(keys) as NonNullable<IdentityDeclaration["jwt"]>["jwks"]
  return { identity: { jwt: { issuer, audience, algorithms: [algorithm], jwks, viewer: "label" } } }
}
