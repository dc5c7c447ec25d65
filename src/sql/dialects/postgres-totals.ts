// Sums and averages by PostgreSQL, whose arithmetic of doubles fails where a result is too great, or too small, for one:
// one value would be the end of the whole answer. What no double holds is missing instead.
import type { AggregatedColumn, Printed } from "../dialect.ts"
import { type Fragment, sql } from "../fragment.ts"

/** Beyond it are infinity, what is no number, and numbers that no double holds. */
export const greatestDouble = sql`1.7976931348623157e308`
const leastDouble = sql`'5e-324'::float8`

/** As many values below it as a table can hold have a sum below the greatest double. */
const great = sql`1e290::float8`
/** Two to the power of 64, and of -64: what is great loses no digit by it. */
const [much, little] = [sql`18446744073709551616::float8`, sql`5.421010862427522e-20::float8`]
/** Two to the power of 960: what is less is a double when it is multiplied by `much`. */
const scaledEnd = sql`9.7453140114e288::float8`

/**
 * Great values are added up apart, each divided by so much that no sum of them is too great.
 * @param print of a double
 */
export function doubleTotal(
  measure: "sum" | "avg",
  value: Fragment,
  print: (value: Fragment) => Printed,
): AggregatedColumn {
  const isUsual = sql`abs(${value}) < ${great}`
  const usual = sql`sum(CASE WHEN ${isUsual} THEN ${value} WHEN ${value} IS NOT NULL THEN 0 END)`
  const rest = sql`sum(${value} * ${little}) FILTER (WHERE NOT ${isUsual})`
  if (measure === "sum")
    return {
      parts: [usual, rest],
      print: ([some = sql`NULL`, others = sql`NULL`]) => print(together(some, others)),
    }
  return {
    parts: [usual, rest, sql`count(${value})`],
    print: ([some = sql`NULL`, others = sql`NULL`, count = sql`NULL`]) =>
      print(together(quotient(some, count), sql`(${others} / ${count})`)),
  }
}

function together(usual: Fragment, scaled: Fragment): Fragment {
  const rest = sql`${scaled} * ${much}`
  const sum = sql`CASE WHEN abs(${rest}) <= ${greatestDouble} - abs(${usual}) THEN ${rest} + ${usual} END`
  return sql`(CASE WHEN ${scaled} IS NULL THEN ${usual} WHEN abs(${scaled}) < ${scaledEnd} THEN ${sum} END)`
}

/** 0 where it is nearer to 0 than to any other double, without asking for more than half of the least one. */
function quotient(sum: Fragment, count: Fragment): Fragment {
  return sql`(CASE WHEN abs(${sum}) > ${count} * ${leastDouble} - abs(${sum}) THEN ${sum} / ${count} ELSE 0 END)`
}

/** For exact numbers with any digits. */
export function mean(sum: Fragment, count: Fragment): Fragment {
  // Digits behind the last that a double has would be too small for one by themselves.
  const whole = sql`round(${sum}, 323)::float8`
  const exact = sql`(${sum} / ${count})`
  return sql`(CASE WHEN abs(${sum}) <= ${greatestDouble} THEN ${quotient(whole, count)} WHEN abs${exact} <= ${greatestDouble} THEN ${exact}::float8 END)`
}
