// Changes of a version undone: the resources of a model as they were before, over the same tables.
import { omitUndefined } from "../../base/compact.ts"
import { match } from "../../base/match.ts"
import { suggest } from "../../base/suggest.ts"
import type { Condition, Slot } from "../condition.ts"
import { referenceName } from "../declaration/default-names.ts"
import {
  type ChangeCode,
  type CodeValue,
  type Expression,
  type Followed,
  fieldsIn,
  followedIn,
  hasCode,
  namesIn,
  replaceFields,
  replaceFollowed,
  whensIn,
  withConditionFields,
} from "../expression.ts"
import { formerColumn, isFormerField, isFormerRelation, isOfFields } from "../former-fields.ts"
import type {
  ApiChange,
  Field,
  FormerMember,
  Lens,
  Machine,
  Relation,
  Resource,
  Transition,
} from "../model.ts"
import { apiName, pascalCase } from "../names.ts"
import {
  codeValueOf,
  membersNamed,
  newestReference,
  readByCode,
  refuseKey,
  writtenByCode,
} from "./by-code.ts"
import { boundedParts, checkedWrites, checkFitting, checkWhen, referencesOf } from "./check-change.ts"
import {
  droppedLens,
  droppedOf,
  inputsOf,
  loggedValues,
  type SplitLens,
  setBy,
  sharedInputs,
  withSharedLens,
  withSupplied,
} from "./lenses.ts"
import { refuseMachine, undoAddedValue, undoRenamedResource, undoRenamedValue } from "./renamed.ts"
import { find, isFixed, lacksMember, type Of, pathNames, taken, type Undoing, withFields } from "./undoing.ts"
import { undoWidened } from "./widened.ts"

export function undoChange(undoing: Undoing, change: ApiChange): void {
  match(change, {
    renamed: (of) => undoRenamed(undoing, of),
    renamedResource: (of) => undoRenamedResource(undoing, of),
    renamedValue: (of) => undoRenamedValue(undoing, of),
    addedValue: (of) => undoAddedValue(undoing, of),
    breaking: () => {},
    added: (of) => undoAdded(undoing, of),
    addedResource: ({ resource }) => undoAddedResource(undoing, resource),
    removed: (of) => undoRemoved(undoing, of),
    changed: (of) => undoChanged(undoing, of),
    widened: (of) => undoWidened(undoing, of),
  })
}

function undoRenamed(undoing: Undoing, { resource: of, before, now }: Of<"renamed">): void {
  const resource = find(undoing, of)
  if (!resource) return
  const left = withMemberRenamed(undoing, resource, now, before)
  if (!left) lacksMember(undoing, resource, now)
  else if (pathNames(resource).includes(before)) taken(undoing, resource, before)
  else undoing.resources.set(resource.name, left)
}

/** Undefined where the resource has no such member. */
function withMemberRenamed(
  undoing: Undoing,
  resource: Resource,
  now: string,
  before: string,
): Resource | undefined {
  const { fields, settable, relations, machines, actions, computed } = resource
  const named = namedIn(undoing)
  if (fields.has(now) || settable?.has(now)) return withFieldRenamed(undoing, resource, now, before)
  const relation = relations.get(now)
  if (relation) return withRelationRenamed(undoing, resource, relation, before)
  for (const machine of machines.values())
    if (machine.transitions.has(now)) {
      const transitions = renameKey(machine.transitions, now, before, named)
      return {
        ...resource,
        machines: new Map([...machines, [machine.name, { ...machine, transitions }]]),
      }
    }
  if (actions?.has(now)) return { ...resource, actions: renameKey(actions, now, before, named) }
  if (computed?.has(now))
    return {
      ...resource,
      computed: renameKey(computed, now, before, (one, name) => ({ ...one, field: named(one.field, name) })),
    }
  return undefined
}

interface Member {
  readonly name: string
  readonly current?: string
  readonly deprecated?: string
}

const namedIn =
  (undoing: Undoing) =>
  <Of extends Member>({ deprecated: _, ...of }: Of, name: string): Of => {
    const { current = of.name } = of
    // Renamed back since, it is called so today.
    const deprecated = name === current ? undefined : calledSince(undoing, of.name)
    return omitUndefined<Member>({ ...of, name, current, deprecated }) as Of
  }

const calledSince = ({ since, called }: Undoing, name: string): string =>
  `Since ${since} it is called ${called ?? name}.`

/** The map in its order. */
function renameKey<Of>(
  map: ReadonlyMap<string, Of>,
  now: string,
  before: string,
  change: (of: Of, name: string) => Of,
): ReadonlyMap<string, Of> {
  return new Map(
    [...map].map(([name, of]): [string, Of] => (name === now ? [before, change(of, before)] : [name, of])),
  )
}

function withFieldRenamed(undoing: Undoing, resource: Resource, now: string, before: string): Resource {
  const { fields, settable, machines } = resource
  const lens = (settable?.get(now) ?? fields.get(now))?.lens
  const renamedLens = lens && renameInput(lens, now, before)
  const change = (field: Field, name: string): Field =>
    withOwnEnumeration(
      undoing,
      resource,
      isFormerField(field)
        ? { ...renamedFormer(field, name), deprecated: calledSince(undoing, field.name) }
        : namedIn(undoing)(field, name),
      now,
    )
  // Former fields that are written together share one lens.
  const rename = (of: ReadonlyMap<string, Field>): ReadonlyMap<string, Field> =>
    new Map(
      [...renameKey(of, now, before, change)].map(([name, field]) => [
        name,
        lens && renamedLens && field.lens === lens ? { ...field, lens: renamedLens } : field,
      ]),
    )
  return {
    ...resource,
    fields: rename(fields),
    ...(settable && { settable: rename(settable) }),
    machines: new Map(
      [...machines].map(([name, machine]): [string, Machine] =>
        name === now ? [before, movedMachine(machine, before)] : [name, machine],
      ),
    ),
  }
}

const renamedFormer = (field: Field, name: string): Field => ({
  ...field,
  ...(field.logged && { logged: { ...field.logged, names: [...field.logged.names, name] } }),
  name,
  column: `${formerColumn}${name}`,
})

const renameInput = ({ inputs, writes }: Lens, now: string, before: string): Lens => ({
  inputs: inputs.map((input) => (input === now ? before : input)),
  writes: new Map(
    [...writes].map(([name, expression]) => [
      name,
      replaceFields(expression, (input) => (input === now ? { kind: "field", field: before } : undefined)),
    ]),
  ),
})

/** An enumeration of the field's own is named after it. */
function withOwnEnumeration({ enums }: Undoing, { type }: Resource, field: Field, now: string): Field {
  const own = `${type}${pascalCase(now)}`
  if (field.enumeration !== own) return field
  const name = `${type}${pascalCase(field.name)}`
  // The field is renamed among those that are read and those that are set.
  const found = enums.get(own) ?? enums.get(name)
  if (!found) return field
  enums.delete(own)
  enums.set(name, { ...found, name })
  return { ...field, enumeration: name }
}

const movedMachine = (machine: Machine, name: string): Machine => ({
  ...machine,
  name,
  transitions: new Map(
    [...machine.transitions].map(([called, it]): [string, Transition] => [called, { ...it, machine: name }]),
  ),
})

function withRelationRenamed(
  undoing: Undoing,
  resource: Resource,
  relation: Relation,
  before: string,
): Resource {
  const named = namedIn(undoing)
  const { relations } = resource
  return {
    ...resource,
    relations: renameKey(relations, relation.name, before, (one, name) =>
      one.kind === "one" && one.reference !== undefined
        ? { ...named(one, name), reference: referenceName(name) }
        : named(one, name),
    ),
  }
}

function undoAdded(undoing: Undoing, { resource: of, now, writes }: Of<"added">): void {
  const resource = find(undoing, of)
  if (!resource) return
  if (!pathNames(resource).includes(now)) {
    lacksMember(undoing, resource, now)
    return
  }
  const field = resource.settable?.get(now) ?? resource.fields.get(now)
  const own = field ? withSupplied(undoing, resource, field, writes) : resource
  undoing.resources.set(resource.name, withSharedLens(undoing, without(own, [now]), [now]))
}

function undoAddedResource(undoing: Undoing, name: string): void {
  const resource = find(undoing, name)
  if (!resource) return
  undoing.resources.delete(resource.name)
  leaveOutRelationsTo(undoing, resource.name)
}

function without(resource: Resource, names: readonly string[]): Resource {
  const { fields, settable, relations, machines, actions, computed } = resource
  const left = <Of>(map: ReadonlyMap<string, Of>): ReadonlyMap<string, Of> =>
    new Map([...map].filter(([name]) => !names.includes(name)))
  return {
    ...resource,
    fields: left(fields),
    ...(settable && { settable: left(settable) }),
    relations: left(relations),
    machines: new Map(
      [...left(machines)].map(([name, machine]) => [
        name,
        { ...machine, transitions: left(machine.transitions) },
      ]),
    ),
    ...(actions && { actions: left(actions) }),
    ...(computed && { computed: left(computed) }),
  }
}

function leaveOutRelationsTo({ resources }: Undoing, target: string): void {
  for (const [name, resource] of resources) {
    const leading = [...resource.relations.values()].filter((relation) => relation.target === target)
    if (leading.length > 0)
      resources.set(
        name,
        without(
          resource,
          leading.map((relation) => relation.name),
        ),
      )
  }
}

function undoRemoved(undoing: Undoing, { resource: of, before, ignored }: Of<"removed">): void {
  const resource = find(undoing, of)
  if (!resource) return
  const { name } = before.field
  if (pathNames(resource).includes(name)) taken(undoing, resource, name)
  const field = formerField(
    undoing,
    resource,
    { ...before, instead: `Since ${undoing.since} there is nothing in its place.` },
    ignored ? droppedLens(name) : undefined,
  )
  if (!field) return
  // The last change is undone first: those behind it stand there already.
  const added = withFields(resource, [field])
  const isBehind = ([one]: readonly [string, Field]): boolean => undoing.restored.has(`${of}.${one}`)
  const all = Map.groupBy(added.fields, isBehind)
  undoing.resources.set(resource.name, {
    ...added,
    fields: new Map([...(all.get(false) ?? []), ...(all.get(true) ?? [])]),
  })
  undoing.restored.add(`${of}.${name}`)
}

function undoChanged(undoing: Undoing, { resource: of, now, before, writes, code }: Of<"changed">): void {
  const resource = find(undoing, of)
  if (!resource) return
  const unknown = undoing.report && now.find((name) => !pathNames(resource).includes(name))
  if (unknown !== undefined) {
    lacksMember(undoing, resource, unknown)
    return
  }
  for (const name of now) refuseMachine(undoing, resource, name)
  const written = writes
    ? checkedWrites(undoing, before, writes)
    : code?.writes && writesByCode(undoing, resource, { now, before, code: code.writes })
  const lens =
    written && lensOf(undoing, resource, { now, before: before.map(({ field }) => field) }, written)
  const supplying = lens ? resource : withLeftOut(undoing, resource, now)
  const own = withSharedLens(undoing, without(supplying, now), now, lens)
  const former = before.map(({ field }) => field.name)
  const fields = before.flatMap((member): readonly Field[] => {
    const { name } = member.field
    if (pathNames(own).includes(name)) taken(undoing, own, name)
    const seen = now.filter((one) => pathNames(resource).includes(one))
    const names = seen.map((one) => (one === name ? "another type" : one))
    const instead = `Since ${undoing.since} there ${names.length > 1 ? "are" : "is"} ${names.join(" and ") || "nothing"} in its place.`
    const value =
      code?.reads && valueByCode(undoing, resource, { member, now, code: code.reads, names: former })
    const set = lens && setBy(lens, name)
    const field = formerField(undoing, resource, { ...member, instead, now, ...(value && { value }) }, set)
    return field ? [field] : []
  })
  undoing.resources.set(resource.name, withFields(own, fields, resource.fields))
}

/** A read-only change supplies no value for its fields, which later changes may need. */
function withLeftOut(undoing: Undoing, resource: Resource, names: readonly string[]): Resource {
  return names.reduce((left, name) => {
    const field = (left.settable ?? left.fields).get(name)
    const isAlone = field?.lens?.inputs.every((one) => names.includes(one))
    return field && isAlone ? withSupplied(undoing, left, field, undefined) : left
  }, resource)
}

interface ByCode {
  readonly code: ChangeCode
  readonly now: readonly string[]
}

function valueByCode(
  undoing: Undoing,
  resource: Resource,
  { code, now, member, names }: ByCode & { readonly member: FormerMember; readonly names: readonly string[] },
): Value | undefined {
  const members = membersNamed(undoing, resource, now, resource.fields)
  return (
    members && {
      computed: readByCode(code, { gives: formerValue(undoing, member), names }, members),
      seen: members.flatMap(({ field }) => field?.seen ?? []),
    }
  )
}

function writesByCode(
  undoing: Undoing,
  resource: Resource,
  { code, now, before }: ByCode & { readonly before: readonly FormerMember[] },
): ReadonlyMap<string, Expression> | undefined {
  const members = membersNamed(undoing, resource, now, resource.settable ?? resource.fields)
  if (members) refuseKey(undoing, resource, members)
  return (
    members &&
    writtenByCode(
      code,
      members,
      before.map((member) => formerValue(undoing, member)),
    )
  )
}

/** An enumeration of its own is not among the version's yet. */
const formerValue = ({ enums }: Undoing, { field, enumeration }: FormerMember): CodeValue =>
  codeValueOf(field, enumeration ? new Map([[enumeration.name, enumeration]]) : enums)

/** Undefined where the caller may not set one of the fields. */
function lensOf(
  undoing: Undoing,
  resource: Resource,
  { now, before }: { readonly now: readonly string[]; readonly before: readonly Field[] },
  writes: ReadonlyMap<string, Expression>,
): SplitLens | undefined {
  const { report } = undoing
  const inputs = inputsOf(before, writes)
  const settable = resource.settable ?? resource.fields
  const formers = before.map(({ name }) => name)
  for (const expression of writes.values())
    for (const name of fieldsIn(expression))
      if (!formers.includes(name))
        report?.(`There is no "${name}" in the version before.`, suggest(name, formers))
  const composed = new Map<string, Expression>()
  for (const [name, expression] of writes) {
    const field = settable.get(name)
    if (!field && expression.kind === "code") {
      composed.set(newestReference(resource, name), expression)
      continue
    }
    if (!field) {
      report?.(`${apiName(resource)} has no "${name}" in this version.`, suggest(name, [...settable.keys()]))
      return undefined
    }
    if (expression.kind !== "code" && fieldsIn(expression).every((one) => inputs.includes(one)))
      checkFitting(undoing, field, expression, {
        fields: new Map(before.map((one) => [one.name, one])),
        isChanged: true,
      })
    if (field.readonly && !field.lens) report?.(`"${name}" cannot be written.`)
    if (!field.lens) composed.set(field.current ?? name, expression)
    for (const [newest, further] of field.lens?.writes ?? [])
      composed.set(
        newest,
        replaceFields(further, (former) => writes.get(former)),
      )
    const lacking = field.lens?.inputs.find((one) => now.includes(one) && !writes.has(one))
    if (lacking !== undefined)
      report?.(`"${name}" is written together with "${lacking}", which \`writes\` has to give as well.`)
  }
  const dropped = droppedOf(inputs, writes, composed)
  const kept = inputs.filter((name) => !dropped.includes(name))
  // Adds fields that a later change writes together with one of them.
  return {
    dropped,
    inputs: [...kept, ...sharedInputs(resource, writes.keys(), now)],
    writes: new Map(
      [...composed].map(([newest, expression]) => [newest, boundedParts(undoing, newest, expression)]),
    ),
  }
}

interface Instead extends FormerMember {
  readonly instead: string
  /** Where user code gives it. */
  readonly value?: Value
  /** Members that stand in its place. */
  readonly now?: readonly string[]
}

interface Value {
  /** An expression of the newest version's fields. */
  readonly computed: Expression
  readonly seen: readonly Condition<Slot>[]
}

/** A field that the tables do not have: its value is an expression of the newest version's fields. Undefined where the caller sees it not. */
function formerField(
  undoing: Undoing,
  resource: Resource,
  { field: declared, enumeration, reads, instead, value, now }: Instead,
  lens: Lens | undefined,
): Field | undefined {
  const found = reads ? valueOfFields(undoing, resource, declared, reads) : value
  if (!found) return undefined
  if (enumeration) undoing.enums.set(enumeration.name, enumeration)
  if (reads && followedIn(reads).every((one) => newestFollowed(undoing, resource, one)))
    checkFitting(undoing, declared, reads, { ...resource, isChanged: now !== undefined })
  const { computed, seen } = found
  const byCode = hasCode(computed)
  if (byCode && !isOfFields(computed))
    undoing.report?.(
      `"${declared.name}" comes from what code gives: no condition and no related record can stand beside it in \`reads\`.`,
      "Give it by code as well.",
    )
  const settable = resource.settable ?? resource.fields
  const targets = [...(lens?.writes.keys() ?? [])].map((target) =>
    [...settable.values()].find((field) => (field.current ?? field.name) === target),
  )
  return omitUndefined<Field>({
    ...declared,
    computed,
    byCode: byCode || undefined,
    shownOnly: byCode || undefined,
    readonly: lens === undefined,
    immutable: declared.immutable || targets.some((field) => field && isFixed(resource, field)),
    lens,
    deprecated: instead,
    logged: loggedValues(resource, { declared, seen, ...(now && { now }), ...(reads && { reads }) }),
    ...(seen.length > 0 && { seen: { kind: "and", of: seen }, optional: true }),
    ...(resource.settable && {
      creatable: allOf(targets.map((field) => field?.creatable)),
      changeable: allOf(targets.map((field) => field?.changeable)),
    }),
  })
}

/** Undefined where the caller sees not all of it. */
function valueOfFields(
  undoing: Undoing,
  resource: Resource,
  declared: Field,
  reads: Expression,
): Value | undefined {
  const { report } = undoing
  const followed = followedIn(reads)
  const lacking = followed.find((one) => !newestFollowed(undoing, resource, one))
  if (lacking) {
    const path = "field" in lacking ? `${lacking.relation}.${lacking.field}` : lacking.relation
    const relation = resource.relations.get(lacking.relation)
    if (relation && isFormerRelation(relation))
      report?.(
        `${apiName(resource)} has several records behind "${relation.name}" since, and \`reads\` cannot choose one of them.`,
        `Declare a computed field of the newest version, or say { breaking: "${apiName(resource)}.${declared.name}" }.`,
      )
    else report?.(`${apiName(resource)} has no "${path}" in this version.`)
    // The author of the field shows figures of related records, and no values of them.
    if (lacking.kind === "related") return undefined
  }
  const hidden = fieldsIn(reads).find((source) => !resource.fields.has(source))
  if (hidden !== undefined) {
    report?.(
      `${resource.name} has no "${hidden}" in this version.`,
      suggest(hidden, [...resource.fields.keys()]),
    )
    return undefined
  }
  for (const when of whensIn(reads))
    checkWhen(undoing, { ...resource, enums: undoing.enums, isDecided: false }, when)
  // A choice reveals the members of its condition. `check` has reported unknown names.
  const asked = whensIn(reads).flatMap(namesIn)
  if (asked.some((name) => !resource.fields.has(name) && !resource.relations.has(name))) return undefined
  const computed = withConditionFields(
    replaceFields(
      replaceFollowed(reads, (one) => newestFollowed(undoing, resource, one) ?? one),
      (source) => {
        const field = resource.fields.get(source)
        return field && isFormerField(field)
          ? field.computed
          : { kind: "field", field: field?.current ?? source }
      },
    ),
    (name) =>
      referencesOf(resource).includes(name)
        ? "own"
        : (resource.fields.get(name) ?? undoing.fieldOf(apiName(resource), name)),
  )
  if (!computed) return undefined
  return {
    computed: boundedParts(undoing, declared.name, computed),
    seen: [
      ...[...fieldsIn(reads), ...asked].flatMap((source) => resource.fields.get(source)?.seen ?? []),
      ...followed.flatMap((one) => seenRelated(undoing, resource, one)),
    ],
  }
}

/** By the names of the newest version. Undefined where the caller does not see the relation, or the field. */
function newestFollowed(
  { resources }: Undoing,
  { relations }: Resource,
  followed: Followed,
): Followed | undefined {
  const relation = relations.get(followed.relation)
  // The newest version, in whose names expressions are, has several records there.
  if (!relation || isFormerRelation(relation)) return undefined
  const named = { ...followed, relation: relation.current ?? relation.name }
  if (named.kind === "count") return named
  const field = resources.get(relation.target)?.fields.get(named.field)
  return field && !isFormerField(field) ? { ...named, field: field.current ?? field.name } : undefined
}

/** A value of a related record is shown where that record, and its value, is. */
function seenRelated(
  { resources }: Undoing,
  { relations }: Resource,
  followed: Followed,
): readonly Condition<Slot>[] {
  const relation = relations.get(followed.relation)
  if (followed.kind !== "related" || !relation) return []
  const target = resources.get(relation.target)
  const read = target?.access?.read
  const of = [
    ...(read && !(read.kind === "and" && read.of.length === 0) ? [read] : []),
    ...(target?.fields.get(followed.field)?.seen ? [target.fields.get(followed.field)?.seen] : []),
  ].filter((one) => one !== undefined)
  return of.length === 0
    ? []
    : [{ kind: "related", relation: relation.current ?? relation.name, of: { kind: "and", of } }]
}

function allOf(conditions: readonly Field["creatable"][]): Field["creatable"] {
  if (conditions.includes(false)) return false
  const of = conditions.filter((condition) => condition !== undefined && condition !== false)
  return { kind: "and", of }
}
