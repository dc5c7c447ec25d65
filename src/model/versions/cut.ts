// Changes of a new version, as far as they follow from the service before and since: names that were added, renamed (`was`)
// and removed, and types that differ. How values become each other is the author's to say.
import { present } from "../../base/invariant.ts"
import type { ResourceDeclaration, VersionChange } from "../declaration/declaration.ts"
import { type Expression, readExpression } from "../expression.ts"
import type { Field, Resource } from "../model.ts"
import { lookedAt } from "../validation/computed-cycles.ts"
import { changedField } from "./cut-changed.ts"
import { lost, lostBy } from "./cut-lost.ts"
import { comparedValues, placeholderOf, plain, type Revision, type Revisions } from "./cut-values.ts"

export interface Cut {
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
    // Bifold's own are nobody's to declare.
    else if (!former) changes.push({ added: name })
  }
  for (const [name] of old)
    if (!formerNames.has(name)) byHand.push(`If \`${name}\` has another name, say was: "${name}" there.`)
  return { changes, byHand: [...byHand, ...lostBy(cutting, changes)] }
}

interface Cutting extends Revisions {
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
    const relation = former.relations.get(before)
    const isRequired = relation?.kind === "one" && !relation.optional
    changes.push({
      ...{ widened: `${name}.${before}`, to, first: "id" },
      ...(isRequired && { required: true }),
    })
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

/** The fields of the record that decide what the expression comes to. */
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
