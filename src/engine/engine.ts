// The engine: a plan in, an answer out.
import { invariant, present } from "../base/invariant.ts"
import type { JsonText } from "../base/json.ts"
import { check } from "../plan/check.ts"
import type { Cursors } from "../plan/cursor.ts"
import { unrepresentable } from "../plan/marks.ts"
import type { Answer, ReadPlan } from "../plan/types.ts"
import { compile } from "../sql/compile.ts"
import type { Statement } from "../sql/statement.ts"
import type { Storage } from "../storage/storage.ts"
import { sealCursors } from "./seal.ts"

export interface EngineOptions {
  readonly storage: Storage
  readonly cursors: Cursors
}

export interface Engine {
  /** At most one statement is sent. Throws a Refusal when the database cannot answer. */
  answer(plan: ReadPlan): Promise<Answer>
  /** Plans compiled since the start: those of a shape that is known are not. */
  readonly compiled: number
}

export function createEngine({ storage, cursors }: EngineOptions): Engine {
  // Plans of one shape share their roots (faces keep them by document), and so their statement.
  const statements = new WeakMap<ReadPlan["roots"], Statement>()
  let compiled = 0
  const compileOnce = (plan: ReadPlan): Statement => {
    const statement = prepare(plan, storage)
    statements.set(plan.roots, statement)
    compiled += 1
    return statement
  }
  return {
    async answer(plan) {
      const statement = statements.get(plan.roots) ?? compileOnce(plan)
      const columns = await run(statement, plan, storage)
      const texts = columns.map((text) => text && sealCursors(text, statement.cursors, cursors))
      return assemble(plan, statement, texts)
    },
    get compiled() {
      return compiled
    },
  }
}

function prepare(plan: ReadPlan, storage: Storage): Statement {
  check(plan)
  return compile(plan, storage.dialect)
}

/** Nothing is sent for what needs no database. */
async function run(
  statement: Statement,
  { values }: ReadPlan,
  storage: Storage,
): Promise<readonly (string | null)[]> {
  if (statement.columns.every((column) => column === undefined)) return []
  const parameters = statement.binds.map(({ slot, encode }) => {
    const value = values[slot]
    invariant(value !== undefined, "each slot has a value")
    return encode(value)
  })
  return storage.read(statement, parameters)
}

function assemble(plan: ReadPlan, statement: Statement, texts: readonly (JsonText | null)[]): Answer {
  const roots = plan.roots.map((root, index) => {
    if (root.kind === "constant") return root.json
    return texts[present(statement.columns[index], "a root of records has a column")] ?? null
  })
  return { roots, flawed: statement.flaws && roots.some((text) => text?.includes(unrepresentable)) }
}
