// A write that was not done, and what can be asked of the database afterwards to say why.
import type { WritePlan } from "../plan/write-types.ts"
import type { Program } from "../sql/program.ts"
import type { Statement } from "../sql/statement.ts"
import type { Row, Storage } from "../storage/storage.ts"
import type { Work } from "../storage/work.ts"

export interface Failing {
  readonly plan: WritePlan
  readonly program: Program
  readonly work: Work
  readonly storage: Pick<Storage, "dialects" | "read">
}

/** The first row, empty where there is none; undefined where it would be of what this very request was to make or find. */
export async function ask({ plan, storage }: Failing, statement: Statement): Promise<Row | undefined> {
  const values = statement.binds.map(({ slot }) => plan.values[slot] ?? null)
  if (values.includes(null)) return undefined
  return storage.read(
    statement,
    statement.binds.map(({ encode }, index) => encode(values[index] ?? null)),
  )
}
