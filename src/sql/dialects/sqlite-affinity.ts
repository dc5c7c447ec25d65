// Columns of SQLite tables that Bifold did not make. They may hold a value in any form that SQLite understands,
// whatever their declared type (https://sqlite.org/datatype3.html, https://sqlite.org/lang_datefunc.html section 2).
import { type ColumnType, isText, plainFloat } from "../column-type.ts"
import type { AggregatedColumn, Dialect, Numbers, Printed, Range } from "../dialect.ts"
import { commas, type Fragment, literal, sql, whole } from "../fragment.ts"
import { fitting, listText, printFloat, printPlain, quoted } from "./sqlite-print.ts"

/**
 * The value in the one form that compares and orders right; NULL for what cannot be read as the scalar. Where the form
 * is the column itself, an index on it serves.
 */
export function affinityComparable(column: Fragment, type: ColumnType): Fragment {
  if (type.scalar === "json" && !type.list) return jsonValue(column)
  if (type.stored === "plain") return column
  if (type.list)
    return sql`CASE WHEN json_valid(${column}) AND json_type(${column}) = 'array' THEN ${column} END`
  switch (type.scalar) {
    case "boolean":
      return sql`CASE lower(${column}) WHEN '1' THEN 1 WHEN '0' THEN 0 WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`
    case "decimal":
      return decimal(column, type.scale)
    case "date":
      return date(column)
    case "time":
      return time(column)
    case "timestamp":
      return timestamp(column)
    case "uuid":
      return uuid(column)
    default:
      return isText(type) ? textIn(column, type) : column
  }
}

function textIn(column: Fragment, { stored, refers }: ColumnType): Fragment {
  if (refers && stored === "nocase") return sql`${column} COLLATE NOCASE`
  if (refers && stored === "rtrim") return sql`${column} COLLATE RTRIM`
  return stored === "cast" ? sql`(CAST(${column} AS TEXT) COLLATE BINARY)` : sql`${column} COLLATE BINARY`
}

/** JSON `null` is a missing value. */
const jsonValue = (column: Fragment): Fragment =>
  sql`CASE WHEN json_valid(${column}) AND json_type(${column}) = 'null' THEN NULL ELSE ${column} END`

/** For keys and unique values: a uuid with letters of both cases is left out. */
export function affinityLikely(column: Fragment, value: Fragment, type: ColumnType): Fragment | undefined {
  if (type.stored !== "loose" || type.list) return undefined
  switch (type.scalar) {
    case "uuid":
      return sql`${column} IN (${value}, upper(${value}), unhex(replace(${value}, '-', '')))`
    case "date":
    case "timestamp":
      // As text, with whatever offset; as seconds; as a Julian day.
      return sql`(${column} BETWEEN date(${value}, '-1 day') AND date(${value}, '+1 day') || '~' OR ${column} BETWEEN unixepoch(${value}, '-1 day') AND unixepoch(${value}, '+2 days') OR ${column} BETWEEN julianday(${value}, '-1 day') AND julianday(${value}, '+2 days'))`
    default:
      return undefined
  }
}

/** JSON text of a column, or of what `looseComparable` gives of one. */
export function printAs(column: Fragment, type: ColumnType): Printed {
  const printed = type.stored === "plain" ? printPlain(column, type) : printLoose(column, type)
  return { ...printed, position: positionOf(affinityComparable(column, type)) }
}

/** A double is written with all its digits. */
const positionOf = (value: Fragment): Fragment =>
  sql`CASE WHEN ${value} IS NOT NULL THEN json_array(typeof(${value}), CASE typeof(${value}) WHEN 'blob' THEN hex(${value}) WHEN 'real' THEN format('%!.17g', ${value}) ELSE CAST(${value} AS TEXT) END) END`

function printLoose(column: Fragment, type: ColumnType): Printed {
  const text = looseText(column, type)
  if (type.list) return { text, partial: true }
  const inId = looseInId(column, type)
  return { text, ...(inId && { inId }), partial: true }
}

/** As a part of an id; of text it is what has to be escaped. */
function looseInId(column: Fragment, type: ColumnType): Fragment | undefined {
  switch (type.scalar) {
    case "integer":
    case "int64":
      return fitting(column, type)
    case "date":
    case "uuid":
      return fitting(affinityComparable(column, type), type)
    default:
      return undefined
  }
}

function looseText(column: Fragment, type: ColumnType): Fragment {
  const value = affinityComparable(column, type)
  const isNumber = sql`typeof(${column}) IN ('integer', 'real')`
  if (type.list) return listText(column, type)
  switch (type.scalar) {
    case "integer":
      return sql`CASE WHEN ${isNumber} AND ${column} BETWEEN -2147483648 AND 2147483647 AND ${column} = CAST(${column} AS INTEGER) THEN CAST(${column} AS INTEGER) END`
    case "int64":
      return sql`CASE WHEN ${isNumber} AND ${column} = CAST(${column} AS INTEGER) THEN ${quoted(sql`CAST(${column} AS INTEGER)`)} END`
    case "float":
      return sql`CASE WHEN ${isNumber} THEN ${printFloat(sql`CAST(${column} AS REAL)`)} END`
    case "decimal":
      return printDecimal(column, type.scale)
    case "boolean":
      return sql`CASE ${value} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`
    case "date":
    case "uuid":
    case "row":
      return quoted(fitting(value, type))
    case "time":
      return quoted(sql`rtrim(rtrim(${value}, '0'), '.')`)
    case "timestamp":
      return quoted(sql`rtrim(rtrim(substr(${value}, 1, 26), '0'), '.') || 'Z'`)
    case "json":
      return sql`CASE WHEN typeof(${column}) <> 'blob' AND json_valid(${column}) AND json_type(${column}) <> 'null' THEN CAST(${column} AS TEXT) END`
    case "bytes":
      return quoted(sql`bifold_base64(CAST(${column} AS BLOB))`)
    case "oneOf":
      return sql`CASE WHEN ${value} IN (${commas((type.values ?? []).map(literal))}) THEN json_quote(${value}) END`
    default:
      return sql`nullif(json_quote(CAST(${column} AS TEXT)), 'null')`
  }
}

/** Rounded to the scale, as it is shown: other people's sums are a hair beside the decimal that is meant. */
function decimal(column: Fragment, scale: number | undefined): Fragment {
  if (scale === undefined) return column
  return sql`CASE typeof(${column}) WHEN 'integer' THEN ${column} WHEN 'real' THEN round(${column}, ${whole(scale)}) END`
}

function printDecimal(column: Fragment, scale: number | undefined): Fragment {
  const finite = sql`abs(${column}) < 9e999`
  if (scale !== undefined) {
    const zeros = literal(`${scale === 0 ? "" : `.${"0".repeat(scale)}`}"`)
    const rounded = sql`round(${column}, ${whole(scale)})`
    // Adding nothing makes -0 of it 0.
    const few = sql`format(${literal(`"%.${scale}f"`)}, ${rounded} + 0.0)`
    const real = sql`CASE WHEN abs(${column}) < ${power(digitsOfFormat - scale)} THEN ${few} ELSE ${quoted(sql`bifold_decimal(${rounded}, ${whole(scale)})`)} END`
    return sql`CASE typeof(${column}) WHEN 'integer' THEN '"' || ${column} || ${zeros} WHEN 'real' THEN CASE WHEN ${finite} THEN ${real} END END`
  }
  const few = sql`format('%.15g', ${column} + 0.0)`
  // Plain digits, never an exponent.
  const isFew = sql`(abs(${column}) BETWEEN 1e-4 AND 999999999999999 OR ${column} = 0) AND CAST(${few} AS REAL) = ${column}`
  const real = sql`CASE WHEN ${isFew} THEN ${few} ELSE bifold_decimal(${column}, -1) END`
  return sql`CASE typeof(${column}) WHEN 'integer' THEN ${quoted(column)} WHEN 'real' THEN CASE WHEN ${finite} THEN ${quoted(real)} END END`
}

/** Significant decimal digits that every double holds, which `format` shows as they are. */
const digitsOfFormat = 15

/** Ten to this power, as a REAL. */
const power = (exponent: number): Fragment => sql`CAST(${literal(`1e${exponent}`)} AS REAL)`

/** Text that begins like a date, so that 'now' and bare times stay out. */
const startsLikeDate = (column: Fragment): Fragment =>
  sql`${column} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' AND substr(${column}, 1, 4) <> '0000'`

interface MomentForms {
  readonly text: Fragment
  readonly seconds: Fragment
  readonly milliseconds: Fragment
  readonly day: Fragment
}

/**
 * Whole numbers are seconds since 1970; those too great for the year 9999 are milliseconds. Other numbers are Julian days,
 * or seconds where they are too great for a day. Years before 0001 have no date; beyond 9999 SQLite's functions give NULL
 * themselves.
 */
const byForm = (column: Fragment, { text, seconds, milliseconds, day }: MomentForms): Fragment =>
  sql`CASE typeof(${column}) WHEN 'text' THEN CASE WHEN ${startsLikeDate(column)} THEN ${text} END WHEN 'integer' THEN CASE WHEN ${column} > 253402300799 THEN ${milliseconds} WHEN ${column} >= -62135596800 THEN ${seconds} END WHEN 'real' THEN CASE WHEN ${column} >= 1721425.5 THEN ${day} END END`

const date = (column: Fragment): Fragment =>
  byForm(column, {
    text: sql`strftime('%Y-%m-%d', ${column})`,
    seconds: sql`strftime('%Y-%m-%d', ${column}, 'unixepoch')`,
    milliseconds: sql`strftime('%Y-%m-%d', ${column} / 1000, 'unixepoch')`,
    day: sql`strftime('%Y-%m-%d', ${column}, 'auto')`,
  })

function timestamp(column: Fragment): Fragment {
  // SQLite's own functions keep milliseconds; the fraction of a text is carried beside them, to six digits.
  const rest = sql`ltrim(substr(${column}, 20), '.0123456789')`
  const digits = sql`CASE substr(${column}, 20, 1) WHEN '.' THEN substr(${column}, 21, length(${column}) - 20 - length(${rest})) ELSE '' END`
  const toSeconds = sql`strftime('%Y-%m-%dT%H:%M:%S', substr(${column}, 1, 19) || ${rest})`
  return byForm(column, {
    text: sql`CASE substr(${column}, 17, 1) WHEN ':' THEN ${toSeconds} || '.' || substr(${digits} || '000000', 1, 6) || 'Z' ELSE strftime('%Y-%m-%dT%H:%M:%S.000000Z', ${column}) END`,
    seconds: sql`strftime('%Y-%m-%dT%H:%M:%S.000000Z', ${column}, 'unixepoch')`,
    milliseconds: sql`strftime('%Y-%m-%dT%H:%M:%S.', ${column} / 1000, 'unixepoch') || substr('000' || (${column} % 1000), -3) || '000Z'`,
    day: sql`strftime('%Y-%m-%dT%H:%M:%f000Z', ${column}, 'auto')`,
  })
}

function time(column: Fragment): Fragment {
  const fraction = sql`CASE substr(${column}, 9, 1) WHEN '.' THEN substr(substr(${column}, 10) || '000000', 1, 6) ELSE '000000' END`
  return sql`CASE WHEN ${column} GLOB '[0-2][0-9]:[0-5][0-9]*' AND substr(${column}, 1, 2) < '24' AND ${column} NOT GLOB '*[^.:0-9]*' THEN strftime('%H:%M:%S', substr(${column}, 1, 8)) || '.' || ${fraction} END`
}

function uuid(column: Fragment): Fragment {
  const hex = sql`lower(hex(${column}))`
  const part = (from: number, length: number): Fragment =>
    sql`substr(${hex}, ${whole(from)}, ${whole(length)})`
  const bytes = sql`${part(1, 8)} || '-' || ${part(9, 4)} || '-' || ${part(13, 4)} || '-' || ${part(17, 4)} || '-' || ${part(21, 12)}`
  return sql`CASE WHEN typeof(${column}) = 'text' AND length(${column}) = 36 THEN lower(${column}) WHEN typeof(${column}) = 'blob' AND length(${column}) = 16 THEN ${bytes} END`
}

// Arithmetic in SQLite: aggregates and expressions. Its own numbers are of 64 bits or inexact, so that arithmetic is
// a function (sqlite-functions.ts), whose results without a range are texts.
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
 * The sums of the halves, and the number of values. For a decimal in an unmanaged table also whether a value needs more than
 * 64 bits, and the sum of all values as doubles.
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

/** Where the sum is too great, the sum of the values divided by `much`, which cannot be: the total, or the average, may fit. */
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

/** Two to the power of 64, and of -64: great values lose no digit by such a factor. */
const [much, little] = [sql`18446744073709551616.0`, sql`5.421010862427522e-20`]
