// Every way in that the four who ask are told of: the methods of each address by the OpenAPI document, the fields of `Query`
// and `Mutation` by the schema.
import { described } from "../support/described.ts"
import type { World } from "./world.ts"

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export function doorsOf({ models, schemas }: World): ReadonlySet<string> {
  const doors = new Set<string>()
  for (const model of Object.values(models)) {
    const { paths } = described(model) as unknown as Described
    for (const [path, methods] of Object.entries(paths))
      for (const method of Object.keys(methods))
        if (method !== "parameters") doors.add(`${method.toUpperCase()} ${path}`)
  }
  for (const schema of Object.values(schemas))
    for (const type of [schema.getQueryType(), schema.getMutationType()])
      for (const field of Object.keys(type?.getFields() ?? {})) doors.add(`${type?.name}.${field}`)
  return doors
}
