// The guard: stands between every plan and the database. A plan is made of its actor's model, whose rules each statement
// carries (sql/read/row.ts). The guard makes sure that the model belongs to the actor, and that the actor is genuine.
import { perObject } from "../../base/caches.ts"
import { invariant } from "../../base/invariant.ts"
import { currentTrace, traceparentOf } from "../../base/tracing.ts"
import type { Model, Resource } from "../../model/model.ts"
import { canonicalDateTime } from "../../model/values/datetime.ts"
import type { Actor } from "../access/actor.ts"
import { newestRelation, newestSubject, resourceNamed, transitionsOf, wholeOf } from "../lookup.ts"
import type { Plan } from "../plan.ts"
import type { ReadPlan, Slot, Value } from "../read-plan.ts"
import type { Call, Logged, Setting, Step, Target, Write, WritePlan } from "../write-plan.ts"
import { guardWrite } from "./guard-write.ts"

/**
 * The plan as it may be run for the actor.
 * @param now the canonical timestamp of the writes; the clock's when absent
 */
export function guard(plan: Plan, actor: Actor, now = clock): Plan {
  return plan.kind === "write" ? guardChange(plan, actor, now) : guardRead(plan, actor)
}

/** The result follows from the plan and the actor alone. */
const guardRead = (plan: ReadPlan, actor: Actor): ReadPlan => ofActor(plan, actor)

function guardChange(asked: WritePlan, actor: Actor, now: () => string): WritePlan {
  const plan = ofActor(asked, actor)
  const { added, log, ...shape } = guardedShape(plan.steps, plan)
  const values: Value[] = [...plan.values, ...Array<null>(added).fill(null)]
  if (log) {
    const trace = currentTrace()
    values[log.actor.slot] = actorText(shape.model, actor)
    values[log.at.slot] = now()
    values[log.trace.slot] = trace === undefined ? null : traceparentOf(trace)
  }
  return { ...plan, ...shape, values }
}

/** All plans of a shape share it. */
interface GuardedShape extends Pick<WritePlan, "model" | "answers" | "steps"> {
  /** Slots that the guard adds after the request's own. */
  readonly added: number
  /** Slots for the log; absent where the plan writes no log entry. */
  readonly log?: Logged
}

/** Steps belong to one model. */
const guardedShape = perObject((_: WritePlan["steps"], plan: WritePlan): GuardedShape => {
  const { log, ...guarded } = logWrites(guardWrite(inNewestNames(plan)))
  const { model, answers, steps, values } = guarded
  return {
    model,
    ...(answers && { answers }),
    steps,
    added: values.length - plan.values.length,
    ...(log && { log }),
  }
})

function ofActor<Own extends Plan>(plan: Own, actor: Actor): Own {
  invariant(plan.model === actor.model, "a plan is answered for whom it was made")
  return plan.model.audience ? { ...plan, values: plan.values.with(0, actor.key) } : plan
}

const clock = (): string => canonicalDateTime(Date.now())

// Marks the writes that are kept in the log: every change of a record of a logged resource, with its actor and its time.

/** The plan with slots for the log; as it is where it has no writes for it. */
function logWrites(plan: WritePlan): WritePlan & { readonly log?: Logged } {
  const whole = wholeOf(plan.model)
  const values = [...plan.values]
  const pending = (): Slot => ({ slot: values.push(null) - 1 })
  let log: Logged | undefined
  const mark = (write: Write): readonly Write[] => {
    const resource = resourceNamed(whole, write.resource)
    if (!resource.logged || !isChange(write) || isUnlogged(resource, write)) return [write]
    log ??= { actor: pending(), at: pending(), trace: pending() }
    const marked: Write = { ...write, log }
    if (!isNamedLoosely(resource, write)) return [marked]
    // The write may change the members that name the record, and then its new version has to be looked for.
    const into = pending()
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
  const steps = plan.steps.map((step) => ({ ...step, writes: step.writes.flatMap(mark) }))
  return log ? { ...plan, steps, values, log } : plan
}

/** The id of the actor's record; else the label of the credential, which holds no secret; null for an anonymous caller. */
function actorText(model: Model, { key, name, label = name }: Actor): string | null {
  const { viewer } = model
  if (viewer === undefined || !Array.isArray(key)) return name === "" ? null : label
  const { prefix } = resourceNamed(wholeOf(model), viewer)
  return `${prefix}_${(key as readonly Value[]).map(String).join("~")}`
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

// Writes of an older version in the names of the newest one, in which rules, user code and the log are. Answers, and the
// conditions that find records, stay in the version's own.

function inNewestNames(plan: WritePlan): WritePlan {
  const { model } = plan
  const { newest } = model
  if (!newest) return plan
  return { ...plan, model: newest, answers: model, steps: plan.steps.map((step) => renamedStep(model, step)) }
}

const renamedStep = (model: Model, step: Step): Step => ({
  ...step,
  writes: step.writes.map((write) => renamed(model, write)),
  ...(step.call && { call: renamedCall(model, step.call) }),
})

function renamedCall(model: Model, call: Call): Call {
  const actions = call.resource === undefined ? model.operations : resourceNamed(model, call.resource).actions
  return { ...call, name: actions?.get(call.name)?.current ?? call.name }
}

function renamed(model: Model, write: Write): Write {
  // Cascades are of the whole service.
  if (write.cascade) return write
  const resource = resourceNamed(model, write.resource)
  switch (write.kind) {
    case "insert":
      return { ...write, sets: write.sets.map((set) => renamedSet(resource, set)) }
    case "update":
      return {
        ...write,
        target: renamedTarget(model, resource, write.target),
        sets: write.sets.map((set) => renamedSet(resource, set)),
        ...(write.moves && {
          moves: write.moves.map((one) => ({ ...one, relation: newestRelation(resource, one.relation) })),
        }),
        ...(write.calls !== undefined && {
          calls: resource.actions?.get(write.calls)?.current ?? write.calls,
        }),
        ...(write.fires && {
          fires: { ...write.fires, transition: newestTransition(resource, write.fires.transition) },
        }),
      }
    case "delete":
      return { ...write, target: renamedTarget(model, resource, write.target) }
    case "upsert":
      return {
        ...write,
        sets: write.sets.map((set) => renamedSet(resource, set)),
        changes: write.changes.map((set) => renamedSet(resource, set)),
      }
    case "locate":
      return {
        ...write,
        target: renamedTarget(model, resource, write.target),
        ...(write.relation !== undefined && { relation: newestRelation(resource, write.relation) }),
      }
    case "sum":
      return {
        ...write,
        target: renamedTarget(model, resource, write.target),
        field: resource.fields.get(write.field)?.current ?? write.field,
      }
    case "link":
    case "unlink":
      return { ...write, relation: newestRelation(resource, write.relation) }
    default:
      return write
  }
}

const renamedSet = (resource: Resource, set: Setting): Setting =>
  set.newest ? set : { ...set, subject: newestSubject(resource, set.subject) }

function renamedTarget(model: Model, resource: Resource, target: Target): Target {
  const { by, linked } = target
  return {
    ...target,
    by: by.map(({ subject, slot, former }) => ({
      subject: former ? subject : newestSubject(resource, subject),
      slot,
    })),
    ...(linked && {
      linked: {
        ...linked,
        relation: newestRelation(resourceNamed(model, linked.resource), linked.relation),
      },
    }),
  }
}

const newestTransition = (resource: Resource, name: string): string =>
  transitionsOf(resource).find((transition) => transition.name === name)?.current ?? name
