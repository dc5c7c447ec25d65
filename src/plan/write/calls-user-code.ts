// Which writes user code takes part in.
import type { Model, Resource } from "../../model/model.ts"
import type { WriteAction } from "../../model/policy-declaration.ts"
import { wholeOf } from "../lookup.ts"
import type { Write, WritePlan } from "../write-plan.ts"

/** The hooks that a write of this kind may run. */
export function hooksOf(model: Model, write: Write): Resource["before"] {
  const names = hookNames(write)
  if (names.length === 0) return undefined
  const before = wholeOf(model).resources.get(write.resource)?.before
  return before && names.some((name) => before[name]) ? before : undefined
}

function hookNames(write: Write): readonly WriteAction[] {
  switch (write.kind) {
    case "insert":
      return ["create"]
    case "upsert":
      return ["create", "update"]
    case "delete":
      return ["delete"]
    case "update":
      return write.looks || write.emits ? [] : ["update"]
    default:
      return []
  }
}

export const hasHooks = ({ model, steps }: Pick<WritePlan, "model" | "steps">): boolean =>
  steps.some(({ writes }) => writes.some((write) => hooksOf(model, write)))

export const callsUserCode = (plan: WritePlan): boolean =>
  plan.steps.some(({ call }) => call !== undefined) || hasHooks(plan)

/** Whether user code takes part in any write: it may decide by whatever it reads. */
export const hasWritingCode = ({ resources, operations }: Model): boolean =>
  (operations?.size ?? 0) > 0 ||
  [...resources.values()].some(({ actions, before }) => before || (actions?.size ?? 0) > 0)
