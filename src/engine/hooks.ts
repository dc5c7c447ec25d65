// Hooks: own code that runs before each write of a resource, whoever asks for it and by whichever way, in its transaction.
import { present } from "../base/invariant.ts"
import { Refusal } from "../base/problem.ts"
import type { Model, Resource } from "../model/model.ts"
import type { Actor } from "../plan/actor.ts"
import { openModel } from "../plan/audience.ts"
import { readId } from "../plan/ids.ts"
import { resourceNamed, wholeOf } from "../plan/names.ts"
import type { List, Slot, Value } from "../plan/types.ts"
import { mostWrites } from "../plan/write.ts"
import type { Setting, Step, Target, Write, WritePlan } from "../plan/write-types.ts"
import { createHandle, wholeRecord } from "./handle.ts"
import { emptyRecord, type Json, readChanges, settingsJson, withoutComputed } from "./hooked-records.ts"
import { codeActor, runOwn } from "./own-call.ts"
import { wrongOutput } from "./own-fault.ts"
import type { PartAnswer, Transaction } from "./running.ts"

/** Milliseconds that a hook may take. */
export const hookDeadline = 5_000

type Kind<Name extends Write["kind"]> = Extract<Write, { readonly kind: Name }>
type HookName = "create" | "update" | "delete"

/** What a hooked write belongs to. */
export interface Hooking {
  readonly transaction: Transaction
  readonly actor: Actor
  /** Of the plan; more are added. */
  readonly values: Value[]
  /** Runs writes in the write's place, with failures told as its own. */
  readonly put: (writes: readonly Write[]) => Promise<PartAnswer>
  /** Runs a step over the whole service. */
  readonly whole: (step: Step) => Promise<PartAnswer>
}

/** The hooks that a write of this kind may run. */
export function hooksOf(model: Model, write: Write): Resource["before"] {
  const names: readonly HookName[] =
    write.kind === "insert"
      ? ["create"]
      : write.kind === "upsert"
        ? ["create", "update"]
        : write.kind === "delete"
          ? ["delete"]
          : write.kind === "update" && !write.looks
            ? ["update"]
            : []
  if (names.length === 0) return undefined
  const before = wholeOf(model).resources.get(write.resource)?.before
  return before && names.some((name) => before[name]) ? before : undefined
}

export const hasHooks = ({ model, steps }: Pick<WritePlan, "model" | "steps">): boolean =>
  steps.some(({ writes }) => writes.some((write) => hooksOf(model, write)))

export async function runHooked(hooking: Hooking, write: Write): Promise<PartAnswer | undefined> {
  switch (write.kind) {
    case "insert":
      return insert(hooking, write)
    case "update":
      return write.target.several ? updateSeveral(hooking, write) : updateOne(hooking, write)
    case "delete":
      return remove(hooking, write)
    case "upsert":
      return upsert(hooking, write)
    default:
      return hooking.put([write])
  }
}

async function insert(hooking: Hooking, write: Kind<"insert"> & Write): Promise<PartAnswer> {
  const sets = await created(hooking, write, write.sets)
  return hooking.put([{ ...write, sets }])
}

async function created(
  hooking: Hooking,
  write: Write,
  sets: readonly Setting[],
): Promise<readonly Setting[]> {
  const { whole, resource } = resourceOf(hooking, write)
  const json = (of: readonly Setting[]): Json => settingsJson(whole, resource, of, hooking.values)
  return changed(hooking, { write, name: "create", sets }, () => ({
    input: json(sets.filter(({ byDefault, subject }) => !byDefault && subject.kind !== "id")),
    new: withoutComputed(resource, { ...emptyRecord(resource), ...json(sets) }),
  }))
}

/** It is looked at first as it will be written, so that nobody is told by a hook of what they may not write. */
async function updateOne(hooking: Hooking, write: Kind<"update"> & Write): Promise<PartAnswer> {
  const { touch: _, log: __, ...look } = write
  await hooking.put([{ ...look, sets: [], looks: true }])
  const [old] = await recordsOf(hooking, write.resource, write.target)
  return hooking.put([{ ...write, sets: await updated(hooking, write, write.sets, old) }])
}

/** Each by itself, as its hook may make something else of it; that it may be was asked before. */
async function updateSeveral(
  hooking: Hooking,
  write: Kind<"update"> & Write,
): Promise<PartAnswer | undefined> {
  const { resource } = resourceOf(hooking, write)
  let last: PartAnswer | undefined
  for (const old of await lockedRecords(hooking, write)) {
    const key = present(readId(resource, String(old["id"])), "a record has an id")
    const target: Target = { by: [{ subject: { kind: "id" }, ...bind(hooking, key) }] }
    last = await hooking.put([{ ...write, target, sets: await updated(hooking, write, write.sets, old) }])
  }
  return last
}

async function updated(
  hooking: Hooking,
  write: Write,
  sets: readonly Setting[],
  old: Json | undefined,
): Promise<readonly Setting[]> {
  if (!old) return sets
  const { whole, resource } = resourceOf(hooking, write)
  const input = settingsJson(whole, resource, sets, hooking.values)
  return changed(hooking, { write, name: "update", sets }, () => ({
    old,
    input,
    new: withoutComputed(resource, { ...old, ...input }),
  }))
}

async function remove(hooking: Hooking, write: Kind<"delete"> & Write): Promise<PartAnswer> {
  const isOne = !write.cascade && !write.target.several && !write.any
  if (isOne) {
    const { kind: _, log: __, ...look } = write
    await hooking.put([{ ...look, kind: "update", sets: [], looks: true }])
  }
  const all = isOne
    ? await recordsOf(hooking, write.resource, write.target)
    : await lockedRecords(hooking, write)
  for (const old of all) await run(hooking, { write, name: "delete" }, { old })
  return hooking.put([write])
}

/** Whether there is such a record is looked up first: its hook is that of what is going to be done. */
async function upsert(hooking: Hooking, write: Kind<"upsert"> & Write): Promise<PartAnswer> {
  const by = write.unique.map((subject) =>
    present(
      write.sets.find((set) => JSON.stringify(set.subject) === JSON.stringify(subject)),
      "an upsert sets its unique key",
    ),
  )
  const target: Target = { by }
  const { resource, place, rule } = write
  const old = await found(hooking, { kind: "update", resource, place, target, ...(rule && { rule }) })
  // Somebody else's, which it will fail at.
  if (old === "refused") return hooking.put([write])
  return hooking.put([
    old
      ? { ...write, changes: await updated(hooking, write, write.changes, old) }
      : { ...write, sets: await created(hooking, write, write.sets) },
  ])
}

async function found(
  hooking: Hooking,
  write: Omit<Kind<"update"> & Write, "sets">,
): Promise<Json | undefined | "refused"> {
  const [old] = await recordsOf(hooking, write.resource, write.target)
  if (!old) return undefined
  try {
    await hooking.put([{ ...write, sets: [], looks: true }])
    return (await recordsOf(hooking, write.resource, write.target))[0]
  } catch (error) {
    if (error instanceof Refusal) return "refused"
    throw error
  }
}

function resourceOf({ actor }: Hooking, write: Pick<Write, "resource">) {
  const whole = wholeOf(actor.model)
  return { whole, resource: resourceNamed(whole, write.resource) }
}

const bind = ({ values }: Pick<Hooking, "values">, value: Value): Slot => ({ slot: values.push(value) - 1 })

interface Hook {
  readonly write: Write
  readonly name: HookName
}

/** The settings with what the hook has made of them. */
async function changed(
  hooking: Hooking,
  { sets, ...hook }: Hook & { readonly sets: readonly Setting[] },
  given: () => object,
): Promise<readonly Setting[]> {
  const { write, name } = hook
  const { whole, resource } = resourceOf(hooking, write)
  if (!resource.before?.[name]) return sets
  const changes = readChanges(whole, resource, await run(hooking, hook, given()))
  if ("wrong" in changes) throw wrongOutput(whatOf(hook), changes.wrong, write.place)
  const mine = changes.map(({ subject, value }): Setting => ({ subject, ...bind(hooking, value) }))
  const isMine = new Set(mine.map(({ subject }) => JSON.stringify(subject)))
  return [...sets.filter(({ subject }) => !isMine.has(JSON.stringify(subject))), ...mine]
}

const whatOf = ({ write, name }: Hook): string => `before ${name} of ${write.resource}`

async function run({ transaction, actor, ...rest }: Hooking, hook: Hook, given: object): Promise<unknown> {
  const { resource } = resourceOf({ transaction, actor, ...rest }, hook.write)
  const code = resource.before?.[hook.name]
  if (!code) return undefined
  const handle = createHandle(transaction, actor)
  const { place } = hook.write
  return runOwn(
    { transaction, handle, what: whatOf(hook), at: place, place, deadline: hookDeadline },
    (signal) => code({ ...given, db: handle.db, actor: codeActor(actor), signal }),
  )
}

/** Several, which nobody else changes until the transaction ends. */
async function lockedRecords(
  hooking: Hooking,
  { resource, place, target }: Kind<"update" | "delete"> & Write,
): Promise<readonly Json[]> {
  const look: Write = { kind: "update", resource, place, target, sets: [], looks: true }
  const nothing = { kind: "constant", key: "none", json: "null" } as const
  if (target.several) await hooking.whole({ writes: [look], answer: nothing, reads: "after" })
  return recordsOf(hooking, resource, target)
}

/** As they are, whoever may see them. */
async function recordsOf(hooking: Hooking, name: string, { by, several }: Target): Promise<readonly Json[]> {
  const resource = resourceNamed(openOf(hooking.actor.model), name)
  const operator = several ? "in" : "eq"
  const list: List = {
    where: {
      kind: "and",
      of: by.map(({ subject, slot }) => ({ kind: "compare", subject, operator, operand: { slot } })),
    },
    order: [{ path: [], subject: { kind: "id" }, descending: false }],
    page: { direction: "forward", limit: bind(hooking, mostWrites), atMost: mostWrites },
    members: [{ kind: "rows", key: "data", members: wholeRecord(resource) }],
  }
  const { texts } = await hooking.whole({
    writes: [],
    answer: { kind: "list", key: "list", resource: name, list },
    reads: "after",
  })
  return (JSON.parse(texts[0] ?? "{}") as { readonly data: readonly Json[] }).data
}

const opened = new WeakMap<Model, Model>()

/** The service without rules, once for each. */
export function openOf(model: Model): Model {
  const whole = wholeOf(model)
  const open = opened.get(whole) ?? openModel(whole)
  opened.set(whole, open)
  return open
}
