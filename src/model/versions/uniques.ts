// Unique keys of an older version, by the names that it has.
import { referenceName } from "../declaration/default-names.ts"
import type { Unique } from "../model.ts"

export function renameMember(
  unique: Unique,
  kind: "field" | "reference",
  now: string,
  before: string,
): Unique {
  const isIt = (member: Unique["members"][number]): boolean =>
    member.kind === "field"
      ? kind === "field" && member.field === now
      : kind === "reference" && member.relation === now
  if (!unique.members.some(isIt)) return unique
  const members = unique.members.map((member) =>
    !isIt(member)
      ? member
      : member.kind === "field"
        ? { ...member, field: before }
        : { ...member, relation: before },
  )
  const names = members.map((member) =>
    member.kind === "field" ? member.field : referenceName(member.relation),
  )
  return { name: names.join("_"), members }
}
