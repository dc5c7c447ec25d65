// A failed write, and queries that find out why.
import { noSlot } from "../../plan/read/computed.ts"
import type { Kind, Setter, Step, Target, WritePlan } from "../../plan/write-plan.ts"
import type { Program, Statement } from "../../sql/statement.ts"
import type { Row, Storage } from "../../storage/storage.ts"
import type { Work } from "../../storage/write-request.ts"

export interface Failing {
  readonly plan: WritePlan
  readonly program: Program
  readonly work: Work
  readonly storage: Pick<Storage, "dialects" | "read">
  /** Whether the step's upsert made its record, where that is done and seen by `read`. */
  readonly created?: boolean | undefined
}

/** The first row, empty without one; undefined where it would contain records that this request was to make or find. */
export async function ask(
  { plan, storage }: Pick<Failing, "plan" | "storage">,
  statement: Statement,
): Promise<Row | undefined> {
  const isMissing = (slot: number): boolean => slot !== noSlot && (plan.values[slot] ?? null) === null
  if (statement.binds.some(({ slot }) => isMissing(slot))) return undefined
  return askAnyway({ plan, storage }, statement)
}

/** The first row, empty without one, where any value may be missing. */
export const askAnyway = (
  { plan, storage }: Pick<Failing, "plan" | "storage">,
  statement: Statement,
): Promise<Row> =>
  storage.read(
    statement,
    statement.binds.map(({ slot, encode }) => encode(plan.values[slot] ?? null)),
  )

/** Whether there is such a row; undefined where it would contain records that this request was to make or find. */
export async function finds(failing: Failing, statement: Statement): Promise<boolean | undefined> {
  const row = await ask(failing, statement)
  return row && row.length > 0
}

/** A record whose key was looked for in the same step, as it was looked for. */
export function foundBy({ writes }: Step, target: Target): Target {
  const located = writes.find(
    (write) =>
      write.kind === "locate" &&
      write.relation === undefined &&
      target.by.some(({ subject, slot }) => subject.kind === "id" && slot === write.into.slot),
  )
  return located?.kind === "locate" ? located.target : target
}

/** Whether the check is about this write's record. */
export const isCheckOf = (check: Kind<"check" | "refers">, write: Setter): boolean =>
  check.resource === write.resource && JSON.stringify(check.place) === JSON.stringify(write.place)

/** The slots of keys of records that the request itself was to make. They are absent when a failure is explained. */
export const keysMade = ({ steps }: WritePlan): ReadonlySet<number> =>
  new Set(steps.flatMap(({ writes }) => writes.flatMap((one) => (one.kind === "insert" ? one.key.slot : []))))

/** Whether the write deletes the record of this resource whose key the slot holds. */
export const deletes = (
  { values }: WritePlan,
  { resource, target }: Kind<"delete">,
  named: { readonly target: string; readonly slot: number },
): boolean =>
  resource === named.target &&
  !target.several &&
  target.by.some(({ subject, slot }) => subject.kind === "id" && isSameKey(values[slot], values[named.slot]))

const isSameKey = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other) && one.every((part, index) => part === other[index])
