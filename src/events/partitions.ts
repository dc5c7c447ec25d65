// Which partition a record is in: the same for all processes, for ever.
import { allPartitions } from "../sql/schema/system-tables.ts"

/**
 * By the key in its public id, so that a resource that gets another prefix keeps its partitions: FNV-1a, 32 bits
 * (draft-eastlake-fnv, section 2), over the UTF-16 code units.
 */
export function partitionOf(record: string): number {
  let hash = 0x811c9dc5
  for (let index = record.indexOf("_") + 1; index < record.length; index += 1)
    hash = Math.imul(hash ^ record.charCodeAt(index), 0x01000193)
  return (hash >>> 0) % allPartitions.length
}

/** Up to where all are done. @param positions one at least */
export function leastOf(positions: Iterable<bigint>): bigint {
  const [first = 0n, ...more] = positions
  let least = first
  for (const one of more) if (one < least) least = one
  return least
}
