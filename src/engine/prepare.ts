// The stages before anything runs. `guard`: the rules of the actor. `prepare`: what follows from the shape is checked and
// compiled once, and kept with the shape. `price`: points, from the shape, the values and the statistics.
import type { Actor } from "../plan/access/actor.ts"
import { publicFor } from "../plan/access/public.ts"
import { check, checkWrite } from "../plan/check/check.ts"
import type { Statistics } from "../plan/cost/access-paths.ts"
import { createPrice, type Price } from "../plan/cost/cost.ts"
import { guard } from "../plan/guard/guard.ts"
import { answersModel, type Plan } from "../plan/plan.ts"
import { answersUserCode, neededFormerValues, tellsChanges } from "../plan/read/uses-user-code.ts"
import type { ReadPlan } from "../plan/read-plan.ts"
import { callsUserCode } from "../plan/write/calls-user-code.ts"
import type { WritePlan } from "../plan/write-plan.ts"
import type { Dialect } from "../sql/dialect.ts"
import { compile } from "../sql/read/compile.ts"
import type { Statement } from "../sql/statement.ts"
import type { Storage } from "../storage/storage.ts"
import { recordBeginnings, showsAllowance } from "./account.ts"
import { compileProgram, type PreparedProgram } from "./bind-program.ts"
import type { KeyedRead } from "./single-flight.ts"

/** Shared by all plans of one shape and one visible model. */
interface PreparedPlan {
  /** Points: rows that the database may look at or write. */
  readonly price: (plan: Plan) => Price
  /** The answer has members that user code computes. */
  readonly completes: boolean
  /** The answer has changes of an older version's records. */
  readonly tellsFormer: boolean
  /** User code runs within its transaction. */
  readonly interactive: boolean
  /** Functions of versions run for the answer before the transaction ends: their failure undoes all. */
  readonly settles: boolean
  /** Seconds for which caches may show the answer to any caller; undefined where it depends on who asks. */
  readonly publicFor: number | undefined
  /** The answer shows the caller's limits. */
  readonly showsAllowance: boolean
  /** How the records of its answer begin. */
  beginnings(): readonly string[]
  /** The statement of a read, for a database that expects this of it. */
  statement(plan: ReadPlan, expected: Price): Statement
  /** The commands of a write, for the database as it is. */
  program(plan: WritePlan): PreparedProgram
}

interface Guarded<Own extends Plan = Plan> {
  /** As a face made it. */
  readonly asked: Plan
  readonly actor: Actor
  /** With the actor's rules and key, and with entries of the log. */
  readonly plan: Own
}

interface Prepared<Own extends Plan = Plan> extends Guarded<Own> {
  readonly prepared: PreparedPlan
}

export interface Priced<Own extends Plan = Plan> extends Prepared<Own> {
  readonly price: Price
  readonly statistics: Statistics
  /** Made when it is first sent: a plan that a face keeps is priced once, and so bound once. */
  bound?: BoundRead
}

/** The statement of a read with its values. */
export interface BoundRead {
  readonly statement: Statement
  /** Undefined when all roots are constants: nothing is sent for what needs no database. */
  readonly read: KeyedRead | undefined
}

export interface Stages {
  /** Throws a Refusal for what the actor may do to no record at all. */
  guard(asked: Plan, actor: Actor): Guarded
  prepare(guarded: Guarded): Prepared
  price(prepared: Prepared): Priced
  /** The last one of a plan that a face keeps, for the same actor; undefined once statistics have changed. */
  recall(asked: Plan, actor: Actor): Priced | undefined
  preparedOf(plan: Plan): PreparedPlan
  /** Reads compiled since the start: those of a shape that is known are not. */
  readonly compiled: number
  /** Shapes prepared since the start. */
  readonly shapes: number
}

/** @param now the canonical timestamp of what is written; the clock's when absent */
export function createStages(storage: Pick<Storage, "dialects" | "statistics">, now?: () => string): Stages {
  const shapes = new WeakMap<object, PreparedPlan>()
  const kept = new WeakMap<Plan, Priced>()
  let compiled = 0
  let made = 0
  const prepareNew = (plan: Plan): PreparedPlan => {
    made += 1
    const prepared = prepareShape(storage, plan, () => (compiled += 1))
    shapes.set(shapeOf(plan), prepared)
    return prepared
  }
  const preparedOf = (plan: Plan): PreparedPlan => shapes.get(shapeOf(plan)) ?? prepareNew(plan)
  return {
    guard: (asked, actor) => ({ asked, actor, plan: guard(asked, actor, now) }),
    prepare: ({ asked, actor, plan }) => ({ asked, actor, plan, prepared: preparedOf(plan) }),
    price({ asked, actor, plan, prepared }) {
      const { statistics } = storage
      const priced = { asked, actor, plan, prepared, price: prepared.price(plan), statistics }
      if (asked.kind === "read" && asked.kept) kept.set(asked, priced)
      return priced
    },
    recall(asked, actor) {
      const last = kept.get(asked)
      return last?.actor === actor && last.statistics === storage.statistics ? last : undefined
    },
    preparedOf,
    get compiled() {
      return compiled
    },
    get shapes() {
      return made
    },
  }
}

/** Plans of one shape share it: faces keep it by document, query string or body. */
const shapeOf = (plan: Plan): object => (plan.kind === "read" ? plan.roots : plan.steps)

type Form = "prompt" | "usual" | "slow"

function prepareShape(
  storage: Pick<Storage, "dialects" | "statistics">,
  plan: Plan,
  counted: () => void,
): PreparedPlan {
  const statements: Partial<Record<Form, Statement>> = {}
  let program: PreparedProgram | undefined
  let beginnings: readonly string[] | undefined
  const settles =
    plan.kind === "write" && plan.steps.some((step) => neededFormerValues(plan, step).length > 0)
  return {
    price: pricing(storage),
    completes: answersUserCode(plan),
    tellsFormer: answersModel(plan).newest !== undefined && tellsChanges(plan),
    interactive: plan.kind === "write" && (callsUserCode(plan) || settles),
    settles,
    publicFor: publicFor(plan),
    showsAllowance: showsAllowance(plan),
    beginnings: () => (beginnings ??= recordBeginnings(plan)),
    statement(of, { usual, pace }) {
      const form = usual ? "usual" : pace
      const known = statements[form]
      if (known) return known
      const made = compileRead(of, storage.dialects[form])
      statements[form] = made
      counted()
      return made
    },
    program(of) {
      const dialect = storage.dialects.write
      if (program?.dialect === dialect) return program
      checkWrite(of)
      program = compileProgram(of, dialect)
      return program
    },
  }
}

function compileRead(plan: ReadPlan, dialect: Dialect): Statement {
  check(plan)
  return compile(plan, dialect)
}

/** By the statistics that there are then. */
function pricing(storage: Pick<Storage, "statistics">): PreparedPlan["price"] {
  let statistics: Statistics | undefined
  let price: PreparedPlan["price"] | undefined
  return (plan) => {
    if (!price || statistics !== storage.statistics) {
      statistics = storage.statistics
      price = createPrice(statistics)
    }
    return price(plan)
  }
}
