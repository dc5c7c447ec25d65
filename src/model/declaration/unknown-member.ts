// Hints for members that a declaration does not have: options of fields on a relation, else the name that may be meant.
import type { Place } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"

const ofRecord =
  "Callers that may create or update the record set the reference. A rule of `update` about it has to hold before and after, and a hook refuses what else must not be."
const withRecord = "A relation is seen with its record. The target has rules of its own for `read`."

const onRelations: Readonly<Record<string, string>> = {
  immutable: ofRecord,
  readonly: ofRecord,
  write: ofRecord,
  read: withRecord,
  unique: 'Say it of the record, by the name of the relation: unique: [["…"]].',
  default: "Give the record its reference when it is made, or in a hook.",
}

export const hintForMember = (place: Place, name: string, known: readonly string[]): string | undefined =>
  (place.at(-2) === "relations" && Object.hasOwn(onRelations, name) ? onRelations[name] : undefined) ??
  suggest(name, known)
