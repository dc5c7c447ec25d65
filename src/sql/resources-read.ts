// The resources that a statement reads: those that are asked for, and those that rules, conditions and computed fields look at.
import type { Reads } from "../base/request.ts"
import type { Model, TableName } from "../model/model.ts"
import { wholeOf } from "../plan/lookup.ts"
import { quotedName } from "./fragment.ts"
import type { Statement } from "./statement.ts"

/**
 * By the tables that the statement names, so that nothing can be left out; a column of the same name is one resource too many.
 * Undefined where it reads what the log does not tell of: a resource that is not logged, or links between records.
 */
export function resourcesRead({ text }: Pick<Statement, "text">, model: Model): Reads {
  // Each table in a FROM clause has an alias; members of JSON, whose names are quoted too, have none.
  const isNamed = ({ name }: TableName): boolean => text.includes(`${quotedName(name)} AS `)
  const found = [...wholeOf(model).resources.values()].filter(({ table }) => isNamed(table))
  const isToldOf = found.every(
    ({ logged, relations }) =>
      logged &&
      [...relations.values()].every(
        (relation) => relation.kind === "one" || !relation.through || !isNamed(relation.through.table),
      ),
  )
  return isToldOf ? new Set(found.map(({ name }) => name)) : undefined
}
