// The guard of writes: each write of a request gets the rule of its action. A write checks the old record itself; a check
// at the end of the step looks at the new one (docs/guide/permissions.md).
import { invariant } from "../../base/invariant.ts"
import type { Access, Model, Resource } from "../../model/model.ts"
import { everyRecord, isForAll } from "../every-record.ts"
import { resourceNamed, subjectName, targetOf, transitionNamed } from "../lookup.ts"
import type { Filter, Slot } from "../read-plan.ts"
import { columnsOf } from "../selectivity.ts"
import { callDenied, permissionDenied } from "../write/problems.ts"
import type { Check, Fires, Kind, Setter, Setting, Step, Write, WritePlan } from "../write-plan.ts"
import { isOwnSet, isReached, looksAt, mayMake, type Touch, touchesOf } from "./looks-at.ts"
import {
  asIfMade,
  asItWas,
  distinctUpdates,
  isUnchanged,
  type JudgedUpdate,
  judge,
  keyOfTarget,
  type Settling,
} from "./settle.ts"

/**
 * The plan with the rules of its writes, and with slots for keys that are known once a write has run.
 * @throws Refusal `forbidden` when the actor may do something of it to no record at all.
 */
export function guardWrite(plan: WritePlan): WritePlan {
  const { model, steps } = plan
  const { audience } = model
  if (!audience) return plan
  const values = [...plan.values]
  const pending = (): Slot => ({ slot: values.push(null) - 1 })
  for (const { call } of steps)
    if (call && call.resource === undefined && !model.operations?.has(call.name))
      throw callDenied(call.name, call.at)
  const guarded = steps.map((step) => guardStep({ model, whole: audience.whole, step, pending }))
  return { ...plan, steps: guarded, values }
}

interface Guarding extends Settling {
  readonly model: Model
  /** Slots of keys of records that the step makes, or may update. */
  readonly named: ReadonlySet<number>
  /** Changes by the writes before the one at hand, each once. */
  readonly earlier: readonly Touch[]
  /**
   * Something is asked before the step for a later write: answers about this one's record come first. Or a hidden record may stop
   * an earlier write: the answer must not depend on it.
   */
  readonly asksFirst: boolean
}

type Action = Exclude<keyof Access, "read">
type Checking = Check & Pick<Write, "resource" | "place">

interface Placed {
  /** Looks up the keys that the checks before the step need. */
  readonly located?: readonly Write[]
  /** Checks before anything of the step is written. */
  readonly before?: readonly Write[]
  readonly writes: readonly Write[]
  /** Checks when all of it is. */
  readonly after?: readonly Write[]
  /** The update has a judge. */
  readonly judged?: JudgedUpdate
}

/** These look at the state before the step: their refusals reveal no effect of the step. */
const foundFirst: readonly Write["kind"][] = ["locate", "only", "sum"]

/** First lookups, then questions about the state before the step, then writes. */
function guardStep({
  step,
  ...asked
}: Pick<Guarding, "model" | "whole" | "pending"> & { readonly step: Step }): Step {
  const locates = ({ kind }: Write): boolean => foundFirst.includes(kind)
  const writes = [...step.writes.filter(locates), ...step.writes.filter((write) => !locates(write))]
  const { earlier, touches } = changesOf(asked.whole, writes)
  const all = { ...asked, writes, touches, inserts: insertsIn(writes), named: namedIn(writes) }
  const stopped = writes.findIndex((write) => mayMeetHidden(asked.model, asked.whole, write))
  const placed: Placed[] = []
  let asksLater = false
  for (const [index, write] of [...writes.entries()].reverse()) {
    const asksFirst = asksLater || (stopped >= 0 && stopped < index)
    const one: Placed = write.cascade
      ? { writes: [write] }
      : guardOne({ ...all, earlier: earlier[index] ?? [], asksFirst }, write)
    placed.push(one)
    asksLater ||= one.before !== undefined && one.before.length > 0
  }
  placed.reverse()
  const found = writes.findIndex(({ kind }) => !["find", "collect", ...foundFirst].includes(kind))
  const first = found < 0 ? writes.length : found
  return {
    ...step,
    writes: [
      ...placed.slice(0, first).flatMap((one) => one.writes),
      ...placed.flatMap(({ located }) => located ?? []),
      ...placed.flatMap(({ before }) => before ?? []),
      ...distinctUpdates(
        all,
        placed.flatMap(({ judged }) => judged ?? []),
      ),
      ...placed.slice(first).flatMap((one) => one.writes),
      ...placed.flatMap(({ after }) => after ?? []),
    ],
  }
}

interface Changes {
  /** Those by the writes before each write. */
  readonly earlier: readonly (readonly Touch[])[]
  /** Those by all of them. */
  readonly touches: readonly Touch[]
}

/** Each change once: a step has many writes and few kinds of changes. */
function changesOf(whole: Model, writes: readonly Write[]): Changes {
  const known = new Set<string>()
  let touches: readonly Touch[] = []
  const earlier = writes.map((write) => {
    const before = touches
    for (const touch of touchesOf(whole, write)) {
      const key = JSON.stringify({ ...touch, columns: touch.columns && [...touch.columns] })
      if (known.has(key)) continue
      known.add(key)
      touches = [...touches, touch]
    }
    return before
  })
  return { earlier, touches }
}

const insertsIn = (writes: readonly Write[]): Guarding["inserts"] =>
  new Map(
    writes.flatMap((write): readonly [number, Kind<"insert">][] =>
      write.kind === "insert" ? [[write.key.slot, write]] : [],
    ),
  )

const namedIn = (writes: readonly Write[]): Guarding["named"] =>
  new Set(
    writes.flatMap((write) => {
      if (write.kind === "insert") return [write.key.slot]
      if (write.kind !== "update" || write.cascade || write.looks) return []
      return keyOfTarget(write.target)?.slot ?? []
    }),
  )

function guardOne(guarding: Guarding, write: Write): Placed {
  switch (write.kind) {
    case "insert":
      return { ...checked(guarding, write, "create", write.key), writes: [write] }
    case "upsert":
      return guardUpsert(guarding, write)
    case "update":
      return guardUpdate(guarding, write)
    case "delete":
      return guardDelete(guarding, write)
    case "may": {
      const { key, several } = write
      const rule = ruleOf(guarding, write, write.action)
      return {
        before: checkBefore(guarding, write, {
          action: write.action,
          key,
          rule,
          ...(several && { several }),
        }),
        writes: [],
      }
    }
    case "link":
    case "unlink":
      return guardLink(guarding, write)
    case "find":
    case "locate":
    case "only":
    case "sum":
    case "collect":
    case "check":
    case "judge":
    case "refers":
      return { writes: [write] }
  }
}

const resourceOf = ({ model }: Pick<Guarding, "model">, write: Write): Resource =>
  resourceNamed(model, write.resource)

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
function fieldRules(guarding: Guarding, write: Setter, action: Action): Filter {
  const { settable } = resourceOf(guarding, write)
  return both(
    ...write.sets.map(({ subject, byDefault }): Filter | undefined => {
      // Any caller may leave a member out of a new record; a replacement changes the member.
      const isLeft = byDefault && action === "create"
      const field = subject.kind === "field" && !isLeft ? settable?.get(subject.field) : undefined
      const rule = action === "create" ? field?.creatable : field?.changeable
      return rule === false ? undefined : rule
    }),
  )
}

type Around = Pick<Placed, "before" | "judged"> & { readonly after?: readonly Checking[] }

/** Around a write: its references before, its rule and its sight after. */
function checked(guarding: Guarding, write: Setter, action: "create" | "update", key: Slot): Around {
  const rule = both(ruleOf(guarding, write, action), fieldRules(guarding, write, action))
  return around(guarding, write, { action, rule, key, sets: write.sets })
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

function around(guarding: Guarding, write: Setter, { action, rule, key, sets }: After): Around {
  const several = write.kind === "update" && write.target.several
  const references = referencesOf(guarding, write, sets)
  const will = isUnchanged(guarding, write, rule) ? everyRecord : asIfMade(guarding, write, rule)
  const seen = sightAfter(guarding, write)
  if (isForAll(both(will, seen))) return { before: references }
  const { judges, that } = judge(guarding, write, will)
  const after: Checking = {
    kind: "check",
    resource: write.resource,
    place: write.place,
    key,
    ...(several && { several }),
    that: both(that, seen),
    asked: { rule: will, sight: seen ?? everyRecord },
    refuses: { kind: "action", action },
  }
  const isOne = write.kind === "update" && !several && judges.length > 0
  const { own: looked } = looksAt(guarding.whole, resourceNamed(guarding.whole, write.resource), will)
  return {
    before: [...references, ...judges],
    after: [after],
    ...(isOne && { judged: { check: after, looked } }),
  }
}

/** The record must be visible after all writes. Undefined where the step changes nothing that visibility depends on. */
function sightAfter(guarding: Guarding, write: Setter): Filter | undefined {
  const read = resourceOf(guarding, write).access?.read
  if (!read || write.kind !== "update") return read
  const looked = looksAt(guarding.whole, resourceNamed(guarding.whole, write.resource), read)
  return isUnchanged(guarding, write, read) && !isReached(looked, guarding.touches) ? undefined : read
}

/** References that the actor has chosen, except those to a record that the step makes, or may update. */
function referencesOf(guarding: Guarding, of: Setter, sets: readonly Setting[]): readonly Write[] {
  const { model, named } = guarding
  const { resource, place } = of
  return sets.flatMap(({ subject, slot, made }): readonly Write[] => {
    if (subject.kind !== "reference" || made || named.has(slot)) return []
    const { relation } = subject
    const target = resourceNamed(guarding.whole, resource).relations.get(relation)?.target ?? ""
    const access = model.resources.get(target)?.access
    if (access && isForAll(access.read)) return []
    return [{ kind: "refers", resource, place, of, relation, to: { slot } }]
  })
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
    rule: asItWas(rule),
    around: (ruled, key) => checked(guarding, ruled, "update", key),
  })
}

/** The rule of the emitting action stands at its call; here the record must be visible, and stays unchanged. */
function asTold(write: Kind<"update">): Write {
  invariant(write.sets.length === 0 && !write.fires, "an event is no change of its record")
  return write
}

/** A transition's rule replaces the rule of update; afterwards the record must only be visible. */
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
    rule: asItWas(access.allow),
    around: (ruled, key) => around(guarding, ruled, { action, rule: everyRecord, key, sets }),
  })
}

interface RuledUpdate {
  /** Also a transition's name. */
  readonly action: string
  /** The condition on the record as it is. */
  readonly rule: Filter
  /** Further checks of the update with its rule, by the record's key. */
  around(ruled: Kind<"update">, key: Slot): Around
}

function placedUpdate(
  guarding: Guarding,
  write: Kind<"update">,
  { action, rule, around: aroundBy }: RuledUpdate,
): Placed {
  const named = keyOfTarget(write.target)
  if (write.target.several) {
    invariant(named, "several records are named by their keys")
    const asked = checkBefore(guarding, write, { action, key: named, several: true, rule })
    const { before = [], after = [] } = aroundBy(write, named)
    return { before: [...asked, ...before], writes: [write], after }
  }
  // The write may change the members that name the record.
  const into = named ?? guarding.pending()
  const ruled: Kind<"update"> = isForAll(rule) ? write : { ...write, rule }
  const { before = [], after = [], judged } = aroundBy(ruled, into)
  const more = judged && { judged }
  const isAsked = isAskedBefore(guarding, write, rule) || before.some(({ kind }) => kind === "judge")
  const { resource, place, target } = write
  const located: readonly Write[] =
    named || after.length === 0 ? [] : [{ kind: "locate", resource, place, target, into }]
  if (!isAsked) return { located, before, writes: [ruled], after, ...more }
  const writes: readonly Write[] = [{ ...write, judged: true }]
  return { located, before: [lookFor(ruled), ...before], writes, after, ...more }
}

/** Locks the record that the write needs: named, seen, of its version, and allowed by the rule. */
function lookFor({
  resource,
  place,
  places,
  target,
  match,
  rule,
  ...write
}: Kind<"update" | "delete">): Write {
  return {
    kind: "update",
    ...{ resource, place, target },
    ...(places && { places }),
    ...(match && { match }),
    ...(rule && { rule }),
    ...(write.kind === "delete" ? { calls: "delete" } : write.fires && { fires: write.fires }),
    sets: [],
    looks: true,
  }
}

/**
 * Whether earlier writes of the step may change the outcome of the rule or of the rule of sight, or make the record. The
 * target must exist before the step.
 */
function isAskedBefore(guarding: Guarding, write: Write, rule: Filter): boolean {
  const { whole, earlier, asksFirst } = guarding
  if (asksFirst) return true
  const resource = resourceNamed(whole, write.resource)
  const seen = resourceOf(guarding, write).access?.read
  const looked = looksAt(whole, resource, both(rule, seen))
  return isReached(looked, earlier) || isOwnSet(looked, resource, earlier) || mayMake(resource, earlier)
}

/** The record must be one that the action may be done to. */
function forAction(guarding: Guarding, write: Kind<"update">, name: string): Write {
  const access = resourceOf(guarding, write).actions?.get(name)?.access
  if (!access) throw permissionDenied(name, write.resource, write.place)
  return isForAll(access) ? write : { ...write, rule: access }
}

function guardDelete(guarding: Guarding, write: Kind<"delete">): Placed {
  const rule = ruleOf(guarding, write, "delete")
  const key = keyOfTarget(write.target)
  const asked = guarding.writes.some(
    (other) => other.kind === "may" && other.resource === write.resource && key?.slot === other.key.slot,
  )
  // All rules were asked while the record still had its children: they may look at these, so none is asked again.
  if (asked) {
    const { match: _, ...gone } = write
    return { ...(guarding.asksFirst && { before: [lookFor(write)] }), writes: [{ ...gone, cascade: true }] }
  }
  if (write.target.several) {
    invariant(key, "several records are named by their keys")
    return {
      before: checkBefore(guarding, write, { action: "delete", key, several: true, rule }),
      writes: [write],
    }
  }
  const ruled = isForAll(rule) ? write : { ...write, rule }
  if (!isAskedBefore(guarding, write, rule)) return { writes: [ruled] }
  return { before: [lookFor(ruled)], writes: [{ ...write, judged: true }] }
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
  const { resource, place, places } = write
  return [
    {
      kind: "check",
      resource,
      place,
      ...(places && { places }),
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
  const target = targetOf(guarding.model, resource, write.relation)
  // An upsert has the rules of a creation and of an update.
  const isMade = ({ slot }: Slot, of: string): boolean =>
    guarding.inserts.get(slot)?.resource === of ||
    guarding.writes.some((one) => one.kind === "upsert" && one.resource === of && one.key.slot === slot)
  const seen = target.access?.read ?? everyRecord
  const far: Checking = {
    kind: "check",
    resource: target.name,
    place: write.place,
    key: to,
    that: seen,
    refuses: { kind: "reference", relation: write.relation },
  }
  const rule = isMade(from, write.resource) ? undefined : asItWas(ruleOf(guarding, write, "update"))
  return {
    before: [
      ...(rule ? checkBefore(guarding, write, { action: "update", key: from, rule }) : []),
      ...(isForAll(seen) || isMade(to, target.name) || (write.kind === "link" ? write.made : write.seen)
        ? []
        : [far]),
    ],
    writes: [write],
  }
}

/** A record that may be new or exist already must satisfy the rules of both cases. */
function guardUpsert(guarding: Guarding, write: Kind<"upsert">): Placed {
  const changing: Kind<"upsert"> = { ...write, sets: write.changes }
  const rule = asItWas(
    both(
      ruleOf(guarding, write, "update"),
      fieldRules(guarding, changing, "update"),
      ...namesSeen(guarding, write),
    ),
  )
  const rules = both(ruleOf(guarding, write, "create"), fieldRules(guarding, write, "create"))
  const created = around(guarding, write, { action: "create", rule: rules, key: write.key, sets: write.sets })
  const changed = around(guarding, write, {
    action: "update",
    rule: both(ruleOf(guarding, write, "update"), fieldRules(guarding, changing, "update")),
    key: write.key,
    sets: [],
  })
  const isSame = (a: Checking, b: Checking): boolean => JSON.stringify(a.asked) === JSON.stringify(b.asked)
  const more = (changed.after ?? []).filter((check) => !created.after?.some((other) => isSame(other, check)))
  return {
    before: [...(created.before ?? []), ...(more.length > 0 ? (changed.before ?? []) : [])],
    writes: [isForAll(rule) ? write : { ...write, rule }],
    after: [...(created.after ?? []), ...more],
  }
}

/** A hidden value finds no record: the answer would reveal which record has it. */
function namesSeen(guarding: Guarding, write: Kind<"upsert">): readonly Filter[] {
  const { fields } = resourceOf(guarding, write)
  return write.unique.flatMap((subject) =>
    subject.kind === "field" ? (fields.get(subject.field)?.seen ?? []) : [],
  )
}

// Writes that a record which the caller does not see may stop: it has their key, or a unique value that they set.

/** The columns of each key that requests may choose, and of each unique key. */
export const chosenKeys = (resource: Resource): readonly (readonly string[])[] => {
  const { key, uniques } = resource
  const own = key && key.origin !== "typeid" ? [key.parts.map(({ column }) => column)] : []
  return [...own, ...uniques.map(({ members }) => members.flatMap((member) => columnsOf(resource, member)))]
}

/** Whether a record with these columns' values may exist whose values, or itself, the caller does not see. */
export function mayHide({ access, fields }: Resource, whole: Resource, columns: readonly string[]): boolean {
  if (!access) return true
  if (!isForAll(access.read)) return true
  return [...whole.fields.values()].some(
    ({ name, column }) => columns.includes(column) && (fields.get(name)?.seen ?? !fields.has(name)) !== false,
  )
}

/** @param model the audience's @param whole the whole service @param but columns of a key that is not asked about */
export function mayMeetHidden(
  model: Model,
  whole: Model,
  write: Write,
  but: readonly string[] = [],
): boolean {
  if (write.cascade || !("sets" in write)) return false
  const resource = model.resources.get(write.resource)
  if (!resource?.access) return false
  const all = resourceNamed(whole, write.resource)
  const hidden = chosenKeys(all).filter((key) => mayHide(resource, all, key))
  const keys = new Set(hidden.filter((key) => key.join() !== but.join()).flat())
  // An index of an existing table may be no key of the service.
  const byOthers = !whole.managed && but.length === 0
  const everything = [...all.fields.values()].map(({ column }) => column)
  return touchesOf(whole, write).some(
    ({ columns }) =>
      (byOthers && mayHide(resource, all, columns ? [...columns] : everything)) ||
      (columns ? !columns.isDisjointFrom(keys) : keys.size > 0),
  )
}
