// Types of events: their names and payloads, inferred from the resources of a service.
import type { JsonValue } from "../../base/json.ts"
import type { RecordOf, ResourcesOf, ValuesOf } from "./record-of.ts"
import type { StatesOf } from "./service-checks.ts"
import type { MachinesOf, Target } from "./state-types.ts"
import type { Fields, TypedField } from "./typed-declaration.ts"

type Text<Key> = Key & string

type EventsOf<Resource> = Resource extends { readonly "~type"?: { readonly events: infer Events } }
  ? Events
  : never

/** The states that transitions of the resource lead to. */
type Reached<Resource> = [keyof StatesOf<Resource>] extends [never]
  ? never
  : Target<MachinesOf<StatesOf<Resource>>[keyof MachinesOf<StatesOf<Resource>>]>

export type WrittenKind = "created" | "updated" | "deleted"

type OwnName<Resource> = Text<keyof EventsOf<Resource>>

/** `order.couponApplied`: the events that user code emits. */
export type OwnEventNames<Service> = {
  [Name in Text<keyof ResourcesOf<Service>>]: `${Name}.${OwnName<ResourcesOf<Service>[Name]>}`
}[Text<keyof ResourcesOf<Service>>]

/**
 * `order.created`, `order.updated`, `order.deleted`, `order.paid` of a state, `order.couponApplied` of an own event, and
 * `order.*` for all of these.
 */
export type EventNames<Service> = {
  [Name in Text<
    keyof ResourcesOf<Service>
  >]: `${Name}.${WrittenKind | "*" | Text<Reached<ResourcesOf<Service>[Name]>> | OwnName<ResourcesOf<Service>[Name]>}`
}[Text<keyof ResourcesOf<Service>>]

export type ResourceOf<Event> = Event extends `${infer Resource}.${string}` ? Resource : never

/** The declaration of an own event's payload; never for other events. */
type PayloadFields<Service, Event> = Event extends `${infer Name}.${infer Kind}`
  ? Name extends keyof ResourcesOf<Service>
    ? Kind extends keyof EventsOf<ResourcesOf<Service>[Name]>
      ? EventsOf<ResourcesOf<Service>[Name]>[Kind] extends { readonly payload: infer Own extends Fields }
        ? Own
        : Record<never, never>
      : never
    : never
  : never

/** The payload as it is emitted; optional members may be left out. */
export type EmittedPayload<Service, Event> = ValuesOf<Service, PayloadFields<Service, Event>, "given">

/** Members with a rule, which some callers do not see. */
type Ruled<Own extends Fields> = {
  [Name in keyof Own]: Own[Name] extends TypedField<infer _, boolean, infer _2, boolean, unknown, infer Rules>
    ? [Rules] extends [never]
      ? never
      : Name
    : never
}[keyof Own]

type Shown<Values, Hidden> = Omit<Values, Hidden & keyof Values> &
  Partial<Pick<Values, Hidden & keyof Values>>

/** The payload as a handler is given it: members with a rule that it does not meet are absent. */
export type HandledPayload<Service, Event> = [PayloadFields<Service, Event>] extends [never]
  ? Event extends `${string}.*`
    ? Readonly<Record<string, JsonValue>> | null
    : null
  : Shown<ValuesOf<Service, PayloadFields<Service, Event>, "read">, Ruled<PayloadFields<Service, Event>>>

/** A member as it was and as it is; null of a record that was made, or is gone. */
export type ChangesOf<Service, Resource extends keyof ResourcesOf<Service>> = {
  readonly [Name in keyof RecordOf<Service, Resource>]?: {
    readonly from: RecordOf<Service, Resource>[Name] | null
    readonly to: RecordOf<Service, Resource>[Name] | null
  }
}
