// A write as a storage runs it: a program with its values bound, all of it or nothing.
import type { Idempotency, Request } from "../base/request.ts"
import type { ConstraintViolation } from "../plan/write/problems.ts"
import type { Bound, CellValue } from "../sql/deferred-parameter.ts"
import type { Question } from "../sql/internal-query.ts"

export interface Work {
  /** The same object for all works of a program. */
  readonly shape: WorkShape
  /** Parameters of all commands, one after the other. */
  readonly parameters: readonly Bound[]
  /** Rows that a command may give, where that is bounded. */
  readonly most?: readonly (number | undefined)[]
  /** Done once however often it is asked: what was given the first time is kept with what was written. */
  readonly once?: IdempotencyRecord
}

export interface WorkShape {
  readonly commands: readonly WorkCommand[]
  /** The commands whose first rows are wanted. */
  readonly wanted: readonly number[]
  /** Only the first column of one row is wanted: nothing else is returned. */
  readonly single?: true
  /** How many parameters all commands have together. */
  readonly takes: number
  /** A single command may be committed alone, without a look at its result before. */
  readonly sure: boolean
  /** Names of the resources that it writes, which stand for their tables. */
  readonly writes?: readonly string[]
}

export interface WorkCommand {
  readonly text: string
  /** How many of the parameters are its own. */
  readonly takes: number
  /** The first column of its first row must be there; on SQLite, where it returns none, it must change a row. */
  readonly present?: true
  /** A text that the first column must not hold: the mark of a value that cannot be shown. */
  readonly without?: string
}

/** Bifold's own statements as one work. @param wanted commands whose first rows are wanted */
export function workOfQuestions(questions: readonly Question[], wanted: readonly number[]): Work {
  const commands = questions.map(
    ({ statement: { text }, parameters }): WorkCommand => ({ text, takes: parameters.length }),
  )
  const parameters = questions.flatMap((question) => question.parameters)
  const shape = { commands, wanted, takes: parameters.length, sure: commands.length === 1 }
  return { shape, parameters }
}

export interface IdempotencyRecord extends Idempotency {
  /** Whose key it is: others may use the same one. */
  readonly scope: string
  /** Canonical timestamps: of now, and before which what was kept counts no more. */
  readonly now: string
  readonly since: string
}

export type Cells = readonly CellValue[]

export type Outcome =
  /** The first row of each command that is wanted, if there is one. The write is on disk. */
  | { readonly kind: "done"; readonly rows: readonly (Cells | undefined)[] }
  /** A command found nothing, more than it may, or what cannot be shown; nothing was done. */
  | { readonly kind: "refused"; readonly command: number; readonly why: Refused }
  /** The database refused what a command wrote; nothing was done. */
  | { readonly kind: "violated"; readonly command: number; readonly violation: ConstraintViolation }
  /** The kept rows, as of `done`. */
  | { readonly kind: "replayed"; readonly rows: readonly (Cells | undefined)[] }
  /** The key was used for something else. */
  | { readonly kind: "mismatch" }
  /** The same key is under way. */
  | { readonly kind: "pending" }

/** The outcome of a program within a transaction that goes on. */
export type Ran =
  /** Every row of each command; it is not on disk yet. */
  | { readonly kind: "ran"; readonly rows: readonly (readonly Cells[])[] }
  /** The program has changed nothing. */
  | Extract<Outcome, { readonly kind: "refused" | "violated" }>

/** A transaction for user code, in which programs run one after the other. */
export interface Session {
  /** Rejects as `Storage.read` does; then nothing of the transaction will be done, whatever is made of it. */
  run(work: Work): Promise<Ran>
  /**
   * Programs that are done together or not at all. When `use` rejects, all that it has done and left under way is
   * undone, and the transaction goes on. Other requests of this session wait meanwhile.
   */
  within<Result>(use: (session: Session) => Promise<Result>): Promise<Result>
}

export interface TransactOptions {
  /**
   * Milliseconds that it may take from when it begins. Before, and between two tries, it waits until the request's deadline, and
   * for as long as it may take itself where that is more.
   */
  readonly lasts: number
  /** Names of the code that runs in it: code of one name is likely to read and write the same rows. */
  readonly names?: readonly string[]
  readonly once?: IdempotencyRecord
  readonly request?: Request | undefined
}

/** Gives the result to keep, the only row of a `done`. A rejection undoes everything. */
export type Use = (session: Session) => Promise<Cells>

type Refused = "absent" | "many" | "flawed"

/** As it is kept: whole numbers as text, since JSON has no others. */
export const keptText = (rows: readonly (Cells | undefined)[]): string =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === "bigint" ? String(value) : (value ?? null)))

export const readKept = (text: string): readonly (Cells | undefined)[] =>
  (JSON.parse(text) as (Cells | null)[]).map((row) => row ?? undefined)

/** Whether what a command gave is not what it has to give. */
export function refusedRows(
  { present, without }: WorkCommand,
  rows: readonly Cells[],
  most: number | undefined,
): Refused | undefined {
  const first = rows[0]?.[0] ?? null
  if (present && first === null) return "absent"
  if (without !== undefined && typeof first === "string" && first.includes(without)) return "flawed"
  return most !== undefined && rows.length > most ? "many" : undefined
}

// Outcomes of writes that were committed together are reported a few in each turn of the event loop. Each outcome is
// answered at once, and reads would wait behind all of these answers.

/** Outcomes that one turn answers. */
const most = 32

export function tellOutcomes(tells: readonly (() => void)[]): void {
  for (const tell of tells.slice(0, most)) tell()
  if (tells.length > most) setImmediate(tellOutcomes, tells.slice(most))
}
