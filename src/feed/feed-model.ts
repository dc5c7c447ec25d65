// A visible model as the feed asks it: histories can be asked for the row of an event, and pages are as large as a batch.
import { withDefaultCosts } from "../model/limits.ts"
import type { Field, Model, Resource } from "../model/model.ts"
import { logTable } from "../sql/schema/system-tables.ts"

/** Events that are read at a time. */
export const batch = 100

/** The event's own number in the log, as a member of its history entry. */
export const rowNumber = "rowNumber"

const known = new WeakMap<Model, Model>()

/** @param model of an actor; its rules stay as they are */
export function feedModel(model: Model): Model {
  const found = known.get(model)
  if (found) return found
  const made: Model = {
    ...model,
    histories: new Map([...model.histories].map(([name, history]) => [name, withRowNumber(history)])),
    limits: {
      ...model.limits,
      page: { default: batch, max: batch },
      cost: withDefaultCosts(),
      tiers: new Map(),
    },
  }
  known.set(model, made)
  return made
}

const withRowNumber = (history: Resource): Resource => ({
  ...history,
  fields: new Map([...history.fields, [rowNumber, numbering]]),
})

const numbering: Field = {
  name: rowNumber,
  column: logTable.columns.seq,
  scalar: "int64",
  list: false,
  optional: false,
  readonly: true,
  immutable: true,
  unique: true,
  generated: false,
  constraints: {},
  stored: "plain",
}
