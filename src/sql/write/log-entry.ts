// A row of the log as SQL: the kept values of a change, from the record as it was and as it is.
import { perObject } from "../../base/caches.ts"
import { invariant, present } from "../../base/invariant.ts"
import type { Subject } from "../../model/condition.ts"
import { formerFields } from "../../model/former-fields.ts"
import type { Field, Model, Resource, ToOne } from "../../model/model.ts"
import { modelAt } from "../../model/versions/model-at.ts"
import type { Slot, Value } from "../../plan/read-plan.ts"
import type { Emits, Fires, Logged } from "../../plan/write-plan.ts"
import { type ColumnType, fieldType, keyPartType, plainText } from "../column-type.ts"
import { isDeferredParameter } from "../deferred-parameter.ts"
import { commas, type Fragment, literal, name, sql, whole } from "../fragment.ts"
import { concatenated, objectText, type TextMember, type TextPiece } from "../json-text.ts"
import { keyValueText, publicId } from "../read/column-json.ts"
import { bindSlot, type Compilation, operand, type Row, resourceOf } from "../read/compilation.ts"
import { versionText } from "../read/row.ts"
import { columnsOf, keyOf } from "../read/subject.ts"
import { logTable } from "../schema/system-tables.ts"

export interface Entry {
  readonly resource: Resource
  readonly log: Logged
  readonly fires?: Fires
  readonly emits?: Emits
  /** As the record was: absent of one that is made. */
  readonly before?: Row
  /** As it is: absent of one that is deleted, and where that is looked at later (`afterwards`). */
  readonly after?: Row
  /** The columns that are set; every one when absent. */
  readonly changed?: ReadonlySet<string>
  /** Another command adds the version and the new values. */
  readonly afterwards?: true
  /** Slots of assigned values, by column. */
  readonly given?: ReadonlyMap<string, Slot>
}

/** A column of the log and its value; the other columns are empty. */
export interface EntryValue {
  readonly column: string
  readonly value: Fragment
}

/** The row that a name stands for in a statement or a trigger; the only one there when absent. */
export const namedRow = (resource: Resource, of?: Fragment): Row => {
  const column = (wanted: string): Fragment => (of ? sql`${of}.${name(wanted)}` : name(wanted))
  return {
    resource,
    column,
    stored: column,
    seen: () => undefined,
    one: ({ name: relation }) => {
      throw new Error(`${relation} is not of the row alone`)
    },
  }
}

const timestamp: ColumnType = { scalar: "timestamp", list: false, stored: "plain" }
const { columns } = logTable

/** @param all a compilation of the whole service: the log keeps the stored values, for any actor */
export function entryValues(all: Compilation, entry: Entry): readonly EntryValue[] {
  const { resource, log, before, after, fires, emits } = entry
  const row = present(after ?? before, "a change is of a record")
  const event = fires ? transitionValues(all, entry, fires) : emits ? emittedValues(all, entry, emits) : []
  const kind = before ? (after || entry.afterwards ? "updated" : "deleted") : "created"
  return [
    { column: columns.resource, value: literal(resource.name) },
    { column: columns.record, value: publicId(all, before ?? row) },
    ...versionValues(all, entry),
    ...(event.length > 0 ? [] : [{ column: columns.type, value: literal(`${resource.name}.${kind}`) }]),
    { column: columns.actor, value: operand(all, log.actor, plainText) },
    { column: columns.at, value: operand(all, log.at, timestamp) },
    { column: columns.trace, value: operand(all, log.trace, plainText) },
    ...event,
    ...jsonValues(all, entry),
  ]
}

/** The same columns in the order of an INSERT. */
export const entryNames = (values: readonly EntryValue[]): Fragment =>
  commas(values.map(({ column }) => name(column)))

function versionValues(all: Compilation, entry: Entry): readonly EntryValue[] {
  const { resource, before, after, afterwards } = entry
  const row = present(after ?? before, "a change is of a record")
  const { version } = resource
  if (version.kind === "row")
    return [
      { column: columns.version, value: afterwards ? literal("") : versionText(all, row) },
      { column: columns.number, value: whole(0) },
    ]
  const count = row.stored(version.column)
  // A delete counts as one more change.
  const number = after ? count : sql`${count} + 1`
  return [
    { column: columns.version, value: sql`CAST(${number} AS text)` },
    { column: columns.number, value: number },
  ]
}

function transitionValues(
  all: Compilation,
  { resource, before }: Entry,
  { transition, input }: Fires,
): readonly EntryValue[] {
  const row = present(before, "a transition starts from a state")
  const found = [...resource.machines.values()].flatMap(
    ({ transitions }) => transitions.get(transition) ?? [],
  )
  const { machine, to } = present(found[0], `${resource.name} has the transition ${transition}`)
  const field = present(resource.fields.get(machine), `${resource.name} has the field ${machine}`)
  return [
    { column: columns.type, value: literal(`${resource.name}.${to}`) },
    { column: columns.transition, value: literal(transition) },
    { column: columns.from, value: sql`CAST(${row.stored(field.column)} AS text)` },
    { column: columns.to, value: literal(to) },
    { column: columns.input, value: jsonOf(all, operand(all, input satisfies Slot, plainText)) },
  ]
}

function emittedValues(
  all: Compilation,
  { resource }: Entry,
  { event, payload }: Emits,
): readonly EntryValue[] {
  const { type } = present(resource.events?.get(event), `${resource.name} has the event ${event}`)
  return [
    { column: columns.type, value: literal(type) },
    { column: columns.input, value: jsonOf(all, operand(all, payload, plainText)) },
  ]
}

const jsonOf = ({ dialect }: Compilation, text: Fragment): Fragment => dialect.json.stored(text)

/** The members that are set, as they were and as they are. */
function jsonValues(all: Compilation, entry: Entry): readonly EntryValue[] {
  const { before, after, afterwards, resource, changed, given } = entry
  const members = keptMembers(all, resource, changed)
  const value = (row: Row): Fragment => {
    const texts = members.map(({ key, subject }): TextMember => {
      const known = row === after && given ? givenText(all, resource, subject, given) : undefined
      return { key, text: known ? [known] : keptText(all, row, subject) }
    })
    return jsonOf(all, concatenated(all.dialect, objectText(texts)))
  }
  return [
    ...(before ? [{ column: columns.old, value: value(before) }] : []),
    ...(after && !afterwards ? [{ column: columns.new, value: value(after) }] : []),
  ]
}

interface KeptMember {
  readonly key: string
  readonly subject: Subject
}

interface KeptText {
  /** The member's name. */
  readonly key: string
  /** Its JSON text, never NULL. */
  readonly text: Fragment
  /** Kept with every change, also where it stays as it was. */
  readonly always: boolean
}

/** Every member that is kept, in the order of an entry. */
export const keptTexts = (all: Compilation, row: Row): readonly KeptText[] =>
  keptMembers(all, row.resource, undefined).map(({ key, subject }) => ({
    key,
    text: concatenated(all.dialect, keptText(all, row, subject)),
    always: row.resource.fields.get(key)?.generated === true,
  }))

/** Fields and references that have a column among those that changed; what the database works out may always have. */
function keptMembers(
  all: Compilation,
  resource: Resource,
  changed: ReadonlySet<string> | undefined,
): readonly KeptMember[] {
  const also = changed && columnsTogether(all, resource, changed)
  const isChanged = (column: string): boolean => !changed || changed.has(column) || also?.has(column) === true
  const fields = [...resource.fields.values()]
    .filter((field) => isKept(resource, field) && (isChanged(field.column) || field.generated))
    .map(({ name: field }): KeptMember => ({ key: field, subject: { kind: "field", field } }))
  const references = [...resource.relations.values()].flatMap((relation): readonly KeptMember[] => {
    if (relation.kind !== "one" || relation.reference === undefined) return []
    const subject = { kind: "reference", relation: relation.name } as const
    const own = columnsOf(all, resource, subject).columns
    return own.some(({ column }) => isChanged(column)) ? [{ key: relation.reference, subject }] : []
  })
  return [...fields, ...references]
}

/** Columns of fields that an older version makes one of with a changed one. */
function columnsTogether(
  { model }: Compilation,
  { name: called, fields }: Resource,
  changed: ReadonlySet<string>,
): ReadonlySet<string> {
  const columnOf = (name: string): string => fields.get(name)?.column ?? ""
  const groups = fieldsTogether(model).get(called) ?? []
  return new Set(
    groups
      .map((names) => names.map(columnOf))
      .filter((group) => group.some((one) => changed.has(one)))
      .flat(),
  )
}

/** Digests of secrets are not logged, and computed fields follow from the rest. */
const isKept = ({ secret }: Resource, { name: field, computed }: Field): boolean =>
  secret?.digest !== field && computed === undefined

/** The member's JSON text as a parameter, where the plan has its value. Undefined if only the database can print it. */
function givenText(
  { model }: Compilation,
  resource: Resource,
  subject: Subject,
  given: ReadonlyMap<string, Slot>,
): Fragment | undefined {
  if (subject.kind !== "field") return undefined
  const field = present(resource.fields.get(subject.field), "a field that is kept is the resource's")
  const slot = given.get(field.column)
  const print = jsonTextOf(fieldType(model, field))
  return slot && print ? bindSlot(slot, print) : undefined
}

/** In the API's JSON form; `null` also of what a declaration rules out. */
function keptText(all: Compilation, row: Row, subject: Subject): readonly TextPiece[] {
  if (subject.kind === "field") {
    const field = present(row.resource.fields.get(subject.field), "a field that is kept is the resource's")
    const { text } = all.dialect.print(row.stored(field.column), fieldType(all.model, field))
    return [sql`coalesce(${text}, 'null')`]
  }
  const relation = row.resource.relations.get(subject.kind === "reference" ? subject.relation : "") as ToOne
  const target = resourceOf(all, relation.target)
  const key = keyOf(target)
  return keyValueText(all, {
    prefix: target.prefix,
    key,
    values: columnsOf(all, row.resource, subject).columns.map(({ column }) => row.stored(column)),
    types: key.parts.map(keyPartType),
    optional: true,
  })
}

// JSON text of a plan's values, for types whose canonical value is what answers show.
type Print = (value: Exclude<Value, null>) => string

const asText: Print = (value) => JSON.stringify(String(value))

const prints: Partial<Readonly<Record<ColumnType["scalar"], Print>>> = {
  text: asText,
  email: asText,
  url: asText,
  slug: asText,
  uuid: asText,
  oneOf: asText,
  date: asText,
  timestamp: asText,
  int64: asText,
  integer: String,
  boolean: String,
}

/** Undefined for other types: a decimal has the digits of its column, and SQL finds the shortest text of a double. */
export function jsonTextOf({ scalar, list, stored }: ColumnType): ((value: Value) => string) | undefined {
  const print = list || stored !== "plain" ? undefined : prints[scalar]
  if (!print) return undefined
  return (value) => {
    invariant(!isDeferredParameter(value), "the value of a field is known before the program runs")
    return value === null ? "null" : print(value)
  }
}

/**
 * Fields that some older version combines into one, by resource. The log keeps them together, so that a change of one
 * has the values of all.
 * @param model the whole service
 */
const fieldsTogether = perObject((model: Model): ReadonlyMap<string, readonly (readonly string[])[]> => {
  const groups = new Map<string, (readonly string[])[]>()
  for (const { name: version } of model.versions?.slice(1) ?? [])
    for (const resource of modelAt(model, version).resources.values())
      for (const { sources } of formerFields(resource))
        if (sources.length > 1) groups.set(resource.name, [...(groups.get(resource.name) ?? []), sources])
  return groups
})
