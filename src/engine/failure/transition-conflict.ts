// Explains a transition that was not fired: reads the record again, so that the loser of a race learns its state.

import { invariant } from "../../base/invariant.ts"
import type { Refusal } from "../../base/problem.ts"
import { refusal } from "../../base/problem.ts"
import type { Machine } from "../../model/model.ts"
import { resourceNamed, transitionsOf } from "../../plan/lookup.ts"
import { answersModel } from "../../plan/plan.ts"
import type { Filter } from "../../plan/read-plan.ts"
import { illegal, permissionDenied, unmet } from "../../plan/write/problems.ts"
import type { Fires, Step, Write } from "../../plan/write-plan.ts"
import { verdictColumns, whyNotFired } from "../../sql/write/write.ts"
import { ask, type Failing } from "./failed-write.ts"

export type Firing = Extract<Write, { readonly kind: "update" }> & { readonly fires: Fires }

/** Undefined where the actor sees no such record. */
export async function unfired(failing: Failing, write: Firing, step: Step): Promise<Refusal | undefined> {
  const { plan, storage } = failing
  const { place, fires, target } = write
  const resource = resourceNamed(answersModel(plan), write.resource)
  const transition = transitionsOf(resource).find(({ name, current = name }) => current === fires.transition)
  invariant(transition, `${resource.name} has the transition ${fires.transition}`)
  // The condition of an older version is in its own names.
  const among = target.several && !plan.answers ? foundAmong(step, write) : undefined
  const row = await ask(failing, whyNotFired(plan.model, storage.dialects.prompt, write, among))
  const told = (column: keyof typeof verdictColumns): string | undefined => {
    const text = row?.[verdictColumns[column]] ?? undefined
    return text === undefined ? undefined : String(text)
  }
  if (row?.length === 0 && !target.several) return undefined
  const id = target.several && told("id") !== undefined ? (JSON.parse(told("id") ?? "") as string) : undefined
  // A record that this request created cannot be read any more.
  if (row && row.length > 0) {
    if (told("allowed") === undefined) return permissionDenied(transition.name, resource.name, place)
    if (told("version") === undefined) return staleVersion(resource.name, write)
    if (told("starts") !== undefined && told("meets") === undefined)
      return unmet(resource, transition, { place, id })
  }
  const state = stateIn(told("state"), told("starts"))
  const called = state && stateThen(resource.machines.get(transition.machine), state)
  return illegal(resource, transition, { place, id, state: called })
}

/** By the name of the version; undefined for a state that it lacks. */
function stateThen(machine: Machine | undefined, state: string): string | undefined {
  const lacked = machine?.lacks?.get(state)
  if (lacked !== undefined) return lacked ?? undefined
  const states = machine?.states.values() ?? []
  return [...states].find(({ name, current = name }) => current === state)?.name ?? state
}

export const staleVersion = (
  resource: string,
  { place, places }: Pick<Firing, "place" | "places">,
): Refusal =>
  refusal("stale_version", `This ${resource} has changed since it was read.`, {
    place: places?.version ?? place,
    hint: "Read it again, and decide again.",
  })

/** Undefined where the record has come back to a state that the transition starts from. */
function stateIn(json: string | undefined, starts: string | undefined): string | undefined {
  if (json === undefined || starts !== undefined || !json.startsWith('"')) return undefined
  return JSON.parse(json) as string
}

/** The condition by which they were found. */
function foundAmong({ writes }: Step, { target }: Firing): Filter | undefined {
  const found = writes.find(
    (write) => write.kind === "find" && target.by.some(({ slot }) => slot === write.into.slot),
  )
  return found?.kind === "find" ? found.where : undefined
}
