// Owned records are deleted with the one that owns them, so none may end up owning itself.
import { own } from "../declaration/keys.ts"
import { type Rule, relationsOf } from "./context.ts"

export const ownedCycles: Rule = (service, report) => {
  const owned = (name: string): readonly string[] =>
    Object.values(own(service.resources, name)?.relations ?? {}).flatMap((relation) =>
      relation.kind === "many" && relation.owned === true ? [relation.target] : [],
    )
  for (const { member, place, of } of relationsOf(service)) {
    if (member.kind !== "many" || member.owned !== true || member.by === undefined) continue
    if (reaches(owned, member.target, of.name))
      report(
        [...place, "owned"],
        `A "${of.name}" would own itself by way of "${member.target}".`,
        "Leave `owned` out in one place of the circle.",
      )
  }
}

function reaches(owned: (name: string) => readonly string[], from: string, to: string): boolean {
  const seen = new Set<string>()
  const waiting = [from]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === to) return true
    if (seen.has(next)) continue
    seen.add(next)
    waiting.push(...owned(next))
  }
  return false
}
