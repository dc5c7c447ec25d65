// Tokens are of a named issuer, for a named audience, and signed with keys that cannot be taken for others.
import type { Place } from "../../base/problem.ts"
import type { Jwk, JwtDeclaration } from "../identity.ts"
import type { Report, Rule } from "./context.ts"

const at: Place = ["identity", "jwt"]
const mostLeeway = 300

export const identity: Rule = (service, report) => {
  const jwt = service.identity?.jwt
  if (!jwt) return
  if (jwt.issuer === "") report([...at, "issuer"], "Nobody is called nothing.", "Give what `iss` has to be.")
  if ([jwt.audience].flat().includes(""))
    report(
      [...at, "audience"],
      "A token without an audience is not for this service.",
      "Give what `aud` has to be.",
    )
  if (!(jwt.leeway === undefined || (jwt.leeway >= 0 && jwt.leeway <= mostLeeway)))
    report([...at, "leeway"], `"leeway" is from 0 to ${mostLeeway} seconds.`)
  if (jwt.viewer !== undefined && service.viewer === undefined)
    report(
      [...at, "viewer"],
      "The service says of no resource that its records are those who sign in.",
      'viewer: "user"',
    )
  if (typeof jwt.jwks === "string") checkAddress(jwt, jwt.jwks, report)
  else checkKeys(jwt, jwt.jwks.keys, report)
}

const isSecret = (algorithm: string): boolean => algorithm.startsWith("HS")

function checkAddress({ algorithms }: JwtDeclaration, address: string, report: Report): void {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const local = url?.protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)
  if (url?.protocol !== "https:" && !local)
    report(
      [...at, "jwks"],
      `${JSON.stringify(address)} is not where keys can be fetched.`,
      "Give an https address.",
    )
  if (algorithms.some(isSecret))
    report(
      [...at, "algorithms"],
      "A secret that is published is none.",
      'Leave out HS256, HS384 and HS512, or give the key itself: jwks: { keys: [{ kty: "oct", … }] }.',
    )
}

function checkKeys({ algorithms }: JwtDeclaration, keys: readonly Jwk[], report: Report): void {
  if (keys.length === 0) report([...at, "jwks", "keys"], "Without a key no token can be accepted.")
  const secrets = keys.filter(({ kty }) => kty === "oct")
  if (algorithms.some(isSecret) && secrets.length === 0)
    report([...at, "algorithms"], "HS256, HS384 and HS512 need a key of kty oct, and none is given.")
  if (secrets.length > 0 && !algorithms.some(isSecret))
    report([...at, "jwks"], "There is a secret that no algorithm uses.", "Leave it out, or name HS256.")
  const least = Math.max(...algorithms.filter(isSecret).map((name) => Number(name.slice(2)) / 8))
  for (const [index, key] of keys.entries()) {
    const place = [...at, "jwks", "keys", index]
    if (key["kty"] !== "oct" && key["d"] !== undefined)
      report(place, "This key is the issuer's own, which could sign.", "Give its public part only.")
    if (key["kty"] !== "oct") continue
    const secret = key["k"]
    const bytes = typeof secret === "string" ? Buffer.from(secret, "base64url").length : 0
    // RFC 7518 section 3.2.
    if (bytes < least) report(place, `The secret has ${bytes} bytes, and needs ${least}.`)
  }
}
