// A service that changes: each version follows from the one before it by a few edits, as fast-check draws them. Things keep an
// identity through their renames, so that a test can tell what became of which value.
import fc from "fast-check"
import { omitUndefined } from "../../src/base/compact.ts"
import type {
  FieldDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
} from "../../src/model/declaration/declaration.ts"

interface Field {
  readonly identity: number
  readonly name: string
  readonly was?: string
  readonly kind: keyof typeof scalars
  readonly optional: boolean
  readonly unique: boolean
  readonly indexed: boolean
  /** Of a choice. */
  readonly values: number
}

export interface Resource {
  readonly identity: number
  readonly name: string
  readonly was?: string
  readonly fields: readonly Field[]
  /** To-one relations, by the identity of what they lead to. */
  readonly ones: readonly {
    readonly identity: number
    readonly name: string
    readonly was?: string
    readonly target: number
    readonly optional: boolean
  }[]
  /** Identities of what it is linked with by a join table. */
  readonly links: readonly number[]
}

export interface Version {
  readonly next: number
  readonly resources: readonly Resource[]
}

/** Each with a default, so that it can be added to records that are there. */
const scalars = {
  text: { scalar: "text", default: "it's" },
  integer: { scalar: "integer", default: 7 },
  int64: { scalar: "int64", default: "9007199254740993" },
  decimal: { scalar: "decimal", precision: 9, scale: 2, default: "1.50" },
  wide: { scalar: "decimal", precision: 14, scale: 4, default: "2.2500" },
  boolean: { scalar: "boolean", default: true },
  date: { scalar: "date", default: "2026-11-01" },
  timestamp: { scalar: "timestamp", default: "now" },
  uuid: { scalar: "uuid", default: "01890a5d-ac96-774b-bcce-b302099a8057" },
  json: { scalar: "json", default: { a: [1, "two"] } },
  bytes: { scalar: "bytes", default: "AAEC" },
  texts: { scalar: "text", list: true, default: ["a", 'b"c'] },
  choice: { scalar: "oneOf", default: "v0" },
} as const satisfies Readonly<Record<string, FieldDeclaration>>

/** Kinds whose values all survive the change. */
const growths: Readonly<Record<string, Field["kind"]>> = { integer: "int64", decimal: "wide", uuid: "text" }
const kinds = Object.keys(scalars) as Field["kind"][]
export const plainKinds: ReadonlySet<string> = new Set([
  "text",
  "integer",
  "int64",
  "decimal",
  "wide",
  "date",
  "timestamp",
  "uuid",
])

export const declare = ({ resources }: Version): ServiceDeclaration => {
  const named = new Map(resources.map((resource) => [resource.identity, resource]))
  const nameOf = (identity: number): string => named.get(identity)?.name ?? ""
  return {
    name: "evolving",
    resources: Object.fromEntries(
      resources.map((resource): [string, ResourceDeclaration] => [
        resource.name,
        omitUndefined<ResourceDeclaration>({
          was: resource.was,
          fields: Object.fromEntries(resource.fields.map((field) => [field.name, declareField(field)])),
          relations: {
            ...Object.fromEntries(
              resource.ones.map((one) => [
                one.name,
                {
                  kind: "one",
                  target: nameOf(one.target),
                  ...(one.optional ? { optional: true } : {}),
                  ...(one.was ? { was: one.was } : {}),
                } as const,
              ]),
            ),
            ...Object.fromEntries(
              resource.links.map((other) => [
                `linked${other}`,
                {
                  kind: "many",
                  target: nameOf(other),
                  through: `link_${resource.identity}_${other}`,
                } as const,
              ]),
            ),
          },
          indexes: resource.fields.filter(({ indexed }) => indexed).map(({ name }) => [name] as const),
        } as ResourceDeclaration),
      ]),
    ),
  }
}

const declareField = ({ kind, optional, unique, values, was }: Field): FieldDeclaration => {
  const of = Array.from({ length: values }, (_, index) => `v${index}`) as [string, ...string[]]
  return {
    ...scalars[kind],
    ...(kind === "choice" ? { of } : {}),
    ...(optional ? { optional } : {}),
    ...(unique ? { unique } : {}),
    ...(was === undefined ? {} : { was }),
  } as FieldDeclaration
}

// Edits

const newField = (next: number, kind: Field["kind"], optional: boolean): Field => ({
  identity: next,
  name: `field${next}`,
  kind,
  optional,
  unique: false,
  indexed: plainKinds.has(kind) && next % 3 === 0,
  values: 2,
})

const newResource = (next: number, kind: Field["kind"]): Resource => ({
  identity: next,
  name: `thing${next}`,
  fields: [newField(next + 1, kind, false)],
  ones: [],
  links: [],
})

export const firstVersion: Version = {
  next: 10,
  resources: [
    { ...newResource(0, "text"), links: [4] },
    {
      ...newResource(4, "decimal"),
      ones: [{ identity: 8, name: "one8", target: 0, optional: false }],
    },
  ],
}

interface Draw {
  readonly what: (typeof edits)[number]
  readonly resource: number
  readonly member: number
  readonly kind: Field["kind"]
  readonly optional: boolean
}

const edits = [
  "addField",
  "addField",
  "renameField",
  "renameField",
  "dropField",
  "toggleOptional",
  "toggleUnique",
  "toggleIndex",
  "growType",
  "growValues",
  "addResource",
  "renameResource",
  "dropResource",
  "addRelation",
  "renameRelation",
  "dropRelation",
  "addLink",
  "dropLink",
] as const

/** Several versions after the first, each some edits further. */
export const histories: fc.Arbitrary<readonly (readonly Draw[])[]> = fc.array(
  fc.array(
    fc.record({
      what: fc.constantFrom(...edits),
      resource: fc.nat({ max: 50 }),
      member: fc.nat({ max: 50 }),
      kind: fc.constantFrom(...kinds),
      optional: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  { minLength: 1, maxLength: 4 },
)

const pick = <Item>(items: readonly Item[], at: number): Item | undefined => items[at % items.length]

/** The next version; what was renamed before is no news any more. */
export const evolve = (version: Version, draws: readonly Draw[]): Version =>
  draws.reduce(edit, {
    ...version,
    resources: version.resources.map((resource) => ({
      ...settled(resource),
      fields: resource.fields.map(settled),
      ones: resource.ones.map(settled),
    })),
  })

const settled = <Item extends { readonly was?: string }>({ was: _, ...rest }: Item) =>
  rest as Omit<Item, "was">

function edit(version: Version, draw: Draw): Version {
  const { resources } = version
  const next = version.next + 10
  const resource = pick(resources, draw.resource)
  if (draw.what === "addResource" || !resource)
    return { next, resources: [...resources, newResource(version.next, draw.kind)] }
  const replace = (by: Partial<Resource>): Version => ({
    next,
    resources: resources.map((each) => (each === resource ? { ...each, ...by } : each)),
  })
  const field = pick(resource.fields, draw.member)
  const one = pick(resource.ones, draw.member)
  const other = pick(resources, draw.member)
  const setField = (by: Partial<Field>): Version =>
    replace({ fields: resource.fields.map((each) => (each === field ? { ...each, ...by } : each)) })
  const led = (identity: number) =>
    resources.some(
      ({ ones, links }) => ones.some(({ target }) => target === identity) || links.includes(identity),
    )
  switch (draw.what) {
    case "addField":
      return replace({ fields: [...resource.fields, newField(version.next, draw.kind, draw.optional)] })
    case "renameField":
      return field && field.was === undefined
        ? setField({ name: `renamed${version.next}`, was: field.name })
        : version
    case "dropField":
      return resource.fields.length > 1
        ? replace({ fields: resource.fields.filter((each) => each !== field) })
        : version
    case "toggleOptional":
      return field && !field.unique ? setField({ optional: !field.optional }) : version
    case "toggleUnique":
      return field?.optional && plainKinds.has(field.kind) ? setField({ unique: !field.unique }) : version
    case "toggleIndex":
      return field && plainKinds.has(field.kind) ? setField({ indexed: !field.indexed }) : version
    case "growType": {
      const kind = field && growths[field.kind]
      return kind === undefined ? version : setField({ kind })
    }
    case "growValues":
      return field ? setField({ values: field.values + 1 }) : version
    case "renameResource":
      return resource.was === undefined
        ? replace({ name: `other${version.next}`, was: resource.name })
        : version
    case "dropResource":
      return resources.length > 1 && !led(resource.identity)
        ? { next, resources: resources.filter((each) => each !== resource) }
        : version
    case "addRelation":
      // Nothing leads round in a circle, so that records can be made one after the other.
      return other && other.identity <= resource.identity
        ? replace({
            ones: [
              ...resource.ones,
              { identity: version.next, name: `one${version.next}`, target: other.identity, optional: true },
            ],
          })
        : version
    case "renameRelation":
      return one && one.was === undefined
        ? replace({
            ones: resource.ones.map((each) =>
              each === one ? { ...each, name: `to${version.next}`, was: one.name } : each,
            ),
          })
        : version
    case "dropRelation":
      return replace({ ones: resource.ones.filter((each) => each !== one) })
    case "addLink":
      return other && other !== resource && !resource.links.includes(other.identity)
        ? replace({ links: [...resource.links, other.identity] })
        : version
    case "dropLink":
      return replace({ links: resource.links.slice(1) })
  }
}
