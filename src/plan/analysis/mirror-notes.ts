// Notes about rules that follow a many-to-many relation whose links can be set from the other side. The rule of update over
// there decides about the link too, which an author may not expect.
import { withArticle } from "../../base/article.ts"
import type { Place } from "../../base/problem.ts"
import type { ColumnPair, Model, Resource, Through, ToMany } from "../../model/model.ts"
import { type Fact, type Way, waysOf } from "../access/dnf.ts"
import { joined } from "../access/parse-policy.ts"
import type { Rule, Rules } from "../access/policy-types.ts"
import { conflictIn } from "../access/unsatisfiable.ts"
import { isSameTable, relationNamed, resourceNamed } from "../lookup.ts"
import type { Filter } from "../read-plan.ts"
import { type Action, inputMembers } from "../write/inputs.ts"
import { placedRules, stepsOf } from "./placed-rules.ts"
import type { RuleNote } from "./rule-note.ts"

/** A many-to-many relation, as declared on one of its two sides. */
interface Side {
  readonly of: Resource
  readonly relation: ToMany & { readonly through: Through }
}

export function mirrorNotes(model: Model, rules: Rules): readonly RuleNote[] {
  return placedRules(model, rules).flatMap(({ resource, rule, place }) =>
    sidesAsked(model, resource, rule).flatMap((side) =>
      mirrorsOf(model, side).flatMap((mirror) => notesOn({ model, rules }, side, mirror, place)),
    ),
  )
}

interface Spot {
  readonly model: Model
  readonly rules: Rules
}

function notesOn(spot: Spot, asked: Side, mirror: Side, place: Place): readonly RuleNote[] {
  const open = (["create", "update"] as const).filter((action) => isOpen(spot, asked, mirror, action))
  if (open.length === 0) return []
  const other = nameOf(mirror)
  return [
    {
      place,
      what: `this rule follows ${nameOf(asked)}: callers that may ${open.join(" or ")} ${withArticle(mirror.of.name)} set the same links by ${other}`,
      hint: `Make the link a resource with rules of its own, such as a membership, or leave out ${other}. A relation cannot be declared read-only.`,
    },
  ]
}

const nameOf = ({ of, relation }: Side): string => `${of.name}.${relation.name}`

/** Many-to-many relations that a rule follows, each once. */
const sidesAsked = (model: Model, resource: Resource, rule: Rule): readonly Side[] => [
  ...new Map(
    stepsOf(model, resource, rule)
      .flatMap(({ of, relation }) => sideOf(of, relation) ?? [])
      .map((side) => [nameOf(side), side]),
  ).values(),
]

function sideOf(of: Resource, name: string): Side | undefined {
  const relation = relationNamed(of, name)
  if (relation.kind !== "many" || !relation.through) return undefined
  return { of, relation: { ...relation, through: relation.through } }
}

/** Relations of the target that lead back over the same columns of the same join table. */
function mirrorsOf(model: Model, { of, relation: { target, through } }: Side): readonly Side[] {
  const holder = resourceNamed(model, target)
  return [...holder.relations.keys()].flatMap((name) => {
    const side = sideOf(holder, name)
    if (!side || side.relation.target !== of.name) return []
    const back = side.relation.through
    const isMirror = isSameTable(back.table, through.table) && isReversed(back.near, through.far)
    return isMirror ? [side] : []
  })
}

const isReversed = (pairs: readonly ColumnPair[], others: readonly ColumnPair[]): boolean =>
  pairs.length === others.length &&
  pairs.every(({ from, to }) => others.some((other) => other.from === to && other.to === from))

/**
 * Whether some caller sets links by the mirror that it could not set by the relation that is asked: it may write a record of
 * the mirror's side, and sees a record of the asked side that it may not update.
 */
function isOpen({ model, rules }: Spot, asked: Side, mirror: Side, action: Action): boolean {
  const member = inputMembers(model, mirror.of, action)?.get(mirror.relation.name)
  if (member?.kind !== "relation" || !member.verbs.includes("link")) return false
  const isClosed = (way: Way): boolean => conflictIn(model, way, rules.seats) !== undefined
  const waysIn = (of: Resource, rule: Rule): readonly Way[] => waysOf({ model, isClosed }, of, rule) ?? []
  const waysTo = (of: Resource, done: "read" | Action): readonly Way[] => {
    if (done !== "read" && of.withheld?.includes(done)) return []
    const grants = rules.resources.get(of.name)?.actions[done] ?? []
    const given = grants.map(({ rule }) => rule)
    return waysIn(of, joined("or", given))
  }
  /** A caller that sees the record by its own link cannot link itself. */
  const isLinked = (fact: Fact, written: Way): boolean => {
    const of = linkAsked(fact, asked)
    if (!of || !isCaller(of)) return false
    return waysIn(mirror.of, { kind: "records", where: of, viewer: false }).some((way) =>
      isWithin(way, written),
    )
  }
  const [sights, own] = [waysTo(asked.of, "read"), waysTo(asked.of, "update")]
  return waysTo(mirror.of, action).some((written) =>
    sights.some((sight) => {
      const caller = [...sight, ...written.filter(isCredential)]
      if (isClosed(caller) || sight.some((fact) => isLinked(fact, written))) return false
      return !own.some((update) => isWithin(update, caller))
    }),
  )
}

const isCredential = (fact: Fact): boolean => fact.kind === "asked" && fact.where === undefined

/** The condition on one linked record, where the fact is that there is such a link. */
function linkAsked(fact: Fact, { relation: { name } }: Side): Filter | undefined {
  if (fact.kind !== "asked" || !fact.holds || fact.where?.kind !== "quantified") return undefined
  return fact.what === `\`${name}\`` ? fact.where.of : undefined
}

/** The condition holds for records of one caller only. */
function isCaller(filter: Filter): boolean {
  if (filter.kind === "and") return filter.of.some(isCaller)
  if (filter.kind === "or") return filter.of.length > 0 && filter.of.every(isCaller)
  if (filter.kind === "quantified") return filter.quantifier === "some" && isCaller(filter.of)
  if (filter.kind === "related") return isCaller(filter.of)
  if (filter.kind !== "compare" || filter.operator !== "eq") return false
  return filter.operand.slot === 0 && filter.operand.viewer === undefined
}

/** Whether all that a rule of update asks is among what holds. */
function isWithin(asked: Way, holding: Way): boolean {
  const known = new Set(holding.map(keyOf))
  return asked.every((fact) => known.has(keyOf(fact)))
}

const keyOf = (fact: Fact): string =>
  JSON.stringify(fact.kind === "asked" ? [fact.key, fact.holds] : [fact.name, fact.asked, fact.holds])
