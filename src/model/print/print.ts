// A declaration as the source of a service file: what a person would write, without what is so anyway.

import type { JsonValue } from "../../base/json.ts"
import { isDatabaseDefault } from "../declaration/build-field.ts"
import type {
  EnumDeclaration,
  FieldDeclaration,
  FormerNames,
  KeyDeclaration,
  KeyPartDeclaration,
  ManyDeclaration,
  OneDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
  TableDeclaration,
  ThroughDeclaration,
  VersionChange,
  VersionDeclaration,
} from "../declaration/declaration.ts"
import { defaultColumn, defaultForeignKey, defaultTable } from "../declaration/default-names.ts"
import { isNaturalKey, keyOf } from "../declaration/keys.ts"
import type { IdentityDeclaration } from "../identity.ts"
import { type CostDeclaration, costLimitNames, sizeLimitNames } from "../limits.ts"
import { collectionOf, sentenceCase, snakeCase } from "../names.ts"
import { allowSource, ruleSource } from "./print-rules.ts"
import { eventsSource, statesSource } from "./print-states.ts"
import {
  array,
  call,
  jsonSource,
  namesIn,
  numeral,
  object,
  openObject,
  printSource,
  type Source,
  string,
  width,
  word,
} from "./source-text.ts"

/**
 * TypeScript source of a service file whose default export loads to the same Model as the declaration, but for user code:
 * functions have no source here.
 */
export function printDeclaration(service: ServiceDeclaration): string {
  const source = call("service", serviceSource(service))
  const used = namesIn(source)
  const names = builders.filter((name) => used.has(name))
  return `${importLine(names)}\n\n${printSource("export default ", source)}\n`
}

/** The entry of a version among `versions`: `"2026-11-01": […]`. */
export const printVersion = (name: string, changes: readonly VersionChange[]): string =>
  printSource(`${JSON.stringify(name)}: `, array(changes.map(changeSource)))

function importLine(names: readonly string[]): string {
  const line = `import { ${names.join(", ")} } from "bifold"`
  return line.length <= width
    ? line
    : `import {\n${names.map((name) => `  ${name},\n`).join("")}} from "bifold"`
}

const builders = [
  "anyone",
  "databaseDefault",
  "f",
  "given",
  "many",
  "one",
  "only",
  "resource",
  "role",
  "scope",
  "service",
  "signedIn",
  "together",
  "viewer",
] as const

type Members = readonly (readonly [string, Source | undefined])[]

const present = (members: Members): readonly (readonly [string, Source])[] =>
  members.flatMap(([name, source]) => (source === undefined ? [] : [[name, source] as const]))

/** The last parameter of a builder: none when nothing is to be said. */
const options = (members: Members): readonly Source[] => {
  const said = present(members)
  return said.length === 0 ? [] : [object(said)]
}

const text = (value: string | undefined, usual?: string): Source | undefined =>
  value === undefined || value === usual ? undefined : string(value)
const flag = (value: boolean | undefined, usual = false): Source | undefined =>
  value === undefined || value === usual ? undefined : word(String(value))
const number = (value: number | undefined): Source | undefined =>
  value === undefined ? undefined : numeral(value)
const texts = (values: readonly string[]): Source => array(values.map(string))
const list = (values: readonly string[] | undefined): Source | undefined =>
  values === undefined || values.length === 0 ? undefined : texts(values)
const formerSource = (was: FormerNames | undefined): Source | undefined =>
  was === undefined || typeof was === "string" ? text(was) : texts(was)

const costSource = (cost: CostDeclaration): Source =>
  object(present(costLimitNames.map((name) => [name, number(cost[name])] as const)))

function serviceSource(service: ServiceDeclaration): Source {
  const { name, title, description, about, roles, scopes, viewer, identity } = service
  const { enums, resources, limits, managed } = service
  const page = present([
    ["default", number(limits?.page?.default)],
    ["max", number(limits?.page?.max)],
  ])
  const bounds = present([
    ["page", page.length > 0 ? object(page) : undefined],
    ["cost", limits?.cost && costSource(limits.cost)],
    [
      "tiers",
      limits?.tiers &&
        object(Object.entries(limits.tiers).map(([tier, set]) => [tier, costSource(set)] as const)),
    ],
    ...sizeLimitNames.map((name) => [name, number(limits?.[name])] as const),
  ])
  return openObject(
    present([
      ["name", string(name)],
      ["title", text(title, sentenceCase(name))],
      ["description", text(description)],
      ["about", about && jsonSource(about as unknown as JsonValue)],
      ["roles", list(roles)],
      ["scopes", list(scopes)],
      ["viewer", text(viewer)],
      ["identity", identity && identitySource(identity)],
      ["versions", service.versions && openObject(Object.entries(service.versions).map(versionSource))],
      [
        "enums",
        enums && Object.keys(enums).length > 0
          ? openObject(Object.entries(enums).map(enumSource))
          : undefined,
      ],
      [
        "resources",
        openObject(
          Object.entries(resources).map(([name, it]) => [name, resourceSource(service, name, it)]),
          true,
        ),
      ],
      ["limits", bounds.length > 0 ? object(bounds) : undefined],
      ["managed", flag(managed, true)],
    ]),
  )
}

function identitySource({ jwt, keys }: IdentityDeclaration): Source {
  const { manage, grant, expires } = keys === true || keys === undefined ? {} : keys
  const granted = Object.entries(grant ?? {}).flatMap(([name, rule]) =>
    rule === undefined ? [] : [[name, ruleSource(rule)] as const],
  )
  return object(
    present([
      ["jwt", jwt && jsonSource(jwt as unknown as JsonValue)],
      [
        "keys",
        keys &&
          (keys === true
            ? word("true")
            : object(
                present([
                  ["manage", manage && ruleSource(manage)],
                  ["grant", grant && object(granted)],
                  ["expires", text(expires)],
                ]),
              )),
      ],
    ]),
  )
}

function enumSource([name, { values, formerly, description }]: readonly [string, EnumDeclaration]): readonly [
  string,
  Source,
] {
  return [
    name,
    object(
      present([
        ["values", texts(values)],
        ["formerly", formerly && jsonSource(formerly as JsonValue)],
        ["description", text(description)],
      ]),
    ),
  ]
}

function resourceSource(service: ServiceDeclaration, name: string, resource: ResourceDeclaration): Source {
  const relations = Object.entries(resource.relations ?? {}).map(
    ([member, it]) =>
      [member, it.kind === "one" ? oneSource(service, member, it) : manySource(service, name, it)] as const,
  )
  const lists = (all: readonly (readonly string[])[] | undefined) =>
    all && all.length > 0 ? array(all.map(texts)) : undefined
  return call(
    "resource",
    openObject(
      present([
        ["id", text(resource.id, name.toLowerCase())],
        ["key", keySource(resource.key)],
        ["plural", text(resource.plural, collectionOf(name))],
        ["description", text(resource.description)],
        ["was", formerSource(resource.was)],
        ["table", resource.table === undefined ? undefined : tableSource(resource.table, snakeCase(name))],
        [
          "readonly",
          typeof resource.readonly === "object" ? texts(resource.readonly) : flag(resource.readonly),
        ],
        ["versioned", text(resource.versioned)],
        ["cache", resource.cache && object([["public", numeral(resource.cache.public)]])],
        ["rows", flag(resource.rows, true)],
        ["onConflict", text(resource.onConflict)],
        [
          "fields",
          openObject(
            Object.entries(resource.fields).map(([member, it]) => [member, fieldSource(member, it)]),
          ),
        ],
        [
          "relations",
          relations.length > 1 ? openObject(relations) : relations.length > 0 ? object(relations) : undefined,
        ],
        ["states", resource.states && statesSource(resource.states, fieldSource)],
        ["history", flag(resource.history)],
        ["events", resource.events && eventsSource(resource.events, fieldSource)],
        ["unique", lists(resource.unique)],
        ["indexes", lists(resource.indexes)],
        ["allow", resource.allow && allowSource(resource.allow)],
      ]),
    ),
  )
}

function keySource(key: ResourceDeclaration["key"]): Source | undefined {
  if (key === undefined) return undefined
  if (key === false) return word("false")
  if (isNaturalKey(key)) return texts(key)
  return declaredKeySource(key)
}

function declaredKeySource(key: KeyDeclaration): Source {
  const own: Members =
    "parts" in key
      ? [["parts", array(key.parts.map((part) => object(present(keyPartMembers(part)))))]]
      : keyPartMembers(key)
  return object(present([...own, ["given", flag(key.given)]]))
}

const keyPartMembers = ({ column, type, stored }: KeyPartDeclaration): Members => [
  ["column", string(column)],
  ["type", string(type)],
  ["stored", text(stored, "plain")],
]

function tableSource(table: TableDeclaration, usual?: string): Source | undefined {
  const { schema, name } = defaultTable(table)
  if (schema === undefined) return text(name, usual)
  return object([
    ["schema", string(schema)],
    ["name", string(name)],
  ])
}

function versionSource([name, version]: readonly [string, VersionDeclaration]): readonly [string, Source] {
  if (!("changes" in version)) return [name, array(version.map(changeSource))]
  const { changes, description, ends } = version
  return [
    name,
    object(
      present([
        ["changes", array(changes.map(changeSource))],
        ["description", text(description)],
        ["ends", text(ends)],
      ]),
    ),
  ]
}

/** The former fields as builders, the rest as it is. */
function changeSource(change: VersionChange): Source {
  return object(
    Object.entries(change).map(([name, value]) => {
      if (name !== "was") return [name, jsonSource(value as JsonValue)]
      const was = value as FieldDeclaration | Readonly<Record<string, FieldDeclaration>>
      return isField(was)
        ? [name, fieldSource("", was)]
        : [name, object(Object.entries(was).map(([field, it]) => [field, fieldSource(field, it)]))]
    }),
  )
}

const isField = (of: object): of is FieldDeclaration => "scalar" in of

function fieldSource(name: string, field: FieldDeclaration): Source {
  const own = options([
    ["optional", flag(field.optional)],
    ["unique", flag(field.unique)],
    ["readonly", flag(field.generated ? undefined : field.readonly)],
    ["immutable", flag(field.immutable)],
    ["generated", flag(field.generated)],
    ["computed", field.computed === undefined ? undefined : jsonSource(field.computed as JsonValue)],
    ["default", field.default === undefined ? undefined : defaultSource(field.default)],
    ["min", number(field.min)],
    ["max", number(field.max)],
    ...(field.list ? [] : form(field)),
    ["was", formerSource(field.was)],
    ["from", field.from === undefined ? undefined : jsonSource(field.from as JsonValue)],
    ["formerly", field.formerly && jsonSource(field.formerly as JsonValue)],
    ["column", text(field.column, defaultColumn(name, { scalar: field.scalar }))],
    ["stored", text(field.stored, "plain")],
    ["read", field.read && ruleSource(field.read)],
    ["write", field.write && ruleSource(field.write)],
    ["description", text(field.description)],
  ])
  if (!field.list) return call(`f.${field.scalar}`, ...choices(field), ...own)
  const item = options([["min", number(field.items?.min)], ["max", number(field.items?.max)], ...form(field)])
  return call("f.list", call(`f.${field.scalar}`, ...choices(field), ...item), ...own)
}

/** Settings of each value, alone or in a list. */
const form = ({ pattern, precision, scale }: FieldDeclaration): Members => [
  ["pattern", text(pattern)],
  ["precision", number(precision)],
  ["scale", number(scale)],
]

function choices({ of }: FieldDeclaration): readonly Source[] {
  if (of === undefined) return []
  return [typeof of === "string" ? string(of) : texts(of)]
}

const defaultSource = (value: NonNullable<FieldDeclaration["default"]> | null): Source =>
  isDatabaseDefault(value) ? word("databaseDefault") : jsonSource(value as JsonValue)

function oneSource(service: ServiceDeclaration, name: string, relation: OneDeclaration): Source {
  const { column, columns } = foreignKeySource(service, name, relation)
  return call(
    "one",
    string(relation.target),
    ...options([
      ["by", text(relation.by)],
      ["optional", flag(relation.optional)],
      ["was", formerSource(relation.was)],
      ["column", column],
      ["columns", columns],
      ["description", text(relation.description)],
    ]),
  )
}

/** A foreign key of one column to a key of one needs no pairs. */
function foreignKeySource(
  service: ServiceDeclaration,
  name: string,
  relation: OneDeclaration,
): { readonly column?: Source | undefined; readonly columns?: Source } {
  const usual = defaultForeignKey(name, { kind: "one", target: relation.target })
  if (relation.columns === undefined) return { column: text(relation.column, usual) }
  const [[from, to] = ["", ""], ...more] = Object.entries(relation.columns)
  const [part, ...others] = keyOf(service, relation.target)?.parts ?? []
  if (more.length === 0 && others.length === 0 && part?.column === to) return { column: text(from, usual) }
  return { columns: columnsSource(relation.columns) }
}

const columnsSource = (columns: Readonly<Record<string, string>>): Source =>
  object(Object.entries(columns).map(([from, to]) => [from, string(to)]))

function manySource(service: ServiceDeclaration, here: string, relation: ManyDeclaration): Source {
  const { target, by, through, owned, description } = relation
  return call(
    "many",
    string(target),
    ...options([
      ["by", text(by)],
      ["through", through === undefined ? undefined : throughSource(service, here, target, through)],
      ["owned", flag(owned)],
      ["description", text(description)],
    ]),
  )
}

function throughSource(
  service: ServiceDeclaration,
  here: string,
  target: string,
  through: ThroughDeclaration | string,
): Source {
  if (typeof through === "string") return string(through)
  const { schema, name } = defaultTable(through.table)
  if (
    schema === undefined &&
    isUsualSide(service, here, through.near) &&
    isUsualSide(service, target, through.far)
  )
    return string(name)
  return object(
    present([
      ["table", tableSource(through.table)],
      ["near", columnsSource(through.near)],
      ["far", columnsSource(through.far)],
    ]),
  )
}

function isUsualSide(
  service: ServiceDeclaration,
  resource: string,
  side: Readonly<Record<string, string>>,
): boolean {
  const [part, ...others] = keyOf(service, resource)?.parts ?? []
  const [[from, to] = ["", ""], ...more] = Object.entries(side)
  return (
    others.length === 0 && more.length === 0 && part?.column === to && from === `${snakeCase(resource)}_id`
  )
}
