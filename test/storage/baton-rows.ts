// The table in which processes that write in turns leave the order of their writes.
import type { Work, WorkShape } from "../../src/storage/write-request.ts"

export const turnTable = "CREATE TABLE turn (id INTEGER PRIMARY KEY AUTOINCREMENT, by TEXT NOT NULL)"

const shapeOf = (by: string): WorkShape => ({
  commands: [{ text: `INSERT INTO turn (by) VALUES (${by}) RETURNING CAST(id AS TEXT)`, takes: 1 }],
  wanted: [0],
  single: true,
  takes: 1,
  sure: true,
})

const quick = shapeOf("?")
/** Some milliseconds on any machine. */
const slow = shapeOf(
  "substr(?, (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) SELECT min(i) FROM n))",
)

export const insertion = (by: string, isSlow: boolean): Work => ({
  shape: isSlow ? slow : quick,
  parameters: [by],
})
