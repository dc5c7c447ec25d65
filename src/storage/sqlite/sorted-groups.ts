// Reads whose index gives a part of their order only: SQLite sorts all rows that are equal in that part before it gives the first.
// With few distinct values these are most of the table, however short the page. The query plan says so
// (https://www.sqlite.org/eqp.html section 1.1.2), and the groups of some rows say how many there are, with or without ANALYZE.
import type { DatabaseSync } from "node:sqlite"
import { createRecent } from "../../base/caches.ts"
import type { Statistics } from "../../plan/cost/access-paths.ts"
import { quoted } from "../../sql/fragment.ts"

/** Whether the statement may sort more rows than a prompt read looks at. */
export type SortsMany = (text: string, statistics: Statistics) => boolean

interface Step {
  readonly id: number
  readonly parent: number
  readonly detail: string
}

/** Rows up to which sorting is prompt, as in plan/cost/cost.ts. */
const mostPrompt = 5_000
/** Rows whose groups are counted: a large group has many rows, so that one of them is probably its. */
const samples = 8
/** Texts whose plan is kept in mind. */
const most = 500

const sorted = /^USE TEMP B-TREE FOR (?:LAST|RIGHT PART) .*ORDER BY$/
const byIndex = /^(?:SCAN|SEARCH) .*USING (?:COVERING )?INDEX (\S+)/

/** @param database as it is open now */
export function createSortsMany(database: () => DatabaseSync): SortsMany {
  let known = createRecent<string, boolean>({ count: most, weight: most })
  let groups = new Map<string, boolean>()
  let of: Statistics | undefined
  return (text, statistics) => {
    // There may be other rows, or another index.
    if (of !== statistics) {
      known = createRecent({ count: most, weight: most })
      groups = new Map()
    }
    of = statistics
    const found = known.get(text)
    if (found !== undefined) return found
    const isLarge = (index: string): boolean => {
      const large = groups.get(index) ?? hasLargeGroups(database(), index, statistics)
      groups.set(index, large)
      return large
    }
    const sorts = text.includes("ORDER BY") && sortingIndexes(database(), text).some(isLarge)
    known.set(text, sorts, 1)
    return sorts
  }
}

/** Indexes that give a part of an order. */
function sortingIndexes(database: DatabaseSync, text: string): readonly string[] {
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all() as unknown as readonly Step[]
  return steps
    .filter(({ detail }) => sorted.test(detail))
    .flatMap(({ parent }) => {
      // The outermost loop gives the order.
      const loop = steps.find((step) => step.parent === parent && byIndex.test(step.detail))
      return byIndex.exec(loop?.detail ?? "")?.[1] ?? []
    })
}

/** Whether many rows are equal in the first column of the index. */
function hasLargeGroups(database: DatabaseSync, index: string, statistics: Statistics): boolean {
  const found = database
    .prepare(
      `SELECT s.tbl_name AS "table", i.name AS "column" FROM sqlite_schema AS s, pragma_index_info(s.name) AS i
       WHERE s.type = 'index' AND s.name = ? AND i.seqno = 0`,
    )
    .get(index)
  const { table, column } = found ?? {}
  if (typeof table !== "string") return true
  const rows = statistics.get(table)?.rows ?? Number.POSITIVE_INFINITY
  if (rows <= mostPrompt || typeof column !== "string") return rows > mostPrompt
  const [from, by, of] = [quoted(table), quoted(index), quoted(column)]
  const group = (row: string): string =>
    `(SELECT count(*) FROM (SELECT 1 FROM ${from} INDEXED BY ${by} WHERE ${of} IS (${row}) LIMIT ${mostPrompt + 1}))`
  const ends = ["min", "max"].map((end) => `SELECT ${end}(${of}) FROM ${from}`)
  const between = Array.from(
    { length: samples },
    (_, at) =>
      `SELECT ${of} FROM ${from} WHERE rowid >= (SELECT max(rowid) FROM ${from}) / ${samples} * ${at} ORDER BY rowid LIMIT 1`,
  )
  try {
    const largest = database
      .prepare(`SELECT max(${[...ends, ...between].map(group).join(", ")}) AS largest`)
      .get()
    return Number(largest?.["largest"]) > mostPrompt
  } catch {
    // Rows without a number, or an index that is not for equal values.
    return true
  }
}
