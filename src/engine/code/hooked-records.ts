// Translates between the settings of a write and the JSON that hooks receive and return.

import { withArticle } from "../../base/article.ts"
import { present } from "../../base/invariant.ts"
import type { Subject } from "../../model/condition.ts"
import type { Model, Resource } from "../../model/model.ts"
import { subjectName, targetOf } from "../../plan/lookup.ts"
import { memberOf, subjectOf } from "../../plan/member.ts"
import { isObject } from "../../plan/pending-key.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import type { Value } from "../../plan/read-plan.ts"
import { columnsOf } from "../../plan/selectivity.ts"
import { acceptValue } from "../../plan/values/coerce-input.ts"
import { readId } from "../../plan/values/ids.ts"
import { valueText, valueTypeOf } from "../../plan/values/values.ts"
import { keyParts } from "../../plan/write/inputs.ts"
import type { Setting } from "../../plan/write-plan.ts"
import { plainOf } from "./run-program.ts"

export type Json = Readonly<Record<string, unknown>>

/** The members that the settings set, as the API shows them. @param model the whole service */
export function settingsJson(
  model: Model,
  resource: Resource,
  sets: readonly Setting[],
  values: readonly Value[],
): Json {
  return Object.fromEntries(
    sets.map(({ subject, slot }) => [
      subjectName(resource, subject),
      valueJson(model, resource, subject, plainOf(values[slot] ?? null)),
    ]),
  )
}

/** Members without a setting of their own that have a column in common with one that is set. */
export function followingJson(
  { whole: model, resource }: { readonly whole: Model; readonly resource: Resource },
  sets: readonly Setting[],
  values: readonly Value[],
  old: Json,
): Json {
  const said = new Map(
    sets.flatMap(({ subject, slot }) => {
      const parts = [plainOf(values[slot] ?? null)].flat()
      return columnsOf(resource, subject).flatMap((column, part) => {
        const value = parts[part] ?? null
        return value === null ? [] : [[column, value] as const]
      })
    }),
  )
  const set = new Set(sets.map(({ subject }) => subjectName(resource, subject)))
  const follows = (name: string, columns: readonly string[]): boolean =>
    !set.has(name) && columns.some((column) => said.has(column))
  const fields = [...resource.fields].flatMap(([name, { column }]) => {
    const value = follows(name, [column]) ? said.get(column) : undefined
    return value === undefined
      ? []
      : [[name, valueJson(model, resource, { kind: "field", field: name }, value)]]
  })
  const references = [...resource.relations.values()].flatMap((relation) => {
    if (relation.kind !== "one" || relation.reference === undefined) return []
    const columns = columnsOf(resource, { kind: "reference", relation: relation.name })
    const id = old[relation.reference]
    if (typeof id !== "string" || !follows(relation.reference, columns)) return []
    const target = targetOf(model, resource, relation.name)
    const key = [present(readId(target, id), "a stored reference is an id")].flat()
    return [
      [
        relation.reference,
        idOf(
          target,
          columns.map((column, part) => said.get(column) ?? key[part] ?? null),
        ),
      ],
    ]
  })
  return Object.fromEntries([...fields, ...references])
}

function valueJson(model: Model, resource: Resource, subject: Subject, value: Value): unknown {
  if (value === null) return null
  if (subject.kind === "field")
    return JSON.parse(valueText(present(resource.fields.get(subject.field), "a field that is set"), value))
  const target = subject.kind === "id" ? resource : targetOf(model, resource, subject.relation)
  return idOf(target, value)
}

/** The public id of a key. */
export function idOf({ prefix, key }: Resource, value: Value): string {
  const parts = Array.isArray(value) ? (value as readonly Value[]) : [value]
  const texts = parts.map((part, index) => {
    const isText = parts.length > 1 && key?.parts[index]?.scalar === "text"
    return isText ? String(part).replaceAll("%", "%25").replaceAll("~", "%7E") : String(part)
  })
  return `${prefix}_${texts.join("~")}`
}

/** The record to be, without computed members. */
export function withoutComputed({ fields }: Resource, record: Json): Json {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !fields.get(name)?.computed))
}

/** The members of a record without nested records, each without a value. */
export const emptyRecord = ({ fields, relations }: Resource): Json =>
  Object.fromEntries(
    [
      ...fields.keys(),
      ...[...relations.values()].flatMap((relation) =>
        relation.kind === "one" && relation.reference !== undefined ? [relation.reference] : [],
      ),
    ].map((name) => [name, null]),
  )

/** A hook's result as settings; or its fault, as the rest of a sentence. */
export function readChanges(
  model: Model,
  resource: Resource,
  given: unknown,
): readonly { readonly subject: Subject; readonly value: Value }[] | { readonly wrong: string } {
  if (given === undefined || given === null) return []
  if (!isObject(given))
    return { wrong: `must give members of ${withArticle(resource.name)}, not ${quoteInput(given)}` }
  const changes: { readonly subject: Subject; readonly value: Value }[] = []
  for (const [name, json] of Object.entries(given)) {
    if (json === undefined) continue
    const read = readChange(model, resource, name, json)
    if ("wrong" in read) return { wrong: `gave \`${name}\`, which ${read.wrong}` }
    changes.push(read)
  }
  return changes
}

function readChange(
  model: Model,
  resource: Resource,
  name: string,
  json: unknown,
): { readonly subject: Subject; readonly value: Value } | { readonly wrong: string } {
  const member = memberOf(resource, name)
  if (!member || member.kind === "id" || member.kind === "relation")
    return { wrong: `is no field or reference of ${withArticle(resource.name)}` }
  const subject = subjectOf(member)
  const isOptional = member.kind === "field" ? member.field.optional : member.relation.optional
  if (member.kind === "field") {
    const { state, generated, column } = member.field
    if (state) return { wrong: "only transitions change" }
    if (generated || keyParts(resource).some((part) => part.column === column))
      return { wrong: "cannot be set" }
  }
  if (json === null) return isOptional ? { subject, value: null } : { wrong: "must not be null" }
  if (member.kind === "reference") {
    const target = targetOf(model, resource, member.relation.name)
    const key = typeof json === "string" ? readId(target, json) : undefined
    return key ? { subject, value: key } : { wrong: `must be the id of ${withArticle(target.name)}` }
  }
  const read = acceptValue(valueTypeOf(model, member.field), json, "json")
  return read.ok ? { subject, value: read.value } : { wrong: read.wrong }
}
