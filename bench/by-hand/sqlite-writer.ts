// The thread in which a hand-written server writes its SQLite file: one commit for all that waits.
import { DatabaseSync, type StatementSync } from "node:sqlite"
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads"
import type { HandValue } from "./statements.ts"

export interface HandWrite {
  readonly text: string
  readonly parameters: HandValue[]
}

const database = new DatabaseSync(String(workerData), { timeout: 5_000 })
database.exec(
  "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -32768",
)
const known = new Map<string, StatementSync>()

function prepare(text: string): StatementSync {
  const statement = known.get(text) ?? database.prepare(text)
  statement.setReturnArrays(true)
  known.set(text, statement)
  return statement
}

/** The body, or nothing when it was refused; a single statement that fails has changed nothing. */
function run({ text, parameters }: HandWrite): string | undefined {
  try {
    const [row] = prepare(text).all(...parameters) as unknown as string[][]
    return row?.[0]
  } catch {
    return undefined
  }
}

parentPort?.on("message", (first: readonly HandWrite[]) => {
  const writes = [...first]
  for (;;) {
    const next = parentPort && receiveMessageOnPort(parentPort)
    if (!next) break
    writes.push(...(next.message as readonly HandWrite[]))
  }
  database.exec("BEGIN IMMEDIATE")
  const bodies = writes.map(run)
  database.exec("COMMIT")
  parentPort?.postMessage(bodies)
})
