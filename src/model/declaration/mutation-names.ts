// Names of GraphQL mutations: the one list, which the schema spells and the rules keep apart.
import { pascalCase } from "../names.ts"

/** A resource, as far as its name says what changes of it are called. */
interface Named {
  /** camelCase singular. */
  readonly name: string
  readonly collection: string
}

/** The names for a resource. */
export function mutationNames({ name, collection }: Named) {
  const [one, many] = [pascalCase(name), pascalCase(collection)]
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
export const upsertName = ({ name }: Pick<Named, "name">, unique: string): string =>
  `upsert${pascalCase(name)}By${pascalCase(unique)}`

/** `payOrder` for one record, `payOrders` for several. */
export const transitionNames = ({ name, collection }: Named, transition: string) => ({
  fire: `${transition}${pascalCase(name)}`,
  fireMany: `${transition}${pascalCase(collection)}`,
})

/** `PayOrderInput`, the type of what is given with it; as distinct as the mutations. */
export function transitionInputName(resource: Named, transition: string): string {
  const { fire } = transitionNames(resource, transition)
  return `${fire.charAt(0).toUpperCase()}${fire.slice(1)}Input`
}

/** `applyCouponOrder` */
export const actionName = ({ name }: Pick<Named, "name">, action: string): string =>
  `${action}${pascalCase(name)}`
