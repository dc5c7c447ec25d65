// Permissions: identity, credentials, viewers, granted names, and rules of actions and writes.
import type { Place } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import type { FieldDeclaration, ResourceDeclaration } from "../declaration/declaration.ts"
import { isNaturalKey, own } from "../declaration/keys.ts"
import type { Jwk, JwtDeclaration } from "../identity.ts"
import { anonymousTier } from "../limits.ts"
import { readDuration } from "../log.ts"
import { actions, type GrantMap, type RuleDeclaration } from "../policy-declaration.ts"
import { fieldsOf, type Report, type Rule, resourcesOf } from "./context.ts"

// Tokens are of a named issuer, for a named audience, and signed with keys that cannot be taken for others.
const at: Place = ["identity", "jwt"]
const mostLeeway = 300

export const identity: Rule = (service, report) => {
  const jwt = service.identity?.jwt
  if (!jwt) return
  if (jwt.issuer === "") report([...at, "issuer"], "An issuer must not be empty.", "Give the required `iss`.")
  if ([jwt.audience].flat().includes(""))
    report(
      [...at, "audience"],
      "A token without an audience is not for this service.",
      "Give the required `aud`.",
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
      "A published secret protects nothing.",
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

// Names in `grant` are roles, scopes or tiers of the service, and some caller manages the keys or endpoints; `expires` is a
// length of time.
export const grantedNames: Rule = ({ roles = [], scopes = [], limits, identity, webhooks }, report) => {
  const tiers = Object.keys(limits?.tiers ?? {}).filter((name) => name !== anonymousTier)
  const { keys } = identity ?? {}
  if (typeof keys === "object")
    check({ at: ["identity", "keys"], ...keys, known: [...roles, ...scopes, ...tiers] }, report)
  if (typeof webhooks === "object")
    check({ at: ["webhooks"], ...webhooks, known: [...roles, ...scopes] }, report)
}

interface Granting {
  readonly at: Place
  readonly manage?: RuleDeclaration
  readonly grant?: GrantMap
  readonly expires?: string
  readonly known: readonly string[]
}

function check({ at, manage, grant, expires, known }: Granting, report: Report): void {
  if (expires !== undefined && readDuration(expires) === undefined)
    report(
      [...at, "expires"],
      `${JSON.stringify(expires)} is no length of time.`,
      'Give hours, days, weeks or years, such as "90 days"; a century at the most.',
    )
  if (grant === undefined) return
  if (manage === undefined)
    report([...at, "grant"], "No caller may make one by the API, so none grants.", "Say who may: manage: ….")
  for (const name of Object.keys(grant))
    if (!known.includes(name))
      report(
        [...at, "grant", name],
        `The service declares no role, scope or tier ${JSON.stringify(name)}.`,
        suggest(name, known),
      )
}

// Roles and scopes are named by credentials and on command lines: names without blanks, each declared once.
export const credentials: Rule = (service, report) => {
  for (const kind of ["roles", "scopes"] as const) {
    const names = service[kind] ?? []
    for (const [index, name] of names.entries()) {
      if (!form.test(name))
        report(
          [kind, index],
          `"${name}" is no name for a ${kind.slice(0, -1)}.`,
          "A name begins with a lower-case letter; letters, digits, and the signs _ . : - may follow.",
        )
      else if (names.indexOf(name) < index) report([kind, index], `"${name}" is declared twice.`)
    }
  }
}

const form = /^[a-z][A-Za-z0-9_.:-]*$/

// The viewer is a declared resource, and its records have ids.
export const viewers: Rule = ({ viewer, resources }, report) => {
  if (viewer === undefined) return
  const resource = own(resources, viewer)
  if (!resource)
    report(["viewer"], `There is no resource "${viewer}".`, suggest(viewer, Object.keys(resources)))
  else if (resource.key === false)
    report(["viewer"], `"${viewer}" has no key, so that no credential can name the record of a viewer.`)
}

// A resource's `allow` names actions. This check runs beside the checks of rules, so that one report has all mistakes.
export const allowedActions: Rule = (service, report) => {
  for (const { resource, place } of resourcesOf(service))
    for (const name of Object.keys(resource.allow ?? {}))
      if (!(actions as readonly string[]).includes(name))
        report([...place, "allow", name], `There is no member "${name}" here.`, suggest(name, actions))
}

// Rules allow only possible actions: no caller writes a read-only record, or changes a record without a key.
export const allowedWrites: Rule = (service, report) => {
  for (const { name, resource, place } of resourcesOf(service)) {
    const why = fixed(resource)
    for (const action of ["create", "update", "delete"] as const) {
      const given = resource.allow?.[action]
      const at = [...place, "allow", action]
      if (given === undefined) continue
      if (why === undefined) checkFields(resource, { action, given, at }, report)
      else report(at, `"${name}" ${why}, so its records cannot be ${action}d.`, "Leave out the rule.")
    }
  }
  for (const { name, member, place, of } of fieldsOf(service)) {
    const why = member.write === undefined ? undefined : (fixed(of.resource) ?? unwritten(member))
    if (why !== undefined)
      report(
        [...place, "write"],
        `"${fixed(of.resource) ? of.name : name}" ${why}, so "${name}" cannot be set.`,
      )
  }
}

interface Allowed {
  readonly action: "create" | "update" | "delete"
  readonly given: RuleDeclaration
  readonly at: Place
}

function checkFields(resource: ResourceDeclaration, { action, given, at }: Allowed, report: Report): void {
  for (const { fields, place } of onlyIn(given, at)) {
    if (action === "delete")
      report(place, "A record is deleted as a whole, not by its fields.", "Write the rule without only(…).")
    else
      for (const [index, field] of fields.entries()) {
        const unset = unsettable(resource, String(field), action)
        if (unset !== undefined)
          report([...place, "fields", index], `"${field}" ${unset}, so it cannot be ${action}d.`)
      }
  }
}

const fixed = ({ readonly, key }: ResourceDeclaration): string | undefined =>
  readonly === true ? "is read-only" : key === false ? "has no key" : undefined

const unwritten = ({ readonly, generated, computed }: FieldDeclaration): string | undefined =>
  computed !== undefined
    ? "is computed"
    : generated === true
      ? "is computed by the database"
      : readonly === true
        ? "is read-only"
        : undefined

function unsettable(
  resource: ResourceDeclaration,
  name: string,
  action: "create" | "update",
): string | undefined {
  const field = own(resource.fields, name)
  if (!field) return undefined
  const inKey = isNaturalKey(resource.key) && resource.key.includes(name)
  const later = inKey ? "is in the key" : field.immutable === true ? "is immutable" : undefined
  return unwritten(field) ?? (action === "update" ? later : undefined)
}

/** Members that `only` gave, each with its place. */
function onlyIn(
  given: RuleDeclaration,
  at: Place,
): readonly { readonly fields: readonly unknown[]; readonly place: Place }[] {
  const several: readonly unknown[] = Array.isArray(given) ? given : [given]
  return several.flatMap((rule, index) => {
    const fields: unknown =
      typeof rule === "object" && rule !== null && "fields" in rule ? rule.fields : undefined
    return Array.isArray(fields) ? [{ fields, place: Array.isArray(given) ? [...at, index] : at }] : []
  })
}
