// Keys and indexes: members of natural keys, unique keys, indexes, and resources that can be listed.

import type { Place } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import type { ResourceDeclaration, ServiceDeclaration } from "../declaration/declaration.ts"
import { foreignKey, isNaturalKey, keyOf, namesKey, own } from "../declaration/keys.ts"
import { isSortable } from "../operators.ts"
import { scalars } from "../scalars.ts"
import { claims, fieldsOf, type Rule, resourcesOf } from "./context.ts"

// Members of a natural key: required values, of scalars that can stand in an address, and no resource
// whose own key leads back here.
const usable = Object.entries(scalars).flatMap(([name, { key }]) => (key === undefined ? [] : [name]))

export const keyMembers: Rule = (service, report) => {
  for (const { name, resource, place } of resourcesOf(service)) {
    if (!isNaturalKey(resource.key)) continue
    for (const [index, member] of resource.key.entries()) {
      const wrong = wrongMember(service, name, resource, member)
      if (wrong !== undefined)
        report(
          [...place, "key", index],
          `"${member}" cannot be part of a key: ${wrong}.`,
          `A key is made of ${usable.join(", ")}.`,
        )
    }
  }
}

function wrongMember(
  service: ServiceDeclaration,
  name: string,
  resource: ResourceDeclaration,
  member: string,
): string | undefined {
  const field = own(resource.fields, member)
  if (field?.list) return "it is a list"
  if (field && scalars[field.scalar].key === undefined) return `it is of the scalar ${field.scalar}`
  const relation = field ? undefined : own(resource.relations, member)
  if (field?.optional || (relation?.kind === "one" && relation.optional)) return "it is optional"
  if (relation?.kind !== "one" || relation.by !== undefined) return undefined
  return leadsTo(service, relation.target, name)
    ? `the key of "${relation.target}" leads back to "${name}"`
    : undefined
}

/** Whether the key of a resource needs the key of `goal`. */
function leadsTo(
  service: ServiceDeclaration,
  name: string,
  goal: string,
  seen: readonly string[] = [],
): boolean {
  if (name === goal) return true
  const resource = own(service.resources, name)
  if (!resource || seen.includes(name) || !isNaturalKey(resource.key)) return false
  return resource.key.some((member) => {
    const relation = own(resource.relations, member)
    return relation?.kind === "one" && leadsTo(service, relation.target, goal, [...seen, name])
  })
}

// A unique key asks for one record: its members can be compared, a relation in it has a reference, and it is named once.
export const uniqueKeys: Rule = (service, report) => {
  for (const { name, member, place } of fieldsOf(service))
    if (member.unique && !isSortable({ scalar: member.scalar, list: member.list === true }))
      report([...place, "unique"], `"${name}" cannot be unique: ${unfit(member)}.`)
  for (const { name, resource, place } of resourcesOf(service)) {
    const sets = claims<string>()
    for (const [field, { unique }] of Object.entries(resource.fields))
      if (unique) sets.claim(identity([field]), field)
    for (const [index, members] of (resource.unique ?? []).entries()) {
      const at = [...place, "unique", index]
      if (sets.claim(identity(members), members.join()) !== undefined)
        report(
          at,
          `"${name}" declares the unique key of ${members.map((member) => `"${member}"`).join(", ")} twice.`,
        )
      for (const [position, member] of members.entries()) {
        const field = own(resource.fields, member)
        const relation = own(resource.relations, member)
        if (field && !isSortable({ scalar: field.scalar, list: field.list === true }))
          report([...at, position], `"${member}" cannot be in a unique key: ${unfit(field)}.`)
        const join = relation?.kind === "one" ? foreignKey(service, member, relation) : undefined
        if (relation && join && !namesKey(keyOf(service, relation.target), join))
          report(
            [...at, position],
            `"${member}" cannot be in a unique key: it does not lead to the key of "${relation.target}".`,
          )
      }
    }
  }
}

const identity = (members: readonly string[]): string => JSON.stringify(members.toSorted())

const unfit = ({ scalar, list }: { readonly scalar: string; readonly list?: true }): string =>
  list ? "lists are not compared" : `${scalar} values are not compared`

// An index is of members that can be ordered, and is declared once.
export const indexMembers: Rule = (service, report) => {
  for (const { name, resource, place } of resourcesOf(service)) {
    const lists = claims<true>()
    for (const [index, members] of (resource.indexes ?? []).entries()) {
      const at = [...place, "indexes", index]
      if (lists.claim(JSON.stringify(members), true))
        report(
          at,
          `"${name}" declares the index of ${members.map((member) => `"${member}"`).join(", ")} twice.`,
        )
      for (const [position, member] of members.entries()) {
        const field = own(resource.fields, member)
        if (field && !isSortable({ scalar: field.scalar, list: field.list === true }))
          report([...at, position], `"${member}" cannot be in an index: it cannot be ordered by.`)
      }
    }
  }
}

// Keys, unique keys and indexes list members of their own resource: fields, and to-one relations whose foreign key is
// here. None is listed twice.
export const memberLists: Rule = (service, report) => {
  for (const { name, resource, place } of resourcesOf(service)) {
    for (const { members, at } of listsOf(resource)) {
      for (const [index, member] of members.entries()) {
        const here = [...place, ...at, index]
        if (members.indexOf(member) < index) report(here, `"${member}" is listed twice.`)
        else if (!isListable(resource, member))
          report(
            here,
            `"${name}" has no field and no to-one relation of its own called "${member}".`,
            suggest(member, listable(resource)),
          )
      }
    }
  }
}

function listsOf(resource: ResourceDeclaration): readonly { members: readonly string[]; at: Place }[] {
  return [
    ...(isNaturalKey(resource.key) ? [{ members: resource.key, at: ["key"] }] : []),
    ...(resource.unique ?? []).map((members, index) => ({ members, at: ["unique", index] })),
    ...(resource.indexes ?? []).map((members, index) => ({ members, at: ["indexes", index] })),
  ]
}

function isListable(resource: ResourceDeclaration, member: string): boolean {
  const relation = own(resource.relations, member)
  return own(resource.fields, member) !== undefined || (relation?.kind === "one" && relation.by === undefined)
}

const listable = (resource: ResourceDeclaration): readonly string[] =>
  [...Object.keys(resource.fields), ...Object.keys(resource.relations ?? {})].filter((name) =>
    isListable(resource, name),
  )

// A record without a key consists of its members, so it has at least one.
export const listableResources: Rule = (service, report) => {
  for (const { name, resource, place } of resourcesOf(service)) {
    if (resource.key === false && isEmpty(resource))
      report(
        [...place, "fields"],
        `"${name}" has neither a key nor fields, so there is nothing to show of it.`,
      )
    if (resource.key === false && resource.history === true && resource.states === undefined)
      report(
        [...place, "key"],
        `History is kept by id, and "${name}" has no key.`,
        "Name the columns that tell its records apart, or leave out its history.",
      )
    if (resource.key !== false && resource.rows !== undefined)
      report(
        [...place, "rows"],
        `"${name}" has a key, which tells its records apart; \`rows\` is for a resource without one.`,
      )
  }
}

const isEmpty = ({ fields, relations }: ResourceDeclaration): boolean =>
  Object.keys(fields).length === 0 && !Object.values(relations ?? {}).some(({ kind }) => kind === "one")
