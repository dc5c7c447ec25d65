// What a random request may name: the service as each of those who ask sees it, ids of records, and cursors.
import type { GraphQLSchema } from "graphql"
import type { Model, Resource } from "../../src/model/model.ts"
import type { Asking } from "./request.ts"

export interface World {
  /** Of the whole service. */
  readonly model: Model
  readonly models: Readonly<Record<Asking, Model>>
  readonly schemas: Readonly<Record<Asking, GraphQLSchema>>
  /** By the name of a resource. */
  readonly ids: ReadonlyMap<string, readonly string[]>
  /** Of a unique field: its values, by the names of resource and field in turn. */
  readonly uniques: ReadonlyMap<string, readonly [field: string, values: readonly string[]]>
  readonly cursors: ReadonlyMap<string, readonly string[]>
}

export const idsOf = ({ ids }: World, { name }: Resource): readonly string[] => ids.get(name) ?? []
