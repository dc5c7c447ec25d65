// An event as a handler is given it: an entry of the log as the feed's reader shows it.

import { type LogPlace, logStart } from "../../sql/log/epochs.ts"
import type { LogRow } from "../../storage/log-types.ts"
import type { Entry } from "../log/event-reader.ts"

/** The same for a row each time it is read, and of no other row, whatever was restored. */
export const eventId = ({ epoch, position }: LogPlace): string =>
  epoch === logStart.epoch ? `evt_${position}` : `evt_${epoch}_${position}`

/** @param entry undefined where nothing of the record is shown */
export function handledEvent(row: LogRow, entry: Entry | undefined) {
  const { position, resource, record: recordId, version, at, actor } = row
  const { type = writtenType(row), transition = null, from = null, to = null } = entry ?? {}
  const { input = null, payload = null, changes = [] } = entry ?? {}
  return {
    id: eventId(row),
    ...{ type, resource, recordId, version, at, actor, transition, from, to, input, payload },
    changes: Object.fromEntries(
      changes.map(({ field, from: before, to: after }) => [field, { from: before, to: after }]),
    ),
    position: String(position),
  }
}

/** A handler that sees nothing of a record learns that it was written. */
function writtenType({ resource, old, new: fresh }: LogRow): string {
  return `${resource}.${old === null ? "created" : fresh === null ? "deleted" : "updated"}`
}
