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
