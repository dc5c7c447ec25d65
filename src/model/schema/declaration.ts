// The shape of what a service file exports: it can hold anything, so every member is checked before a rule reads it.

import * as z from "zod"
import { collectProblems, type Place, type Problems } from "../../base/problem.ts"
import type { ServiceDeclaration } from "../declaration/declaration.ts"
import { hintForMember } from "../declaration/unknown-member.ts"
import { jwtAlgorithms } from "../identity.ts"
import {
  type CostLimitName,
  costLimitNames,
  documentsModes,
  type SizeLimitName,
  sizeLimitNames,
} from "../limits.ts"
import { code } from "./code.ts"
import { resource } from "./resources.ts"
import {
  flag,
  formerValues,
  hintMark,
  isJson,
  isObject,
  members,
  names,
  number,
  orObject,
  record,
  reservedName,
  rule,
  text,
} from "./shapes.ts"
import { versions } from "./versions.ts"

/** The declaration, as a copy of its own; throws a Refusal that names every misshapen member. */
export function parseDeclaration(input: unknown): ServiceDeclaration {
  const read = declaration.safeParse(input, { reportInput: true })
  if (read.success) return read.data as ServiceDeclaration
  const problems = collectProblems(Number.POSITIVE_INFINITY)
  for (const issue of read.error.issues) report(problems, issue)
  problems.settle()
  throw read.error
}
function report(problems: Problems, issue: z.core.$ZodIssue): void {
  const place: Place = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step))
  if (issue.code === "unrecognized_keys") {
    const known = issue.message.split(hintMark)
    for (const key of issue.keys)
      problems.add(
        "invalid_declaration",
        [...place, key],
        `There is no member "${key}" here.`,
        hintForMember(place, key, known),
      )
    return
  }
  if (issue.message === reservedName) {
    problems.add("invalid_declaration", place, `Nothing can be called "${place.at(-1)}".`)
    return
  }
  const [last, list] = [place.at(-1), place.at(-2)]
  const own = typeof last === "number" ? `Item ${last + 1} of "${list}"` : `"${last}"`
  const name = place.length === 0 ? "A service's declaration" : own
  const [expected, hint] = issue.message.split(hintMark)
  const message = `${name} must be ${expected}, not ${shown(inputOf(issue))}.`
  problems.add("invalid_declaration", place, message, hint || undefined)
}

/** A union that tells its options apart by a member reports that member, but carries the whole input. */
function inputOf(issue: z.core.$ZodIssue): unknown {
  return issue.code === "invalid_union" && issue.discriminator !== undefined && isObject(issue.input)
    ? issue.input[issue.discriminator]
    : issue.input
}

function shown(input: unknown): string {
  if (input === undefined) return "missing"
  if (typeof input === "function") return "a function"
  if (Array.isArray(input)) return input.length === 0 ? "an empty list" : "a list"
  if (typeof input === "object" && input !== null) return "an object"
  if (typeof input === "string") return JSON.stringify(input.length > 60 ? `${input.slice(0, 60)}…` : input)
  return String(input)
}

const cost = members(
  Object.fromEntries(costLimitNames.map((name) => [name, number.optional()])) as Record<
    CostLimitName,
    z.ZodOptional<typeof number>
  >,
  `{ ${costLimitNames.join(", ")} }`,
)

const limits = members(
  {
    page: members({ default: number.optional(), max: number.optional() }, "{ default, max }").optional(),
    cost: cost.optional(),
    tiers: record(cost, "an object of tiers").optional(),
    ...(Object.fromEntries(sizeLimitNames.map((name) => [name, number.optional()])) as Record<
      SizeLimitName,
      z.ZodOptional<typeof number>
    >),
  },
  `{ page, cost, tiers, ${sizeLimitNames.join(", ")} }`,
)

const jwk = z
  .custom(
    (input) => isObject(input) && !Array.isArray(input) && isJson(input),
    "a key, as a JSON Web Key has it",
  )
  .transform((value) => structuredClone(value))
const claim = z.union([text, names], "the name of a claim, or the names that lead to it")
const algorithm = z.enum(jwtAlgorithms, `one of ${jwtAlgorithms.join(", ")}`)
const jwt = members(
  {
    issuer: text,
    audience: z.union([text, names], "a text, or a list of texts"),
    algorithms: z.tuple([algorithm], algorithm, "a list of at least one algorithm"),
    jwks: orObject(
      z.string("the address of the issuer's keys, or { keys: […] }"),
      members({ keys: z.array(jwk, "a list of keys") }, "{ keys }"),
    ),
    leeway: number.optional(),
    roles: claim.optional(),
    scopes: claim.optional(),
    viewer: claim.optional(),
    tier: claim.optional(),
  },
  "{ issuer, audience, algorithms, jwks }",
)
const grantMap = record(rule, "an object of rules by role, scope or tier")

const identity = members(
  {
    jwt: jwt.optional(),
    keys: orObject(
      z.literal(true, "true, or { manage, grant, expires }"),
      members(
        { manage: rule.optional(), grant: grantMap.optional(), expires: text.optional() },
        "{ manage, grant, expires }",
      ),
    ).optional(),
  },
  "{ jwt, keys }",
)

const about = members(
  {
    version: text.optional(),
    licence: members(
      { name: text, url: text.optional(), identifier: text.optional() },
      "{ name, url } or { name, identifier }",
    ).optional(),
    contact: members(
      { name: text.optional(), url: text.optional(), email: text.optional() },
      "{ name, url, email }",
    ).optional(),
  },
  "{ version, licence, contact }",
)

const declaration = members(
  {
    name: text,
    title: text.optional(),
    description: text.optional(),
    about: about.optional(),
    enums: record(
      members(
        { values: names, formerly: formerValues.optional(), description: text.optional() },
        "{ values, formerly, description }",
      ),
      "an object of enumerations",
    ).optional(),
    resources: record(resource, "an object of resources"),
    limits: limits.optional(),
    log: members(
      { keep: text.optional(), capture: z.literal("database", '"database"').optional() },
      "{ keep, capture }",
    ).optional(),
    webhooks: orObject(
      z.literal(true, "true, or { manage, grant, expires, networks }"),
      members(
        {
          manage: rule.optional(),
          grant: grantMap.optional(),
          expires: text.optional(),
          networks: z.array(text, "a list of networks").optional(),
        },
        "{ manage, grant, expires, networks }",
      ),
    ).optional(),
    versions: versions.optional(),
    usage: orObject(z.boolean("true, false, or { read }"), members({ read: rule }, "{ read }")).optional(),
    documents: z.enum(documentsModes, `one of ${documentsModes.join(", ")}`).optional(),
    federation: z.literal(true, "true").optional(),
    managed: flag.optional(),
    roles: z.array(text, "a list of names").optional(),
    scopes: z.array(text, "a list of names").optional(),
    viewer: text.optional(),
    identity: identity.optional(),
    code: code.optional(),
  },
  "what `service` gives",
)
