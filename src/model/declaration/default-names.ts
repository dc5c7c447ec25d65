// The names a declaration leaves open, settled once: the name of each thing in GraphQL, in REST and in the database.

import { omitUndefined } from "../../base/compact.ts"
import type { TableName } from "../model.ts"
import { collectionOf, kebabCase, pascalCase, snakeCase } from "../names.ts"
import type {
  FieldDeclaration,
  OneDeclaration,
  ResourceDeclaration,
  TableDeclaration,
} from "./declaration.ts"

export interface ResourceNames {
  readonly type: string
  readonly collection: string
  readonly path: string
  readonly prefix: string
  readonly table: TableName
}

export function defaultResourceNames(name: string, declaration: ResourceDeclaration): ResourceNames {
  const collection = declaration.plural ?? collectionOf(name)
  return {
    type: pascalCase(name),
    collection,
    path: kebabCase(collection),
    prefix: declaration.id ?? name.toLowerCase(),
    table: defaultTable(declaration.table ?? snakeCase(name)),
  }
}

export function defaultTable(table: TableDeclaration): TableName {
  return typeof table === "string"
    ? { name: table }
    : omitUndefined<TableName>({ schema: table.schema, name: table.name })
}

/** Computed members have no column; the beginning of their name distinguishes them from columns. */
export const defaultColumn = (name: string, field: FieldDeclaration): string =>
  field.computed === undefined ? (field.column ?? snakeCase(name)) : `=${name}`

/** The column of a to-one relation that names one, or none: `<name>_id`. */
export const defaultForeignKey = (name: string, relation: OneDeclaration): string =>
  relation.column ?? `${snakeCase(name)}_id`

/** The scalar that comes with a to-one relation. */
export const referenceName = (relation: string): string => `${relation}Id`

/** The GraphQL type of an enumeration: its own name when it is shared, else after its resource and field. */
export function enumerationName(resource: string, name: string, field: FieldDeclaration): string {
  return typeof field.of === "string" ? pascalCase(field.of) : `${pascalCase(resource)}${pascalCase(name)}`
}

/** The prefix of Bifold's own tables. */
export const ownPrefix = "bifold_"

/** Counts a record's writes, in tables that Bifold makes. */
export const versionColumn = "bifold_version"
