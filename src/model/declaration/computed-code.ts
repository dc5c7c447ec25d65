// Fields that user code computes, for all records of an answer at once.
import type { CodeActor } from "../code-actor.ts"
import type { RecordOf, ResourcesOf, ValuesOf } from "./record-of.ts"
import { noted } from "./source-place.ts"
import type { TypedField } from "./typed-declaration.ts"

/** The context that `run` is called with beside the records. */
interface ComputedContext {
  readonly actor: CodeActor
  /** The time of the service. */
  readonly now: Date
  /** Aborted when the time is over. */
  readonly signal: AbortSignal
}

/** Scalar members of the record: fields, and references such as `customerId`. */
type MembersOf<Service, Resource> = Resource extends keyof ResourcesOf<Service>
  ? Exclude<keyof RecordOf<Service, Resource>, "id"> & string
  : never

type NeededOf<Service, Resource, Need extends string> = Resource extends keyof ResourcesOf<Service>
  ? {
      readonly [Name in keyof RecordOf<Service, Resource> as Name extends Need | "id"
        ? Name
        : never]: RecordOf<Service, Resource>[Name]
    }
  : never

type ValueOf<Service, Type extends TypedField> = ValuesOf<Service, { readonly value: Type }, "read">["value"]

type Values<Value> = readonly (Value | Error)[]

interface ComputedOptions<Service, Resource, Type extends TypedField, Need extends string> {
  /** The type of its value: `f.text({ optional: true })`. */
  readonly type: Type
  /** Members of the record that `run` is given, beside its `id`: a caller that does not see them does not see the field. */
  readonly needs: readonly Need[] & readonly MembersOf<Service, Resource>[]
  /** Milliseconds that it may take for a request; 2 seconds when absent. */
  readonly deadline?: number
  /**
   * Called once for each request that selects the field, with all the records of its answer, each once.
   * @returns a value for each record, in their order; an Error in the place of one that has failed
   */
  readonly run: (
    records: readonly NeededOf<Service, Resource, Need>[],
    context: ComputedContext,
  ) => Values<ValueOf<Service, Type>> | Promise<Values<ValueOf<Service, Type>>>
}

/** `~of` is a phantom, by which the compiler infers the service and the resource from its place. */
export interface TypedComputed<Service, Resource> {
  readonly "~of"?: (service: Service, resource: Resource) => void
}

/** A field that user code computes: `computed: { product: { availability: computed({…}) } }`. */
export function computed<Service, Resource, Type extends TypedField, const Need extends string>(
  declaration: ComputedOptions<Service, Resource, Type, Need>,
): TypedComputed<Service, Resource> {
  return noted(declaration, computed) as TypedComputed<Service, Resource>
}
