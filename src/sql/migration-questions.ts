// What has to hold of the records before a step: questions that find a row when it does not.
import type { FoundTable, Question } from "./migration-steps.ts"
import { textOf } from "./migration-values.ts"
import { shownName } from "./migration-whole.ts"
import { listed, quoted, tableText } from "./schema.ts"

/** @param member `order.note` */
export const noRecords = (table: FoundTable, member: string): Question => ({
  text: `SELECT 1 FROM ${tableText(table.name)} LIMIT 1`,
  message: `Records of ${shownName(table)} are there already, and nothing says which ${member} they have.`,
  hint: "Give the field a default, or make it optional first and required when every record has a value.",
})

export const noneMissing = (table: FoundTable, column: string): Question => ({
  text: `SELECT 1 FROM ${tableText(table.name)} WHERE ${quoted(column)} IS NULL LIMIT 1`,
  message: `Records of ${shownName(table)} have no ${column}, which would be required.`,
  hint: "Fill them in first, or give the field a default.",
})

export const onlyThese = (table: FoundTable, column: string, values: readonly string[]): Question => ({
  text: `SELECT 1 FROM ${tableText(table.name)} WHERE ${quoted(column)} NOT IN (${values.map(textOf).join(", ")}) LIMIT 1`,
  message: `Records of ${shownName(table)} have another ${column} than ${values.join(", ")}.`,
  hint: "Change them first, or keep the value in the declaration.",
})

/** @param states those that will be there, and those that are renamed to one of them */
export const onlyInThese = (table: FoundTable, column: string, states: readonly string[]): Question => ({
  text: `SELECT ${quoted(column)} AS value, count(*) AS count FROM ${tableText(table.name)} WHERE ${quoted(column)} NOT IN (${states.map(textOf).join(", ")}) GROUP BY ${quoted(column)} ORDER BY ${quoted(column)} LIMIT 20`,
  counts: true,
  message: `Records of ${shownName(table)} are in states that are not declared`,
  hint: "Name each in `was` of the state that takes its records over, or declare it in `states` for as long as a record is in it.",
})

export const noneTwice = (table: FoundTable, columns: readonly string[]): Question => ({
  text: `SELECT 1 FROM ${tableText(table.name)} WHERE ${columns.map((column) => `${quoted(column)} IS NOT NULL`).join(" AND ")} GROUP BY ${listed(columns)} HAVING count(*) > 1 LIMIT 1`,
  message: `Records of ${shownName(table)} have the same ${columns.join(", ")}, which would be unique.`,
  hint: "Change them first.",
})

interface End {
  readonly table: FoundTable
  readonly columns: readonly string[]
}

export const allLead = (here: End, there: End): Question => {
  const met = here.columns.map(
    (column, index) => `t.${quoted(there.columns[index] ?? "")} = h.${quoted(column)}`,
  )
  const given = here.columns.map((column) => `h.${quoted(column)} IS NOT NULL`)
  return {
    text: `SELECT 1 FROM ${tableText(here.table.name)} AS h WHERE ${given.join(" AND ")} AND NOT EXISTS (SELECT 1 FROM ${tableText(there.table.name)} AS t WHERE ${met.join(" AND ")}) LIMIT 1`,
    message: `Records of ${shownName(here.table)} lead by ${here.columns.join(", ")} to records of ${shownName(there.table)} that are not there.`,
    hint: "Correct or remove them first.",
  }
}
