// The table of a service. A service file can export anything: every member is checked before a rule reads it.
import * as z from "zod"
import { collectProblems, type Place, type Problems } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import type {
  EnumDeclaration,
  LimitsDeclaration,
  ServiceDeclaration,
  UsageDeclaration,
} from "../declaration/declaration.ts"
import {
  type IdentityDeclaration,
  type Jwk,
  type JwkSet,
  type JwtDeclaration,
  jwtAlgorithms,
} from "../identity.ts"
import {
  type CostDeclaration,
  costLimitNames,
  documentsModes,
  type SizeLimits,
  sizeLimitNames,
} from "../limits.ts"
import type { AboutDeclaration, LogDeclaration, WebhooksDeclaration } from "../log.ts"
import type { GrantMap } from "../policy-declaration.ts"
import { code } from "./code.ts"
import {
  data,
  filled,
  formerValues,
  hintMark,
  isJson,
  isObject,
  list,
  maybe,
  members,
  names,
  number,
  type ObjectForm,
  oneOf,
  only,
  orObject,
  plain,
  record,
  reservedName,
  rule,
  type Table,
  text,
  textOr,
  unlessNot,
  unwritten,
} from "./forms.ts"
import { resource } from "./resources.ts"
import { versions } from "./versions.ts"

/** The declaration, as a copy of its own; throws a Refusal that names every misshapen member. */
export function parseDeclaration(input: unknown): ServiceDeclaration {
  const read = declaration.schema.safeParse(input, { reportInput: true })
  if (read.success) return read.data as unknown as ServiceDeclaration
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

/** A union with a discriminating member reports that member, but carries the whole input. */
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

const cost = members<CostDeclaration>(
  `{ ${costLimitNames.join(", ")} }`,
  Object.fromEntries(costLimitNames.map((name) => [name, maybe(number)])) as Table<CostDeclaration>,
)

const page = members<NonNullable<LimitsDeclaration["page"]>>("{ default, max }", {
  default: maybe(number),
  max: maybe(number),
})
const limits = members<LimitsDeclaration>(`{ page, cost, tiers, ${sizeLimitNames.join(", ")} }`, {
  page: maybe(filled(page)),
  cost: maybe(cost),
  tiers: maybe(record(cost, "an object of tiers")),
  ...(Object.fromEntries(sizeLimitNames.map((name) => [name, maybe(number)])) as Table<Partial<SizeLimits>>),
})

const jwk = data<Jwk>(
  (input) => isObject(input) && !Array.isArray(input) && isJson(input),
  "a key, as a JSON Web Key has it",
)
const claim = textOr(names, "the name of a claim, or the names that lead to it")
const algorithm = z.enum(jwtAlgorithms, `one of ${jwtAlgorithms.join(", ")}`)
const jwt = members<JwtDeclaration>("{ issuer, audience, algorithms, jwks }", {
  issuer: text,
  audience: textOr(names, "a text, or a list of texts"),
  algorithms: plain(z.tuple([algorithm], algorithm, "a list of at least one algorithm")),
  jwks: orObject(
    plain<string>(z.string("the address of the issuer's keys, or { keys: […] }")),
    members<JwkSet>("{ keys }", { keys: list(jwk, "a list of keys") }),
  ),
  leeway: maybe(number),
  roles: maybe(claim),
  scopes: maybe(claim),
  viewer: maybe(claim),
  tier: maybe(claim),
})
const managers = {
  manage: maybe(rule),
  grant: maybe<GrantMap>(record(rule, "an object of rules by role, scope or tier")),
  expires: maybe(text),
}

const identity = members<IdentityDeclaration>("{ jwt, keys }", {
  jwt: maybe(plain<JwtDeclaration>(jwt.schema)),
  keys: maybe(
    orObject(
      plain<true>(z.literal(true, "true, or { manage, grant, expires }")),
      members<Exclude<NonNullable<IdentityDeclaration["keys"]>, true>>(
        "{ manage, grant, expires }",
        managers,
      ),
    ),
  ),
})

const about = members<AboutDeclaration>("{ version, licence, contact }", {
  version: maybe(text),
  licence: maybe(
    members<NonNullable<AboutDeclaration["licence"]>>("{ name, url } or { name, identifier }", {
      name: text,
      url: maybe(text),
      identifier: maybe(text),
    }),
  ),
  contact: maybe(
    members<NonNullable<AboutDeclaration["contact"]>>("{ name, url, email }", {
      name: maybe(text),
      url: maybe(text),
      email: maybe(text),
    }),
  ),
})

const listOfNames = maybe(filled(list(text, "a list of names")))

export const declaration: ObjectForm<ServiceDeclaration> = members<ServiceDeclaration>(
  "what `service` gives",
  {
    name: text,
    title: maybe(text),
    description: maybe(text),
    about: maybe(plain<AboutDeclaration>(about.schema)),
    roles: listOfNames,
    scopes: listOfNames,
    viewer: maybe(text),
    identity: maybe(identity),
    webhooks: maybe(
      orObject(
        plain<true>(z.literal(true, "true, or { manage, grant, expires, networks }")),
        members<Exclude<WebhooksDeclaration, true>>("{ manage, grant, expires, networks }", {
          ...managers,
          networks: maybe(list(text, "a list of networks")),
        }),
      ),
    ),
    log: maybe(
      members<LogDeclaration>("{ keep, capture }", { keep: maybe(text), capture: maybe(only("database")) }),
    ),
    versions: maybe(versions),
    usage: maybe(
      orObject(
        plain<boolean>(z.boolean("true, false, or { read }")),
        members<Exclude<UsageDeclaration, boolean>>("{ read }", { read: rule }),
      ),
    ),
    documents: maybe(oneOf(documentsModes)),
    federation: maybe(only(true)),
    enums: maybe(
      filled(
        record(
          members<EnumDeclaration>("{ values, formerly, description }", {
            values: names,
            formerly: maybe(formerValues),
            description: maybe(text),
          }),
          "an object of enumerations",
          "open",
        ),
      ),
    ),
    resources: record(resource, "an object of resources", "spaced"),
    limits: maybe(filled(limits)),
    managed: maybe(unlessNot),
    code: maybe(unwritten(code)),
  },
  "open",
)

// Hints for members that a declaration does not have: options of fields on a relation, else the name that may be meant.
const ofRecord =
  "Callers that may create or update the record set the reference. A rule of `update` about it has to hold before and after, and a hook can refuse other changes."
const withRecord = "A relation is seen with its record. The target has rules of its own for `read`."

const onRelations: Readonly<Record<string, string>> = {
  immutable: ofRecord,
  readonly: ofRecord,
  write: ofRecord,
  read: withRecord,
  unique: 'Say it of the record, by the name of the relation: unique: [["…"]].',
  default: "Give the record its reference when it is made, or in a hook.",
}

const hintForMember = (place: Place, name: string, known: readonly string[]): string | undefined =>
  (place.at(-2) === "relations" && Object.hasOwn(onRelations, name) ? onRelations[name] : undefined) ??
  suggest(name, known)
