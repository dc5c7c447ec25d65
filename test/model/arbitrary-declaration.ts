// Declarations without mistakes, as fast-check makes them: every scalar, every kind of key and relation, odd names of
// tables and columns, awkward texts.
import fc from "fast-check"
import { omitUndefined } from "../../src/base/compact.ts"
import type { JsonValue } from "../../src/base/json.ts"
import type {
  FieldDeclaration,
  OneDeclaration,
  RelationDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
  StatesDeclaration,
} from "../../src/model/declaration/declaration.ts"
import { role, scope, signedIn } from "../../src/model/declaration/service.ts"
import type { IdentityDeclaration } from "../../src/model/identity.ts"
import { sizeLimits } from "../../src/model/limits.ts"
import type { AboutDeclaration } from "../../src/model/log.ts"
import { type ScalarName, scalars } from "../../src/model/scalars.ts"
import { roles, scopes, withRules } from "./arbitrary-rules.ts"

const resourceNames = [
  "customer",
  "orderLine",
  "news",
  "category",
  "product2",
  "person",
  "aVeryLongNameForAResource",
]
const fieldNames = ["name", "placedAt", "status", "a", "line_2", "of", "HTTPCode", "description", "_hidden"]

const awkward = fc.oneof(
  fc.constantFrom(
    "",
    'a "quoted" word',
    "it's",
    `"it's"`,
    "back\\slash",
    "line\nbreak",
    "ünïcode 🦊",
    "`x` $y",
  ),
  fc.string({ unit: "binary-ascii", maxLength: 20 }),
  fc.lorem({ maxCount: 24 }),
)

/** A table's or column's name that nobody else has: `nth` tells it from the others. */
const oddName = (nth: string) =>
  fc.constantFrom(`${nth}`, `Odd ${nth}`, `"${nth}"`, `1${nth}`, `select_${nth}`, `Ölförderung_${nth}`)

const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined, freq: 3 })

/** Beside the example that each scalar has. */
const examples: Partial<Readonly<Record<ScalarName, readonly JsonValue[]>>> = {
  text: ["", 'say "hi"', "x"],
  integer: [0, -7, 2147483647],
  int64: ["9223372036854775807", 12],
  float: [0.5, 1e21, 1e-7, -3],
  decimal: ["1.5", 2],
  boolean: [true, false],
  date: ["2026-11-01", "now"],
  time: ["09:30:00.5", "now"],
  timestamp: ["2026-11-01T09:30:00Z", "now"],
  json: [
    { a: [1, 2, { "b c": null }] },
    [],
    [
      [1, 2],
      [3, 4],
    ],
    "now",
  ],
  bytes: ["AAEC"],
}

const sized = (scalar: ScalarName): boolean => scalars[scalar].options.includes("min")

const range = (least: number, most: number) =>
  fc.record({
    min: maybe(fc.integer({ min: 0, max: least })),
    max: maybe(fc.integer({ min: most, max: most + 100 })),
  })

/** The part of a field that says what one value is. */
function form(scalar: ScalarName): fc.Arbitrary<Partial<FieldDeclaration>> {
  if (scalar === "oneOf")
    return fc.record({
      of: fc.oneof(
        fc.constant("size"),
        fc.uniqueArray(
          fc.constantFrom("draft", "in progress", "1st", "paid", "true", "a value that is rather long"),
          {
            minLength: 1,
          },
        ) as fc.Arbitrary<[string, ...string[]]>,
      ),
    })
  if (scalar === "decimal")
    return fc
      .tuple(fc.integer({ min: 4, max: 18 }), fc.integer({ min: 2, max: 4 }))
      .map(([precision, scale]) => ({ precision: Math.max(precision, scale + 1), scale }))
  if (scalar === "text")
    return maybe(fc.constantFrom("[A-Z]{2}|", "^.*$", "")).map((pattern) =>
      omitUndefined<Partial<FieldDeclaration>>({ pattern }),
    )
  return fc.constant({})
}

function field(name: string): fc.Arbitrary<FieldDeclaration> {
  return fc.constantFrom(...(Object.keys(scalars) as ScalarName[])).chain((scalar) =>
    fc
      .record({
        list: fc.boolean(),
        form: form(scalar),
        optional: maybe(fc.boolean()),
        unique: maybe(fc.boolean()),
        role: fc.constantFrom<Partial<FieldDeclaration>>(
          {},
          {},
          { readonly: true },
          { immutable: true },
          { generated: true },
        ),
        range: range(0, 1000),
        items: range(0, 1000),
        was: maybe(fc.constantFrom<FieldDeclaration["was"]>(`old_${name}`, [`old_${name}`, `older_${name}`])),
        column: maybe(oddName(name)),
        stored: maybe(fc.constantFrom("plain", "loose", "cast" as const)),
        description: maybe(awkward),
        fallback: fc.constantFrom<JsonValue>("none", "database", "value"),
        pick: fc.nat(),
      })
      .map((made) => assemble(scalar, made)),
  )
}

interface Made {
  readonly list: boolean
  readonly form: Partial<FieldDeclaration>
  readonly optional: boolean | undefined
  readonly unique: boolean | undefined
  readonly role: Partial<FieldDeclaration>
  readonly range: { readonly min: number | undefined; readonly max: number | undefined }
  readonly items: { readonly min: number | undefined; readonly max: number | undefined }
  readonly was: FieldDeclaration["was"] | undefined
  readonly column: string | undefined
  readonly stored: "plain" | "loose" | "cast" | undefined
  readonly description: string | undefined
  readonly fallback: JsonValue
  readonly pick: number
}

function assemble(scalar: ScalarName, made: Made): FieldDeclaration {
  const comparable = !made.list && scalars[scalar].family !== "opaque"
  const ranged = made.list || (sized(scalar) && scalars[scalar].family !== "number")
  return omitUndefined<FieldDeclaration>({
    scalar,
    ...made.form,
    ...made.role,
    ...(ranged ? made.range : { min: undefined, max: undefined }),
    items: made.list && sized(scalar) && made.pick % 3 === 0 ? omitUndefined(made.items) : undefined,
    list: made.list ? true : undefined,
    optional: made.optional,
    unique: comparable ? made.unique : undefined,
    was: made.was,
    column: made.column,
    stored: made.stored,
    description: made.description,
    default: made.role.generated ? undefined : fallback(scalar, made),
  } as FieldDeclaration)
}

function fallback(scalar: ScalarName, made: Made): FieldDeclaration["default"] {
  if (made.fallback === "database") return { database: true }
  if (made.fallback === "none" || made.range.min !== undefined || made.form.pattern === "[A-Z]{2}|")
    return undefined
  if (made.list) return []
  if (scalar === "oneOf") return made.form.of === "size" ? "m" : made.form.of?.[0]
  const values = [scalars[scalar].example, ...(examples[scalar] ?? [])]
  const value = values[made.pick % values.length]
  return made.form.pattern === "" ? "" : value === null ? undefined : value
}

/** One machine by itself, and two by name. */
const machines: readonly StatesDeclaration[] = [
  {
    initial: "new",
    final: "sold off",
    states: { "sold off": { description: "It's gone.", was: ["gone", "lost"] } },
    transitions: {
      sell: { from: "any", to: "sold off", set: {} },
    },
  },
  {
    life: { initial: "fresh", transitions: { age: { from: ["fresh"], to: "old", allow: role("staff") } } },
    _mood: {
      initial: "1st",
      transitions: {
        annoy: {
          description: 'To "annoy".',
          from: "1st",
          to: "2nd",
          input: {
            how: { scalar: "oneOf", of: ["a b", "c"] },
            count: { scalar: "integer", optional: true, min: 1 },
          },
          allow: [role("staff"), { id: { eq: { viewer: "id" } } }],
        },
      },
    },
  },
]

const events: readonly NonNullable<ResourceDeclaration["events"]>[] = [
  { looked: {}, _told: { description: "", payload: {} } },
  {
    wasSold: {
      description: 'It\'s "sold".',
      payload: {
        how: { scalar: "oneOf", of: ["a b", "c"] },
        sizes: { scalar: "oneOf", of: "size", list: true, optional: true },
        worth: {
          scalar: "decimal",
          precision: 9,
          scale: 2,
          read: [role("staff"), { id: { eq: { viewer: "id" } } }],
        },
      },
    },
  },
]

type KeyKind = "typeid" | "integer" | "composite" | "natural" | "none"

function resource(
  name: string,
  kind: KeyKind,
  targets: ReadonlyMap<string, KeyKind>,
): fc.Arbitrary<ResourceDeclaration> {
  return fc
    .record({
      fields: fc
        .uniqueArray(fc.constantFrom(...fieldNames), { minLength: 1, maxLength: 6 })
        .chain((names) => fc.record(Object.fromEntries(names.map((member) => [member, field(member)])))),
      relations: fc.uniqueArray(fc.constantFrom(...targets.keys()), { maxLength: 3 }),
      optional: fc.boolean(),
      id: maybe(fc.constant(`p${name.toLowerCase().slice(0, 9)}`)),
      table: maybe(
        fc.oneof(
          oddName(`t_${name}`),
          fc.record({ schema: fc.constantFrom("public", "Other One"), name: oddName(`t_${name}`) }),
        ),
      ),
      description: maybe(awkward),
      was: maybe(fc.constant(`old_${name}`)),
      readonly: maybe(
        fc.constantFrom<ResourceDeclaration["readonly"]>(true, false, ["delete"], ["create", "update"]),
      ),
      versioned: fc.boolean(),
      plural: maybe(fc.constant(`many${name.charAt(0).toUpperCase()}${name.slice(1)}`)),
      rows: maybe(fc.boolean()),
      indexed: fc.boolean(),
      states: maybe(fc.constantFrom(...machines)),
      history: maybe(fc.boolean()),
      events: maybe(fc.constantFrom(...events)),
    })
    .map(
      ({ fields, relations, optional, rows, indexed, versioned, states, history, events: told, ...rest }) => {
        const ones = relations.filter((target) => targets.get(target) !== "none")
        const sortable = Object.entries(fields).flatMap(([field, { scalar, list }]) =>
          !list && scalars[scalar].family !== "opaque" ? [field] : [],
        )
        const [first, second] = sortable
        const changes = kind !== "none" && rest.readonly !== true
        return omitUndefined<ResourceDeclaration>({
          ...rest,
          ...keyed(kind, fields),
          rows: kind === "none" ? rows : undefined,
          versioned: versioned && changes ? "required" : undefined,
          states: changes ? states : undefined,
          history: changes ? history : undefined,
          events: changes ? told : undefined,
          relations: Object.fromEntries(
            ones.map((target) => [`to_${target}`, toOne(target, targets.get(target), optional)]),
          ),
          unique: first && second ? [[second, first]] : undefined,
          indexes: indexed && first ? (second ? [[first], [first, second]] : [[first]]) : undefined,
        })
      },
    )
}

function keyed(
  kind: KeyKind,
  fields: Readonly<Record<string, FieldDeclaration>>,
): Pick<ResourceDeclaration, "key" | "fields"> {
  switch (kind) {
    case "typeid":
      return { fields }
    case "integer":
      return { fields, key: { column: "Key Column", type: "integer", stored: "loose", given: true } }
    case "composite":
      return {
        fields,
        key: {
          parts: [
            { column: "first", type: "uuid" },
            { column: "second", type: "date", stored: "plain" },
          ],
        },
      }
    case "natural":
      return { fields: { code: { scalar: "slug", column: "the code" }, ...fields }, key: ["code"] }
    case "none":
      return { fields, key: false }
  }
}

function toOne(target: string, kind: KeyKind | undefined, optional: boolean): OneDeclaration {
  const base = { kind: "one", target, ...(optional ? { optional } : {}) } as const
  if (kind === "composite")
    return { ...base, columns: { [`${target}_second`]: "second", [`${target}_first`]: "first" } }
  if (kind === "integer") return { ...base, columns: { [`${target} key`]: "Key Column" } }
  return kind === "natural" ? { ...base, column: `${target}_code` } : base
}

/** Every to-one relation is met from its other side, and neighbours have a join table between them. */
function bothWays(
  resources: Readonly<Record<string, ResourceDeclaration>>,
): Record<string, ResourceDeclaration> {
  const all = Object.fromEntries(
    Object.entries(resources).map(([name, it]) => [
      name,
      { ...it, relations: { ...it.relations } as Record<string, RelationDeclaration> },
    ]),
  )
  for (const [name, { relations }] of Object.entries(all))
    for (const [relation, { kind, target }] of Object.entries(relations))
      if (kind === "one" && resources[name]?.key !== false)
        Object.assign(all[target]?.relations ?? {}, {
          [`from_${name}`]: { kind: "many", target: name, by: relation },
        })
  const [first, second] = Object.keys(resources)
  const single = (name: string | undefined) => name !== undefined && resources[name]?.key === undefined
  if (first && second && single(first) && single(second))
    Object.assign(all[first]?.relations ?? {}, {
      joined: { kind: "many", target: second, through: "join table" },
      joinedToo: {
        kind: "many",
        target: second,
        through: { table: { schema: "s", name: "j" }, near: { near: "id" }, far: { far: "id" } },
      },
    })
  return all
}

const kinds: readonly KeyKind[] = ["typeid", "typeid", "integer", "composite", "natural", "none"]

const abouts: readonly AboutDeclaration[] = [
  { version: "2.3.0" },
  { licence: { name: 'The "shop" terms', url: "https://example.org/terms" }, contact: {} },
  { licence: { name: "MIT", identifier: "MIT" }, contact: { name: "We", email: "api@example.org" } },
]

const identities: readonly IdentityDeclaration[] = [
  { keys: true },
  { keys: {} },
  { keys: { manage: [role("staff"), { not: scope("orders:write") }] } },
  {
    keys: {
      manage: role("staff"),
      grant: { staff: [role("staff")], "orders:write": signedIn },
      expires: "90 days",
    },
  },
  {
    jwt: {
      issuer: "https://id.example.org",
      audience: ["shop", 'the "shop"'],
      algorithms: ["RS256", "EdDSA"],
      jwks: "https://id.example.org/keys",
      leeway: 10,
      roles: ["realm_access", "roles"],
    },
    keys: true,
  },
]

const mapValues = <Value, Result>(
  record: Readonly<Record<string, Value>>,
  of: (value: Value) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, of(value)]))

/** Only who has an id can sign in. */
const viewersAmong = (
  chosen: readonly (readonly [string, KeyKind])[],
): readonly [string | undefined, ...(string | undefined)[]] => [
  undefined,
  ...chosen.flatMap(([name, kind]) => (kind === "none" ? [] : [name])),
]

export const declarations: fc.Arbitrary<ServiceDeclaration> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...resourceNames), fc.constantFrom(...kinds)), {
    minLength: 1,
    maxLength: 5,
    selector: ([name]) => name,
  })
  .chain((chosen) => {
    const targets = new Map(chosen)
    return fc.record({
      name: fc.constantFrom("shop", "big-shop", "Shop2"),
      title: maybe(awkward),
      description: maybe(awkward),
      resources: fc
        .record(Object.fromEntries(chosen.map(([name, kind]) => [name, resource(name, kind, targets)])))
        .map(bothWays)
        .chain((resources) => fc.record(mapValues(resources, withRules))),
      identity: maybe(fc.constantFrom(...identities)),
      about: maybe(fc.constantFrom(...abouts)),
      viewer: maybe(fc.constantFrom(...viewersAmong(chosen))),
      page: maybe(
        fc.record({ default: maybe(fc.constantFrom(1, 20)), max: maybe(fc.constantFrom(20, 500)) }),
      ),
      sizes: fc.record(
        mapValues(sizeLimits, ({ most }) => fc.integer({ min: 1, max: most })),
        { requiredKeys: [] },
      ),
      described: maybe(awkward),
    })
  })
  .map(({ page, sizes: { tokens, ...sizes }, described, ...rest }) =>
    omitUndefined<ServiceDeclaration>({
      ...rest,
      roles,
      scopes,
      enums: { size: omitUndefined({ values: ["s", "m", "l"] as const, description: described }) },
      limits: omitUndefined({
        page: page && omitUndefined(page),
        ...sizes,
        tokens: tokens && Math.min(tokens, sizes.characters ?? tokens),
      }),
    }),
  )
