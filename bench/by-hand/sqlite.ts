// A hand-written server's SQLite: in place, every statement prepared once.
import { DatabaseSync } from "node:sqlite"
import type { Ask, HandDatabase } from "./server.ts"
import type { HandStatement, Member, Spellings } from "./statements.ts"

/** Measured: one `format` per object is the fastest of format, concat, || and json_object. */
function object(members: readonly Member[]): string {
  const shape = members.map(({ key }) => `"${key}":%s`).join()
  return `format('{${shape}}', ${members.map(({ text }) => text).join(", ")})`
}

export const sqliteSpellings: Spellings = {
  parameter: (index) => `?${index + 1}`,
  object,
  items: (item) => `coalesce(group_concat(${item}), '')`,
  quoted: (expression) => `json_quote(${expression})`,
  cursor: (position) => `coalesce('"' || ${position} || '"', 'null')`,
  bytes: (text) => `CAST(${text} AS BLOB)`,
  boolean: (column) => `iif(${column}, 'true', 'false')`,
  price: `format('"%d.%02d"', unit_price / 100, unit_price % 100)`,
}

export function openHandSqlite(path: string): HandDatabase {
  const database = new DatabaseSync(path, { readOnly: true })
  let sent = 0
  return {
    spellings: sqliteSpellings,
    get sent() {
      return sent
    },
    async prepare({ text, parameters }: HandStatement): Promise<Ask> {
      const statement = database.prepare(text)
      statement.setReturnArrays(true)
      return (given, answer) => {
        sent++
        const [row] = statement.all(...parameters(given)) as unknown as (string | Uint8Array)[][]
        answer(row?.[0])
      }
    },
    close: async () => database.close(),
  }
}
