// Marks the writes that are kept in the log: every change of a record of a logged resource, with its actor and its time.
import { currentTrace, traceparentOf } from "../../base/tracing.ts"
import type { Model, Resource } from "../../model/model.ts"
import type { Actor } from "../access/actor.ts"
import { resourceNamed, wholeOf } from "../lookup.ts"
import type { Value } from "../read-plan.ts"
import type { Logged, Step, Write, WritePlan } from "../write-plan.ts"

interface Kept {
  readonly steps: readonly Step[]
  /** Slots that were added for it. */
  readonly added: number
}

/** Steps are shared by all plans of a shape, and belong to one model. */
const known = new WeakMap<WritePlan["steps"], Kept>()

/**
 * The plan with what has to be logged; as it is where nothing has.
 * @param now the canonical timestamp of the write
 */
export function logWrites(plan: WritePlan, actor: Actor, now: () => string): WritePlan {
  const { steps, added } = known.get(plan.steps) ?? markNew(plan)
  if (steps === plan.steps) return plan
  const trace = currentTrace()
  const own: readonly Value[] = [
    actorText(plan.model, actor),
    now(),
    trace === undefined ? null : traceparentOf(trace),
  ]
  return { ...plan, steps, values: [...plan.values, ...own, ...Array<null>(added - own.length).fill(null)] }
}

/** The id of the record that the actor is; else what the credential is called, which holds no secret; null for a stranger. */
function actorText(model: Model, { key, name, label = name }: Actor): string | null {
  const { viewer } = model
  if (viewer === undefined || !Array.isArray(key)) return name === "" ? null : label
  const { prefix } = resourceNamed(wholeOf(model), viewer)
  return `${prefix}_${(key as readonly Value[]).map(String).join("~")}`
}

function markNew(plan: WritePlan): Kept {
  const kept = markSteps(plan)
  known.set(plan.steps, kept)
  return kept
}

function markSteps({ model, steps, values }: WritePlan): Kept {
  const whole = wholeOf(model)
  const first = values.length
  const log: Logged = { actor: { slot: first }, at: { slot: first + 1 }, trace: { slot: first + 2 } }
  let added = 0
  const mark = (write: Write): readonly Write[] => {
    const resource = resourceNamed(whole, write.resource)
    if (!resource.logged || !isChange(write) || isUnlogged(resource, write)) return [write]
    added ||= 3
    const marked: Write = { ...write, log }
    if (!isNamedLoosely(resource, write)) return [marked]
    // The write may change the members that name the record, and then its new version has to be looked for.
    const into = { slot: values.length + added++ }
    const { place, target, cascade } = write
    const located: Write = {
      kind: "locate",
      resource: write.resource,
      place,
      target,
      into,
      ...(cascade && { cascade }),
    }
    return [located, { ...marked, target: { by: [{ subject: { kind: "id" }, slot: into.slot }] } } as Write]
  }
  const marked = steps.map((step) => ({ ...step, writes: step.writes.flatMap(mark) }))
  return added === 0 ? { steps, added } : { steps: marked, added }
}

/** Whether it changes a record, and not only looks for it. */
function isChange(write: Write): boolean {
  if (write.kind === "update") return !write.looks && (write.sets.length > 0 || write.touch === true)
  return write.kind === "insert" || write.kind === "delete" || write.kind === "upsert"
}

const isUnlogged = ({ unlogged = [] }: Resource, write: Write): boolean =>
  write.kind === "update" &&
  write.sets.length > 0 &&
  write.sets.every(({ subject }) => subject.kind === "field" && unlogged.includes(subject.field))

type Named = Extract<Write, { readonly kind: "update" }>

/** One record of an unmanaged table, not addressed by its id. */
const isNamedLoosely = ({ version }: Resource, write: Write): write is Named & Write =>
  version.kind === "row" &&
  write.kind === "update" &&
  !write.target.several &&
  !write.target.by.some(({ subject }) => subject.kind === "id")
