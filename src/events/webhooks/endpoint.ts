// An endpoint as it is stored, and whose eyes it sees with.
import type { JsonValue } from "../../base/json.ts"
import { namesType } from "../../model/event-types.ts"
import type { Model } from "../../model/model.ts"
import { modelAt } from "../../model/versions/model-at.ts"
import { type Actor, actorOf, everybodyOf } from "../../plan/access/actor.ts"

export interface Endpoint {
  readonly id: string
  readonly url: string
  readonly types: readonly string[]
  readonly filter: Readonly<Record<string, JsonValue>> | null
  readonly payload: "full" | "thin"
  readonly format: "standard" | "cloudevents"
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
  /** The id of the record that it acts as. */
  readonly ownerId: string | null
  /** The version that it is pinned to; absent in a service without versions, null of before there were any. */
  readonly version?: string | null
  readonly state: "active" | "paused" | "disabled"
  readonly problem: string | null
  /** A canonical timestamp; null for ever. */
  readonly expiresAt: string | null
  /** A canonical timestamp. */
  readonly failingSince: string | null
  readonly replays: readonly Replay[] | null
  /** Its own secret and the newest further ones. */
  readonly seeds: readonly { readonly seed: string; readonly since: number }[]
}

/** Ids of events that the owner has given, since the owner reads them; undefined for the start of the log. */
export interface Replay {
  readonly after?: string
  readonly until: string
  /** The last event alone, which is not tried again; the owner receives no earlier ones. */
  readonly once?: true
}

/** Undefined where its owner cannot be. @param model of the whole service @param open it is open to everybody */
export function endpointActor(model: Model, endpoint: Endpoint, open: boolean): Actor | undefined {
  const { id, ownerId, roles, scopes } = endpoint
  const name = `webhook:${id}`
  const actor = open
    ? { ...everybodyOf(model), name }
    : actorOf(model, { name, roles, scopes, ...(ownerId !== null && { viewer: ownerId }) })
  return actor && { ...actor, model: modelAt(actor.model, versionOf(model, endpoint)) }
}

/**
 * Whether the endpoint is pinned to a version newer than all of the model. A newer replica made the endpoint, and an older
 * one would send it names and values of another version.
 */
export function isAhead({ versions }: Model, { version }: Pick<Endpoint, "version">): boolean {
  const [newest] = versions ?? []
  return newest !== undefined && typeof version === "string" && version > newest.name
}

/** One that is served no longer is the oldest that is. */
export function versionOf({ versions = [] }: Model, { version }: Pick<Endpoint, "version">): string {
  const found = versions.find(({ name }) => name === version) ?? versions.at(-1)
  return found?.name ?? ""
}

/** Whether one that wants these types wants events of the type. */
export function wantsType(types: readonly string[], resource: string, type: string): boolean {
  if (types.length === 0) return !isOwnResource(resource)
  return namesType(types, resource, type)
}

/** Webhooks' own resources: what happens to them is sent to those who ask for it. */
export const isOwnResource = (resource: string): boolean => resource.startsWith("webhook")
