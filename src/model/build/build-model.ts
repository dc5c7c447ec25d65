// From a declaration without mistakes to its Model: complete, names settled, both directions of every relation joined.

import { omitUndefined } from "../../base/compact.ts"
import { present } from "../../base/invariant.ts"
import { buildField, formerNames } from "../declaration/build-field.ts"
import type {
  EnumDeclaration,
  FormerValues,
  ManyDeclaration,
  OneDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
} from "../declaration/declaration.ts"
import {
  defaultColumn,
  defaultResourceNames,
  defaultTable,
  enumerationName,
  referenceName,
  versionColumn,
} from "../declaration/default-names.ts"
import { buildHandlers, isHandled } from "../declaration/handlers.ts"
import { foreignKey, keyOf, namesKey, own } from "../declaration/keys.ts"
import { buildEvents, payloadFields } from "../declaration/own-events.ts"
import { machinesIn } from "../declaration/states.ts"
import { buildIdentity } from "../identity.ts"
import { buildVersions } from "../language/versions.ts"
import { withDefaultCosts, withDefaultSizes } from "../limits.ts"
import { buildWebhooks, readDuration } from "../log.ts"
import type {
  ColumnPair,
  Enumeration,
  Index,
  Limits,
  Model,
  Relation,
  Resource,
  Through,
  ToMany,
  ToOne,
  Unique,
  UniqueMember,
} from "../model.ts"
import { isGraphqlName, pascalCase, sentenceCase, snakeCase } from "../names.ts"
import { buildActions, buildComputed, buildHooks, codeFields } from "./build-code.ts"
import { buildMachines, inputOwner } from "./build-state-machines.ts"
import { historiesOf, historyRelation, isLogged } from "./history.ts"

const usualPage = { default: 20, max: 100 }

export function buildModel(service: ServiceDeclaration): Model {
  const resources = new Map(
    Object.entries(service.resources).map(([name, it]) => [
      name,
      isLogged(it) ? withHistory(buildResource(service, name, it)) : buildResource(service, name, it),
    ]),
  )
  const enums = buildEnums(service)
  return omitUndefined<Model>({
    name: service.name,
    title: service.title ?? sentenceCase(service.name),
    description: service.description,
    about: service.about,
    resources,
    histories: historiesOf(resources, enums),
    enums,
    limits: buildLimits(service),
    log: buildLog(service),
    webhooks: service.webhooks && buildWebhooks(service.webhooks),
    versions: service.versions && buildVersions(service.versions, service.code?.versions),
    documents: service.documents,
    federation: service.federation,
    managed: isManaged(service),
    roles: service.roles ?? [],
    scopes: service.scopes ?? [],
    viewer: service.viewer,
    identity: service.identity && buildIdentity(service.identity),
    operations: buildActions("", service.code?.operations),
    handlers: buildHandlers(service),
  })
}

const isManaged = ({ managed }: ServiceDeclaration): boolean => managed !== false

function buildLog({ log }: ServiceDeclaration): Model["log"] {
  const keep = log?.keep === undefined ? undefined : readDuration(log.keep)
  const capture = log?.capture !== undefined
  return keep === undefined && !capture
    ? undefined
    : { ...(keep !== undefined && { keep }), ...(capture && { capture: true as const }) }
}

function buildLimits({ limits }: ServiceDeclaration): Limits {
  const max = limits?.page?.max ?? Math.max(usualPage.max, limits?.page?.default ?? 0)
  const rows = limits?.page?.default ?? Math.min(usualPage.default, max)
  const tiers = Object.entries(limits?.tiers ?? {})
  return {
    page: { default: rows, max },
    ...withDefaultSizes(limits),
    cost: withDefaultCosts(limits?.cost),
    tiers: new Map(tiers.map(([name, tier]) => [name, withDefaultCosts(limits?.cost, tier)])),
  }
}

function buildEnums(service: ServiceDeclaration): ReadonlyMap<string, Enumeration> {
  const enums = new Map<string, Enumeration>()
  const add = (
    name: string,
    values: readonly string[],
    { description, formerly }: Pick<EnumDeclaration, "description" | "formerly"> = {},
  ) =>
    enums.set(
      name,
      omitUndefined<Enumeration>({
        name,
        values: [...values],
        was: formerly && formerValues(formerly),
        description,
        named: values.every(isEnumValue),
      }),
    )
  for (const [name, { values, ...rest }] of Object.entries(service.enums ?? {}))
    add(pascalCase(name), values, rest)
  for (const [resource, { fields }] of Object.entries(service.resources))
    for (const [name, field] of Object.entries(fields))
      if (field.of !== undefined && typeof field.of !== "string")
        add(enumerationName(resource, name, field), field.of, omitUndefined({ formerly: field.formerly }))
  for (const [resource, { states }] of Object.entries(service.resources))
    for (const { transitions } of Object.values(machinesIn(states)))
      for (const [called, { input }] of Object.entries(transitions))
        for (const [name, field] of Object.entries(input ?? {}))
          if (field.of !== undefined && typeof field.of !== "string")
            add(enumerationName(inputOwner(resource, called), name, field), field.of)
  for (const { owner, name, field } of [...payloadFields(service), ...codeFields(service)])
    if (field.of !== undefined && typeof field.of !== "string")
      add(enumerationName(owner, name, field), field.of)
  return enums
}

const formerValues = (formerly: FormerValues): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(formerly).flatMap(([value, was]) => (formerNames(was) ?? []).map((one) => [one, value])),
  )

/** GraphQL specification section 3.9: any name but these three. */
const isEnumValue = (value: string): boolean =>
  isGraphqlName(value) && !["true", "false", "null"].includes(value)

function buildResource(service: ServiceDeclaration, name: string, resource: ResourceDeclaration): Resource {
  const key = keyOf(service, name)
  return omitUndefined<Resource>({
    name,
    ...defaultResourceNames(name, resource),
    description: resource.description,
    was: formerNames(resource.was),
    version: isManaged(service) ? { kind: "column", column: versionColumn } : { kind: "row" },
    writable: resource.readonly !== true,
    withheld: typeof resource.readonly === "object" ? resource.readonly : undefined,
    needsVersion: resource.versioned === "required",
    publicFor: resource.cache?.public,
    key,
    onConflict: resource.onConflict,
    tiebreak: key ? "key" : resource.rows === false ? "columns" : "row",
    fields: new Map(
      Object.entries(resource.fields).map(([member, it]) => [member, buildField(name, resource, member, it)]),
    ),
    relations: new Map(
      Object.entries(resource.relations ?? {}).map(([member, it]) => [
        member,
        buildRelation(service, name, member, it),
      ]),
    ),
    uniques: buildUniques(resource),
    indexes: (resource.indexes ?? []).map((members) => buildIndex(service, resource, members)),
    secret: resource.secret,
    conditions: resource.conditions,
    address: resource.address,
    ends: resource.ends,
    grants: resource.grants,
    unlogged: resource.unlogged,
    internal: resource.internal,
    machines: buildMachines(name, resource),
    actions: buildActions(name, own(service.code?.actions, name)),
    events: buildEvents(name, resource),
    before: buildHooks(own(service.code?.before, name)),
    computed: buildComputed(name, own(service.code?.computed, name)),
    logged: isLogged(resource) || isHandled(service, name),
    allow: resource.allow,
  })
}

function withHistory(resource: Resource): Resource {
  const relation = historyRelation(resource)
  return relation
    ? { ...resource, relations: new Map([...resource.relations, [relation.name, relation]]) }
    : resource
}

function buildRelation(
  service: ServiceDeclaration,
  here: string,
  name: string,
  relation: OneDeclaration | ManyDeclaration,
): Relation {
  if (relation.kind === "many") return buildMany(service, here, name, relation)
  const { target, description } = relation
  if (relation.by !== undefined)
    return omitUndefined<ToOne>({
      kind: "one",
      name,
      target,
      description,
      was: undefined,
      join: farJoin(service, target, relation.by),
      optional: true,
      reference: undefined,
    })
  const join = present(foreignKey(service, name, relation), `the foreign key of ${here}.${name}`)
  const reference = namesKey(keyOf(service, target), join) ? referenceName(name) : undefined
  return omitUndefined<ToOne>({
    kind: "one",
    name,
    target,
    description,
    was: formerNames(relation.was),
    join,
    optional: relation.optional === true,
    reference,
  })
}

/** The join of the target's to-one relation, seen from its other end. */
function farJoin(service: ServiceDeclaration, target: string, by: string): readonly ColumnPair[] {
  const relation = own(own(service.resources, target)?.relations, by)
  const join = relation?.kind === "one" ? foreignKey(service, by, relation) : undefined
  return present(join, `${target}.${by} leads back`).map(({ from, to }) => ({ from: to, to: from }))
}

function buildMany(
  service: ServiceDeclaration,
  here: string,
  name: string,
  relation: ManyDeclaration,
): ToMany {
  const { target, description, by } = relation
  return omitUndefined<ToMany>({
    kind: "many",
    name,
    target,
    description,
    join: by === undefined ? [] : farJoin(service, target, by),
    through: by === undefined ? buildThrough(service, here, relation) : undefined,
    owned: relation.owned === true,
  })
}

function buildThrough(
  service: ServiceDeclaration,
  here: string,
  { target, through }: ManyDeclaration,
): Through {
  const declared = present(through, `a way from ${here} to ${target}`)
  if (typeof declared === "string")
    return {
      table: defaultTable(declared),
      near: [{ from: onlyKeyColumn(service, here), to: `${snakeCase(here)}_id` }],
      far: [{ from: `${snakeCase(target)}_id`, to: onlyKeyColumn(service, target) }],
    }
  return {
    table: defaultTable(declared.table),
    near: Object.entries(declared.near).map(([column, near]) => ({ from: near, to: column })),
    far: Object.entries(declared.far).map(([column, far]) => ({ from: column, to: far })),
  }
}

const onlyKeyColumn = (service: ServiceDeclaration, name: string): string =>
  present(keyOf(service, name)?.parts[0], `a key of ${name}`).column

function buildUniques(resource: ResourceDeclaration): readonly Unique[] {
  const single = Object.entries(resource.fields).flatMap(([name, field]) =>
    field.unique ? [[name] as const] : [],
  )
  return [...single, ...(resource.unique ?? [])].map((members) => ({
    name: uniqueName(resource, members),
    members: members.map(
      (member): UniqueMember =>
        own(resource.fields, member)
          ? { kind: "field", field: member }
          : { kind: "reference", relation: member },
    ),
  }))
}

/** `year_number`; a to-one relation stands in it as its reference scalar. */
export const uniqueName = (resource: ResourceDeclaration, members: readonly string[]): string =>
  members.map((member) => (own(resource.fields, member) ? member : referenceName(member))).join("_")

function buildIndex(
  service: ServiceDeclaration,
  resource: ResourceDeclaration,
  members: readonly string[],
): Index {
  const columns = members.flatMap((member) => {
    const field = own(resource.fields, member)
    if (field) return [defaultColumn(member, field)]
    const relation = own(resource.relations, member)
    const join = relation?.kind === "one" ? foreignKey(service, member, relation) : undefined
    return present(join, `the columns of ${member}`).map(({ from }) => from)
  })
  return { columns }
}
