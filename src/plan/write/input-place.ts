// Where the reading of an input stands.
import type { Place } from "../../base/problem.ts"
import type { Resource, ToOne } from "../../model/model.ts"
import type { Draft } from "../draft/draft.ts"
import type { Slot, Value } from "../read-plan.ts"

/** Where the reading of a write stands. */
export interface InputPlace {
  readonly draft: Draft
  readonly resource: Resource
  readonly place: Place
  /** Relations that led here. */
  readonly level: number
  /** The record around this one, to which `back` leads. */
  readonly within?: { readonly back: ToOne; readonly key: Slot }
  /** Records that may still be read of the whole input. */
  readonly budget: { left: number }
  /** By slot: keys of records of the same input that are known before those are made. */
  readonly keys: Map<number, readonly Value[]>
}
