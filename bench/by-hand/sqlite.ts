// A hand-written server's SQLite: in place, every statement prepared once.
import { DatabaseSync } from "node:sqlite"
import { Worker } from "node:worker_threads"
import type { Ask, HandDatabase } from "./server.ts"
import type { HandWrite } from "./sqlite-writer.ts"
import { type HandStatement, mergeTexts, type Piece, type Spellings } from "./statements.ts"

/** Measured: concat is the fastest of concat, format, || and json_object. */
const render = (pieces: readonly Piece[]): string => `concat(${mergeTexts(pieces).join(", ")})`

const spellings: Spellings = {
  parameter: (index) => `?${index + 1}`,
  place: (index) => `?${index + 1}`,
  stored: (price) => Math.round(Number(price) * 100),
  render,
  items: "coalesce(group_concat(item), '')",
  quoted: (expression) => `json_quote(${expression})`,
  bytes: (text) => `CAST(${text} AS BLOB)`,
  // Joined before the limit it makes a Bloom filter of the whole other table, where that has a condition of its own.
  joinOne: (table, rows, join) => `FROM (SELECT * FROM ${table} ${rows}) AS ${table} ${join}`,
  boolean: (column) => `iif(${column}, 'true', 'false')`,
  price: [{ sql: "unit_price / 100" }, ".", { sql: "substr('0' || unit_price % 100, -2)" }],
}

/** @param foreign prices are REAL */
export function openHandSqlite(path: string, foreign = false): HandDatabase {
  const database = new DatabaseSync(path, { readOnly: true })
  database.exec("PRAGMA cache_size = -32768")
  const writer = startWriter(path)
  let sent = 0
  return {
    spellings: foreign ? { ...spellings, price: [{ sql: "format('%.2f', unit_price)" }] } : spellings,
    get sent() {
      return sent
    },
    async prepare({ text, parameters, writes }: HandStatement): Promise<Ask> {
      if (writes)
        return (given, answer) => {
          sent++
          writer.write({ text, parameters: parameters(given) }, answer)
        }
      const statement = database.prepare(text)
      statement.setReturnArrays(true)
      return (given, answer) => {
        sent++
        const [row] = statement.all(...parameters(given)) as unknown as (string | Uint8Array)[][]
        answer(row?.[0])
      }
    },
    async close() {
      database.close()
      await writer.close()
    },
  }
}

interface Writer {
  write(write: HandWrite, done: (body: string | undefined) => void): void
  close(): Promise<unknown>
}

/** A thread that commits what arrives together: the best that is known (shared commits, no sync in the main thread). */
function startWriter(path: string): Writer {
  let worker: Worker | undefined
  const waiting: HandWrite[] = []
  const asked: ((body: string | undefined) => void)[] = []
  const start = (): Worker => {
    const started = new Worker(new URL("./sqlite-writer.ts", import.meta.url), { workerData: path })
    started.on("message", (bodies: readonly (string | undefined)[]) => {
      for (const [index, done] of asked.splice(0, bodies.length).entries()) done(bodies[index])
    })
    return started
  }
  return {
    write(write, done) {
      asked.push(done)
      if (waiting.push(write) > 1) return
      setImmediate(() => {
        worker ??= start()
        worker.postMessage(waiting.splice(0))
      })
    },
    close: async () => worker?.terminate(),
  }
}
