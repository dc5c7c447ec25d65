// Parts of a rule that lead to other records are judged before the step. No record that a step writes vouches for itself,
// or for another one (docs/internals/permissions.md).
import type { Model, Resource } from "../../model/model.ts"
import { everyRecord, isForAll, noRecord } from "../every-record.ts"
import { resourceNamed } from "../lookup.ts"
import type { Filter, Slot } from "../read-plan.ts"
import type { Check, Judge, Kind, MadeWith, Setter, Target, Write } from "../write-plan.ts"
import { hasPaths, isOwnSet, isReached, looksAt, type Touch, touchesOf } from "./looks-at.ts"

/** A step whose writes are guarded. */
export interface Settling {
  readonly whole: Model
  readonly writes: readonly Write[]
  /** Those that make a record, by the slot of its key. */
  readonly inserts: ReadonlyMap<number, Kind<"insert">>
  /** Changes by all of them, each once. */
  readonly touches: readonly Touch[]
  readonly pending: () => Slot
}

const isForNone = (filter: Filter): boolean => filter.kind === "or" && filter.of.length === 0

/** The rule of a record from before the step: no record was made together with it. */
export const asItWas = (rule: Filter): Filter => decided(rule, () => false)

/** The rule of the record as the write leaves it. */
export const asIfMade = ({ inserts }: Settling, write: Setter, rule: Filter): Filter =>
  decided(rule, (relation) => insertOf(inserts, write, relation) !== undefined)

function decided(filter: Filter, isMade: (relation: string) => boolean): Filter {
  switch (filter.kind) {
    case "and":
    case "or": {
      const [settles, drops] = filter.kind === "and" ? [isForNone, isForAll] : [isForAll, isForNone]
      const of = filter.of.map((part) => decided(part, isMade))
      const whole = of.find(settles)
      if (whole) return whole
      const left = of.filter((part) => !drops(part))
      return left.length === 1 && left[0] ? left[0] : { kind: filter.kind, of: left }
    }
    case "not": {
      const of = decided(filter.of, isMade)
      return isForAll(of) ? noRecord : isForNone(of) ? everyRecord : { kind: "not", of }
    }
    case "together":
      return isMade(filter.relation) ? everyRecord : noRecord
    default:
      return filter
  }
}

/** The write of the same step that makes the record which the reference leads to. */
function insertOf(
  inserts: Settling["inserts"],
  { sets }: Setter,
  relation: string,
): Kind<"insert"> | undefined {
  const set = sets.find(({ subject }) => subject.kind === "reference" && subject.relation === relation)
  return set && inserts.get(set.slot)
}

/** The rule held before, and the step sets no member of such a record that the rule looks at: its paths stay the same. */
export function isUnchanged({ whole, touches }: Settling, write: Setter, rule: Filter): boolean {
  if (write.kind !== "update") return false
  const resource = resourceNamed(whole, write.resource)
  return !isOwnSet(looksAt(whole, resource, rule), resource, touches)
}

interface Judged {
  readonly judges: readonly Write[]
  /** The rule, to be asked when all is written. */
  readonly that: Filter
}

/** Judges, before the step, parts of the rule that lead to records which the step may change. */
export function judge(settling: Settling, of: Setter, rule: Filter): Judged {
  const { whole, inserts, pending } = settling
  const resource = resourceNamed(whole, of.resource)
  const asks: Judge["asks"][number][] = []
  const settled = (that: Filter): Filter => {
    const into = pending()
    asks.push({ that, into })
    return { kind: "settled", slot: into.slot }
  }
  const mayChange = (filter: Filter): boolean => isSettled(settling, resource, filter)
  const parts = (filter: Filter): Filter => {
    if (filter.kind === "and" || filter.kind === "or") return { ...filter, of: filter.of.map(parts) }
    if (filter.kind === "not") return { ...filter, of: parts(filter.of) }
    return mayChange(filter) ? settled(filter) : filter
  }
  if (!mayChange(rule)) return { judges: [], that: rule }
  const several = of.kind === "update" && of.target.several
  const that = several ? settled(rule) : parts(rule)
  const { resource: name, place } = of
  return {
    judges: [{ kind: "judge", resource: name, place, of, asks, made: madeWith(inserts, of) }],
    that,
  }
}

/** In an unmanaged table a trigger may change any other column. */
function isSettled({ whole, touches }: Settling, resource: Resource, filter: Filter): boolean {
  const looked = looksAt(whole, resource, filter)
  return whole.managed ? isReached(looked, touches) : hasPaths(looked)
}

const madeWith = (inserts: Settling["inserts"], of: Setter): readonly MadeWith[] =>
  of.sets.flatMap(({ subject }): readonly MadeWith[] => {
    if (subject.kind !== "reference") return []
    const insert = insertOf(inserts, of, subject.relation)
    return insert && insert !== of
      ? [{ relation: subject.relation, insert, made: madeWith(inserts, insert) }]
      : []
  })

// A judge knows the result of one update only. So no other update of the step may set members of its record that the
// rule looks at. The step's check counts the updated records, which must be as many as the updates.

/** An update whose rule was judged. */
export interface JudgedUpdate {
  /** Its check when all is written. */
  readonly check: Check & Pick<Write, "resource" | "place">
  /** Columns of the record that the rule looks at. */
  readonly looked: ReadonlySet<string>
}

/** The slot of the key, if the target names the record by its key. */
export const keyOfTarget = ({ by }: Target): Slot | undefined => {
  const id = by.find(({ subject }) => subject.kind === "id")
  return id && { slot: id.slot }
}

/** Checks when all is written, one for each resource. */
export const distinctUpdates = (settling: Settling, judged: readonly JudgedUpdate[]): readonly Write[] =>
  [...Map.groupBy(judged, ({ check }) => check.resource).values()].flatMap((all) => {
    const [first] = all
    const set = setters(settling, all)
    const slots = new Set([...all.map(({ check }) => check.key.slot), ...set])
    if (!first || set.length === 0 || slots.size < 2) return []
    const { resource, place, refuses } = first.check
    const of = [...slots].map((slot) => ({ slot }))
    const into = settling.pending()
    return [
      { kind: "collect", resource, place, of, into },
      {
        kind: "check",
        resource,
        place,
        key: into,
        several: true,
        that: everyRecord,
        count: of.length,
        refuses,
      },
    ]
  })

/** Keys of updates that set a member which one of the rules looks at. */
function setters({ whole, writes }: Settling, judged: readonly JudgedUpdate[]): readonly number[] {
  const name = judged[0]?.check.resource ?? ""
  const own = new Set(judged.flatMap(({ looked }) => [...looked]))
  const resource = resourceNamed(whole, name)
  return writes.flatMap((write): readonly number[] => {
    if (write.kind !== "update" || write.cascade || write.target.several || write.resource !== name) return []
    const slot = keyOfTarget(write.target)?.slot
    const isSet = slot !== undefined && isOwnSet({ own }, resource, touchesOf(whole, write))
    return isSet ? [slot] : []
  })
}
