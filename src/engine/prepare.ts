// The stages before anything runs. `guard` adds the actor's rules. `prepare` checks and compiles a shape once. `price` counts
// points by shape, values and statistics.
import { perObject } from "../base/caches.ts"
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
import { compile } from "../sql/read/compile.ts"
import type { Statement } from "../sql/statement.ts"
import type { Read, Storage } from "../storage/storage.ts"
import { recordBeginnings, showsAllowance } from "./account.ts"
import { compileProgram, type PreparedProgram } from "./bind-program.ts"

/** Shared by all plans of one shape and one visible model. */
interface Prepared {
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

/** A plan of one request on its way. */
export interface Run<Own extends Plan = Plan> {
  readonly actor: Actor
  /** With the actor's rules and key, and with entries of the log. */
  readonly plan: Own
  readonly prepared: Prepared
  readonly price: Price
  readonly statistics: Statistics
  /** The stages that made it: a drift of the database ends them. */
  readonly stages: Stages
  /** The statement of a read with its values, made when it is first sent. Roots that are all constants need no statement. */
  bound?: Read & { readonly sends: boolean }
}

export interface Stages {
  /** Throws a Refusal if the actor may do the requested action to no record at all. */
  guard(asked: Plan, actor: Actor): Plan
  /** Plans of one shape share it: faces keep a shape by document, query string or body. */
  prepare(plan: Plan): Prepared
  price(asked: Plan, run: Pick<Run, "actor" | "plan" | "prepared">): Run
  /** The last run of a plan that its face keeps, for the same actor; undefined once statistics have changed. */
  recall(asked: Plan, actor: Actor): Run | undefined
  /** Reads compiled since the start; a known shape is not compiled again. */
  readonly compiled: number
  /** Shapes prepared since the start. */
  readonly shapes: number
}

/** @param now the canonical timestamp of the writes; the clock's when absent */
export function createStages(storage: Pick<Storage, "dialects" | "statistics">, now?: () => string): Stages {
  let compiled = 0
  let made = 0
  const prepared = perObject((_shape: object, plan: Plan) => {
    made += 1
    return prepareShape(storage, plan, () => (compiled += 1))
  })
  const stages: Stages = {
    guard: (asked, actor) => guard(asked, actor, now),
    prepare: (plan) => prepared(plan.kind === "read" ? plan.roots : plan.steps, plan),
    price(asked, { actor, plan, prepared }) {
      const { statistics } = storage
      const run = { actor, plan, prepared, price: prepared.price(plan), statistics, stages }
      if (asked.kind === "read" && asked.kept) asked.kept.run = run
      return run
    },
    recall(asked, actor) {
      const last = asked.kind === "read" ? (asked.kept?.run as Run | undefined) : undefined
      if (last?.actor !== actor || last.stages !== stages) return undefined
      return last.statistics === storage.statistics ? last : undefined
    },
    get compiled() {
      return compiled
    },
    get shapes() {
      return made
    },
  }
  return stages
}

type Form = "prompt" | "usual" | "slow"

function prepareShape(
  storage: Pick<Storage, "dialects" | "statistics">,
  plan: Plan,
  counted: () => void,
): Prepared {
  const statements: Partial<Record<Form, Statement>> = {}
  let program: PreparedProgram | undefined
  let beginnings: readonly string[] | undefined
  let statistics: Statistics | undefined
  let price: Prepared["price"] | undefined
  const settles =
    plan.kind === "write" && plan.steps.some((step) => neededFormerValues(plan, step).length > 0)
  return {
    price(of) {
      if (!price || statistics !== storage.statistics) {
        statistics = storage.statistics
        price = createPrice(statistics)
      }
      return price(of)
    },
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
      check(of)
      const made = compile(of, storage.dialects[form])
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
