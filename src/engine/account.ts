// The account of a request while the engine answers it: points charged and points needed, and its caller's limits in the
// answer.

import { isText, type Json, piecesOf, textOf } from "../base/json.ts"
import type { Meter } from "../base/request.ts"
import type { AllowanceMember } from "../plan/access/actor.ts"
import { selectedIn } from "../plan/fold.ts"
import { allowancePlaceholder } from "../plan/placeholders.ts"
import { answersModel, answersOf, type Plan } from "../plan/plan.ts"
import type { Answer, Member } from "../plan/read-plan.ts"

/** How the records of answers of one shape begin. */
export function recordBeginnings(plan: Plan): readonly string[] {
  const found = new Set<string>()
  const begin = ([first]: readonly Member[]): void => {
    if (first) found.add(`{${JSON.stringify(first.key)}:`)
  }
  for (const one of selectedIn(answersModel(plan), answersOf(plan))) {
    if (one.kind === "record") begin(one.record.members)
    else if (one.kind === "member" && one.member.kind === "one") begin(one.member.members)
    else if (one.kind === "listMember" && one.member.kind === "rows") begin(one.member.members)
  }
  return [...found]
}

/**
 * Records in an answer, by their beginnings: a JSON string holds no unescaped quote, so that no text looks like one.
 * Stored JSON may, and counts as records then.
 */
export function recordsIn({ roots }: Answer, beginnings: readonly string[]): number {
  let count = 0
  for (const root of roots) if (root !== null) for (const one of beginnings) count += timesInJson(root, one)
  return count
}

function timesInJson(json: Json, sought: string): number {
  if (isText(json)) return timesIn(json, sought)
  return piecesOf(json).reduce((times, piece) => times + timesInBytes(piece, sought), 0)
}

function timesIn(text: string, sought: string): number {
  let times = 0
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + sought.length)) times += 1
  return times
}

/** Bytes that are looked through as text at once: much faster than a search in a buffer, and no long string is made. */
const chunk = 16_384

function timesInBytes(bytes: Buffer, sought: string): number {
  const wanted = Buffer.from(sought).toString("latin1")
  let times = 0
  // A chunk reaches into the next one, so that a mark that begins in it is found whole.
  for (let from = 0; from < bytes.length; from += chunk)
    times += timesIn(bytes.toString("latin1", from, from + chunk + wanted.length - 1), wanted)
  return times
}

/** Whether the answer shows the caller's limits. */
export const showsAllowance = (plan: Plan): boolean =>
  plan.kind === "read" &&
  plan.roots.some(
    (root) =>
      root.kind === "object" &&
      root.of.some((one) => one.kind === "constant" && one.json.includes(allowancePlaceholder)),
  )

const placeholders = new RegExp(`${allowancePlaceholder}(.*?)${allowancePlaceholder}`, "g")

/** Puts the caller's limits in their places; an absent limit is null. */
export function fillAllowance(answer: Answer, meter: Meter | undefined): Answer {
  const allowance = meter?.allowance()
  const fill = (json: Json | null): Json | null =>
    json &&
    textOf(json).replace(placeholders, (_, members: string) => {
      if (!allowance) return "null"
      const named = JSON.parse(members) as readonly AllowanceMember[]
      const shown = named.map(([key, of]) => [
        key,
        typeof of === "string" ? (allowance[of] ?? null) : of.constant,
      ])
      return JSON.stringify(Object.fromEntries(shown))
    })
  return { ...answer, roots: answer.roots.map(fill) }
}
