// The start of a compilation, with what makes conditions of rules.
import { invariant } from "../../base/invariant.ts"
import type { FirstRelated } from "../../model/condition.ts"
import type { Field, Model } from "../../model/model.ts"
import { wholeOf } from "../../plan/lookup.ts"
import type { Filter } from "../../plan/read-plan.ts"
import type { Dialect } from "../dialect.ts"
import { type Fragment, name } from "../fragment.ts"
import { type Compilation, type Row, resourceOf } from "./compilation.ts"
import { holds } from "./condition.ts"
import { computedValue } from "./expression.ts"
import { firstKey } from "./order.ts"

export function startCompilation(model: Model, dialect: Dialect, cursors: string[] = []): Compilation {
  let aliases = 0
  const shared = {
    dialect,
    cursors,
    flaws: false,
    subqueries: { count: 0 },
    tables: new Map<string, Fragment>(),
    alias: () => name(`t${++aliases}`),
    holds: (row: Row, rule: Filter) => holds(all, wholeRow(all, row), rule),
    computed: (row: Stored, field: Field) => computedValue(all, wholeRow(all, row), field),
  }
  const all: Compilation = {
    ...shared,
    first: (_, { relation }) =>
      invariant(false, `the newest version has all records of ${relation}, and no first one`) as never,
    model: wholeOf(model),
    sight: "all",
    get all() {
      return all
    },
  }
  const own: Compilation = {
    ...shared,
    model,
    all,
    first: (row: Row, of: FirstRelated) => firstKey(own, row, of),
  }
  return own
}

type Stored = Pick<Row, "resource" | "stored" | "asked" | "made" | "below">

/** The row as it is stored, with what the actor's model lacks. @param all of the whole service */
export const wholeRow = (all: Compilation, { resource, stored, asked, made, below }: Stored): Row => ({
  resource: resourceOf(all, resource.name),
  ...(asked && { asked }),
  ...(made && { made }),
  ...(below && { below }),
  column: stored,
  stored,
  seen: () => undefined,
  one: ({ name: relation }) =>
    invariant(false, `neither rules nor expressions join anything, so not ${relation}`) as never,
})
