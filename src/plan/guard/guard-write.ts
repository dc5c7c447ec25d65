// The guard of writes: each write that a request asks for gets the rule of its action. What the record is like before is
// asked where it is written; what it would be like is looked at when all of its step is written (docs/guide/access.md).

import { invariant } from "../../base/invariant.ts"
import type { Subject } from "../../model/condition.ts"
import type { Access, Model, Resource } from "../../model/model.ts"
import { everyRecord, isForAll } from "../every-record.ts"
import {
  fieldNamed,
  isSameTable,
  relationNamed,
  resourceNamed,
  subjectName,
  targetOf,
  transitionNamed,
} from "../lookup.ts"
import { columnsBehind, type Looked } from "../read/computed.ts"
import type { Filter, Slot } from "../read-plan.ts"
import { columnsOf } from "../selectivity.ts"
import { callDenied, permissionDenied } from "../write/permission-denied.ts"
import type { Check, Fires, Kind, Setting, Step, Target, Write, WritePlan } from "../write-plan.ts"

interface Guarded {
  readonly steps: readonly Step[]
  /** Slots that were added, for what is known only when a write has run. */
  readonly added: number
}

/** Steps are shared by all plans of a shape, and belong to one model. */
const known = new WeakMap<WritePlan["steps"], Guarded>()

/** @throws Refusal `forbidden` when the actor may do something of it to no record at all. */
export function guardWrite(plan: WritePlan): WritePlan {
  if (!plan.model.audience) return plan
  const { steps, added } = known.get(plan.steps) ?? guardNew(plan)
  const values = added === 0 ? plan.values : [...plan.values, ...Array<null>(added).fill(null)]
  return { ...plan, steps, values }
}

function guardNew(plan: WritePlan): Guarded {
  const guarded = guardSteps(plan)
  known.set(plan.steps, guarded)
  return guarded
}

function guardSteps({ model, steps, values }: WritePlan): Guarded {
  const { audience } = model
  invariant(audience, "only an audience has rules")
  let added = 0
  const pending = (): Slot => ({ slot: values.length + added++ })
  for (const { call } of steps)
    if (call && call.resource === undefined && !model.operations?.has(call.name))
      throw callDenied(call.name, call.at)
  const guarded = steps.map((step) => guardStep({ model, whole: audience.whole, step, pending }))
  return { steps: guarded, added }
}

interface Guarding {
  readonly model: Model
  readonly whole: Model
  readonly step: Step
  readonly pending: () => Slot
}

type Action = Exclude<keyof Access, "read">
type Checking = Check & Pick<Write, "resource" | "place">

/** Replacements of a write, and checks after all writes of the step. */
interface Placed {
  readonly writes: readonly Write[]
  readonly afterwards?: readonly Checking[]
}

/**
 * A reference is looked at right after the write that sets it, where a foreign key without its record fails too: so one that is
 * not seen is refused at the same point as one that is not there, whatever else of the request would fail.
 */
function guardStep(guarding: Guarding): Step {
  const { step } = guarding
  const named = keysNamed(step)
  const placed = step.writes.map((write): Placed => {
    if (write.cascade) return { writes: [write] }
    const { writes, afterwards = [] } = guardOne(guarding, write)
    const isAtOnce = ({ refuses }: Checking): boolean =>
      refuses.kind === "reference" && !isOfNamed(write, refuses.relation, named)
    return {
      writes: [...writes, ...afterwards.filter(isAtOnce)],
      afterwards: afterwards.filter((check) => !isAtOnce(check)),
    }
  })
  return {
    ...step,
    writes: [
      ...placed.flatMap(({ writes }) => writes),
      ...placed.flatMap(({ afterwards }) => afterwards ?? []),
    ],
  }
}

/** Slots of the keys of records that the step itself makes or finds, which may be seen only when all of it is written. */
const keysNamed = ({ writes }: Step): ReadonlySet<number> =>
  new Set(
    writes.flatMap((write): readonly number[] => {
      switch (write.kind) {
        case "insert":
        case "upsert":
          return [write.key.slot]
        case "locate":
          return [write.into.slot]
        case "update": {
          const key = keyOfTarget(write.target)
          return key ? [key.slot] : []
        }
        default:
          return []
      }
    }),
  )

const isOfNamed = (write: Write, relation: string, named: ReadonlySet<number>): boolean =>
  "sets" in write &&
  write.sets.some(
    ({ subject, slot }) => subject.kind === "reference" && subject.relation === relation && named.has(slot),
  )

function guardOne(guarding: Guarding, write: Write): Placed {
  switch (write.kind) {
    case "insert":
      return { writes: [write], afterwards: checksOf(guarding, write, "create", write.key) }
    case "upsert":
      return guardUpsert(guarding, write)
    case "update":
      return guardUpdate(guarding, write)
    case "delete":
      return guardDelete(guarding, write)
    case "may": {
      const { key, several } = write
      return {
        writes: checkBefore(guarding, write, {
          action: write.action,
          key,
          rule: ruleOf(guarding, write, write.action),
          ...(several && { several }),
        }),
      }
    }
    case "link":
    case "unlink":
      return guardLink(guarding, write)
    case "find":
    case "locate":
    case "collect":
    case "check":
      return { writes: [write] }
  }
}

const resourceOf = ({ model }: Guarding, write: Write): Resource => resourceNamed(model, write.resource)

/** The action's rule. */
function ruleOf(guarding: Guarding, write: Write, action: Action): Filter {
  const { name, access } = resourceOf(guarding, write)
  const rule = access?.[action]
  if (!rule) throw permissionDenied(action, name, write.place)
  return rule
}

/** Each once, without those that always hold. */
function both(...filters: readonly (Filter | undefined)[]): Filter {
  const found = new Map<string, Filter>()
  for (const filter of filters) if (filter && !isForAll(filter)) found.set(JSON.stringify(filter), filter)
  const [only, ...more] = found.values()
  return only === undefined ? everyRecord : more.length === 0 ? only : { kind: "and", of: [only, ...more] }
}

/** Conditions for setting these fields, besides the action's rule. */
function fieldRules(guarding: Guarding, write: Kind<"insert" | "update" | "upsert">, action: Action): Filter {
  const { settable } = resourceOf(guarding, write)
  return both(
    ...write.sets.map(({ subject, byDefault }): Filter | undefined => {
      const field = subject.kind === "field" && !byDefault ? settable?.get(subject.field) : undefined
      const rule = action === "create" ? field?.creatable : field?.changeable
      return rule === false ? undefined : rule
    }),
  )
}

/** Checks after a write: allowed, visible to the caller, with visible references. */
function checksOf(
  guarding: Guarding,
  write: Kind<"insert" | "update" | "upsert">,
  action: "create" | "update",
  key: Slot,
): readonly Checking[] {
  const rule = both(ruleOf(guarding, write, action), fieldRules(guarding, write, action))
  return checksAfter(guarding, write, { action, rule, key, sets: write.sets })
}

interface After {
  /** Also a transition's name. */
  readonly action: string
  /** Besides the rule of sight. */
  readonly rule: Filter
  readonly key: Slot
  /** Settings that the actor has chosen. */
  readonly sets: readonly Setting[]
}

function checksAfter(
  guarding: Guarding,
  write: Kind<"insert" | "update" | "upsert">,
  { action, rule, key, sets }: After,
): readonly Checking[] {
  const resource = resourceOf(guarding, write)
  const that = both(rule, resource.access?.read)
  const own = { kind: "check", resource: write.resource, place: write.place, key } as const
  const references = sets.flatMap(({ subject }): readonly Checking[] => {
    const seen = seenTarget(guarding, resource, subject)
    if (!seen || subject.kind !== "reference") return []
    return [{ ...own, that: seen, refuses: { kind: "reference", relation: subject.relation } }]
  })
  return isForAll(that) || isUntouched(guarding, write, that)
    ? references
    : [...references, { ...own, that, refuses: { kind: "action", action } }]
}

/** The record refers to nothing, or to what the actor sees; undefined where that is so anyway. */
function seenTarget({ model }: Guarding, resource: Resource, subject: Subject): Filter | undefined {
  if (subject.kind !== "reference") return undefined
  const { access } = targetOf(model, resource, subject.relation)
  invariant(access, "an audience's resources say who sees them")
  if (isForAll(access.read)) return undefined
  const { relation } = subject
  return {
    kind: "or",
    of: [
      { kind: "isNull", subject, is: true },
      { kind: "related", relation, of: access.read },
    ],
  }
}

/** The rule held before, and nothing that it looks at is written. */
function isUntouched({ whole, step }: Guarding, write: Write, rule: Filter): boolean {
  if (write.kind !== "update" || !step.writes.every((other) => !isChange(other) || isAlike(write, other)))
    return false
  const resource = resourceNamed(whole, write.resource)
  const written = new Set(write.sets.flatMap(({ subject }) => columnsOf(resource, subject)))
  return looksAt(whole, resource, rule, resource).every((column) => !written.has(column))
}

/** The write itself, or the same transition of another record. */
const isAlike = (write: Kind<"update">, other: Write): boolean =>
  other === write ||
  (write.fires !== undefined &&
    other.kind === "update" &&
    other.resource === write.resource &&
    other.fires?.transition === write.fires.transition)

const isChange = ({ kind }: Write): boolean => !["find", "locate", "collect", "may", "check"].includes(kind)

/** Computed fields depend on their sources. */
const lookedAt = (model: Model, resource: Resource, subject: Subject): readonly Looked[] =>
  subject.kind === "field"
    ? columnsBehind(model, resource, fieldNamed(resource, subject.field))
    : columnsOf(resource, subject).map((column) => ({ resource, column }))

/** Columns of the record's own table; of another record in the same table all may be meant. */
function looksAt(model: Model, resource: Resource, filter: Filter, own: Resource): readonly string[] {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.of.flatMap((part) => looksAt(model, resource, part, own))
    case "not":
      return looksAt(model, resource, filter.of, own)
    case "compare":
    case "isNull":
      return lookedAt(model, resource, filter.subject).flatMap(({ resource: of, column }) =>
        isSameTable(of.table, own.table) ? [column] : [],
      )
    case "related":
    case "quantified": {
      const relation = relationNamed(resource, filter.relation)
      const target = resourceNamed(model, relation.target)
      const here = isSameTable(resource.table, own.table) ? relation.join.map(({ from }) => from) : []
      const there = isSameTable(target.table, own.table) ? relation.join.map(({ to }) => to) : []
      return [...here, ...there, ...looksAt(model, target, filter.of, own)]
    }
  }
}

function guardUpdate(guarding: Guarding, write: Kind<"update">): Placed {
  if (write.calls !== undefined) return { writes: [forAction(guarding, write, write.calls)] }
  if (write.looks) return { writes: [write] }
  if (write.emits) return { writes: [asTold(write)] }
  const { fires } = write
  if (fires) return guardFired(guarding, write, fires)
  const rule = both(ruleOf(guarding, write, "update"), fieldRules(guarding, write, "update"))
  return placedUpdate(guarding, write, {
    action: "update",
    rule,
    checks: (key) => checksOf(guarding, write, "update", key),
  })
}

/** The rule of the action that emits stands at its call; here the record must be visible, and nothing of it be set. */
function asTold(write: Kind<"update"> & Write): Write {
  invariant(write.sets.length === 0 && !write.fires, "an event is no change of its record")
  return write
}

/** A transition's rule replaces that of update; afterwards the record must only be visible. */
function guardFired(guarding: Guarding, write: Kind<"update">, fires: Fires): Placed {
  const transition = transitionNamed(resourceOf(guarding, write), fires.transition)
  const { access, name: action } = transition
  invariant(access, "an audience's transitions say who may fire them")
  const chosen = new Set(
    transition.sets.flatMap(({ member, value }) => (value.kind === "input" ? member : [])),
  )
  const whole = resourceNamed(guarding.whole, write.resource)
  const sets = write.sets.filter(({ subject }) => chosen.has(subjectName(whole, subject)))
  return placedUpdate(guarding, write, {
    action,
    rule: access.allow,
    checks: (key) => checksAfter(guarding, write, { action, rule: everyRecord, key, sets }),
  })
}

interface RuledUpdate {
  /** Also a transition's name. */
  readonly action: string
  /** The condition on the record as it is. */
  readonly rule: Filter
  /** The condition on the record afterwards, by its key. */
  checks(key: Slot): readonly Checking[]
}

function placedUpdate(
  guarding: Guarding,
  write: Kind<"update">,
  { action, rule, checks: checksBy }: RuledUpdate,
): Placed {
  const named = keyOfTarget(write.target)
  if (write.target.several) {
    invariant(named, "several records are named by their keys")
    const before = checkBefore(guarding, write, { action, key: named, several: true, rule })
    const after = checksBy(named).map((check) => ({ ...check, several: true as const }))
    return { writes: [...before, write], afterwards: after }
  }
  const ruled: Write = isForAll(rule) ? write : { ...write, rule }
  const checks = checksBy(named ?? { slot: -1 })
  if (named || checks.length === 0) return { writes: [ruled], afterwards: checks }
  // The write may change the members that name the record.
  const into = guarding.pending()
  const { resource, place, target } = write
  const located: Write = { kind: "locate", resource, place, target, into }
  return { writes: [located, ruled], afterwards: checks.map((check) => ({ ...check, key: into })) }
}

/** The record must be one that the action may be done to. */
function forAction(guarding: Guarding, write: Kind<"update">, name: string): Write {
  const access = resourceOf(guarding, write).actions?.get(name)?.access
  if (!access) throw permissionDenied(name, write.resource, write.place)
  return isForAll(access) ? write : { ...write, rule: access }
}

/** The slot of the key, where that is what the target is named by. */
const keyOfTarget = ({ by }: Target): Slot | undefined => {
  const id = by.find(({ subject }) => subject.kind === "id")
  return id && { slot: id.slot }
}

function guardDelete(guarding: Guarding, write: Kind<"delete">): Placed {
  const rule = ruleOf(guarding, write, "delete")
  const asked = guarding.step.writes.some(
    (other) =>
      other.kind === "may" &&
      other.resource === write.resource &&
      keyOfTarget(write.target)?.slot === other.key.slot,
  )
  // All was asked while the record still had what goes before it: its rules may look at that, so none is asked again.
  if (asked) {
    const { match: _, ...gone } = write
    return { writes: [{ ...gone, cascade: true }] }
  }
  if (isForAll(rule)) return { writes: [write] }
  if (!write.target.several) return { writes: [{ ...write, rule }] }
  const key = keyOfTarget(write.target)
  invariant(key, "several records are named by their keys")
  return { writes: [...checkBefore(guarding, write, { action: "delete", key, several: true, rule }), write] }
}

interface Before {
  /** Also a transition's name. */
  readonly action: string
  readonly key: Slot
  readonly several?: true
  readonly rule: Filter
}

/** The records as they are, which have to be seen as well. */
function checkBefore(
  guarding: Guarding,
  write: Write,
  { action, key, several, rule }: Before,
): readonly Checking[] {
  const that = both(rule, resourceOf(guarding, write).access?.read)
  if (isForAll(that)) return []
  const { resource, place } = write
  return [
    {
      kind: "check",
      resource,
      place,
      key,
      that,
      refuses: { kind: "action", action, before: true },
      // Not checked again, so the record is locked.
      ...(several ? { several } : { locks: true }),
    },
  ]
}

/** Linking needs permission to update one record and to see the other. */
function guardLink(guarding: Guarding, write: Kind<"link" | "unlink">): Placed {
  const { from, to } = write
  invariant(from && to, "a request names both ends of a link")
  const resource = resourceOf(guarding, write)
  const isNew = guarding.step.writes.some(
    (other) => other.kind === "insert" && other.key.slot === from.slot && other.resource === write.resource,
  )
  const target = targetOf(guarding.model, resource, write.relation)
  const seen = target.access?.read ?? everyRecord
  const far: Checking = {
    kind: "check",
    resource: target.name,
    place: write.place,
    key: to,
    that: seen,
    refuses: { kind: "reference", relation: write.relation },
  }
  return {
    writes: [
      ...(isNew
        ? []
        : checkBefore(guarding, write, {
            action: "update",
            key: from,
            rule: ruleOf(guarding, write, "update"),
          })),
      ...(isForAll(seen) ? [] : [far]),
      write,
    ],
  }
}

/** A record that may be new, or be there already, has to be what either may be. */
function guardUpsert(guarding: Guarding, write: Kind<"upsert">): Placed {
  const changing: Kind<"upsert"> = { ...write, sets: write.changes }
  const rule = both(ruleOf(guarding, write, "update"), fieldRules(guarding, changing, "update"))
  const created = checksOf(guarding, write, "create", write.key)
  const changed = checksOf(guarding, changing, "update", write.key)
  const isSame = (a: Checking, b: Checking): boolean => JSON.stringify(a.that) === JSON.stringify(b.that)
  const more = changed.filter((check) => !created.some((other) => isSame(other, check)))
  return {
    writes: [isForAll(rule) ? write : { ...write, rule }],
    afterwards: [...created, ...more],
  }
}
