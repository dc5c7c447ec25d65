// What comes of a call of an own operation, by the rules: the code is run or not, and what it asks for is done as requests
// of whoever it asks as would be, all of it or nothing.
import { type Entry, interpret, type Store } from "../support/naive-access.ts"
import { calling, lent } from "../support/naive-actions.ts"
import type { Outcome, Reason } from "./changes.ts"
import type { Guarded, Person } from "./guarded.ts"
import { transact } from "./naive-writes.ts"
import type { OwnAction } from "./own-actions.ts"

export interface Call {
  readonly action: OwnAction
  readonly input: Entry
  /** Of an action. */
  readonly id?: string
  readonly stale?: boolean
}

export function outcomeOf(
  { service, person, store }: { readonly service: Guarded; readonly person: Person; readonly store: Store },
  { action, input, id, stale = false }: Call,
): Outcome {
  const { declared } = service
  const refused = (...reasons: readonly Reason[]): Outcome => ({
    reasons: new Set(reasons),
    refusals: reasons,
    told: [],
    store,
  })
  const row = store.records[action.resource ?? ""]?.find((one) => one["id"] === id)
  const obstacle = calling(declared, store, person).obstacle(action, { row, stale })
  if (obstacle) return refused(obstacle)
  const who = lent(person, action)
  // Its code is given the record as it may see it.
  if (row && !interpret(declared, store, who).sees(String(action.resource), row)) return refused("absent")
  const effect = action.effect({ service, who, store, input, ...(row && { row }) })
  if (effect.declines) return refused("declined")
  let after = store
  for (const change of effect.changes) {
    const outcome = transact(declared, after, who, [change])
    if (outcome.reasons.size > 0) return refused(...outcome.reasons)
    after = outcome.store
  }
  return {
    reasons: new Set(),
    refusals: [],
    told: [],
    store: after,
    ...(effect.gives && { output: effect.gives(after) }),
  }
}
