// Hooks: user code that runs before each write of a resource, in its transaction, for every caller and every way in.
import { perObject } from "../../base/caches.ts"
import { present } from "../../base/invariant.ts"
import { Refusal } from "../../base/problem.ts"
import type { Model } from "../../model/model.ts"
import type { WriteAction } from "../../model/policy-declaration.ts"
import type { Actor } from "../../plan/access/actor.ts"
import { openModel } from "../../plan/access/visible-model.ts"
import { resourceNamed, targetOf, wholeOf } from "../../plan/lookup.ts"
import type { RecordRoot, Slot, Value } from "../../plan/read-plan.ts"
import { hooksOf } from "../../plan/write/calls-user-code.ts"
import { mostChildren } from "../../plan/write/cascades.ts"
import type { Kind, Setter, Setting, Step, Target, Write } from "../../plan/write-plan.ts"
import { codeActor, codeTime, runAction, runAsActor } from "./call-action.ts"
import { createHandle, wholeRecord } from "./client.ts"
import {
  emptyRecord,
  followingJson,
  type Json,
  readChanges,
  settingsJson,
  withoutComputed,
} from "./hooked-records.ts"
import { knownKeys, type PartAnswer, type Transaction } from "./run-program.ts"
import { wrongOutput } from "./user-code-error.ts"

/** Milliseconds that a hook may take. */
export const hookDeadline = 5_000

/** The context of a hooked write. */
export interface Hooking {
  readonly transaction: Transaction
  readonly actor: Actor
  /** The plan's values; more are added. */
  readonly values: Value[]
  /** Runs writes in place of the hooked one, which takes over their failures. */
  readonly put: (writes: readonly Write[]) => Promise<PartAnswer>
  /** The update with its sums as they are now: hooks may have written the record. */
  readonly summed: (update: Kind<"update"> & Write) => Promise<Kind<"update"> & Write>
  /** Repeats, before the write, questions whose answer its hook may have changed; `before` is the write as the hook got it. */
  readonly again: (before: Setter & Write, changed: Setter) => Promise<void>
  /** Runs questions about the actor's sight. */
  readonly sees: (asks: readonly Write[], actor: Actor) => Promise<PartAnswer>
  /** Runs a step over the whole service. */
  readonly whole: (step: Step) => Promise<PartAnswer>
}

export async function runHooked(hooking: Hooking, write: Write): Promise<PartAnswer | undefined> {
  switch (write.kind) {
    case "insert":
      return insert(hooking, write)
    case "update":
      if (!write.target.several) return updateOne(hooking, write)
      await updateSeveral(hooking, write)
      return undefined
    case "upsert":
      return upsert(hooking, write)
    default:
      return hooking.put([write])
  }
}

async function insert(hooking: Hooking, write: Kind<"insert"> & Write): Promise<PartAnswer> {
  const made = { ...write, sets: await created(hooking, write, write.sets) }
  await hooking.again(write, made)
  return hooking.put([made])
}

async function created(
  hooking: Hooking,
  write: Setter & Write,
  sets: readonly Setting[],
): Promise<readonly Setting[]> {
  const { whole, resource } = resourceOf(hooking, write)
  const json = (of: readonly Setting[]): Json => settingsJson(whole, resource, of, hooking.values)
  return changed(hooking, { write, name: "create", sets }, () => ({
    input: json(sets.filter(({ byDefault, subject }) => !byDefault && subject.kind !== "id")),
    new: withoutComputed(resource, { ...emptyRecord(resource), ...json(sets) }),
  }))
}

async function updateOne(hooking: Hooking, write: Kind<"update"> & Write): Promise<PartAnswer> {
  const { touch: _, log: __, ...look } = write
  const old = await lockedRecord(hooking, look)
  const told = { ...write, sets: await updated(hooking, write, write.sets, old) }
  const changed = await hooking.summed(told)
  await hooking.again(write, changed)
  return hooking.put([changed])
}

/** Updates records one by one, as a hook may change each. Permission for all is checked before. */
async function updateSeveral(hooking: Hooking, write: Kind<"update"> & Write): Promise<void> {
  const { touch: _, log: __, ...look } = write
  // Their rules are asked by the guard's own checks, their states only where they are fired.
  if (write.fires) await hooking.put([{ ...look, sets: [], looks: true }])
  await eachLocked(hooking, write, async (old, target) => {
    const one = { ...write, target }
    const changed = { ...one, sets: await updated(hooking, one, write.sets, old) }
    await hooking.again(write, changed)
    await hooking.put([changed])
  })
}

async function updated(
  hooking: Hooking,
  write: Setter & Write,
  sets: readonly Setting[],
  old: Json | undefined,
): Promise<readonly Setting[]> {
  if (!old) return sets
  const { whole, resource } = resourceOf(hooking, write)
  const told = sets.filter((set) => !keeps(hooking, set, old))
  const input = settingsJson(whole, resource, told, hooking.values)
  const following = followingJson({ whole, resource }, told, hooking.values, old)
  return changed(hooking, { write, name: "update", sets }, () => ({
    old,
    input,
    new: withoutComputed(resource, { ...old, ...following, ...input }),
  }))
}

/** Whether the record has a value that an older version shows as the given one. */
function keeps({ values }: Hooking, { subject, stays }: Setting, old: Json): boolean {
  const kept = stays && values[stays.slot]
  const is = subject.kind === "field" ? old[subject.field] : undefined
  return Array.isArray(kept) && [is].flat().some((one) => kept.includes(one))
}

/** Runs the hooks of a deletion before anything is deleted. */
export async function announce(hooking: Hooking, write: Kind<"delete"> & Write): Promise<void> {
  const { log: _, any, ...look } = write
  const isHooked = hooksOf(hooking.actor.model, write) !== undefined
  const tell = async (old: Json): Promise<void> =>
    void (await run(hooking, { write, name: "delete" }, { old }))
  if (any || write.target.several) return isHooked ? eachLocked(hooking, write, tell) : undefined
  // Also for cascaded records: their hooks run only if all of them may be deleted.
  const old = await lockedRecord(hooking, look)
  if (old && isHooked) await tell(old)
}

/** Looks the record up first, and runs the hook of the action that follows: create or update. */
async function upsert(hooking: Hooking, write: Kind<"upsert"> & Write): Promise<PartAnswer> {
  const old = await found(hooking, write)
  const made = old ? write : { ...write, sets: await created(hooking, write, write.sets) }
  // The hook may have changed the key, or created a record with it.
  const there = old ?? (await found(hooking, made))
  const changed = there ? await asChange(hooking, made, there) : made
  await hooking.again(write, changed)
  return hooking.put([changed])
}

type Found = Json | "refused"

async function asChange(
  hooking: Hooking,
  write: Kind<"upsert"> & Write,
  old: Found,
): Promise<Kind<"upsert"> & Write> {
  // Another record has the key; the write will fail.
  if (old === "refused") return write
  return { ...write, changes: await updated(hooking, write, write.changes, old) }
}

async function found(
  hooking: Hooking,
  { resource, place, unique, sets, rule }: Kind<"upsert"> & Write,
): Promise<Found | undefined> {
  const by = unique.map((subject) =>
    present(
      sets.find((set) => JSON.stringify(set.subject) === JSON.stringify(subject)),
      "an upsert sets its unique key",
    ),
  )
  if (!(await recordAt(hooking, resource, by))) return undefined
  try {
    return await lockedRecord(hooking, { resource, place, target: { by }, ...(rule && { rule }) })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // The hook of a new record runs as if an unseen one were not there.
    return (await isSeen(hooking, { resource, place, by })) ? "refused" : undefined
  }
}

/** Whether the caller sees a record with these values, and the values. */
async function isSeen(
  hooking: Hooking,
  { by, ...of }: Pick<Write, "place"> & { readonly resource: string; readonly by: RecordRoot["by"] },
): Promise<boolean> {
  const find = keysOf(hooking, of, { by })
  await hooking.sees([find], hooking.actor)
  return foundBy(hooking, find).length > 0
}

function resourceOf({ actor }: Hooking, write: Pick<Write, "resource">) {
  const whole = wholeOf(actor.model)
  return { whole, resource: resourceNamed(whole, write.resource) }
}

const bind = ({ values }: Pick<Hooking, "values">, value: Value): Slot => ({ slot: values.push(value) - 1 })

interface Hook<Of = Write> {
  readonly write: Of
  readonly name: WriteAction
}

/** The settings with the hook's changes. */
async function changed(
  hooking: Hooking,
  { sets, ...hook }: Hook<Setter & Write> & { readonly sets: readonly Setting[] },
  given: () => object,
): Promise<readonly Setting[]> {
  const { write, name } = hook
  const { whole, resource } = resourceOf(hooking, write)
  const code = resource.before?.[name]
  if (!code) return sets
  const changes = readChanges(whole, resource, await run(hooking, hook, given()))
  if ("wrong" in changes) throw wrongOutput(whatOf(hook), changes.wrong, write.place)
  const mine = changes.map(({ subject, value }): Setting => ({ subject, ...bind(hooking, value) }))
  const isMine = new Set(mine.map(({ subject }) => JSON.stringify(subject)))
  const withMine = (all: readonly Setting[]) => [
    ...all.filter(({ subject }) => !isMine.has(JSON.stringify(subject))),
    ...mine,
  ]
  const of: Setter = { ...write, sets: withMine(write.sets) }
  const refers = mine.flatMap(({ subject, slot }): readonly Write[] => {
    if (subject.kind !== "reference") return []
    const { resource: name, place } = write
    const { relation } = subject
    return [{ kind: "refers", resource: name, place, of, relation, to: { slot }, hooked: true }]
  })
  // As an absent record: the value may be the caller's.
  if (refers.length > 0 && hooking.actor.model.audience)
    await hooking.sees(refers, runAsActor(hooking.actor, code))
  return withMine(sets)
}

const whatOf = ({ write, name }: Hook): string => `before ${name} of ${write.resource}`

async function run({ transaction, actor, ...rest }: Hooking, hook: Hook, given: object): Promise<unknown> {
  const { resource } = resourceOf({ transaction, actor, ...rest }, hook.write)
  const code = resource.before?.[hook.name]
  if (!code) return undefined
  const lent = runAsActor(actor, code)
  const handle = createHandle(transaction, lent)
  const { place, places } = hook.write
  const own = { transaction, handle, what: whatOf(hook), at: place, place, ...(places && { places }) }
  return runAction({ ...own, lent: lent !== actor, deadline: hookDeadline }, (signal) =>
    code.run({ ...given, db: handle.db, actor: codeActor(actor), now: codeTime(transaction.fresh), signal }),
  )
}

type Look = Omit<Kind<"update"> & Write, "kind" | "sets" | "touch" | "log">

/**
 * The record, locked until the transaction ends. The write's own rules apply, so that a hook reveals no record that the
 * caller may not write.
 */
async function lockedRecord(hooking: Hooking, look: Look): Promise<Json | undefined> {
  await hooking.put([{ ...look, kind: "update", sets: [], looks: true }])
  return recordAt(hooking, look.resource, look.target.by)
}

/** Locked records, each read after the hooks of those before it, which may have changed it. */
async function eachLocked(
  hooking: Hooking,
  write: Kind<"update" | "delete"> & Write,
  visit: (old: Json, target: Target) => Promise<void>,
): Promise<void> {
  const { values } = hooking
  const { slot } = bind(hooking, null)
  const target: Target = { by: [{ subject: { kind: "id" }, slot }] }
  const keys = await lockedKeys(hooking, write)
  const bound = values.length
  for (const key of keys) {
    values[slot] = key
    const old = await recordAt(hooking, write.resource, target.by)
    if (old) await visit(old, target)
    // The next one's values take the same slots, so that it is not compiled again.
    values.length = bound
  }
}

/** All of them. Throws a Refusal beyond the limit. */
async function lockedKeys(
  hooking: Hooking,
  write: Kind<"update" | "delete"> & Write,
): Promise<readonly Value[]> {
  const find = keysOf(hooking, write, write.target)
  await hooking.whole({ writes: [...ownerLooks(hooking, write), find], answer: nothing, reads: "after" })
  return foundBy(hooking, find)
}

function keysOf(
  hooking: Hooking,
  { resource, place }: Pick<Write, "place"> & { readonly resource: string },
  { by, several }: { readonly by: RecordRoot["by"]; readonly several?: true },
): Kind<"find"> & Write {
  const operator = several ? "in" : "eq"
  return {
    kind: "find",
    resource,
    place,
    where: {
      kind: "and",
      of: by.map(({ subject, slot }) => ({ kind: "compare", subject, operator, operand: { slot } })),
    },
    most: bind(hooking, mostChildren),
    into: bind(hooking, null),
  }
}

const foundBy = ({ values }: Hooking, { into }: Kind<"find">): readonly Value[] =>
  knownKeys(present(values[into.slot], "what is found has keys"))

const nothing = { kind: "constant", key: "none", json: "null" } as const

/** Locks the owner, so that it gets no other child. Several owners are locked by being found. */
function ownerLooks(hooking: Hooking, write: Kind<"update" | "delete"> & Write): readonly Write[] {
  const [owner] = write.target.by
  if (write.target.several || owner?.subject.kind !== "reference") return []
  const { whole, resource } = resourceOf(hooking, write)
  const target: Target = { by: [{ subject: { kind: "id" }, slot: owner.slot }] }
  const { name } = targetOf(whole, resource, owner.subject.relation)
  return [{ kind: "update", resource: name, place: write.place, target, sets: [], looks: true }]
}

/** The record without rules of reading. */
async function recordAt(hooking: Hooking, name: string, by: RecordRoot["by"]): Promise<Json | undefined> {
  const members = wholeRecord(resourceNamed(openOf(hooking.actor.model), name))
  const root: RecordRoot = { kind: "record", key: "record", resource: name, by, members }
  const { texts } = await hooking.whole({
    writes: [],
    answer: { kind: "records", key: "records", of: [root] },
    reads: "after",
  })
  const [record] = JSON.parse(texts[0] ?? "[]") as readonly (Json | null)[]
  return record ?? undefined
}

const opened = perObject(openModel)

/** The service without rules. */
export const openOf = (model: Model): Model => opened(wholeOf(model))
