// How a service is served: by its rules, or open to every client; and the model that this leaves of it.
import type { Model, Resource } from "../model/model.ts"
import type { Actor } from "../plan/access/actor.ts"
import { openModel } from "../plan/access/visible-model.ts"

export type AccessMode =
  /** By rules. `nobody`: the actor of requests without credentials, instead of the anonymous one. */
  | { readonly kind: "rules"; readonly nobody?: Actor }
  /** There are none: everybody may do this. */
  | { readonly kind: "open"; readonly what: "read" | "write" }

export const isWritable = (access: AccessMode): boolean => access.kind === "rules" || access.what === "write"

/** @param model as it was declared */
export function servedModel(model: Model, access: AccessMode): Model {
  if (access.kind === "rules") return model
  return openModel(access.what === "write" ? model : closedModel(model))
}

/** The same service, closed to all writes: it has neither mutations nor addresses to write to. */
export function closedModel(model: Model): Model {
  const resources = [...model.resources].map(([name, resource]): [string, Resource] => [
    name,
    { ...resource, writable: false },
  ])
  return { ...model, resources: new Map(resources) }
}
