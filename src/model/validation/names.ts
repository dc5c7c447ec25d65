// Names: of the service, its resources, members, types, roots, tables and columns, and the prefixes of ids.

import type { Place } from "../../base/problem.ts"
import { uniqueName } from "../build/build-model.ts"
import { inputOwner } from "../build/build-state-machines.ts"
import { isLogged } from "../build/history.ts"
import type { FieldDeclaration, ServiceDeclaration } from "../declaration/declaration.ts"
import {
  defaultColumn,
  defaultResourceNames,
  defaultTable,
  enumerationName,
  ownPrefix,
  referenceName,
  versionColumn,
} from "../declaration/default-names.ts"
import { foreignKey, isNaturalKey, keyOf } from "../declaration/keys.ts"
import { mutationNames, transitionNames, upsertName } from "../declaration/mutation-names.ts"
import { ownEventType, payloadFields } from "../declaration/own-events.ts"
import type { TableName } from "../model.ts"
import { camelCase, isGraphqlName, pascalCase } from "../names.ts"
import {
  historyMember,
  reservedMembers,
  reservedPaths,
  reservedRoots,
  reservedTypes,
  transitionsMember,
} from "../reserved.ts"
import {
  claims,
  fieldsOf,
  inputsOf,
  type PlacedResource,
  type Report,
  type Rule,
  relationsOf,
  resourcesOf,
  spelling,
  transitionsOf,
} from "./context.ts"

// A service has a name that can stand in file names and headers, and at least one resource.
export const serviceName: Rule = (service, report) => {
  if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(service.name))
    report(
      ["name"],
      `"${service.name}" cannot be the name of a service.`,
      "A letter, then letters, digits, hyphens and underscores; the title is for readers.",
    )
  if (Object.keys(service.resources).length === 0) report(["resources"], "The service has no resources.")
}

// Resources and their plurals are camelCase: types, addresses and tables are made from them.
export const resourceNames: Rule = (service, report) => {
  for (const { name, resource, place } of resourcesOf(service)) {
    if (!isCamelCase(name)) report(place, `"${name}" cannot be the name of a resource.`, camelCaseHint(name))
    const { plural } = resource
    if (plural === undefined) continue
    if (!isCamelCase(plural))
      report([...place, "plural"], `"${plural}" cannot be a plural.`, camelCaseHint(plural))
    else if (plural === name)
      report(
        [...place, "plural"],
        `The plural of "${name}" must differ from "${name}".`,
        `Such as "${name}List".`,
      )
  }
}

const isCamelCase = (name: string): boolean => /^[a-z][A-Za-z0-9]*$/.test(name)

function camelCaseHint(name: string): string {
  const better = camelCase(name)
  return isCamelCase(better)
    ? `Write it in camelCase: "${better}".`
    : "Write it in camelCase, beginning with a letter."
}

// Members have names that GraphQL accepts (specification section 2.1.9), and none that every record or condition has.
export const memberNames: Rule = (service, report) => {
  for (const { name, place } of [...fieldsOf(service), ...relationsOf(service)]) {
    if (name === "id")
      report(
        place,
        '"id" is the public id of every record.',
        'Leave it out, or give it another name; a field of a table keeps its column by `column: "id"`.',
      )
    else if (reservedMembers.has(name)) report(place, `"${name}" has a meaning of its own in conditions.`)
    else if (!isGraphqlName(name))
      report(
        place,
        `"${name}" cannot be the name of a member.`,
        "Letters, digits and underscores, not beginning with a digit or with two underscores.",
      )
  }
}

// Members of a resource have distinct names, whatever their letter case. A to-one relation also takes `<name>Id`,
// states take `transitions`, and a history takes `history`.
export const memberClashes: Rule = (service, report) => {
  for (const { resource, place } of resourcesOf(service)) {
    const names = claims<string>()
    const claim = (name: string, owner: string, at: readonly string[]) => {
      const first = names.claim(camelCase(name), owner)
      if (first !== undefined) report([...place, ...at], `The ${owner} and the ${first} have the same name.`)
    }
    if (resource.states !== undefined)
      names.claim(transitionsMember, "list of what can be done with a record")
    if (isLogged(resource)) names.claim(historyMember, "history of a record")
    for (const name of Object.keys(resource.fields)) claim(name, `field "${name}"`, ["fields", name])
    for (const name of Object.keys(resource.relations ?? {}))
      claim(name, `relation "${name}"`, ["relations", name])
    for (const [name, relation] of Object.entries(resource.relations ?? {}))
      if (relation.kind === "one" && relation.by === undefined)
        claim(referenceName(name), `reference "${referenceName(name)}" of the relation "${name}"`, [
          "relations",
          name,
        ])
  }
}

// Every resource and enumeration has a GraphQL type of its own name. Derived types, such as `OrderConnection`, give way to
// these; only types that every service has are reserved.
export const typeNames: Rule = (service, report) => {
  const types = claims<string>()
  for (const { type, owner, place } of typesOf(service)) {
    if (!isGraphqlName(type)) {
      report(place, `The ${owner} would have the type "${type}", which is no GraphQL name.`)
    } else if (reservedTypes.has(type)) {
      report(place, `The ${owner} would have the type "${type}", which every service has.`)
    } else {
      const first = types.claim(type, owner)
      if (first !== undefined)
        report(place, `The ${owner} and the ${first} would both have the type "${type}".`)
    }
  }
}

interface OwnType {
  readonly type: string
  readonly owner: string
  readonly place: Place
}

function typesOf(service: ServiceDeclaration): readonly OwnType[] {
  return [
    ...resourcesOf(service).map(({ name, resource, place }) => ({
      type: defaultResourceNames(name, resource).type,
      owner: `resource "${name}"`,
      place,
    })),
    ...Object.keys(service.enums ?? {}).map((name) => ({
      type: pascalCase(name),
      owner: `enumeration "${name}"`,
      place: ["enums", name],
    })),
    ...fieldsOf(service).flatMap(({ name, member, place, of }) =>
      hasOwnValues(member)
        ? [
            {
              type: enumerationName(of.name, name, member),
              owner: `enumeration of "${of.name}.${name}"`,
              place: [...place, "of"],
            },
          ]
        : [],
    ),
    ...payloadFields(service).flatMap(({ resource, event, owner, name, field }) =>
      hasOwnValues(field)
        ? [
            {
              type: enumerationName(owner, name, field),
              owner: `enumeration of "${name}" of the event "${ownEventType(resource, event)}"`,
              place: ["resources", resource, "events", event, "payload", name, "of"],
            },
          ]
        : [],
    ),
    ...inputsOf(service).flatMap(({ name, member, place, of, transition }) =>
      hasOwnValues(member)
        ? [
            {
              type: enumerationName(inputOwner(of.name, transition.name), name, member),
              owner: `enumeration of the input "${name}" of "${of.name}.${transition.name}"`,
              place: [...place, "of"],
            },
          ]
        : [],
    ),
  ]
}

const hasOwnValues = ({ of }: FieldDeclaration): boolean => of !== undefined && typeof of !== "string"

// Root fields of GraphQL and addresses of REST are distinct: the record, the list, each unique key of a resource,
// and the operations on them.
export const rootNames: Rule = (service, report) => {
  const roots = claims<string>()
  const paths = claims<string>()
  for (const placed of resourcesOf(service)) {
    const { name, resource, place } = placed
    const { collection, path } = defaultResourceNames(name, resource)
    for (const root of [name, collection, ...uniqueRoots(placed)]) {
      const owner = reservedRoots.has(root) ? "every service has" : taken(roots.claim(root, name))
      if (owner !== undefined)
        report(
          place,
          `"${name}" would be asked for as "${root}", which ${owner}.`,
          root === collection ? otherPlural : "Give it another name.",
        )
    }
    const owner = reservedPaths.has(path) ? "every service has" : taken(paths.claim(path, name))
    if (owner !== undefined)
      report(place, `"${name}" would have the address "/${path}", which ${owner}.`, otherPlural)
  }
  checkMutations(service, report)
}

/** Mutations of transitions are as distinct; others contain the names of resources, which are distinct already. */
function checkMutations(service: ServiceDeclaration, report: Report): void {
  const mutations = claims<string>()
  const named = ({ name, resource }: PlacedResource) => ({
    name,
    collection: defaultResourceNames(name, resource).collection,
  })
  for (const placed of resourcesOf(service)) {
    for (const [verb, mutation] of Object.entries(mutationNames(named(placed))))
      mutations.claim(mutation, `already ${verb.replace("Many", "")}s "${placed.name}" records`)
    for (const unique of uniquesOf(placed))
      mutations.claim(upsertName(named(placed), unique), `already upserts "${placed.name}" records`)
  }
  for (const { name, place, of } of transitionsOf(service)) {
    const here = `is the transition "${name}" of "${of.name}"`
    const taken = Object.values(transitionNames(named(of), name)).flatMap((mutation) => {
      const owner = mutations.claim(mutation, here)
      return owner === undefined || owner === here ? [] : [{ mutation, owner }]
    })
    for (const { mutation, owner } of taken.slice(0, 1))
      report(
        place,
        `"${name}" of "${of.name}" would be the mutation "${mutation}", which ${owner}.`,
        "Give it another name.",
      )
  }
}

const otherPlural = "Give it another `plural`."

const taken = (owner: string | undefined): string | undefined =>
  owner === undefined ? undefined : `"${owner}" has`

const uniqueRoots = (placed: PlacedResource): readonly string[] =>
  uniquesOf(placed).map((unique) => `${placed.name}By${pascalCase(unique)}`)

/** Names of unique keys. One that is declared twice is another rule's matter. */
function uniquesOf({ resource }: PlacedResource): readonly string[] {
  const single = Object.entries(resource.fields).flatMap(([field, { unique }]) => (unique ? [[field]] : []))
  const all = [...single, ...(resource.unique ?? [])]
  const once = new Map(all.map((members) => [JSON.stringify(members.toSorted()), members]))
  return [...once.values()].map((members) => uniqueName(resource, members))
}

// The prefix of public ids identifies the resource for ever. https://github.com/jetify-com/typeid/tree/main/spec
export const idPrefixes: Rule = (service, report) => {
  const prefixes = claims<string>()
  for (const { name, resource, place } of resourcesOf(service)) {
    const { prefix } = defaultResourceNames(name, resource)
    if (resource.id !== undefined && !/^[a-z][a-z0-9]{0,62}$/.test(prefix))
      report(
        [...place, "id"],
        `"${prefix}" cannot be the prefix of ids.`,
        "Up to 63 lower-case letters and digits, beginning with a letter.",
      )
    const first = prefixes.claim(prefix, name)
    if (first !== undefined)
      report([...place, "id"], `Ids of "${name}" and "${first}" would both begin with "${prefix}_".`)
  }
}

// A table belongs to one resource; a join table belongs to none.
export const tableNames: Rule = (service, report) => {
  const tables = claims<string>()
  for (const { name, resource, place } of resourcesOf(service)) {
    const { table } = defaultResourceNames(name, resource)
    if (table.name === "") report([...place, "table"], `The table of "${name}" has no name.`)
    if (service.managed !== false && table.name.toLowerCase().startsWith(ownPrefix))
      report(
        [...place, "table"],
        `The table "${table.name}" would look like one of Bifold's own.`,
        "Give it another name.",
      )
    const first = tables.claim(identity(table, spelling(resource)), name)
    if (first !== undefined)
      report([...place, "table"], `"${name}" and "${first}" would have the same table, "${table.name}".`)
  }
  for (const { member, place, of } of relationsOf(service)) {
    if (member.kind !== "many" || member.through === undefined) continue
    const table = defaultTable(typeof member.through === "string" ? member.through : member.through.table)
    const owner = tables.claim(identity(table, spelling(of.resource)), "")
    if (owner)
      report(
        [...place, "through"],
        `"${table.name}" is the table of the resource "${owner}", not a pure join table.`,
        `Relate to "${owner}" instead, and from it to the target.`,
      )
  }
}

const identity = ({ schema, name }: TableName, spell: (name: string) => string): string =>
  JSON.stringify([schema ?? "", spell(name)])

// A column has one writer. Two fields never share one. A read-only field may share the column of a key or a relation.
// A field of a natural key may share a relation's column: the values written to both agree (plan/write/write-nested.ts).
export const columnNames: Rule = (service, report) => {
  for (const placed of resourcesOf(service)) {
    const { resource, place } = placed
    const fields = claims<string>()
    const spell = spelling(resource)
    const isKey = (name: string) => isNaturalKey(resource.key) && resource.key.includes(name)
    const shared = otherColumns(service, placed)
    for (const [name, field] of Object.entries(resource.fields)) {
      const column = defaultColumn(name, field)
      const at = [...place, "fields", name]
      if (column === "") report([...at, "column"], `The column of "${name}" has no name.`)
      const first = fields.claim(spell(column), name)
      if (first !== undefined)
        report(at, `The fields "${name}" and "${first}" would have the same column, "${column}".`)
      const owner = shared.get(spell(column))
      if (owner?.startsWith(relationOwner) && isKey(name)) continue
      if (owner !== undefined && field.readonly !== true && field.generated !== true)
        report(
          at,
          `The field "${name}" would have the column "${column}", which belongs to ${owner}.`,
          "Give it another `column`, or make it `readonly`.",
        )
    }
  }
}

const relationOwner = "the relation"

/** Columns of the resource's own table that are no field's: who they belong to. */
function otherColumns(
  service: ServiceDeclaration,
  { name, resource }: PlacedResource,
): ReadonlyMap<string, string> {
  const columns = new Map<string, string>()
  const spell = spelling(resource)
  for (const [relation, it] of Object.entries(resource.relations ?? {}))
    if (it.kind === "one")
      for (const { from } of foreignKey(service, relation, it) ?? [])
        columns.set(spell(from), `${relationOwner} "${relation}"`)
  if (!isNaturalKey(resource.key))
    for (const { column } of keyOf(service, name)?.parts ?? []) columns.set(spell(column), "the key")
  if (service.managed !== false) columns.set(spell(versionColumn), "Bifold")
  return columns
}
