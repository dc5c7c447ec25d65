// Runs a step with hooks: stretches of writes together, each hooked write alone.
import type { JsonText } from "../../base/json.ts"
import type { Model } from "../../model/model.ts"
import type { Actor } from "../../plan/access/actor.ts"
import { looksAt } from "../../plan/guard/looks-at.ts"
import { resourceNamed, wholeOf } from "../../plan/lookup.ts"
import type { Value } from "../../plan/read-plan.ts"
import { columnsOf } from "../../plan/selectivity.ts"
import { hooksOf } from "../../plan/write/calls-user-code.ts"
import type { Kind, MadeWith, Setter, Setting, Step, Write } from "../../plan/write-plan.ts"
import { announce, openOf, runHooked } from "./hooks.ts"
import { type Part, type PartAnswer, plainOf, type Transaction } from "./run-program.ts"

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
    const runs = (): Promise<PartAnswer> =>
      run(apart, step.writes.slice(at, end), { step, from: at, created })
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
    const isHooked = writes.slice(at, end).some((write) => hooksOf(model, write) ?? isSummed(write))
    const last = all.at(-1)
    if (isHooked) all.push({ hooked: writes[end - 1]?.kind === "delete" ? "going" : "one", at, end })
    else if (last && !last.hooked) all[all.length - 1] = { at: last.at, end }
    else all.push({ at, end })
    at = end
  }
  return all
}

/** Hooks of the writes before it may write the record that its sums add to. */
const isSummed = (write: Write): boolean => write.kind === "update" && write.sets.some(({ isSum }) => isSum)

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
    // Its owners are the ones that exist by now.
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

/** Asks again, now, each question that depends on members set by a hook: of the write, and of records made with its own. */
async function askAgain(apart: Apart, { writes }: Step, before: Setter, changed: Setter): Promise<void> {
  const settings = ({ sets, ...write }: Setter): readonly Setting[] =>
    write.kind === "upsert" ? [...sets, ...write.changes] : sets
  const known = new Set(settings(before).map(({ slot }) => slot))
  const set = settings(changed).filter(({ slot }) => !known.has(slot))
  if (set.length === 0) return
  const { values, actor } = apart
  const whole = wholeOf(actor.model)
  const resource = resourceNamed(whole, before.resource)
  const columns = new Set(set.flatMap(({ subject }) => columnsOf(resource, subject)))
  const isOwn = ({ of }: Kind<"judge">): boolean =>
    of.kind === before.kind &&
    of.resource === before.resource &&
    JSON.stringify(of.place) === JSON.stringify(before.place)
  const asks = writes.flatMap((write): readonly Write[] => {
    if (write.kind !== "judge") return []
    const looks = ({ that }: (typeof write.asks)[number]): boolean =>
      [...looksAt(whole, resource, that).own].some((column) => columns.has(column))
    if (isOwn(write)) return write.asks.some(looks) ? [{ ...write, of: changed }] : []
    const made = remade(write.made, changed)
    return made === write.made ? [] : [{ ...write, made }]
  })
  if (asks.length === 0) return
  // Each of several records has to meet the condition.
  const several = before.kind === "update" && before.target.several
  const slots = several
    ? asks.flatMap((one) => (one.kind === "judge" ? one.asks.map(({ into }) => into.slot) : []))
    : []
  const failed = slots.filter((slot) => plainOf(values[slot] ?? null) === null)
  await run(apart, asks, undefined)
  for (const slot of failed) values[slot] = null
}

/** The update with its sums as they are now, where these are others than before its hooks. */
async function addAgain(
  apart: Apart,
  { writes }: Step,
  update: Kind<"update"> & Write,
): Promise<Kind<"update"> & Write> {
  const { values } = apart
  const own = new Set(update.sets.flatMap(({ isSum, slot }) => (isSum ? [slot] : [])))
  const before = writes.filter((write) => write.kind === "sum").filter(({ into }) => own.has(into.slot))
  if (before.length === 0) return update
  const now = before.map((sum) => ({ ...sum, into: { slot: values.push(null) - 1 } }))
  await run(apart, now, undefined)
  const sumAt = (slot: number): Value => plainOf(values[slot] ?? null)
  const others = new Map(
    before.flatMap(({ into: { slot } }, at): readonly (readonly [number, number])[] => {
      const again = now[at]?.into.slot ?? slot
      return sumAt(slot) === sumAt(again) ? [] : [[slot, again]]
    }),
  )
  const sets = update.sets.map((set) => ({ ...set, slot: others.get(set.slot) ?? set.slot }))
  return { ...update, sets }
}

/** With the settings of a record that is made. */
function remade(made: readonly MadeWith[], changed: Setter): readonly MadeWith[] {
  if (changed.kind !== "insert") return made
  const next = made.map((one): MadeWith => {
    if (one.insert.key.slot === changed.key.slot) return { ...one, insert: changed }
    const inner = remade(one.made, changed)
    return inner === one.made ? one : { ...one, made: inner }
  })
  return next.some((one, index) => one !== made[index]) ? next : made
}

function hookingOf(apart: Apart, step: Step, from: number) {
  const { transaction, actor, values, part, sameSteps } = apart
  const open = openOf(actor.model)
  return {
    transaction,
    actor,
    values,
    put: (writes: readonly Write[]) => run(apart, writes, { step, from, same: true }),
    summed: (update: Kind<"update"> & Write) => addAgain(apart, step, update),
    again: (before: Setter & Write, changed: Setter) => askAgain(apart, step, before, changed),
    sees: (asks: readonly Write[], { model }: Actor) =>
      model === actor.model
        ? run(apart, asks, undefined)
        : part(sameSteps(model, [{ writes: asks, answer: nothing, reads: "after" }]), undefined, model),
    whole: (own: Step) => part(sameSteps(open, [own]), undefined, open),
  }
}
