import type { Model, Resource } from "./model.ts"

/** The same service, of which no actor may change anything: it has neither mutations nor addresses to write to. */
export function closedModel(model: Model): Model {
  const resources = [...model.resources].map(([name, resource]): [string, Resource] => [
    name,
    { ...resource, writable: false },
  ])
  return { ...model, resources: new Map(resources) }
}
