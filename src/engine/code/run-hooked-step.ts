// Runs a step with hooks: stretches of writes together, each hooked write by itself.
import type { JsonText } from "../../base/json.ts"
import type { Model } from "../../model/model.ts"
import type { Actor } from "../../plan/access/actor.ts"
import type { Value } from "../../plan/read-plan.ts"
import { hooksOf } from "../../plan/write/calls-user-code.ts"
import type { Kind, Step, Write } from "../../plan/write-plan.ts"
import { announce, openOf, runHooked } from "./hooks.ts"
import type { Part, PartAnswer, Transaction } from "./run-program.ts"

interface Apart {
  readonly transaction: Transaction
  readonly actor: Actor
  readonly values: Value[]
  readonly part: (steps: readonly Step[], of?: Part["of"], as?: Part["model"]) => Promise<PartAnswer>
  readonly sameSteps: Transaction["sameSteps"]
}

export interface StepText extends Pick<PartAnswer, "seal"> {
  readonly text: JsonText | null
  readonly created: boolean | undefined
}

export const stepText = ({ texts: [text = null], created, seal }: PartAnswer): StepText => ({
  text,
  created: created[0],
  seal,
})

export async function runHookedStep(apart: Apart, step: Step): Promise<StepText> {
  const { writes, reads } = step
  const looks = writes.findIndex(({ kind }) => kind !== "find" && kind !== "locate")
  const first = reads === "before" && looks >= 0 ? looks : writes.length
  const before = await runWrites(apart, step, 0, first)
  const { model } = apart.actor
  const read = await apart.part(
    apart.sameSteps(model, [{ writes: [], answer: step.answer, reads: "after" }]),
    {
      step,
      from: 0,
    },
  )
  const after = await runWrites(apart, step, first, writes.length)
  return { ...stepText(read), created: before ?? after }
}

/** Gives whether an upsert made the record. */
async function runWrites(apart: Apart, step: Step, from: number, to: number): Promise<boolean | undefined> {
  let created: boolean | undefined
  for (const { hooked, at, end } of stretches(apart.actor.model, step.writes, from, to)) {
    const [write] = step.writes.slice(at, end)
    const runs = (): Promise<PartAnswer> => run(apart, step.writes.slice(at, end), { step, from: at })
    if (hooked === "going") await announceAll(apart, step, at, end)
    const answer =
      hooked === "one" && write ? await runHooked(hookingOf(apart, step, at), write) : await runs()
    created = answer?.created[0] ?? created
  }
  return created
}

/** Consecutive writes that run together; `going` is a deletion with its cascade. */
interface Stretch {
  readonly hooked?: "one" | "going"
  readonly at: number
  readonly end: number
}

function stretches(model: Model, writes: readonly Write[], from: number, to: number): readonly Stretch[] {
  const all: Stretch[] = []
  for (let at = from; at < to; ) {
    const end = Math.min(endOfDeletion(writes, at), to)
    const isHooked = writes.slice(at, end).some((write) => hooksOf(model, write))
    const last = all.at(-1)
    if (isHooked) all.push({ hooked: writes[end - 1]?.kind === "delete" ? "going" : "one", at, end })
    else if (last && !last.hooked) all[all.length - 1] = { at: last.at, end }
    else all.push({ at, end })
    at = end
  }
  return all
}

/** A cascade stands before the deletion of its record, with the same place. */
function endOfDeletion(writes: readonly Write[], at: number): number {
  const place = JSON.stringify(writes[at]?.place)
  let end = at
  while (writes[end]?.cascade && JSON.stringify(writes[end]?.place) === place) end += 1
  const next = writes[end]
  return end === at || (next?.kind === "delete" && JSON.stringify(next.place) === place) ? end + 1 : end
}

/** From the record down its cascade, so that each hook still finds its record's children. */
async function announceAll(apart: Apart, step: Step, from: number, to: number): Promise<void> {
  for (let at = to - 1; at >= from; at -= 1) {
    const write = step.writes[at]
    if (write?.kind !== "delete") continue
    const hooking = hookingOf(apart, step, at)
    // Its owners are those that there are by now.
    const finds = step.writes
      .slice(from, at)
      .filter((other) => other.kind === "find" && findsFor(other, write))
    if (finds.length > 0) await run(apart, finds, { step, from })
    await announce(hooking, write)
  }
}

const findsFor = ({ into }: Kind<"find">, { target }: Kind<"delete">): boolean =>
  target.by.some(({ slot }) => slot === into.slot)

const nothing = { kind: "constant", key: "none", json: "null" } as const

const run = (
  { actor, part, sameSteps }: Apart,
  writes: readonly Write[],
  of: Part["of"],
): Promise<PartAnswer> => part(sameSteps(actor.model, [{ writes, answer: nothing, reads: "after" }]), of)

function hookingOf(apart: Apart, step: Step, from: number) {
  const { transaction, actor, values, part, sameSteps } = apart
  const open = openOf(actor.model)
  return {
    transaction,
    actor,
    values,
    put: (writes: readonly Write[]) => run(apart, writes, { step, from, same: true }),
    whole: (own: Step) => part(sameSteps(open, [own]), undefined, open),
  }
}
