// Names of what Bifold makes in a database: those of indexes and constraints follow from their table and columns.
import type { TableName } from "../../model/model.ts"

export type ConstraintKind = "key" | "index" | "fkey" | "check"

/** PostgreSQL cuts names at 63 bytes, so a long one gets a shorter form of its own. */
export function constraintName(table: TableName, columns: readonly string[], kind: ConstraintKind): string {
  const long = [table.name, ...columns, kind].join("_")
  if (Buffer.byteLength(long) <= 63) return long
  return `${cut(long, 45)}_${checksum(long)}_${kind}`
}

/** At most 63 bytes, as PostgreSQL allows. */
export const shortName = (long: string): string =>
  Buffer.byteLength(long) <= 63 ? long : `${cut(long, 55)}_${checksum(long)}`

/** At most so many bytes, and no half characters. */
function cut(text: string, bytes: number): string {
  let kept = ""
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > bytes) break
    kept += character
  }
  return kept
}

/** FNV-1a, 32 bits: tells names apart that begin alike. */
function checksum(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash.toString(36)
}
