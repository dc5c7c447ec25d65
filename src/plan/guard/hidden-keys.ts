// Writes that a record which the caller does not see may stop: it has their key, or a unique value that they set.
import type { Model, Resource } from "../../model/model.ts"
import { isForAll } from "../every-record.ts"
import { resourceNamed } from "../lookup.ts"
import { columnsOf } from "../selectivity.ts"
import type { Write } from "../write-plan.ts"
import { touchesOf } from "./looks-at.ts"

/** The columns of each key that requests may choose, and of each unique key. */
export const chosenKeys = (resource: Resource): readonly (readonly string[])[] => {
  const { key, uniques } = resource
  const own = key && key.origin !== "typeid" ? [key.parts.map(({ column }) => column)] : []
  return [...own, ...uniques.map(({ members }) => members.flatMap((member) => columnsOf(resource, member)))]
}

/** @param model the audience's @param whole the whole service */
export function mayMeetHidden(model: Model, whole: Model, write: Write): boolean {
  if (write.cascade || !("sets" in write)) return false
  const read = model.resources.get(write.resource)?.access?.read
  if (!read || isForAll(read)) return false
  const keys = new Set(chosenKeys(resourceNamed(whole, write.resource)).flat())
  // An index of somebody else's may be no key of the service.
  return touchesOf(whole, write).some(
    ({ columns }) => !whole.managed || (columns ? !columns.isDisjointFrom(keys) : keys.size > 0),
  )
}
