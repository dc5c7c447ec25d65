// Handlers: user code that runs after the commit, for each event of a kind. Their declaration, with types from the service,
// and their part of the Model.

import { omitUndefined } from "../../base/compact.ts"
import type { JsonValue } from "../../base/json.ts"
import type { Handler } from "../model.ts"
import type { CodeRecord, Handle } from "./client-types.ts"
import type {
  HandlerDeclaration,
  HandlerRun,
  OnDeclaration,
  RunAsDeclaration,
  ServiceDeclaration,
} from "./declaration.ts"
import type { ChangesOf, EventNames, HandledPayload, ResourceOf, WrittenKind } from "./event-types.ts"
import type { ResourcesOf } from "./record-of.ts"
import { noted } from "./source-place.ts"
import { machinesIn } from "./states.ts"

/** One change of one record, or an event that user code emitted about it, as the log has it. */
export interface HandledEvent<Service, Resource extends keyof ResourcesOf<Service>, Event = string> {
  /** The same at each delivery of the event, so that a handler can detect a repetition. */
  readonly id: string
  /** Such as `order.updated`, and `order.paid` of a transition whose state the handler sees. */
  readonly type: string
  readonly resource: string
  /** The record's public id. */
  readonly recordId: string
  /** The record's version since this change. */
  readonly version: string
  /** RFC 3339, UTC. */
  readonly at: string
  /** The public id of the viewer's record, or the name of a credential; null for a stranger. */
  readonly actor: string | null
  /** For transitions only, as `from`, `to` and `input` are, and where the handler sees the state. */
  readonly transition: string | null
  readonly from: string | null
  readonly to: string | null
  readonly input: JsonValue
  /** Changed members, among those that the handler sees of every such record; none of a record that it does not see. */
  readonly changes: ChangesOf<Service, Resource>
  /** The values of an event that user code emitted; null of any other. */
  readonly payload: HandledPayload<Service, Event>
  /** A whole number, greater than the position of every earlier event. */
  readonly position: string
}

/** The argument of a handler. */
export interface HandlerCall<Service, Resource extends keyof ResourcesOf<Service>, Event = string> {
  readonly event: HandledEvent<Service, Resource, Event>
  /** As it is now; undefined where it is gone, or the handler may not see it. */
  readonly record: CodeRecord<Service, Resource> | undefined
  /** The database, under the handler's own rules. Each call commits alone. The handle ends with the handler's call. */
  readonly db: Handle<Service>
  /** The time of the service. */
  readonly now: Date
  /** Aborted when the time is over, and when the service ends. */
  readonly signal: AbortSignal
}

type Run<Service, Resource, Event> = Resource extends keyof ResourcesOf<Service>
  ? (call: HandlerCall<Service, Resource, Event>) => unknown
  : never

interface HandlerOptions<Service, Resource, Event> {
  /** The name that its position is kept under; its key in `on` when absent. */
  readonly name?: string
  readonly description?: string
  /** Permissions of `db`; by default the permissions of a signed-in caller without roles. */
  readonly as?: RunAsDeclaration
  /** How often an event that failed is tried again; 20 times when absent. */
  readonly retries?: number
  /** Milliseconds that one call may take; 30 seconds when absent. */
  readonly timeout?: number
  /** Where a new handler begins: with events after its start when absent. */
  readonly from?: "start"
  /** Throws, or rejects, where it has to be tried again. */
  readonly run: Run<Service, Resource, Event>
}

/** `~of` is a phantom, by which the compiler infers a handler's service, resource and event from its place. */
export interface TypedHandler<Service, Resource, Event> {
  readonly "~of"?: (service: Service, resource: Resource, event: Event) => void
}

type OneOrMore<Service, Resource, Event> =
  | Run<Service, Resource, Event>
  | TypedHandler<Service, Resource, Event>
  | readonly (Run<Service, Resource, Event> | TypedHandler<Service, Resource, Event>)[]

/** By event. */
export type Handlers<Service> = {
  readonly [Event in EventNames<Service>]?: OneOrMore<Service, ResourceOf<Event>, Event>
}

/** A handler with more to say than its function: `on: { "order.paid": handler({ retries: 5, run: … }) }`. */
export function handler<Service, Resource, Event>(
  declaration: HandlerOptions<Service, Resource, Event>,
): TypedHandler<Service, Resource, Event> {
  return noted(declaration, handler) as TypedHandler<Service, Resource, Event>
}

const writtenKinds: readonly WrittenKind[] = ["created", "updated", "deleted"]
/** Every event of a resource. */
const allKinds = "*"

/** The part of an event's name after the resource's. */
export const eventKinds = ({
  states,
  events,
}: ServiceDeclaration["resources"][string]): readonly string[] => [
  ...writtenKinds,
  ...new Set(
    Object.values(machinesIn(states)).flatMap(({ transitions }) =>
      Object.values(transitions).map(({ to }) => to),
    ),
  ),
  ...Object.keys(events ?? {}),
  allKinds,
]

/** `order`, `paid` */
export function eventParts(event: string): readonly [resource: string, kind: string] {
  const dot = event.indexOf(".")
  return dot < 0 ? [event, ""] : [event.slice(0, dot), event.slice(dot + 1)]
}

export interface PlacedHandler {
  readonly event: string
  /** Under which its position is kept. */
  readonly name: string
  readonly handler: HandlerDeclaration
  /** Below `on`. */
  readonly place: readonly (string | number)[]
}

export function handlersIn({ code }: ServiceDeclaration): readonly PlacedHandler[] {
  return Object.entries(code?.on ?? {}).flatMap(([event, declared]) =>
    severalOf(declared).map((one, index) => {
      const told: HandlerDeclaration = typeof one === "function" ? { run: one } : one
      const place = Array.isArray(declared) ? [event, index] : [event]
      return { event, name: told.name ?? event, handler: told, place }
    }),
  )
}

const severalOf = (declared: OnDeclaration): readonly (HandlerRun | HandlerDeclaration)[] =>
  Array.isArray(declared) ? declared : [declared as HandlerRun | HandlerDeclaration]

/** Whether a handler follows events of its records. */
export const isHandled = (service: ServiceDeclaration, resource: string): boolean =>
  Object.keys(service.code?.on ?? {}).some((event) => eventParts(event)[0] === resource)

const usual = { retries: 20, timeout: 30_000 } as const

/** By name; undefined without handlers. */
export function buildHandlers(service: ServiceDeclaration): ReadonlyMap<string, Handler> | undefined {
  const all = handlersIn(service).map((placed): [string, Handler] => [placed.name, buildHandler(placed)])
  return all.length === 0 ? undefined : new Map(all)
}

function buildHandler({ event, name, handler: declared }: PlacedHandler): Handler {
  const { description, as, retries = usual.retries, timeout = usual.timeout, from, run } = declared
  const [resource, kind] = eventParts(event)
  return omitUndefined<Handler>({
    name,
    description,
    resource,
    types: kind === allKinds ? undefined : [event],
    as: { roles: as?.roles ?? [], scopes: as?.scopes ?? [] },
    retries,
    timeout,
    from: from ?? "now",
    run: run as Handler["run"],
  })
}
