// A declaration as the source of a service file, as a person would write it: defaults are left out.

import type {
  ManyDeclaration,
  OneDeclaration,
  RelationDeclaration,
  ServiceDeclaration,
  VersionChange,
} from "../declaration/declaration.ts"
import { defaultTable } from "../declaration/default-names.ts"
import { keyOf } from "../declaration/keys.ts"
import { sentenceCase, snakeCase } from "../names.ts"
import { declaration } from "./declaration.ts"
import { membersSource } from "./forms.ts"
import { call, namesIn, openObject, printSource, width } from "./source-text.ts"
import { printChanges } from "./versions.ts"

/**
 * TypeScript source of a service file whose default export loads to the same Model.
 * User code is left out: functions have no source here.
 */
export function printDeclaration(service: ServiceDeclaration): string {
  const source = call("service", openObject(membersSource(declaration.table, withoutUsual(service))))
  const used = namesIn(source)
  const names = builders.filter((name) => used.has(name))
  return `${importLine(names)}\n\n${printSource("export default ", source)}\n`
}

/** The entry of a version among `versions`: `"2026-11-01": […]`. */
export const printVersion = (name: string, changes: readonly VersionChange[]): string =>
  printSource(`${JSON.stringify(name)}: `, printChanges(changes))

function importLine(names: readonly string[]): string {
  const line = `import { ${names.join(", ")} } from "bifold"`
  return line.length <= width
    ? line
    : `import {\n${names.map((name) => `  ${name},\n`).join("")}} from "bifold"`
}

const builders = [
  "anyone",
  "databaseDefault",
  "f",
  "given",
  "many",
  "one",
  "only",
  "resource",
  "role",
  "scope",
  "service",
  "signedIn",
  "together",
  "viewer",
] as const

/** Leaves out a title, foreign keys and join tables that follow from names and keys. */
function withoutUsual(service: ServiceDeclaration): ServiceDeclaration {
  const { title, resources, ...rest } = service
  return {
    ...rest,
    ...(title !== undefined && title !== sentenceCase(service.name) && { title }),
    resources: Object.fromEntries(
      Object.entries(resources).map(([name, { relations, ...resource }]) => [
        name,
        {
          ...resource,
          ...(relations && {
            relations: Object.fromEntries(
              Object.entries(relations).map(([member, relation]) => [
                member,
                withoutUsualKeys(service, name, relation),
              ]),
            ),
          }),
        },
      ]),
    ),
  }
}

const withoutUsualKeys = (
  service: ServiceDeclaration,
  here: string,
  relation: RelationDeclaration,
): RelationDeclaration =>
  relation.kind === "one" ? withColumn(service, relation) : withTable(service, here, relation)

/** A foreign key of one column to a key of one needs no pairs. */
function withColumn(service: ServiceDeclaration, relation: OneDeclaration): OneDeclaration {
  const { columns, ...rest } = relation
  const column = columns && onlyColumn(service, relation.target, columns)
  return column === undefined ? relation : { ...rest, column }
}

/** The column that leads to the only one of the resource's key. */
function onlyColumn(
  service: ServiceDeclaration,
  resource: string,
  pairs: Readonly<Record<string, string>>,
): string | undefined {
  const [part, ...others] = keyOf(service, resource)?.parts ?? []
  const [[from, to] = ["", ""], ...more] = Object.entries(pairs)
  return others.length === 0 && more.length === 0 && part?.column === to ? from : undefined
}

function withTable(service: ServiceDeclaration, here: string, relation: ManyDeclaration): ManyDeclaration {
  const { through } = relation
  if (through === undefined || typeof through === "string") return relation
  const { schema, name } = defaultTable(through.table)
  const isUsual = (resource: string, side: Readonly<Record<string, string>>): boolean =>
    onlyColumn(service, resource, side) === `${snakeCase(resource)}_id`
  return schema === undefined && isUsual(here, through.near) && isUsual(relation.target, through.far)
    ? { ...relation, through: name }
    : relation
}
