// A step of which hooks are run: its writes part by part, each hooked one by itself.
import type { JsonText } from "../base/json.ts"
import type { Actor } from "../plan/actor.ts"
import type { Value } from "../plan/types.ts"
import type { Step, Write } from "../plan/write-types.ts"
import { hooksOf, openOf, runHooked } from "./hooks.ts"
import type { Part, PartAnswer, Transaction } from "./running.ts"

interface Apart {
  readonly transaction: Transaction
  readonly actor: Actor
  readonly values: Value[]
  readonly part: (steps: readonly Step[], of?: Part["of"], as?: Part["model"]) => Promise<PartAnswer>
  readonly sameSteps: Transaction["sameSteps"]
}

export interface GivenText extends Pick<PartAnswer, "seal"> {
  readonly text: JsonText | null
  readonly created: boolean | undefined
}

export const stepGiven = ({ texts: [text = null], created, seal }: PartAnswer): GivenText => ({
  text,
  created: created[0],
  seal,
})

export async function runApart(apart: Apart, step: Step): Promise<GivenText> {
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
  return { ...stepGiven(read), created: before ?? after }
}

/** Gives whether an upsert made the record. */
async function runWrites(apart: Apart, step: Step, from: number, to: number): Promise<boolean | undefined> {
  const { model } = apart.actor
  let created: boolean | undefined
  let at = from
  while (at < to) {
    const write = step.writes[at]
    const isHooked = write && hooksOf(model, write)
    if (write && isHooked) {
      created = (await runHooked(hookingOf(apart, step, at), write))?.created[0] ?? created
      at += 1
      continue
    }
    const next = step.writes.findIndex((other, index) => index > at && index < to && hooksOf(model, other))
    const end = next < 0 ? to : next
    created = (await run(apart, step.writes.slice(at, end), { step, from: at })).created[0] ?? created
    at = end
  }
  return created
}

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
