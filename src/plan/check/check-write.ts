// The last line of defence before a write is compiled, as check.ts is for reads: what is not so is our bug.

import { invariant } from "../../base/invariant.ts"
import type { Subject } from "../../model/condition.ts"
import type { Resource } from "../../model/model.ts"
import { fieldNamed, relationNamed, resourceNamed, subjectName, transitionNamed, wholeOf } from "../lookup.ts"
import { answersModel } from "../plan.ts"
import type { Slot } from "../read-plan.ts"
import type { Write, WritePlan } from "../write-plan.ts"
import { check } from "./check.ts"

/** @throws Refusal `too_deep` when what is selected is nested deeper than the service allows. */
export function checkWrite(plan: WritePlan): void {
  const { model, steps, values } = plan
  const answers = answersModel(plan)
  for (const { answer, writes, call } of steps) {
    const records = call?.gives.filter((given) => given.kind === "record") ?? []
    if (records.length > 0) check({ kind: "read", model: answers, roots: records, values })
    check({ kind: "read", model: answers, roots: [answer], values })
    for (const write of writes) {
      const isInAnswers = write.kind === "find" || write.kind === "only"
      checkOne({ model: isInAnswers ? answers : model, values }, write)
    }
  }
}

function checkOne({ model, values }: Pick<WritePlan, "model" | "values">, write: Write): void {
  // Set fields may be invisible to the caller.
  const resource = resourceNamed(wholeOf(model), write.resource)
  const bound = (slot: Slot | undefined): void =>
    invariant(!slot || slot.slot in values, `nothing is bound to slot ${slot?.slot}`)
  if ("key" in write) bound(write.key)
  if ("match" in write) bound(write.match)
  if ("into" in write) bound(write.into)
  if ("fires" in write && write.fires) {
    bound(write.fires.input)
    transitionNamed(resourceNamed(model, write.resource), write.fires.transition)
  }
  if ("emits" in write && write.emits) {
    bound(write.emits.payload)
    const { event } = write.emits
    invariant(resource.events?.has(event), `${resource.name} has the event ${event}`)
  }
  if ("relation" in write && write.relation !== undefined)
    relationNamed(write.kind === "only" ? resourceNamed(model, write.resource) : resource, write.relation)
  if ("target" in write) {
    invariant(write.target.by.length > 0, `a ${write.resource} is written that nothing names`)
    for (const { subject, slot } of write.target.by) checkSet(resource, subject, () => bound({ slot }))
  }
  if (!("sets" in write)) return
  invariant(resource.writable, `${resource.name} is not written`)
  for (const { subject, slot } of write.sets) checkSet(resource, subject, () => bound({ slot }))
}

function checkSet(resource: Resource, subject: Subject, checkSlot: () => void): void {
  if (subject.kind === "field") fieldNamed(resource, subject.field)
  else if (subject.kind === "reference") subjectName(resource, subject)
  else invariant(resource.key, `${resource.name} has a key`)
  checkSlot()
}
