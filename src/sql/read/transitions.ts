// Transitions in SQL: the state and the condition that a record must meet. They are conditions of the update that fires
// a transition, and give the member that lists the possible ones. Both read the stored values, for any caller.

import { present } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import type { Transition } from "../../model/model.ts"
import { isForAll } from "../../plan/every-record.ts"
import { fieldNamed, resourceNamed, transitionNamed, transitionsOf } from "../../plan/lookup.ts"
import type { ReasonMember, TransitionMember } from "../../plan/read-plan.ts"
import { illegalText, permissionDeniedText, unmetText } from "../../plan/write/problems.ts"
import { fieldType } from "../column-type.ts"
import { allOf, commas, type Fragment, join, literal, sql } from "../fragment.ts"
import { concatenated, objectText, type TextPiece } from "../json-text.ts"
import type { Compilation, Row } from "./compilation.ts"

/** The record is in a state that the transition starts from. */
export function startsHere({ all }: Compilation, row: Row, { name, current = name }: Transition): Fragment {
  const whole = resourceNamed(all.model, row.resource.name)
  const { machine, from } = transitionNamed(whole, current)
  const field = fieldNamed(whole, machine)
  const state = all.dialect.comparable(row.stored(field.column), fieldType(all.model, field))
  return sql`${state} IN (${commas(from.map(literal))})`
}

const accessOf = ({ access, name }: Transition) =>
  present(access, `somebody has said who may ${name}, and where`)

/** The record meets what the transition asks of it; undefined where every record does. */
export function meetsWhen(compilation: Compilation, row: Row, transition: Transition): Fragment | undefined {
  const { when } = accessOf(transition)
  return isForAll(when) ? undefined : compilation.holds(row, when)
}

/** All that has to hold for it to be fired, but that the actor may. */
export const firesHere = (
  compilation: Compilation,
  row: Row,
  transition: Transition,
): readonly Fragment[] => [
  startsHere(compilation, row, transition),
  ...given(meetsWhen(compilation, row, transition)),
]

/** An array with an object for each transition that is left for the actor. */
export function transitionsText(
  compilation: Compilation,
  row: Row,
  members: readonly TransitionMember[],
): readonly TextPiece[] {
  const objects = transitionsOf(row.resource).map((transition) => {
    const asked = askedOf(compilation, row, transition)
    return objectText(
      members.map((member) => ({ key: member.key, text: memberText(compilation, asked, member) })),
    )
  })
  return ["[", ...objects.flatMap((object, index) => (index === 0 ? object : [",", ...object])), "]"]
}

/** The condition for a transition of the row; undefined where it always holds. */
interface Asked {
  readonly row: Row
  readonly transition: Transition
  readonly starts: Fragment
  readonly meets: Fragment | undefined
  readonly may: Fragment | undefined
}

function askedOf(compilation: Compilation, row: Row, transition: Transition): Asked {
  const { allow } = accessOf(transition)
  return {
    row,
    transition,
    starts: startsHere(compilation, row, transition),
    meets: meetsWhen(compilation, row, transition),
    may: isForAll(allow) ? undefined : compilation.holds(row, allow),
  }
}

const given = (...fragments: readonly (Fragment | undefined)[]): readonly Fragment[] =>
  fragments.filter((fragment) => fragment !== undefined)

function memberText(compilation: Compilation, asked: Asked, member: TransitionMember): readonly TextPiece[] {
  return match(member, {
    constant: ({ json }): readonly TextPiece[] => [json],
    said: ({ of }) => [present(of[asked.transition.name], `something is said of ${asked.transition.name}`)],
    allowed: () => {
      const all = allOf([asked.starts, ...given(asked.may, asked.meets)])
      return [sql`CASE WHEN ${all} THEN 'true' ELSE 'false' END`]
    },
    reasons: ({ members }) => reasonsText(compilation, asked, members),
  })
}

/** Reasons reveal nothing of the record to actors that may not fire it; its state only if it is visible anyway. */
function reasonsText(
  compilation: Compilation,
  asked: Asked,
  members: readonly ReasonMember[],
): readonly TextPiece[] {
  const { row, transition, starts, meets, may } = asked
  const { resource } = row
  const reason = (code: string, message: string): Fragment =>
    literal(`,${reasonText({ code, message }, members)}`)
  const told = stateTold(compilation, asked)
  const items = given(
    when(
      allOf([isNot(starts), ...given(told)]),
      reason("illegal_transition", illegalText(resource, transition)),
    ),
    meets &&
      when(
        allOf([isNot(meets), ...given(may)]),
        reason("condition_not_met", unmetText(resource, transition)),
      ),
    may && when(isNot(may), reason("forbidden", permissionDeniedText(transition.name, resource.name))),
  )
  const all = concatenated(compilation.dialect, items)
  return ["[", sql`substr(${all}, 2)`, "]"]
}

const when = (condition: Fragment, text: Fragment): Fragment =>
  sql`CASE WHEN ${condition} THEN ${text} ELSE '' END`

const isNot = (condition: Fragment): Fragment => sql`(${condition}) IS NOT TRUE`

/** The condition under which the actor sees the state; undefined where it always does. */
function stateTold(compilation: Compilation, { row, transition, may }: Asked): Fragment | undefined {
  const field = row.resource.fields.get(transition.machine)
  if (!may || (field && !field.seen)) return undefined
  return field?.seen ? sql`(${join([may, compilation.holds(row, field.seen)], sql` OR `)})` : may
}

function reasonText(
  said: { readonly code: string; readonly message: string },
  members: readonly ReasonMember[],
): string {
  const texts = members.map((member) => {
    const text = member.kind === "constant" ? member.json : JSON.stringify(said[member.kind])
    return `${JSON.stringify(member.key)}:${text}`
  })
  return `{${texts.join(",")}}`
}
