import type { Resource } from "../model/model.ts"
import type { Slot } from "./read-plan.ts"

/** In an input where an id may stand: the key of a record that an earlier step of the same request makes. */
export class PendingKey {
  readonly resource: Resource
  readonly key: Slot

  constructor(resource: Resource, key: Slot) {
    this.resource = resource
    this.key = key
  }
}

/** An object as JSON has it, and not a key that an earlier step gives. */
export const isObject = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === "object" && input !== null && !Array.isArray(input) && !(input instanceof PendingKey)
