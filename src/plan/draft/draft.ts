// A plan in the making: collects bound values and every mistake, so that a person sees all of them at once.
import { randomUUID } from "node:crypto"
import { collectProblems, type Place } from "../../base/problem.ts"
import type { Model } from "../../model/model.ts"
import type { OperatorName } from "../../model/operators.ts"
import { canonicalDateTime } from "../../model/values/datetime.ts"
import type { ReadPlan, Root, Slot, Value } from "../read-plan.ts"
import { createIds, createVersions } from "../values/typeid.ts"
import type { Conversion, Step, WritePlan } from "../write-plan.ts"
import type { Cursors } from "./cursor.ts"
import { boundRoots, type Counting } from "./limits.ts"
import type { Comparand } from "./operand.ts"

export interface PlanContext {
  readonly model: Model
  readonly cursors: Cursors
  /** This process's own when absent. */
  readonly fresh?: Fresh
}

export interface Draft extends PlanContext, Counting {
  readonly fresh: Fresh
  /** Values that are bound so far. */
  readonly values: readonly Value[]
  bind(value: Value): Slot
  /** A slot for a value that is known only when a write has run. */
  pending(): Slot
  /** User code gives values of some slots, before the plan runs. */
  convert(conversion: Conversion): void
  /** For rules only: reads a comparison with the viewer's record; undefined when problems were added. */
  readonly viewer?: { read(given: ViewerOperand, place: Place): Slot | undefined }
  /** Throws a Refusal with every problem found, or gives the plan. */
  finish(roots: readonly Root[]): ReadPlan
  finishWrite(steps: readonly Step[]): WritePlan
}

/** `{ viewer: "id" }` behind an operator. */
export interface ViewerOperand {
  readonly operator: Exclude<OperatorName, "isNull">
  readonly comparand: Comparand
  /** Name of a member of the viewer's record. */
  readonly member: string
}

/** Values that Bifold makes itself. */
export interface Fresh {
  /** The key of a new record, without its prefix. */
  id(): string
  /** The same of a record whose key is a uuid. */
  uuid(): string
  /** The canonical form of a timestamp. */
  now(): string
  /** Where the versions of a new record begin: above all that a record of its key has had. They begin with 1 when absent. */
  version?(): number
}

/** Random ids and the clock of this process. */
export const ownFresh: Fresh = {
  id: createIds(),
  uuid: randomUUID,
  now: () => canonicalDateTime(Date.now()),
  version: createVersions(),
}

export function startDraft(context: PlanContext): Draft {
  // Rules know their slots before any request is read; the guard fills in whose they are.
  const { audience, seats } = context.model
  const values: Value[] = [...((audience?.seats ?? seats ?? []) as readonly Value[])]
  const problems = collectProblems()
  const conversions: Conversion[] = []
  return {
    model: context.model,
    cursors: context.cursors,
    problems,
    values,
    counted: { terms: 0, relations: 0 },
    fresh: context.fresh ?? ownFresh,
    bind(value) {
      return { slot: values.push(value) - 1 }
    },
    pending: () => ({ slot: values.push(null) - 1 }),
    convert: (conversion) => void conversions.push(conversion),
    finish(roots) {
      problems.settle()
      boundRoots(context, roots)
      return { kind: "read", model: context.model, roots, values }
    },
    finishWrite(steps) {
      problems.settle()
      const plan = { kind: "write", model: context.model, steps, values } as const
      return conversions.length === 0 ? plan : { ...plan, conversions }
    },
  }
}
