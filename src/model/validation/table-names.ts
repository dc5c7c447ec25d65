// A table belongs to one resource; a join table belongs to none.

import { defaultResourceNames, defaultTable, ownPrefix } from "../declaration/default-names.ts"
import type { TableName } from "../model.ts"
import { claims, type Rule, relationsOf, resourcesOf, spelling } from "./context.ts"

export const tableNames: Rule = (service, report) => {
  const tables = claims<string>()
  for (const { name, resource, place } of resourcesOf(service)) {
    const { table } = defaultResourceNames(name, resource)
    if (table.name === "") report([...place, "table"], `The table of "${name}" has no name.`)
    if (service.managed !== false && table.name.toLowerCase().startsWith(ownPrefix))
      report(
        [...place, "table"],
        `The table "${table.name}" would look like one of Bifold's own.`,
        "Give it another name.",
      )
    const first = tables.claim(identity(table, spelling(resource)), name)
    if (first !== undefined)
      report([...place, "table"], `"${name}" and "${first}" would have the same table, "${table.name}".`)
  }
  for (const { member, place, of } of relationsOf(service)) {
    if (member.kind !== "many" || member.through === undefined) continue
    const table = defaultTable(typeof member.through === "string" ? member.through : member.through.table)
    const owner = tables.claim(identity(table, spelling(of.resource)), "")
    if (owner)
      report(
        [...place, "through"],
        `"${table.name}" is the table of the resource "${owner}", not a pure join table.`,
        `Relate to "${owner}" instead, and from it to the target.`,
      )
  }
}

const identity = ({ schema, name }: TableName, spell: (name: string) => string): string =>
  JSON.stringify([schema ?? "", spell(name)])
