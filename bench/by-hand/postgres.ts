// A hand-written server's PostgreSQL by its driver, over two connections. They send named statements without waiting for
// earlier answers, each with a Sync of its own.
import pg from "pg"
import type { Ask, HandDatabase } from "./server.ts"
import { type HandStatement, mergeTexts, type Piece, type Spellings } from "./statements.ts"

/** Measured: || takes two thirds of the time of concat. */
const render = (pieces: readonly Piece[]): string => mergeTexts(pieces).join(" || ")

export const postgresSpellings: Spellings = {
  parameter: (index) => `$${index + 1}::integer`,
  place: (index) => `$${index + 1}`,
  stored: (price) => price,
  render,
  items: "coalesce(string_agg(item, ','), '')",
  quoted: (expression) => `to_json(${expression})::text`,
  // The driver gives text only.
  bytes: (text) => text,
  joinOne: (table, rows, join) => `FROM ${table} ${join} ${rows}`,
  boolean: (column) => column,
  price: [{ sql: "unit_price" }],
}

const connections = 2
/** A commit waits for the disk, and those that wait together share a wait. */
const writingConnections = 12

export async function openHandPostgres(url: string): Promise<HandDatabase> {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: url, pipeline: true })
      await client.connect()
      // Its limits are literals, so that no plan gets better by the values.
      await client.query("SET plan_cache_mode = force_generic_plan")
      return client
    }),
  )
  const pool = new pg.Pool({ connectionString: url, max: writingConnections })
  let sent = 0
  return {
    spellings: postgresSpellings,
    get sent() {
      return sent
    },
    async prepare({ name, text, parameters, large, writes }: HandStatement): Promise<Ask> {
      if (writes)
        return (given, answer) => {
          sent++
          const query = { name, text, values: parameters(given), rowMode: "array" as const }
          pool.query<[string]>(query, (error: Error | undefined, result) =>
            answer(error ? undefined : result.rows[0]?.[0]),
          )
        }
      return (given, answer) => {
        const client = clients[sent++ % connections]
        const query = { name, text, values: parameters(given), rowMode: "array" as const }
        client?.query<[string]>(query, (error: Error | null, result) => {
          const body = error ? undefined : result.rows[0]?.[0]
          answer(large && body !== undefined ? Buffer.from(body) : body)
        })
      }
    },
    async close() {
      await Promise.all([...clients.map((client) => client.end()), pool.end()])
    },
  }
}
