// The end of a record: after its making, and at most so long after each write of it.
import { present } from "../../base/invariant.ts"
import { readDuration } from "../../model/log.ts"
import type { Resource } from "../../model/model.ts"
import { readTimestamp } from "../../model/values/datetime.ts"
import type { InputPlace } from "./input-place.ts"
import type { Action } from "./inputs.ts"

/** Milliseconds by which the clock of a client may be ahead. */
const leeway = 5 * 60_000

/** Whether the input may be the end; adds a problem otherwise. Input that is no moment passes. */
export function checkEnd(
  { draft, place }: InputPlace,
  action: Action,
  { member, within }: NonNullable<Resource["ends"]>,
  input: unknown,
): boolean {
  const end = typeof input === "string" ? readTimestamp(input) : undefined
  const now = Date.parse(draft.fresh.now())
  const most = within === undefined ? undefined : present(readDuration(within), "the declaration was checked")
  const wrong =
    most !== undefined && (input === null || (end !== undefined && Date.parse(end) > now + most + leeway))
      ? `must be at most ${within} away${input === null ? ", not null" : ""}`
      : action === "create" && end !== undefined && Date.parse(end) <= now
        ? "must be in the future"
        : undefined
  if (wrong !== undefined) draft.problems.add("invalid_value", [...place, member], `\`${member}\` ${wrong}.`)
  return wrong === undefined
}
