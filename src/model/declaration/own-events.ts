// Events of a resource's own: user code emits them about records, and they change no record.
import { omitUndefined } from "../../base/compact.ts"
import type { OwnEvent } from "../model.ts"
import { pascalCase } from "../names.ts"
import { buildField } from "./build-field.ts"
import type { FieldDeclaration, ResourceDeclaration, ServiceDeclaration } from "./declaration.ts"

/** `order.couponApplied` */
export const ownEventType = (resource: string, event: string): string => `${resource}.${event}`

/** The owner of a payload's fields, as a resource is of its fields. */
const payloadOwner = (resource: string, event: string): string => `${resource}${pascalCase(event)}Event`

/** By name; undefined where the resource has none. */
export function buildEvents(
  resource: string,
  { events }: ResourceDeclaration,
): ReadonlyMap<string, OwnEvent> | undefined {
  const all = Object.entries(events ?? {})
  if (all.length === 0) return undefined
  return new Map(
    all.map(([name, { description, payload }]) => [
      name,
      omitUndefined<OwnEvent>({
        name,
        type: ownEventType(resource, name),
        description,
        payload: new Map(
          Object.entries(payload ?? {}).map(([member, it]) => [
            member,
            buildField(payloadOwner(resource, name), {}, member, it),
          ]),
        ),
      }),
    ]),
  )
}

interface PayloadField {
  readonly resource: string
  readonly event: string
  /** The base of its enumeration's name. */
  readonly owner: string
  readonly name: string
  readonly field: FieldDeclaration
}

/** Every field of the payloads of own events. */
export const payloadFields = ({
  resources,
}: Pick<ServiceDeclaration, "resources">): readonly PayloadField[] =>
  Object.entries(resources).flatMap(([resource, { events }]) =>
    Object.entries(events ?? {}).flatMap(([event, { payload }]) =>
      Object.entries(payload ?? {}).map(([name, field]) => ({
        resource,
        event,
        owner: payloadOwner(resource, event),
        name,
        field,
      })),
    ),
  )

/** The types of all own events of a service. */
export const ownEventTypes = ({ resources }: Pick<ServiceDeclaration, "resources">): readonly string[] =>
  Object.entries(resources).flatMap(([resource, { events }]) =>
    Object.keys(events ?? {}).map((event) => ownEventType(resource, event)),
  )
