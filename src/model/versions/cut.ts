// Changes of a new version, as far as the services before and after show them: names added, renamed (`was`) or removed,
// and types that differ. The author supplies the conversion of values.
import { present } from "../../base/invariant.ts"
import type { JsonValue } from "../../base/json.ts"
import type {
  FieldDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
  VersionChange,
} from "../declaration/declaration.ts"
import { formerValuesOf } from "../event-types.ts"
import {
  type Expression,
  type ExpressionDeclaration,
  fieldsIn,
  namesIn,
  readExpression,
  whensIn,
  withFieldNames,
} from "../expression.ts"
import { buildVersions } from "../language/versions.ts"
import type { Field, Model, Resource } from "../model.ts"
import { type ScalarName, scalars } from "../scalars.ts"
import { lookedAt } from "../validation/computed-cycles.ts"
import { differencesBetween } from "./diff.ts"
import { modelAt } from "./model-at.ts"

interface Cut {
  readonly changes: readonly VersionChange[]
  /** Sentences about the author's part. */
  readonly byHand: readonly string[]
}

/** Between the newest versions of two revisions of a service. */
export function changesBetween(before: Revision, after: Revision): Cut {
  const changes: VersionChange[] = []
  const byHand: string[] = []
  const cutting: Cutting = {
    ...{ before, after, changes, byHand },
    ...{ enumerations: new Set(), renamedEnumerations: new Set() },
  }
  const [old, fresh] = [before.model.resources, after.model.resources]
  const formerNames = new Set<string>()
  for (const [name, resource] of fresh) {
    const was = resource.was?.find((one) => old.has(one) && !fresh.has(one))
    const called = old.has(name) ? name : (was ?? name)
    formerNames.add(called)
    const former = old.get(called)
    const declared = before.declaration.resources[called]
    // Undone last, so that the changes of its members name it as it is now.
    if (called !== name) changes.push({ renamed: called, to: name })
    if (former && declared) compare(cutting, { former, resource, declared })
    // No author declares Bifold's own resources.
    else if (!former) changes.push({ added: name })
  }
  for (const [name] of old)
    if (!formerNames.has(name)) byHand.push(`If \`${name}\` has another name, say was: "${name}" there.`)
  return { changes, byHand: [...byHand, ...lostBy(cutting, changes)] }
}

interface Cutting extends Revisions {
  readonly changes: VersionChange[]
  readonly byHand: string[]
  /** Enumerations whose values were compared: several fields may have one. */
  readonly enumerations: Set<string>
  /** Enumerations whose renamed values are reported. */
  readonly renamedEnumerations: Set<string>
}

interface Pair {
  readonly former: Resource
  readonly resource: Resource
  /** The former one, as it was declared. */
  readonly declared: ResourceDeclaration
}

function cutWidened({ changes, byHand }: Cutting, { former, resource }: Pair): ReadonlyMap<string, string> {
  const widened = widenedRelations(former, resource)
  for (const [before, to] of widened) {
    const relation = former.relations.get(before)
    const isRequired = relation?.kind === "one" && !relation.optional
    changes.push({
      ...{ widened: `${resource.name}.${before}`, to, first: "id" },
      ...(isRequired && { required: true }),
    })
    byHand.push(
      `\`${resource.name}.${before}\` became a to-many relation: say in \`first\` which of \`${to}\` older versions have.`,
    )
  }
  return widened
}

function compare(cutting: Cutting, pair: Pair): void {
  const { former, resource, declared } = pair
  const { before, changes, byHand } = cutting
  const { name } = resource
  const begin = changes.length
  const [then, since] = [membersOf(former), membersOf(resource)]
  const renamed = new Map<string, string>()
  const widened = cutWidened(cutting, pair)
  const moved = movedFields(cutting, pair)
  for (const [member, was] of since)
    if (!then.has(member) && !moved.has(member) && ![...widened.values()].includes(member)) {
      const before = was.find((one) => then.has(one) && !since.has(one))
      if (before === undefined) {
        changes.push({ added: `${name}.${member}` })
        if (mustBeGiven(resource.fields.get(member)))
          byHand.push(
            `\`${name}.${member}\` must be given for new records: say what older writers give it, { added, writes }.`,
          )
        const relation = resource.relations.get(member)
        if (relation?.kind === "one" && relation.reference !== undefined && !relation.optional)
          byHand.push(
            `\`${name}.${member}\` must be given for new records, and older writers cannot: make it optional, or say { breaking: "${former.name}" }.`,
          )
      } else {
        renamed.set(before, member)
        const [field, was, current] = [
          former.fields.get(before),
          declared.fields[before],
          resource.fields.get(member),
        ]
        if (!field || !was || !current || !changedField(cutting, resource, { field, was, current }))
          changes.push({ renamed: `${name}.${before}`, to: member })
      }
    }
  for (const [member] of then) {
    const [field, was] = [former.fields.get(member), declared.fields[member]]
    if (!field || !was || [since, renamed, widened, moved].some((known) => known.has(member))) continue
    changes.push({
      removed: `${name}.${member}`,
      was: plain(was, before),
      reads: { value: placeholderOf(before, field) },
      writes: "ignored",
    })
    byHand.push(`\`${name}.${member}\` is gone: say in \`reads\` what older versions read.`)
  }
  for (const [member, field] of former.fields) {
    const now = renamed.get(member) ?? member
    const current = resource.fields.get(now)
    if (!current) continue
    const was = declared.fields[member]
    const changed = was && changedField(cutting, resource, { field, was, current })
    if (changed) {
      changes.push(changed.change)
      if (changed.byHand !== undefined) byHand.push(changed.byHand)
    }
    const path = `${name}.${changed ? now : member}`
    const before = `${former.name}.${member}`
    const values = valueChanges(cutting, resource, { path, before, field, current })
    // Undone after the changes of members, which name the field as it is now; before a change to the field itself.
    if (changed) changes.push(...values)
    else changes.splice(begin, 0, ...values)
  }
  changes.push(...renamedValues(cutting, pair, renamed))
}

type Fields = readonly [Field, ...Field[]]

/** Fields that are gone, and those that are made `from` them, as one change. Gives the names of both. */
function movedFields(
  { before, changes, byHand }: Cutting,
  { former, resource, declared }: Pair,
): ReadonlySet<string> {
  const groups = new Set<{ readonly sources: ReadonlySet<string>; readonly fields: Fields }>()
  const renamed = new Set([...resource.fields.values()].flatMap(({ was = [] }) => was))
  for (const field of resource.fields.values()) {
    const made = field.from !== undefined && readExpression(field.from, () => {})
    const sources = new Set(made ? namedIn(before, resource, made) : [])
    const areGone = [...sources].every(
      (one) => declared.fields[one] && !resource.fields.has(one) && !renamed.has(one),
    )
    if (former.fields.has(field.name) || sources.size === 0 || !areGone) continue
    const known = [...groups].filter((group) => !group.sources.isDisjointFrom(sources))
    for (const group of known) groups.delete(group)
    const [first, ...more] = known.flatMap(({ fields }) => fields)
    groups.add({
      sources: new Set([...known.flatMap((group) => [...group.sources]), ...sources]),
      fields: first ? [first, ...more, field] : [field],
    })
  }
  const path = ({ name }: Field): string => `${resource.name}.${name}`
  for (const { sources, fields } of groups) {
    const [first, ...more] = fields
    const was = [...sources].map((one) => [one, present(declared.fields[one], "it was declared")] as const)
    const reads = [...sources].map((one) => {
      const field = present(former.fields.get(one), "it was declared")
      return [one, { value: placeholderOf(before, field) }] as const
    })
    const writes = fields.map(({ name, from }) => [name, present(from, "it is made of others")] as const)
    changes.push({
      changed: more.length === 0 ? path(first) : [path(first), ...more.map(path)],
      was: Object.fromEntries(was.map(([name, field]) => [name, plain(field, before)])),
      reads: Object.fromEntries(reads),
      writes: Object.fromEntries(writes),
    })
    const called = (names: Iterable<string>): string => [...names].map((one) => `\`${one}\``).join(", ")
    byHand.push(
      `${called(sources)} of ${resource.name} became ${called(fields.map(({ name }) => name))}: say in \`reads\` what older versions read.`,
    )
  }
  return new Set(
    [...groups].flatMap(({ sources, fields }) => [...sources, ...fields.map(({ name }) => name)]),
  )
}

/** The fields of the record that decide the value of the expression. */
const namedIn = ({ declaration }: Revision, { name }: Resource, expression: Expression): readonly string[] =>
  lookedAt(declaration, name, expression).flatMap(({ resource, field }) => (resource === name ? [field] : []))

/** States and values of enumerations that have other names. Undone first, by the names that resource and member have now. */
function renamedValues(
  cutting: Cutting,
  { former, resource }: Pair,
  renamed: ReadonlyMap<string, string>,
): readonly VersionChange[] {
  return [...former.fields.values()].flatMap((field) => {
    const current = resource.fields.get(renamed.get(field.name) ?? field.name)
    if (!current || cutting.renamedEnumerations.has(current.enumeration ?? "")) return []
    cutting.renamedEnumerations.add(current.enumeration ?? "")
    const { becomes, gone } = comparedValues(cutting, resource, { field, current })
    return gone > 0 && !current.state
      ? []
      : [...becomes].map(([to, before]) => ({ renamed: `${resource.name}.${current.name}.${before}`, to }))
  })
}

interface ComparedField {
  /** Before the change to the field. */
  readonly path: string
  /** Before all of them. */
  readonly before: string
  readonly field: Field
  readonly current: Field
}

/** Values that are new since. None where others are gone: then the field has changed. */
function valueChanges(
  cutting: Cutting,
  resource: Resource,
  { path, before, field, current }: ComparedField,
): readonly VersionChange[] {
  const { byHand, enumerations } = cutting
  const { old, fresh, becomes, gone } = comparedValues(cutting, resource, { field, current })
  if (old.length === 0 || fresh.length === 0 || enumerations.has(current.enumeration ?? "")) return []
  enumerations.add(current.enumeration ?? "")
  if (gone > 0 && !current.state) return []
  const added = fresh.filter((one) => !old.includes(one) && !becomes.has(one))
  for (const value of added)
    byHand.push(
      `\`${path}\` may be \`${value}\`: say in \`as\` which value older versions have in its place, or leave it out where they have none.`,
    )
  if (gone > 0) byHand.push(`\`${path}\` has lost states. ${lost(before)}`)
  return added.map((value) => ({ added: `${path}.${value}` }))
}

/** To-one relations, with the only to-many relation that may have come in their place. */
function widenedRelations(former: Resource, { relations }: Resource): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { name, kind, target } of former.relations.values()) {
    if (kind !== "one" || relations.get(name)?.kind === "one") continue
    const [to, ...others] = [...relations.values()].filter(
      (one) =>
        one.kind === "many" &&
        !one.history &&
        one.target === target &&
        former.relations.get(one.name)?.kind !== "many",
    )
    if (to && others.length === 0) found.set(name, to.name)
  }
  return found
}

/** Names that a change can name, with those that they had. */
function membersOf({
  fields,
  relations,
  machines,
  actions,
  computed,
}: Resource): ReadonlyMap<string, readonly string[]> {
  return new Map<string, readonly string[]>([
    ...[...fields.values()].map(({ name, was }) => [name, was ?? []] as const),
    ...[...relations.values()]
      .filter((relation) => !("history" in relation))
      .map((relation) => [relation.name, (relation.kind === "one" && relation.was) || []] as const),
    ...[...machines.values()].flatMap(({ transitions }) =>
      [...transitions.keys()].map((transition) => [transition, []] as const),
    ),
    ...[...(actions?.keys() ?? []), ...(computed?.keys() ?? [])].map((one) => [one, []] as const),
  ])
}

const mustBeGiven = (field: Field | undefined): boolean =>
  field !== undefined && !field.optional && !field.default && !field.readonly

// Losses of clients that no change undoes: the author says that the new version breaks them.

/** A sentence for each member of the version before. */
function lostBy({ before, after }: Revisions, changes: readonly VersionChange[]): readonly string[] {
  const [newest] = after.model.versions ?? []
  const version = newest?.name ?? ""
  const versions = buildVersions({ [afterAll]: changes, [version]: [] }, undefined)
  const then = modelAt({ ...after.model, versions }, version)
  const found = differencesBetween(before.model, then).filter(({ severity }) => severity === "breaking")
  const known = Map.groupBy(found, ({ path }) => path.split(".", 2).join("."))
  return [...known].map(([path, all]) => [...all.map(({ text }) => text), lost(path)].join(" "))
}

/** Behind each date that a version may have. */
const afterAll = "9999-12-31"

const lost = (path: string): string => `No change undoes that: { breaking: "${path}" } says so.`

// A field with another type, or other values, as a change of a version. Its name may differ too.
interface FieldPair {
  readonly field: Field
  /** The former one, as it was declared. */
  readonly was: FieldDeclaration
  readonly current: Field
}

interface ChangedField {
  readonly change: VersionChange
  /** A sentence about the author's part. */
  readonly byHand?: string
}

/** Undefined where clients notice no more than another name. */
function changedField(revisions: Revisions, resource: Resource, pair: FieldPair): ChangedField | undefined {
  const { field, was, current } = pair
  const values = comparedValues(revisions, resource, pair)
  const difference = differenceOf(values, pair)
  if (difference === undefined) return undefined
  const { known, becomes, gone } = values
  // Where no value is gone, those that are new or renamed are changes of their own, which are undone first.
  const isWhole = gone > 0
  const reads = mapped(fitting(revisions.before, current.name, [current, field]), isWhole ? becomes : none)
  const writes =
    madeOf(pair) ??
    mapped(
      fitting(revisions.after, field.name, [field, current], isWhole ? none : becomes),
      isWhole ? new Map(known.map(([now, before]) => [before, now])) : none,
    )
  const [path, former] = [`${resource.name}.${current.name}`, plain(was, revisions.before)]
  const isRenamed = current.name !== field.name
  const toDo = authorsPart(revisions, pair, values)
  const said = `\`${resource.name}.${field.name}\`${isRenamed ? ` is called \`${current.name}\` and` : ""} ${difference}`
  return {
    change: isRenamed
      ? {
          changed: path,
          was: { [field.name]: former },
          reads: { [field.name]: reads },
          writes: { [current.name]: writes },
        }
      : { changed: path, was: former, reads, writes },
    ...(toDo !== undefined && { byHand: `${said}: ${toDo}.` }),
  }
}

const none: ReadonlyMap<string, string> = new Map()

const typeOf = ({ scalar, list }: Field): string => (list ? `a list of ${scalar}` : scalar)

/** Undefined where clients do not notice. */
function differenceOf(
  { old, fresh, gone }: ComparedValues,
  { field: was, current: is }: FieldPair,
): string | undefined {
  if (typeOf(was) !== typeOf(is)) return `is ${typeOf(is)}, ${typeOf(was)} before`
  // Values that are new or renamed since are changes of their own, and states are changed with their machines.
  if (!is.state && (gone > 0 || (old.length === 0 && fresh.length > 0))) return "has other values"
  if (was.optional !== is.optional) return is.optional ? "may be missing" : "is always there"
  return undefined
}

/** Parts to complete, and guesses to look at. */
function authorsPart(
  { before, after }: Revisions,
  pair: FieldPair,
  { old, fresh, known, becomes, gone }: ComparedValues,
): string | undefined {
  const { field, current } = pair
  const [isOther, made] = [typeOf(field) !== typeOf(current), madeOf(pair)]
  const isWhole = gone > 0 || old.length === 0
  const taken = known.map(([, before]) => before)
  const isOpen = {
    reads: isOther || (isWhole && fresh.some((one) => !old.includes(one) && !becomes.has(one))),
    writes:
      made === undefined &&
      (isOther || (isWhole && old.some((one) => !fresh.includes(one) && !taken.includes(one)))),
  }
  const open = (["reads", "writes"] as const).filter((part) => isOpen[part])
  if (open.length > 0)
    return `say in ${open.map((part) => `\`${part}\``).join(" and ")} how values become each other, or say \`code: true\` and give functions`
  const guess = (part: string, value: unknown, of: string): string =>
    `\`${part}\` has \`${JSON.stringify(value)}\` in place of ${of}`
  const isGuessed = (from: Field, to: Field): boolean =>
    from.optional && !to.optional && to.default?.kind !== "value"
  const guessed = [
    ...(isGuessed(current, field) ? [guess("reads", placeholderOf(before, field), "no value")] : []),
    ...(made === undefined && isGuessed(field, current)
      ? [guess("writes", placeholderOf(after, current), "no value")]
      : []),
    ...[...(gone > 0 ? becomes : none)]
      .filter(([now]) => known.filter(([one]) => one === now).length > 1)
      .map(([now, before]) => guess("reads", before, JSON.stringify(now))),
  ]
  return guessed.length > 0 ? `${guessed.join(" and ")}; say another one if that is meant` : undefined
}

/** By `from`, in which the field's own name means the former value. Undefined where records of before are not made by that alone. */
function madeOf({ field, current }: FieldPair): ExpressionDeclaration | undefined {
  const { from } = current
  const made = from !== undefined && readExpression(from, () => {})
  if (from === undefined || !made) return undefined
  const names = [...fieldsIn(made), ...whensIn(made).flatMap(namesIn)]
  if (names.length === 0 || names.some((name) => name !== current.name)) return undefined
  // If the type stays, only a conversion that fills in missing values is a change.
  const [first] = made.kind === "coalesce" ? made.of : []
  const isKept = first?.kind === "field" && field.optional && !current.optional
  if (typeOf(field) === typeOf(current) && !isKept) return undefined
  return withFieldNames(from, () => field.name)
}

/** The member, with a placeholder for a missing value if the other field needs one: its default, if it has one. */
function fitting(
  revision: Revision,
  member: string,
  [from, to]: readonly [from: Field, to: Field],
  then: ReadonlyMap<string, string> = none,
): ExpressionDeclaration {
  if (!from.optional || to.optional) return member
  const value = placeholderOf(revision, to)
  return { coalesce: [member, { value: (typeof value === "string" && then.get(value)) || value }] }
}

/** With values in the place of others, where there are some. */
const mapped = (of: ExpressionDeclaration, values: ReadonlyMap<string, string>): ExpressionDeclaration =>
  values.size === 0 ? of : { map: [of, Object.fromEntries(values)] }

// Two revisions of a service that a version is cut between: their fields and the values of their enumerations.
interface Revision {
  readonly declaration: ServiceDeclaration
  readonly model: Model
}

interface Revisions {
  readonly before: Revision
  readonly after: Revision
}

interface ComparedValues {
  readonly old: readonly string[]
  readonly fresh: readonly string[]
  /** Values since with the former ones that they stand for, as `was` and `formerly` say. */
  readonly known: readonly (readonly [now: string, before: string])[]
  /** Values that are new, each with the former one that it alone stands for, or stands for first. */
  readonly becomes: ReadonlyMap<string, string>
  /** How many former values have become none of these. */
  readonly gone: number
}

function comparedValues(
  { before, after }: Revisions,
  resource: Resource,
  { field, current }: { readonly field: Field; readonly current: Field },
): ComparedValues {
  const [old, fresh] = [valuesOf(before, field), valuesOf(after, current)]
  const known = [...formerValuesOf(after.model, resource, current)].flatMap(([one, now]) =>
    old.includes(one) && !fresh.includes(one) ? [[now, one] as const] : [],
  )
  const becomes = new Map<string, string>()
  for (const [now, one] of known) if (!old.includes(now) && !becomes.has(now)) becomes.set(now, one)
  const gone = old.filter((one) => !fresh.includes(one)).length - becomes.size
  return { old, fresh, known, becomes, gone }
}

const valuesOf = ({ model }: Revision, { enumeration }: Field): readonly string[] =>
  enumeration === undefined ? [] : (model.enums.get(enumeration)?.values ?? [])

/** A value of the field's type that the author replaces: its default, or null where it may be missing. */
function placeholderOf(revision: Revision, field: Field): JsonValue {
  const { scalar, optional, list, default: given, constraints } = field
  if (given?.kind === "value") return given.value
  if (optional) return null
  if (list) return []
  if (scalar === "oneOf") return valuesOf(revision, field)[0] ?? ""
  const value = placeholders[scalar]
  if (scalars[scalar].family !== "number") return value
  const { min = 0, max = 0 } = constraints
  const near = min > 0 ? min : Math.min(max, 0)
  return typeof value === "number" ? near : String(near)
}

const placeholders: Readonly<Record<Exclude<ScalarName, "oneOf">, JsonValue>> = {
  ...{ text: "", email: "nobody@example.com", url: "https://example.com/", slug: "none" },
  ...{ integer: 0, int64: "0", float: 0, decimal: "0", boolean: false },
  ...{ date: "1970-01-01", time: "00:00:00", timestamp: "1970-01-01T00:00:00Z" },
  ...{ uuid: "00000000-0000-0000-0000-000000000000", json: {}, bytes: "" },
}

/** The API's part of a field. */
function plain(
  { was: _, from: _1, formerly: _2, column: _3, stored: _4, read: _5, write: _6, ...field }: FieldDeclaration,
  { declaration: { enums = {} } }: Revision,
): FieldDeclaration {
  // The enumeration may have other values since.
  const values = typeof field.of === "string" ? enums[field.of]?.values : undefined
  return { ...field, ...(values && { of: [...values] }) }
}
