// References by a key that the caller chose, to a record that the operation makes before it (docs/guide/access.md).
import type { Draft } from "../draft/draft.ts"
import { resourceNamed, targetOf, wholeOf } from "../lookup.ts"
import type { Value } from "../read-plan.ts"
import type { Setting, Write } from "../write-plan.ts"
import type { InputPlace } from "./input-place.ts"

/** Marks such references and links: the record is not looked up before the operation. */
export function markMade(
  { draft, keys }: Pick<InputPlace, "draft" | "keys">,
  writes: readonly Write[],
): readonly Write[] {
  if (keys.size === 0) return writes
  const made = new Set<string>()
  const leadsThere = (write: Write, relation: string, slot: number): boolean => {
    const target = targetOf(draft.model, resourceNamed(draft.model, write.resource), relation)
    const key = draft.values[slot]
    return Array.isArray(key) && made.has(nameOf(target.name, key))
  }
  return writes.map((write): Write => {
    if (write.kind === "link" && write.to && leadsThere(write, write.relation, write.to.slot))
      return { ...write, made: true }
    if (write.kind !== "insert" && write.kind !== "update" && write.kind !== "upsert") return write
    // A record may refer to itself.
    const own = write.kind === "update" ? undefined : keys.get(write.key.slot)
    if (own && !mayRename(draft, write)) made.add(nameOf(write.resource, own))
    const marked = (set: Setting): Setting => {
      const { subject, slot, newest } = set
      const isMade = !newest && subject.kind === "reference" && leadsThere(write, subject.relation, slot)
      return isMade ? { ...set, made: true } : set
    }
    return { ...write, sets: write.sets.map(marked) }
  })
}

const nameOf = (resource: string, key: readonly Value[]): string =>
  JSON.stringify([resource, key.map(String)])

/** A hook may give the record another key. */
const mayRename = ({ model }: Draft, { resource }: Write): boolean =>
  resourceNamed(wholeOf(model), resource).before?.create !== undefined
