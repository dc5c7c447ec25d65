// Arithmetic in SQLite: aggregates and expressions. Its own numbers are of 64 bits or inexact, so that arithmetic is
// a function (sqlite-functions.ts), whose results without a range are texts.
import { type ColumnType, plainFloat } from "../column-type.ts"
import type { AggregatedColumn, Dialect, Numbers, Range } from "../dialect.ts"
import { commas, type Fragment, literal, sql, whole } from "../fragment.ts"
import { affinityComparable, power, printAs } from "./sqlite-affinity.ts"
import { printPlain, quoted } from "./sqlite-print.ts"

export const sqliteFigures: Dialect["figures"] = {
  measure: (measure, column, type) =>
    measure === "min" || measure === "max"
      ? extreme(measure, column, type)
      : type.scalar === "float" || (type.scalar === "decimal" && type.scale === undefined)
        ? inexact(measure, column, type)
        : exact(measure, column, type),
  plain: (column, type) => {
    const value = affinityComparable(column, type)
    if (type.stored === "plain") return value
    if (type.scalar === "float")
      return sql`CASE WHEN typeof(${column}) IN ('integer', 'real') THEN CAST(${column} AS REAL) END`
    return type.scalar === "boolean" ? value : sql`CAST(${value} AS TEXT)`
  },
  settle,
  sum: (column, type) => {
    if (type.scalar === "decimal" && type.scale === undefined)
      return sql`coalesce(sum(CAST(${affinityComparable(column, type)} AS REAL)), 0)`
    const [high = sql`NULL`, low = sql`NULL`, , beyond, inexactly] = halves(column, type)
    const exactly = sql`bifold_sum(${high}, ${low}, ${whole(scaleOf(type))})`
    return sql`coalesce(${beyond ? sql`CASE WHEN ${beyond} THEN ${inexactly ?? exactly} ELSE ${exactly} END` : exactly}, 0)`
  },
}

// Expressions

/** In the order in which a machine with a stack goes through it: what bifold_number takes. */
function settle(numbers: Numbers, range?: Range): Fragment {
  if (!range && numbers.kind === "exact") return numbers.value
  const steps: string[] = []
  const values: Fragment[] = []
  const add = (of: Numbers): void => {
    if (of.kind !== "arithmetic") {
      steps.push(of.kind === "column" && of.type.stored === "plain" ? String(scaleOf(of.type)) : "0")
      values.push(of.kind === "column" ? affinityComparable(of.value, of.type) : of.value)
      return
    }
    for (const [index, one] of of.of.entries()) {
      add(one)
      if (index > 0) steps.push(signs[of.operator])
    }
  }
  add(numbers)
  if (range) steps.push(`=${range.scale}:${range.least}:${range.greatest}`)
  return sql`bifold_number(${commas([literal(steps.join(" ")), ...values])})`
}

const signs = { add: "+", subtract: "-", multiply: "*" } as const

// Measures

function extreme(measure: "min" | "max", column: Fragment, type: ColumnType): AggregatedColumn {
  const value = affinityComparable(column, type)
  return {
    parts: [measure === "min" ? sql`min(${value})` : sql`max(${value})`],
    print: ([found]) => printAs(found ?? sql`NULL`, type),
  }
}

/** In whole units by halves of 32 bits, so that no number of rows overflows; bifold_sum puts the halves together. */
function exact(measure: "sum" | "avg", column: Fragment, type: ColumnType): AggregatedColumn {
  const scale = scaleOf(type)
  const sum = (high: Fragment, low: Fragment): Fragment => sql`bifold_sum(${high}, ${low}, ${whole(scale)})`
  return {
    parts: halves(column, type),
    print: ([high = sql`NULL`, low = sql`NULL`, count = sql`NULL`, beyond, inexactly]) => {
      if (measure === "avg") {
        const total = sql`CAST(${sum(high, low)} AS REAL)`
        const chosen = beyond ? sql`CASE WHEN ${beyond} THEN ${inexactly ?? total} ELSE ${total} END` : total
        return printPlain(sql`(${chosen} / ${count})`, plainFloat)
      }
      if (beyond && inexactly) {
        const text = sql`CASE WHEN ${beyond} THEN ${printAs(inexactly, type).text} ELSE ${quoted(sum(high, low))} END`
        return { text, partial: true }
      }
      // A sum of 64 bits may need more of them; one of 32 that does is of a table that holds what it should not.
      if (type.scalar !== "integer") return { text: quoted(sum(high, low)), partial: false }
      const fits = sql`${high} + (${low} >> 32) BETWEEN -2147483648 AND 2147483647`
      return { text: sql`CASE WHEN ${fits} THEN ${quoted(sum(high, low))} END`, partial: true }
    },
  }
}

/**
 * The sums of the halves, and how many values there are; of a decimal in a column of somebody else's also whether a value
 * has more units than 64 bits hold, and the sum of what doubles make of all.
 */
function halves(column: Fragment, type: ColumnType): readonly Fragment[] {
  const value = affinityComparable(column, type)
  const scale = scaleOf(type)
  const unit = wholeUnits(value, type, scale)
  const own = [sql`sum(${unit} >> 32)`, sql`sum(${unit} & 4294967295)`, sql`count(${unit})`]
  if (type.stored === "plain" || scale === 0) return own
  const most = power(18 - scale)
  // `abs` fails for the least of 64 bits.
  return [...own, sql`max(${value} >= ${most} OR ${value} <= -${most})`, sql`sum(CAST(${value} AS REAL))`]
}

const scaleOf = ({ scalar, scale }: ColumnType): number => (scalar === "decimal" ? (scale ?? 0) : 0)

function wholeUnits(value: Fragment, { stored }: ColumnType, scale: number): Fragment {
  if (stored === "plain") return value
  return scale === 0
    ? sql`CAST(${value} AS INTEGER)`
    : sql`CAST(round(${value} * ${power(scale)}) AS INTEGER)`
}

/** Where the sum is too great, that of values divided by so much that no sum of them is: its end, or the average, may fit. */
function inexact(measure: "sum" | "avg", column: Fragment, type: ColumnType): AggregatedColumn {
  const value = sql`CAST(${affinityComparable(column, type)} AS REAL)`
  const sums = [sql`sum(${value})`, sql`sum(${value} * ${little})`]
  const fitting = (sum: Fragment, scaled: Fragment, of: (sum: Fragment) => Fragment): Fragment =>
    sql`CASE WHEN abs(${sum}) < 9e999 THEN ${of(sum)} ELSE ${of(scaled)} * ${much} END`
  if (measure === "sum")
    return {
      parts: sums,
      print: ([sum = sql`NULL`, scaled = sql`NULL`]) =>
        printAs(sql`(${fitting(sum, scaled, (one) => one)})`, type),
    }
  return {
    parts: [...sums, sql`count(${value})`],
    print: ([sum = sql`NULL`, scaled = sql`NULL`, count = sql`NULL`]) =>
      printPlain(sql`(${fitting(sum, scaled, (one) => sql`${one} / ${count}`)})`, plainFloat),
  }
}

/** Two to the power of 64, and of -64: what is great loses no digit by it. */
const [much, little] = [sql`18446744073709551616.0`, sql`5.421010862427522e-20`]
