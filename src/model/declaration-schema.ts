// The shape of what a service file exports: it can hold anything, so every member is checked before a rule reads it.

import * as z from "zod"
import { collectProblems, type Place, type Problems } from "../base/problem.ts"
import { suggest } from "../base/suggest.ts"
import type { ServiceDeclaration } from "./declaration/declaration.ts"
import {
  either,
  flag,
  hintMark,
  isObject,
  members,
  names,
  number,
  orObject,
  record,
  reservedName,
  text,
} from "./declaration/schema-forms.ts"
import { hintForMember } from "./declaration/unknown-member.ts"
import { isExpressionForm } from "./expression.ts"
import { jwtAlgorithms } from "./identity.ts"
import {
  type CostLimitName,
  costLimitNames,
  documentsModes,
  type SizeLimitName,
  sizeLimitNames,
} from "./limits.ts"
import { grantKinds, type WriteAction } from "./policy-declaration.ts"
import { type ScalarName, scalars } from "./scalars.ts"

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

const formerNames = z.union([text, names], "the name that it had, or a list of names")
const columns = record(text, "an object of column names")

const table = orObject(
  z.string("a table's name, or { schema, name }"),
  members({ schema: text.optional(), name: text }, "a table"),
)

const storedForms = [
  "plain",
  "loose",
  "nocase",
  "rtrim",
  "local",
  "single",
  "cast",
  "unordered",
  "padded",
  "folded",
  "domain",
] as const
const stored = z.enum(
  storedForms,
  '"plain", "loose", "nocase", "rtrim", "local", "single", "cast", "unordered", "padded", "folded" or "domain"',
)

const part = {
  column: text,
  type: z.enum(["text", "integer", "int64", "uuid", "date"], '"text", "integer", "int64", "uuid" or "date"'),
  stored: stored.optional(),
}
const keyPart = members(part, "a key's column and type")
const given = z.literal(true, "true").optional()

const key = either((input) => {
  if (Array.isArray(input) && input.length > 0) return names
  if (!isObject(input) || Array.isArray(input))
    return z.literal(false, "{ column, type }, { parts: […] }, a list of members, or false")
  return "parts" in input
    ? members({ parts: z.tuple([keyPart], keyPart, "a list of parts"), given }, "parts")
    : members({ ...part, given }, "a key's column and type")
})

const scalarNames = Object.keys(scalars) as [ScalarName, ...ScalarName[]]

/** How deep a default may be nested; a value that contains itself is deeper. */
const deepestDefault = 100

function isJson(input: unknown, depth = 0): boolean {
  if (input === null || typeof input === "string" || typeof input === "boolean") return true
  if (typeof input === "number") return Number.isFinite(input)
  if (typeof input !== "object" || depth === deepestDefault) return false
  const prototype: unknown = Object.getPrototypeOf(input)
  const plain = Array.isArray(input) || prototype === Object.prototype || prototype === null
  return plain && Object.values(input).every((inner) => isJson(inner, depth + 1))
}

const json = z
  .custom((input) => input === undefined || isJson(input), "a JSON value")
  .transform((value) => structuredClone(value))

const expression = z
  .custom(isJson, "an expression: the name of a field, a constant, or { add: […] }")
  .transform((value) => structuredClone(value))

const ruleObject = z.custom(
  (input) => isObject(input) && !Array.isArray(input) && isJson(input),
  "a rule: role(…), scope(…), signedIn, anyone, together(…) or a condition",
)
const rule = z
  .union([z.array(ruleObject), ruleObject], "a rule, or a list of rules")
  .transform((value) => structuredClone(value))
const grant = z.looseObject(
  { kind: z.enum(grantKinds), name: text.or(z.null()), lacks: rule, allow: rule.optional() },
  "a grant",
)
/** A member that there is not is told by the rule allowedActions, beside the mistakes of what the others hold. */
const allow = z.looseObject(
  { read: rule.optional(), create: rule.optional(), update: rule.optional(), delete: rule.optional() },
  "{ read, create, update, delete }",
)

const writeActions = ["create", "update", "delete"] as const satisfies readonly WriteAction[]
const withheld = z.union(
  [flag, z.tuple([z.enum(writeActions)], z.enum(writeActions))],
  'true, false, or a list of "create", "update" and "delete"',
)

const items = members(
  {
    min: number.optional(),
    max: number.optional(),
    declared: z.array(text, "a list of names").optional(),
    eventTypes: z.literal(true, "true").optional(),
  },
  "{ min, max }",
)

const field = members(
  {
    scalar: z.enum(scalarNames, {
      error: ({ input }) => `the name of a scalar${hintMark}${suggest(String(input), scalarNames) ?? ""}`,
    }),
    list: z.literal(true, "true").optional(),
    of: z.union([text, names], "a list of values, or the name of one of the service's enums").optional(),
    optional: flag.optional(),
    unique: flag.optional(),
    readonly: flag.optional(),
    immutable: flag.optional(),
    generated: flag.optional(),
    defaultDelay: number.optional(),
    default: json.optional(),
    computed: expression.optional(),
    min: number.optional(),
    max: number.optional(),
    items: items.optional(),
    declared: z.array(text, "a list of names").optional(),
    pattern: text.optional(),
    precision: number.optional(),
    scale: number.optional(),
    was: formerNames.optional(),
    column: text.optional(),
    stored: stored.optional(),
    read: rule.optional(),
    write: rule.optional(),
    description: text.optional(),
  },
  "a field, as `f` gives it",
)

const isExpressions = (input: unknown): boolean =>
  isObject(input) &&
  Object.keys(input).length > 0 &&
  !Object.keys(input).every((key) => isExpressionForm(key))
const expressions = either((input) =>
  isExpressions(input) ? record(expression, "expressions by name") : expression,
)
const formerFields = either((input) =>
  isObject(input) && !Object.hasOwn(input, "scalar") ? record(field, "fields by name") : field,
)
const versionChangeForms = {
  breaking: members({ breaking: text, description: text.optional() }, "{ breaking, description }"),
  renamed: members({ renamed: text, to: text, description: text.optional() }, "{ renamed, to }"),
  added: members(
    {
      added: text,
      writes: z.union([text, number, flag], "a text, a number, true or false").optional(),
      description: text.optional(),
    },
    "{ added, writes }",
  ),
  removed: members(
    {
      removed: text,
      was: field,
      reads: expression,
      writes: z.literal("ignored", '"ignored"').optional(),
      description: text.optional(),
    },
    "{ removed, was, reads }",
  ),
  widened: members(
    {
      widened: text,
      to: text,
      first: z.union([text, names], "a member of the related resource, or a list of them"),
      required: flag.optional(),
      description: text.optional(),
    },
    "{ widened, to, first }",
  ),
  changed: members(
    {
      changed: z.union([text, names], "a path, or a list of paths"),
      was: formerFields,
      code: given,
      reads: expressions.optional(),
      writes: expressions.optional(),
      description: text.optional(),
    },
    "{ changed, was, reads, writes }, or { changed, was, code: true }",
  ),
}
const anyChange = z.custom(
  () => false,
  "{ renamed, to }, { added }, { removed, was, reads }, { changed, was, reads, writes }, { changed, was, code: true }, { widened, to, first } or { breaking }",
)
const versionChange = either(
  (input) =>
    Object.entries(versionChangeForms).find(([kind]) => isObject(input) && Object.hasOwn(input, kind))?.[1] ??
    anyChange,
)
const versionChanges = z.array(versionChange, "a list of changes")
const versions = record(
  orObject(
    versionChanges,
    members(
      { changes: versionChanges, description: text.optional(), ends: text.optional() },
      "{ changes, description, ends }",
    ),
  ),
  "versions by their dates",
)

const one = members(
  {
    kind: z.literal("one"),
    target: text,
    optional: flag.optional(),
    was: formerNames.optional(),
    column: text.optional(),
    columns: columns.optional(),
    by: text.optional(),
    description: text.optional(),
  },
  "a relation",
)

const many = members(
  {
    kind: z.literal("many"),
    target: text,
    by: text.optional(),
    through: z
      .union(
        [text, members({ table, near: columns, far: columns }, "a join table")],
        "a join table's name, or { table, near, far }",
      )
      .optional(),
    owned: flag.optional(),
    description: text.optional(),
  },
  "a relation",
)

const relation = z.discriminatedUnion("kind", [one, many], {
  error: ({ input }) => (isObject(input) ? `"one" or "many"` : "a relation, as `one` or `many` gives it"),
})

const machine = members(
  {
    initial: text,
    final: z.union([text, z.array(text)], "a state, or a list of states").optional(),
    states: record(
      members({ description: text.optional(), was: formerNames.optional() }, "{ description, was }"),
      "an object of states",
    ).optional(),
    transitions: record(
      members(
        {
          from: z.union([text, names], 'a state, a list of states, or "any"'),
          to: text,
          description: text.optional(),
          when: rule.optional(),
          reason: text.optional(),
          input: record(field, "an object of fields").optional(),
          set: record(json, "an object of values").optional(),
          allow: rule.optional(),
        },
        "{ from, to }",
      ),
      "an object of transitions",
    ),
  },
  "{ initial, transitions }",
)
const machines = record(machine, "a machine, or an object of machines")
/** One machine says where it begins; several are named. */
const states = either((input) => {
  const isMachine = isObject(input) && !isObject(input["initial"]) && Object.hasOwn(input, "initial")
  return isMachine ? machine : machines
})

const resource = members(
  {
    id: text.optional(),
    key: key.optional(),
    plural: text.optional(),
    description: text.optional(),
    was: formerNames.optional(),
    table: table.optional(),
    readonly: withheld.optional(),
    versioned: z.literal("required", { error: '"required"' }).optional(),
    cache: members({ public: number }, "{ public }, in seconds").optional(),
    rows: flag.optional(),
    onConflict: z.literal("refuse", { error: '"refuse"' }).optional(),
    fields: record(field, "an object of fields"),
    relations: record(relation, "an object of relations").optional(),
    unique: z.array(names, "a list of lists of members").optional(),
    indexes: z.array(names, "a list of lists of members").optional(),
    secret: members(
      { digest: text, hint: text, form: z.literal("signing", '"signing"').optional() },
      "{ digest, hint }",
    ).optional(),
    conditions: text.optional(),
    address: members(
      { member: text, networks: z.array(text, "a list of networks") },
      "{ member, networks }",
    ).optional(),
    ends: members({ member: text, within: text.optional() }, "{ member, within }").optional(),
    grants: z.array(grant, "a list of grants").optional(),
    unlogged: names.optional(),
    internal: z.literal(true, "true").optional(),
    states: states.optional(),
    history: flag.optional(),
    events: record(
      members(
        { description: text.optional(), payload: record(field, "an object of fields").optional() },
        "{ description, payload }",
      ),
      "an object of events",
    ).optional(),
    allow: allow.optional(),
  },
  "a resource, as `resource` gives it",
)

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

/** Functions are passed on as they are. */
const run = z.custom((input) => typeof input === "function", "a function")
const listOfNames = z.array(text, "a list of names")
const lent = members({ roles: listOfNames.optional(), scopes: listOfNames.optional() }, "{ roles, scopes }")
const ownAction = members(
  {
    description: text.optional(),
    input: record(field, "an object of fields").optional(),
    output: record(field, "an object of fields").optional(),
    emits: z.union([text, names], "the type of an event, or a list of types").optional(),
    allow: rule.optional(),
    as: lent.optional(),
    deadline: number.optional(),
    run,
  },
  "what `action` or `operation` gives",
)
const ownComputed = members(
  { type: field, needs: z.array(text, "a list of members' names"), deadline: number.optional(), run },
  "what `computed` gives",
)
const toldHandler = members(
  {
    name: text.optional(),
    description: text.optional(),
    as: lent.optional(),
    retries: number.optional(),
    timeout: number.optional(),
    from: z.literal("start", { error: '"start"' }).optional(),
    run,
  },
  "a function, what `handler` gives, or a list of these",
)
const ownHandler = either((input) => (typeof input === "function" ? run : toldHandler))
const severalHandlers = z.array(ownHandler)
const toldHook = members({ as: lent.optional(), run }, "a function, or what `hook` gives")
const ownHook = either((input) => (typeof input === "function" ? run : toldHook)).optional()
const code = members(
  {
    computed: record(record(ownComputed, "an object of fields"), "an object of resources").optional(),
    actions: record(record(ownAction, "an object of actions"), "an object of resources").optional(),
    operations: record(ownAction, "an object of operations").optional(),
    before: record(
      members({ create: ownHook, update: ownHook, delete: ownHook }, "{ create, update, delete }"),
      "an object of resources",
    ).optional(),
    versions: record(
      record(
        members({ reads: run.optional(), writes: run.optional() }, "{ reads, writes }"),
        "an object of changes",
      ),
      "an object of versions",
    ).optional(),
    on: record(
      either((input) => (Array.isArray(input) ? severalHandlers : ownHandler)),
      "an object of handlers",
    ).optional(),
  },
  "{ actions, operations, before, computed, versions, on }",
)

const declaration = members(
  {
    name: text,
    title: text.optional(),
    description: text.optional(),
    about: about.optional(),
    enums: record(
      members({ values: names, description: text.optional() }, "{ values, description }"),
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
