// Lists: the arguments of a list in both faces (condition, order, page) become the plan's List, without its selection.
import type { Place } from "../../base/problem.ts"
import type { Resource } from "../../model/model.ts"
import type { Draft } from "../draft/draft.ts"
import type { Filter, List } from "../read-plan.ts"
import type { Encoding } from "../values/values.ts"
import { type ConditionInput, readCondition } from "./condition.ts"
import { type RequestedTerm, readOrder } from "./order.ts"
import { type PageInput, readPage } from "./page.ts"

export type { RequestedTerm } from "./order.ts"

export interface ListInput extends PageInput {
  /** A condition as JSON; absent for none. */
  readonly where?: unknown
  readonly encoding: Encoding
  readonly order?: readonly RequestedTerm[]
  /** The face's names of its arguments; their own names when absent. */
  readonly names?: Partial<Record<"where" | "order" | "first" | "last" | "after" | "before", string>>
}

/** The condition; undefined for none, and when problems were added to the draft. */
export function readWhere(draft: Draft, resource: Resource, condition: ConditionInput): Filter | undefined {
  if (condition.input === undefined) return undefined
  const where = readCondition(draft, resource, condition)
  return where?.kind === "and" && where.of.length === 0 ? undefined : where
}

/** @param place where the list's arguments stand; each argument's name is added to it. */
export function readList(
  draft: Draft,
  resource: Resource,
  input: ListInput,
  place: Place,
): Omit<List, "members"> {
  const names = {
    where: "where",
    order: "order",
    first: "first",
    last: "last",
    after: "after",
    before: "before",
    ...input.names,
  }
  const { encoding } = input
  const where = readWhere(draft, resource, {
    input: input.where,
    encoding,
    place: [...place, names.where],
  })
  const order = readOrder(draft, resource, input.order ?? [], [...place, names.order])
  const page = readPage(draft, { resource, order }, input, { names, place })
  return { ...(where && { where }), order, page }
}
