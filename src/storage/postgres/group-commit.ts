// Writes that wait for a connection share one transaction, and so its commit. At first none has a savepoint, as hardly
// any write fails. When one does, all are undone and done again, each in a savepoint of its own. A write that fails
// because of others is done again alone, and its companions together. A constraint that fails at the commit names no
// write, so each is done alone.
import { elapsed } from "../../base/clock.ts"
import { isDeferredParameter } from "../../sql/deferred-parameter.ts"
import type { Outcome, Work } from "../write-request.ts"
import { tellOutcomes } from "../write-request.ts"
import type { Connection } from "./connections.ts"
import type { PostgresPool } from "./pool.ts"
import type { PostgresQuery } from "./query.ts"
import {
  Failed,
  isOthersFault,
  isStated,
  postgresViolation,
  stateOf,
  timedOut,
  unserializable,
} from "./violations-postgres.ts"

/** A write that another one may take along. */
export interface Passenger {
  readonly work: Work
  /** As of `elapsed()`. */
  readonly until: number
  /** The state of its tables has changed: it may not be done together with others any more. */
  readonly isOld: () => boolean
  /** Undefined: it has to be done alone, and nothing of it was done. */
  readonly done: PromiseWithResolvers<Outcome | undefined>
}

/** Commands of a write that may share a commit, at the most. */
const mostCommands = 8
/** Milliseconds that a statement of a group may take: one that takes longer is done alone. */
const longestStatement = 1_000
/** Milliseconds that have to be left of a deadline. */
const needed = 2 * longestStatement
/** Writes of a group, at first and at the most: twice as many after each that was quick. */
const sizes = { first: 2, most: 128 } as const
/** Writes of a group from which on others wait for the next group, in place of a connection of their own. */
const worthWaiting = 8
/** Milliseconds in which the statements of a group are done: in fewer it may grow, in more it gets smaller. */
const times = { quick: 100, slow: 250 } as const
/** Milliseconds for which writes of a table are done alone after a group was slow or failed: twice as long each time. */
const rests = { first: 1_000, longest: 60_000 } as const

/** How many bulk writes and writes with many commands there are is not known before: they would keep the others waiting. */
const isShort = ({ shape, most }: Work): boolean =>
  shape.writes !== undefined &&
  shape.commands.length <= mostCommands &&
  (most ?? []).every((one) => one === undefined)

/** A single command that is refused has changed nothing. */
export const isOneCommand = ({ shape, once }: Work): boolean =>
  shape.commands.length === 1 && !once && shape.sure

/** Its later commands need results of its first ones: nothing of another write may come between them. */
const isStepwise = ({ once, parameters }: Work): boolean =>
  once !== undefined || parameters.some(isDeferredParameter)

export const mayShare = (work: Work, until: number): boolean => isShort(work) && until - elapsed() > needed

/** How many writes of each table may be done together now. */
class GroupSizes {
  readonly #known = new Map<
    string,
    { readonly size: number; readonly until: number; readonly rest: number }
  >()
  /** Tables of groups under way: two groups that write to one table could wait for each other. */
  readonly #busy = new Set<string>()

  /** How many may share now; 1 where a group of these tables is under way, or was slow. */
  mostOf(tables: readonly string[]): number {
    return tables.some((table) => this.#busy.has(table)) ? 1 : this.#sizeOf(tables)
  }

  /** Whether a group of these tables is under way, and quick. */
  isWorthWaiting(tables: readonly string[]): boolean {
    return (
      this.#busy.size > 0 &&
      tables.some((table) => this.#busy.has(table)) &&
      this.#sizeOf(tables) >= worthWaiting
    )
  }

  /** While a group of these tables is under way. */
  async during<Result>(tables: readonly string[], use: () => Promise<Result>): Promise<Result> {
    for (const table of tables) this.#busy.add(table)
    try {
      return await use()
    } finally {
      for (const table of tables) this.#busy.delete(table)
    }
  }

  ended(tables: readonly string[], count: number, went: Went): void {
    const next = sizeAfter(this.#sizeOf(tables), count, went)
    const { rest: before = rests.first } = this.#known.get(tables.join()) ?? {}
    const rest = next > 1 ? rests.first : Math.min(before * 2, rests.longest)
    this.#known.set(tables.join(), { size: next, until: elapsed() + before, rest })
  }

  #sizeOf(tables: readonly string[]): number {
    const known = this.#known.get(tables.join())
    return !known || (known.size < 2 && known.until < elapsed()) ? sizes.first : known.size
  }
}

/** Milliseconds of a group's statements, without the commit; `blocked` where a lock or a slow statement kept it waiting. */
type Went = number | "failed" | "blocked"

function sizeAfter(size: number, count: number, went: Went): number {
  if (went === "blocked") return 1
  if (went === "failed" || went > times.slow) return Math.max(1, Math.floor(Math.min(size, count) / 2))
  return went > times.quick || count < size ? size : Math.min(size * 2, sizes.most)
}

/** How the user of a connection runs writes in a transaction on it. */
interface Runs {
  readonly connection: Connection
  /** Rejects with what the server says. */
  readonly inside: (work: Work) => Promise<Outcome>
  /** The meaning of a violated rule; asks the server. */
  readonly violated: (failed: Pick<Failed, "command" | "cause">) => Promise<Outcome>
  /** So many writes were committed together. */
  readonly committed: (writes: number) => void
}

export class Groups {
  readonly #sizes = new GroupSizes()
  readonly #loans: PostgresPool<Passenger>

  constructor(loans: PostgresPool<Passenger>) {
    this.#loans = loans
    loans.hold(
      ({ work, until }) => this.#sizes.isWorthWaiting(work.shape.writes ?? []) && mayShare(work, until),
    )
  }

  /** The outcome of the write, with which others are done and told; `alone`: nothing was done. Rejects where the connection is lost. */
  async share(own: Passenger, runs: Runs): Promise<Outcome | undefined | "alone"> {
    const { writes = [] } = own.work.shape
    const key = writes.join()
    const others = this.#loans.takeAlong(
      this.#sizes.mostOf(writes) - 1,
      ({ work, until, isOld }) => work.shape.writes?.join() === key && !isOld() && mayShare(work, until),
    )
    if (others.length === 0) return "alone"
    const works = [own, ...others].map(({ work }) => work)
    const began = elapsed()
    let took = 0
    const ran = (): void => {
      took = elapsed() - began
    }
    try {
      const done = await this.#sizes.during(writes, () => commitTogether({ ...runs, works, ran }))
      const outcomes = done.kind === "done" ? done.outcomes : []
      const shared = outcomes.filter((outcome) => outcome !== undefined).length
      if (shared > 0) runs.committed(shared)
      tellOutcomes(
        others.map(
          ({ done }, at) =>
            () =>
              done.resolve(outcomes[at + 1]),
        ),
      )
      this.#sizes.ended(writes, works.length, wentOf(done, took))
      return outcomes[0] ?? "alone"
    } catch (given) {
      const fault = given instanceof Failed ? given.cause : given
      for (const { done } of others) done.reject(fault)
      throw fault
    }
  }
}

interface Group extends Runs {
  readonly works: readonly Work[]
  /** The statements are done, before the commit. */
  readonly ran: () => void
}

/** Others have caused it, or it took too long. */
const isOthers = (fault: unknown): boolean => isOthersFault(fault) || stateOf(fault) === timedOut

interface Apart {
  readonly kind: "apart"
  /** The only one that has to be done alone; each has to be when absent. */
  readonly only?: number
  readonly isBlocked: boolean
}

type Together =
  /** An outcome is undefined where nothing was done of the write. */
  | { readonly kind: "done"; readonly outcomes: readonly (Outcome | undefined)[] }
  /** One of them has failed, and the others have not. */
  | { readonly kind: "undone" }
  | Apart

function wentOf(done: Together, took: number): Went {
  if (done.kind === "apart") return done.isBlocked ? "blocked" : "failed"
  return done.kind === "done" && done.outcomes.every((outcome) => outcome) ? took : "failed"
}

/** A serialization failure has kept nothing waiting, and comes of what the one write has read or changed. */
const apartBy = (fault: unknown, only: number): Apart =>
  stateOf(fault) === unserializable
    ? { kind: "apart", only, isBlocked: false }
    : { kind: "apart", isBlocked: true }

const plain = (text: string, values: PostgresQuery["values"] = []): PostgresQuery => ({ text, values })
const limit = plain("SELECT set_config('statement_timeout', $1, true)", [String(longestStatement)])

/** The outcome of each, in their order, once the commit is on disk. Rejects where the connection is lost. */
async function commitTogether(group: Group): Promise<Together> {
  const first = await attemptTwice(group)
  if (first.kind !== "apart" || first.only === undefined) return first
  const { only } = first
  const rest = await attemptTwice({ ...group, works: group.works.toSpliced(only, 1) })
  return rest.kind === "done" ? { kind: "done", outcomes: rest.outcomes.toSpliced(only, 0, undefined) } : rest
}

async function attemptTwice(group: Group): Promise<Together> {
  const first = await attempt(group, runBare)
  return first.kind === "undone" ? attempt(group, runApart) : first
}

async function attempt(group: Group, run: (group: Group) => Promise<Together>): Promise<Together> {
  const { connection, ran } = group
  // One behind the other, without waiting for those before.
  const begun = [connection.query(plain("BEGIN")), connection.query(limit)]
  const [done] = await Promise.all([run(group), ...begun])
  if (done.kind !== "done") {
    await connection.query(plain("ROLLBACK"))
    return done
  }
  ran()
  try {
    await connection.query(plain("COMMIT"))
    return done
  } catch (fault) {
    // A constraint that is deferred does not say whose it is.
    if (isStated(fault)) return { kind: "apart", isBlocked: false }
    throw fault
  }
}

async function runBare({ works, inside }: Group): Promise<Together> {
  const running: Promise<Outcome | { readonly fault: unknown }>[] = []
  for (const work of works) {
    const one = inside(work).catch((fault: unknown) => ({ fault }))
    running.push(one)
    if (isStepwise(work) && "fault" in (await one)) break
  }
  const results = await Promise.all(running)
  const at = results.findIndex((one) => "fault" in one)
  const failed = results[at]
  if (failed && "fault" in failed) {
    // The first one tells why; those behind it fail since it did.
    if (results.some((one) => "fault" in one && !isStated(one.fault))) throw failed.fault
    return isOthers(failed.fault) ? apartBy(failed.fault, at) : { kind: "undone" }
  }
  const outcomes = results as readonly Outcome[]
  return outcomes.every(({ kind }, at) => kind === "done" || changesNothing(kind, works[at]))
    ? { kind: "done", outcomes }
    : { kind: "undone" }
}

const changesNothing = (kind: Outcome["kind"], work: Work | undefined): boolean =>
  kind === "replayed" ||
  kind === "mismatch" ||
  kind === "pending" ||
  (work !== undefined && isOneCommand(work))

async function runApart({ connection, works, inside, violated }: Group): Promise<Together> {
  const outcomes: Outcome[] = []
  for (const [at, work] of works.entries()) {
    const mark = connection.query(plain("SAVEPOINT one"))
    const running = inside(work).catch(async (fault: unknown): Promise<Outcome | Apart> => {
      if (!isStated(fault)) throw fault
      const failed = fault instanceof Failed ? fault : new Failed(0, fault)
      if (isOthers(fault)) return apartBy(fault, at)
      if (!postgresViolation(failed.cause)) return { kind: "apart", isBlocked: false }
      await connection.query(plain("ROLLBACK TO one"))
      return violated(failed)
    })
    const [outcome] = await Promise.all([running, mark])
    if (outcome.kind === "apart") return outcome
    if (outcome.kind !== "done") await connection.query(plain("ROLLBACK TO one"))
    await connection.query(plain("RELEASE one"))
    outcomes.push(outcome)
  }
  return { kind: "done", outcomes }
}
