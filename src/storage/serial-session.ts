// The transaction of user code: programs one after the other, some of them together or not at all. None runs after the
// end. A fault that is not about the written values undoes the whole transaction.
import { handleEnded } from "./faults.ts"
import type { Cells, Ran, Session, Use, Work } from "./write-request.ts"

interface SerialSession {
  /** Rejects with a fault of the database's even where user code caught it. Nothing is under way then. */
  used(use: Use): Promise<Cells>
}

/** Requests to the database, one after the other. */
interface Asks {
  run(work: Work): Promise<Ran>
  mark(mark: Mark, depth: number): Promise<void>
}

/** The transaction, or the part between a savepoint of it and its end. */
interface Level {
  readonly around?: Level
  /** Savepoints around it. */
  readonly depth: number
  /** Settles when nothing that was asked of it is under way: one thing at a time, however long it is. */
  turn: Promise<unknown>
  ended: boolean
}

const levelIn = (around: Level): Level => ({
  around,
  depth: around.depth + 1,
  turn: Promise.resolve(),
  ended: false,
})

const isOver = ({ ended, around }: Level): boolean => ended || (around !== undefined && isOver(around))

export function serialSession({ run, mark }: Asks): SerialSession {
  const whole: Level = { depth: 0, turn: Promise.resolve(), ended: false }
  // A level that has ended may have left something with the database: what comes next is sent after it.
  let last: Promise<unknown> = Promise.resolve()
  let fault: { readonly of: unknown } | undefined
  const attempt = async <Result>(level: Level, ask: () => Promise<Result>): Promise<Result> => {
    if (fault) throw fault.of
    // Requests that waited when it ended are not done any more.
    if (isOver(level)) throw handleEnded()
    try {
      return await ask()
    } catch (error) {
      // A request that ends later does not tell why the transaction ended.
      if (!whole.ended) fault = { of: error }
      throw error
    }
  }
  const send = <Result>(level: Level, ask: () => Promise<Result>): Promise<Result> => {
    const answer = last.then(() => attempt(level, ask))
    last = answer.catch(() => {}) // its caller gets the error
    return answer
  }
  const inTurn = <Result>(level: Level, task: () => Promise<Result>): Promise<Result> => {
    const done = level.turn.then(task)
    level.turn = done.catch(() => {})
    return done
  }
  const within = async <Result>(level: Level, use: (session: Session) => Promise<Result>) => {
    const inner = levelIn(level)
    await send(level, () => mark("set", level.depth))
    try {
      const result = await use(sessionOf(inner))
      inner.ended = true
      await send(level, () => mark("release", level.depth))
      return result
    } catch (error) {
      inner.ended = true
      // Where it cannot be, nothing of the transaction is done, or the level around it is undone already.
      await send(level, () => mark("undo", level.depth)).catch(() => {})
      throw error
    }
  }
  const sessionOf = (level: Level): Session => ({
    run: (work) => inTurn(level, () => send(level, () => run(work))),
    within: (use) => inTurn(level, () => within(level, use)),
  })
  return {
    async used(use) {
      const made = await use(sessionOf(whole)).then(
        (row) => ({ row }),
        (thrown: unknown) => ({ thrown }),
      )
      whole.ended = true
      await last
      if (fault) throw fault.of
      if ("thrown" in made) throw made.thrown
      return made.row
    },
  }
}

// Savepoints of a transaction for user code: work since a savepoint can be undone without the rest.

/** Undone, it is gone as well. */
export type Mark = "set" | "release" | "undo"

/** @param depth how many are open around it, so that no two that are open have one name */
export function savepointCommands(mark: Mark, depth: number): readonly string[] {
  const name = `within_${depth}`
  switch (mark) {
    case "set":
      return [`SAVEPOINT ${name}`]
    case "release":
      return [`RELEASE ${name}`]
    case "undo":
      return [`ROLLBACK TO ${name}`, `RELEASE ${name}`]
  }
}
