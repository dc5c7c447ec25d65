// Conditions on a record as a step would leave it, asked when nothing of the step is there.
import type { Model, Resource } from "../../model/model.ts"
import { everyRecord, noRecord } from "../every-record.ts"
import { fieldNamed, resourceNamed, targetOf } from "../lookup.ts"
import { relationsBehind } from "../read/computed.ts"
import type { Filter } from "../read-plan.ts"
import type { Write } from "../write-plan.ts"
import { isOwnSet, isReached, looksAt, type Touch, touchesOf } from "./looks-at.ts"

interface Lasting {
  readonly whole: Model
  /** Rows that the step adds as they are known before it. */
  readonly added: readonly Touch[]
  /** All other changes. */
  readonly changed: readonly Touch[]
  /** All records below a new one are known. */
  readonly isListed: boolean
}

/**
 * The condition without what the step may still end: where it holds before the step, with the records that the step makes below a
 * new one, it holds after it.
 */
export function lasting(
  whole: Model,
  writes: readonly Write[],
  { resource, isNew }: { readonly resource: Resource; readonly isNew: boolean },
  filter: Filter,
): Filter {
  const touches = (isWanted: boolean): readonly Touch[] =>
    writes.filter((write) => adds(whole, write) === isWanted).flatMap((write) => touchesOf(whole, write))
  const state = { whole, added: touches(true), changed: touches(false), isListed: !writes.some(isChosen) }
  return lasts(state, { resource, isOwn: true, isNew }, filter, true)
}

/** A hook may set other members of what it makes. */
const adds = (whole: Model, write: Write): boolean =>
  write.kind === "link" || (write.kind === "insert" && !resourceNamed(whole, write.resource).before?.create)

/** The caller chose the key of a record that the step makes. */
const isChosen = (write: Write): boolean =>
  write.kind === "link" ? write.made === true : "sets" in write && write.sets.some(({ made }) => made)

interface Place {
  readonly resource: Resource
  /** The record that is asked about, and not one that a path leads to. */
  readonly isOwn: boolean
  readonly isNew: boolean
}

/** @param wanted whether the condition has to hold, or must not */
function lasts(state: Lasting, place: Place, filter: Filter, wanted: boolean): Filter {
  switch (filter.kind) {
    case "and":
    case "or":
      return { ...filter, of: filter.of.map((part) => lasts(state, place, part, wanted)) }
    case "not":
      return { ...filter, of: lasts(state, place, filter.of, !wanted) }
    case "related":
    case "quantified": {
      if (isPathOpen(state, place, filter, wanted)) return wanted ? noRecord : everyRecord
      const turned = filter.kind === "quantified" && filter.quantifier === "none"
      const resource = targetOf(state.whole, place.resource, filter.relation)
      const of = lasts(state, { resource, isOwn: false, isNew: false }, filter.of, wanted !== turned)
      return { ...filter, of }
    }
    case "compare":
    case "isNull":
      return isValueOpen(state, place, filter) ? (wanted ? noRecord : everyRecord) : filter
    default:
      return filter
  }
}

/** The step may lead the path elsewhere. More records behind it end nothing that one of them has to meet. */
function isPathOpen(
  { whole, added, changed, isListed }: Lasting,
  { resource, isNew }: Place,
  filter: Extract<Filter, { readonly kind: "related" | "quantified" }>,
  wanted: boolean,
): boolean {
  const path = looksAt(whole, resource, { ...filter, of: everyRecord })
  if (path.history || isReached(path, changed)) return true
  if (filter.kind === "related" || (isNew && isListed)) return false
  return (filter.quantifier === "some") !== wanted && isReached(path, added)
}

function isValueOpen(
  { whole, added, changed, isListed }: Lasting,
  { resource, isOwn, isNew }: Place,
  filter: Extract<Filter, { readonly kind: "compare" | "isNull" }>,
): boolean {
  const looked = looksAt(whole, resource, filter)
  if (isReached(looked, changed) || (!isOwn && isOwnSet(looked, resource, changed))) return true
  if (filter.subject.kind !== "field" || !isReached(looked, added)) return false
  const behind = relationsBehind(whole, resource, fieldNamed(resource, filter.subject.field))
  return behind.length > 0 && !(isNew && isListed && behind.every((one) => one.resource === resource))
}
