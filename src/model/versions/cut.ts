// Changes of a new version, as far as they follow from the service before and since: names that were added, renamed (`was`)
// and removed, and types that differ. How values become each other is the author's to say.
import { present } from "../../base/invariant.ts"
import type {
  FieldDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
  VersionChange,
} from "../declaration/declaration.ts"
import { formerValuesOf } from "../event-types.ts"
import { type ExpressionDeclaration, readExpression, sourcesIn } from "../expression.ts"
import type { Field, Model, Resource } from "../model.ts"

export interface Cut {
  readonly changes: readonly VersionChange[]
  /** Sentences about the author's part. */
  readonly byHand: readonly string[]
}

export interface Revision {
  readonly declaration: ServiceDeclaration
  readonly model: Model
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
    // Bifold's own are nobody's to declare.
    else if (!former) changes.push({ added: name })
  }
  for (const [name] of old)
    if (!formerNames.has(name))
      byHand.push(
        `The resource \`${name}\` is gone: no version can serve it, { breaking: "${name}" } says so. If it has another name, say was: "${name}" there.`,
      )
  return { changes, byHand }
}

interface Cutting {
  readonly before: Revision
  readonly after: Revision
  readonly changes: VersionChange[]
  readonly byHand: string[]
  /** Those whose values were compared: several fields may have one. */
  readonly enumerations: Set<string>
  /** Those whose renamed values are told. */
  readonly renamedEnumerations: Set<string>
}

interface Pair {
  readonly former: Resource
  readonly resource: Resource
  /** The former one, as it was declared. */
  readonly declared: ResourceDeclaration
}

function compare(cutting: Cutting, pair: Pair): void {
  const { former, resource, declared } = pair
  const { before, changes, byHand } = cutting
  const { name } = resource
  const begin = changes.length
  const [then, since] = [membersOf(former), membersOf(resource)]
  const renamed = new Map<string, string>()
  const widened = widenedRelations(former, resource)
  for (const [before, to] of widened) {
    changes.push({ widened: `${name}.${before}`, to, first: "id" })
    byHand.push(
      `\`${name}.${before}\` became a to-many relation: say in \`first\` which of \`${to}\` older versions have.`,
    )
  }
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
      } else {
        renamed.set(before, member)
        changes.push({ renamed: `${name}.${before}`, to: member })
      }
    }
  for (const [member] of then) {
    const field = declared.fields[member]
    if ([since, renamed, widened, moved].some((known) => known.has(member))) continue
    if (field) {
      changes.push({
        removed: `${name}.${member}`,
        was: plain(field, before),
        reads: { value: placeholderOf(field) },
        writes: "ignored",
      })
      byHand.push(`\`${name}.${member}\` is gone: say in \`reads\` what older versions read.`)
    } else byHand.push(`\`${name}.${member}\` is gone: no version can serve it.`)
  }
  for (const [member, field] of former.fields) {
    const current = resource.fields.get(renamed.get(member) ?? member)
    // Undone after the changes of members, which name the field as it is now.
    if (current)
      changes.splice(
        begin,
        0,
        ...valueChanges(cutting, resource, { path: `${name}.${member}`, field, current }),
      )
    const was = declared.fields[member]
    const difference = current && was && differenceOf(cutting, resource, field, current)
    if (difference === undefined || !current || !was) continue
    if (renamed.has(member)) {
      byHand.push(
        `\`${name}.${member}\` was renamed, and ${difference}: change one of them in a version of its own.`,
      )
      continue
    }
    const { becomes, known } = comparedValues(cutting, resource, { field, current })
    const now = new Map(known.map(([to, one]) => [one, to]))
    changes.push({
      changed: `${name}.${member}`,
      was: plain(was, before),
      reads: mapped(fitting(member, { from: current, to: field }), becomes),
      writes: mapped(fitting(member, { from: field, to: current }), now),
    })
    byHand.push(
      `\`${name}.${member}\` ${difference}: say in \`reads\` and \`writes\` how values become each other, or say \`code: true\` and give functions.`,
    )
  }
  changes.push(...renamedValues(cutting, pair, renamed))
}

/** Fields that are gone, and those that are made `from` them, as one change. Gives the names of both. */
function movedFields(
  { before, changes, byHand }: Cutting,
  { former, resource, declared }: Pair,
): ReadonlySet<string> {
  const groups: { readonly sources: Set<string>; readonly fields: [Field, ...Field[]] }[] = []
  const renamed = new Set([...resource.fields.values()].flatMap(({ was = [] }) => was))
  for (const field of resource.fields.values()) {
    const made = field.from !== undefined && readExpression(field.from, () => {})
    const sources = new Set(made ? sourcesIn(made) : [])
    const areGone = [...sources].every(
      (one) => declared.fields[one] && !resource.fields.has(one) && !renamed.has(one),
    )
    if (former.fields.has(field.name) || sources.size === 0 || !areGone) continue
    const known = groups.find((group) => [...sources].some((one) => group.sources.has(one)))
    if (known) {
      known.fields.push(field)
      for (const one of sources) known.sources.add(one)
    } else groups.push({ sources, fields: [field] })
  }
  const path = ({ name }: Field): string => `${resource.name}.${name}`
  for (const { sources, fields } of groups) {
    const [first, ...more] = fields
    const was = [...sources].map((one) => [one, present(declared.fields[one], "it was declared")] as const)
    const writes = fields.map(({ name, from }) => [name, present(from, "it is made of others")] as const)
    changes.push({
      changed: [path(first), ...more.map(path)],
      was: Object.fromEntries(was.map(([name, field]) => [name, plain(field, before)])),
      reads: Object.fromEntries(was.map(([name, field]) => [name, { value: placeholderOf(field) }])),
      writes: Object.fromEntries(writes),
    })
    const called = (names: Iterable<string>): string => [...names].map((one) => `\`${one}\``).join(", ")
    byHand.push(
      `${called(sources)} of ${resource.name} became ${called(fields.map(({ name }) => name))}: say in \`reads\` what older versions read.`,
    )
  }
  return new Set(groups.flatMap(({ sources, fields }) => [...sources, ...fields.map(({ name }) => name)]))
}

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
  { before, after }: Cutting,
  resource: Resource,
  { field, current }: Pick<ComparedField, "field" | "current">,
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

interface ComparedField {
  /** Before the change. */
  readonly path: string
  readonly field: Field
  readonly current: Field
}

/** Values that are new since. None where others are gone: then the field has changed. */
function valueChanges(
  cutting: Cutting,
  resource: Resource,
  { path, field, current }: ComparedField,
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
  if (gone > 0) byHand.push(`\`${path}\` has lost states: no version can serve them.`)
  return added.map((value) => ({ added: `${path}.${value}` }))
}

const valuesOf = ({ model }: Revision, { enumeration }: Field): readonly string[] =>
  enumeration === undefined ? [] : (model.enums.get(enumeration)?.values ?? [])

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

/** The member itself, with what stands in place of no value where the other field needs one: its default, if it has one. */
function fitting(
  member: string,
  { from, to }: { readonly from: Field; readonly to: Field },
): ExpressionDeclaration {
  if (!from.optional || to.optional) return member
  const known = to.default?.kind === "value" ? to.default.value : undefined
  const value = known === null || typeof known === "object" ? undefined : known
  return { coalesce: [member, { value: value ?? placeholderOf(to) }] }
}

/** With values in the place of others, where there are some. */
const mapped = (of: ExpressionDeclaration, values: ReadonlyMap<string, string>): ExpressionDeclaration =>
  values.size === 0 ? of : { map: [of, Object.fromEntries(values)] }

/** A value of the field's type, in whose place the author puts what older versions read. */
function placeholderOf({ scalar }: Pick<FieldDeclaration, "scalar">): string | number | boolean {
  if (scalar === "boolean") return false
  return ["integer", "float"].includes(scalar) ? 0 : ""
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

/** Undefined where clients do not notice. */
function differenceOf(cutting: Cutting, resource: Resource, was: Field, is: Field): string | undefined {
  const typeOf = ({ scalar, list }: Field): string => (list ? `a list of ${scalar}` : scalar)
  if (typeOf(was) !== typeOf(is)) return `is ${typeOf(is)}, ${typeOf(was)} before`
  const { old, fresh, gone } = comparedValues(cutting, resource, { field: was, current: is })
  // Values that are new or renamed since are changes of their own, and states are changed with their machines.
  if (!is.state && (gone > 0 || (old.length === 0 && fresh.length > 0))) return "has other values"
  if (was.optional !== is.optional) return is.optional ? "may be missing" : "is always there"
  return undefined
}
