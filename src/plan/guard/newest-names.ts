// Writes of an older version in the names of the newest one, in which rules, user code and the log are. Answers, and the
// conditions that find records, stay in the version's own.
import type { Model, Resource } from "../../model/model.ts"
import { newestRelation, newestSubject, resourceNamed, transitionsOf } from "../lookup.ts"
import type { Call, Setting, Step, Target, Write, WritePlan } from "../write-plan.ts"

/** Steps are shared by all plans of a shape, and belong to one model. */
const known = new WeakMap<WritePlan["steps"], readonly Step[]>()

export function inNewestNames(plan: WritePlan): WritePlan {
  const { model } = plan
  const { newest } = model
  if (!newest) return plan
  const steps = known.get(plan.steps) ?? plan.steps.map((step) => renamedStep(model, step))
  known.set(plan.steps, steps)
  return { ...plan, model: newest, answers: model, steps }
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
