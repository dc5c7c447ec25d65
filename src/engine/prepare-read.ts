// A plan made ready to be asked of the database: guarded, compiled, its values bound. What is kept by a face because it is
// asked again and again is made ready once for whoever asked it last.
import { invariant } from "../base/invariant.ts"
import type { Actor } from "../plan/access/actor.ts"
import { check } from "../plan/check/check.ts"
import type { Statistics } from "../plan/cost/access-paths.ts"
import { type CostEstimate, createCostEstimates } from "../plan/cost/cost.ts"
import { guardRead } from "../plan/guard/guard.ts"
import { noSlot } from "../plan/read/computed.ts"
import type { ReadPlan } from "../plan/read-plan.ts"
import type { Dialect } from "../sql/dialect.ts"
import { compile } from "../sql/read/compile.ts"
import type { Parameter, Statement } from "../sql/statement.ts"
import type { Storage } from "../storage/storage.ts"
import { type KeyedRead, keyed } from "./single-flight.ts"

interface BoundRead {
  readonly plan: ReadPlan
  readonly statement: Statement
  /** Undefined when all roots are constants: nothing is sent for what needs no database. */
  readonly read: KeyedRead | undefined
}

export interface Binder {
  bind(plan: ReadPlan, actor: Actor): BoundRead
  /** Plans compiled since the start: those of a shape that is known are not. */
  readonly compiled: number
}

type Form = "prompt" | "usual" | "slow"

interface Kept {
  readonly actor: Actor
  readonly bound: BoundRead
}

export function createBinder(storage: Pick<Storage, "dialects" | "statistics">): Binder {
  // Plans of one shape share their roots (faces keep them by document), and so their statements.
  const statements: Readonly<Record<Form, WeakMap<ReadPlan["roots"], Statement>>> = {
    prompt: new WeakMap(),
    usual: new WeakMap(),
    slow: new WeakMap(),
  }
  let believed = believe(storage.statistics)
  let compiled = 0
  const compileOnce = (plan: ReadPlan, form: Form): Statement => {
    const statement = prepare(plan, storage.dialects[form])
    statements[form].set(plan.roots, statement)
    compiled += 1
    return statement
  }
  const bindNow = (asked: ReadPlan, actor: Actor): BoundRead => {
    const plan = guardRead(asked, actor)
    const outlook = believed.outlookOf(plan)
    const form = outlook.usual ? "usual" : outlook.pace
    const statement = statements[form].get(plan.roots) ?? compileOnce(plan, form)
    const parameters = parametersOf(statement, plan)
    return { plan, statement, read: parameters && keyed({ statement, parameters, outlook }) }
  }
  return {
    bind(plan, actor) {
      if (believed.statistics !== storage.statistics) believed = believe(storage.statistics)
      if (!plan.kept) return bindNow(plan, actor)
      const before = believed.known.get(plan)
      if (before?.actor === actor) return before.bound
      const bound = bindNow(plan, actor)
      believed.known.set(plan, { actor, bound })
      return bound
    },
    get compiled() {
      return compiled
    },
  }
}

/** What follows from statistics, and is forgotten with them. */
interface Believed {
  readonly statistics: Statistics
  readonly outlookOf: (plan: ReadPlan) => CostEstimate
  readonly known: WeakMap<ReadPlan, Kept>
}

const believe = (statistics: Statistics): Believed => ({
  statistics,
  outlookOf: createCostEstimates(statistics),
  known: new WeakMap(),
})

function prepare(plan: ReadPlan, dialect: Dialect): Statement {
  check(plan)
  return compile(plan, dialect)
}

function parametersOf({ columns, binds }: Statement, { values }: ReadPlan): readonly Parameter[] | undefined {
  if (columns.every((column) => column === undefined)) return undefined
  return binds.map(({ slot, encode }) => {
    const value = slot === noSlot ? null : values[slot]
    invariant(value !== undefined, "each slot has a value")
    return encode(value)
  })
}
