// A judge knows what one update leaves of a record. So no other update of the step may set members of the same record that its rule
// looks at: the updates together have to be of as many records.
import { everyRecord } from "../every-record.ts"
import { resourceNamed } from "../lookup.ts"
import type { Slot } from "../read-plan.ts"
import type { Check, Target, Write } from "../write-plan.ts"
import { isOwnSet, touchesOf } from "./looks-at.ts"
import type { Settling } from "./settle.ts"

/** An update whose rule was judged. */
export interface JudgedUpdate {
  /** Its check when all is written. */
  readonly check: Check & Pick<Write, "resource" | "place">
  /** Columns of the record that the rule looks at. */
  readonly looked: ReadonlySet<string>
}

/** The slot of the key, where that is what the target is named by. */
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
