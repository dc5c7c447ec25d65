// Which types of columns turn into which without a loss, and how.
import { quoted } from "../fragment.ts"

interface Meaning {
  readonly scalar: string
  /** Digits before the point, and after it. */
  readonly before: number
  readonly after: number
}

/** From the type as `Dialect.made.shownType` says it. */
function meaningOf(shown: string): Meaning {
  const text = /\/\* (.*) \*\//.exec(shown)?.[1] ?? withoutCollation(shown).toLowerCase()
  const digits = /^(?:decimal|numeric)\((\d+),(\d+)\)$/.exec(text)
  if (digits) {
    const [precision, scale] = [Number(digits[1]), Number(digits[2])]
    return { scalar: "decimal", before: precision - scale, after: scale }
  }
  return { scalar: scalars[text] ?? text, before: 0, after: 0 }
}

export const withoutCollation = (shown: string): string => shown.replace(collation, "")

/** As PostgreSQL's type shows it; undefined of the database's own. */
export const collationOf = (shown: string): string | undefined => collation.exec(shown)?.[1]

const collation = / COLLATE (".*")$/

/** The values are the same, and only their order is not. */
export const isOtherCollation = (from: string, to: string): boolean =>
  from !== to && withoutCollation(from) === withoutCollation(to)

export const isOtherScalar = (from: string, to: string): boolean =>
  meaningOf(from).scalar !== meaningOf(to).scalar

/** Whether `from` makes the values: of another scalar, and of a decimal with more digits. */
export const isMadeAnew = (from: string, to: string): boolean =>
  isOtherScalar(from, to) || lossless(from, to, "value") === undefined

const scalars: Readonly<Record<string, string>> = { bigint: "int64", "double precision": "float" }

/** Digits of the greatest number of 32 bits. */
const integerDigits = 10

/** SQL that gives the new value of the column, or undefined when some values would not survive. */
export function lossless(from: string, to: string, column: string): string | undefined {
  const [old, now] = [meaningOf(from), meaningOf(to)]
  const here = quoted(column)
  const onSqlite = from.includes("/*")
  if (isOtherCollation(from, to)) return here
  const units = (digits: number): string => (onSqlite && digits > 0 ? `${here} * ${10 ** digits}` : here)
  if (old.scalar === "integer" && now.scalar === "int64") return here
  if (old.scalar === "integer" && now.scalar === "float") return onSqlite ? `CAST(${here} AS REAL)` : here
  if (old.scalar === "integer" && now.scalar === "decimal")
    return now.before >= integerDigits ? units(now.after) : undefined
  if (old.scalar === "decimal" && now.scalar === "decimal")
    return now.before >= old.before && now.after >= old.after ? units(now.after - old.after) : undefined
  if (old.scalar === "uuid" && now.scalar === "text") return onSqlite ? here : `${here}::text`
  return undefined
}
