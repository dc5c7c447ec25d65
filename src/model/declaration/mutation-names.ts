// Names of GraphQL mutations: the one list, which the schema spells and the rules keep apart.
import { apiName, pascalCase } from "../names.ts"

/** A resource, as far as names of its mutations need it. */
interface Named {
  /** camelCase singular. */
  readonly name: string
  /** The name in its version, where that is another. */
  readonly alias?: string
  readonly collection: string
}

/** The names for a resource. */
export function mutationNames(resource: Named) {
  const [one, many] = [pascalCase(apiName(resource)), pascalCase(resource.collection)]
  return {
    create: `create${one}`,
    createMany: `create${many}`,
    update: `update${one}`,
    updateMany: `update${many}`,
    delete: `delete${one}`,
    deleteMany: `delete${many}`,
  }
}

/** @param unique the name of a unique key, such as `number` */
export const upsertName = (resource: Pick<Named, "name" | "alias">, unique: string): string =>
  `upsert${pascalCase(apiName(resource))}By${pascalCase(unique)}`

/** `payOrder` for one record, `payOrders` for several. */
export const transitionNames = (resource: Named, transition: string) => ({
  fire: `${transition}${pascalCase(apiName(resource))}`,
  fireMany: `${transition}${pascalCase(resource.collection)}`,
})

/** `PayOrderInput`, the type of its input; as distinct as the mutations. */
export function transitionInputName(resource: Named, transition: string): string {
  const { fire } = transitionNames(resource, transition)
  return `${fire.charAt(0).toUpperCase()}${fire.slice(1)}Input`
}

/** `applyCouponOrder` */
export const actionName = (resource: Pick<Named, "name" | "alias">, action: string): string =>
  `${action}${pascalCase(apiName(resource))}`
