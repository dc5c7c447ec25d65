// Every difference between databases, and nothing else: a new database does not compile until it has them all. A scalar's
// stored form is behind five of them, so that the compiler sees values only in comparable form and as JSON text.
import type { Resource, TableName } from "../model/model.ts"
import type { OperatorName } from "../model/operators.ts"
import { type Statistics, tableKey } from "../plan/cost/access-paths.ts"
import type { AggregateFunction, Value } from "../plan/read-plan.ts"
import type { ColumnType } from "./column-type.ts"
import type { Fragment } from "./fragment.ts"
import type { Parameter } from "./statement.ts"

export interface Dialect {
  readonly name: "sqlite" | "postgres"
  readonly placeholder: (index: number) => string
  /** A column in the form in which equal values are equal; what an index can serve where that is possible. */
  readonly comparable: (column: Fragment, type: ColumnType) => Fragment
  /** A column in the form that orders as docs/guide/reading.md says. */
  readonly sortable: (column: Fragment, type: ColumnType) => Fragment
  /** JSON text of a column, or of a value in sortable form. */
  readonly print: (value: Fragment, type: ColumnType) => Printed
  /** Whether rows can be looked for by a column of this form alone where the model says that it always holds a value. */
  readonly trusts: (type: ColumnType) => boolean
  /** From a plan's canonical value to the parameter that `parameter` takes. */
  readonly encode: (value: Value, type: ColumnType) => Parameter
  /** A placeholder in the type that the comparable and sortable forms compare with. */
  readonly parameter: (place: Fragment, type: ColumnType) => Fragment
  /** Several values of each of the types as one parameter: the parts of a composite key are tuples. */
  readonly encodeSet: (values: readonly (readonly Value[])[], types: readonly ColumnType[]) => Parameter
  /** A subquery with a row for each value of that parameter. */
  readonly set: (place: Fragment, types: readonly ColumnType[]) => Fragment
  /** `comparable` against a `set` of one type, where a database has something better than the subquery. */
  readonly isIn: (value: Fragment, place: Fragment, type: ColumnType) => Fragment
  readonly textMatch: Readonly<Record<TextMatch, (text: Fragment, place: () => Fragment) => Fragment>>
  /** Against one parameter of `encodeSet`. */
  readonly listMatch: Readonly<
    Record<ListMatch, (list: Fragment, place: Fragment, type: ColumnType) => Fragment>
  >
  readonly figures: Figures
  /** The row's identity; `taken` are the names that the table's own columns have. */
  readonly row: (alias: Fragment, taken: ReadonlySet<string>) => Fragment
  /** The character of this code: a mark, which would be invisible in a literal. */
  readonly character: (code: Fragment) => Fragment
  /** How it does what a statement leaves to it. */
  readonly habits: Habits
  readonly related: RelatedRows
  /** Always true; asked for each row that a statement looks at: where a statement that may be slow can be ended. */
  readonly watch?: Fragment
  /** The place of a part in a text, in characters from 1; 0 where the text does not have it. */
  readonly indexOf: (text: Fragment, part: Fragment) => Fragment
  readonly json: JsonForms
  /** Texts joined, none of them NULL. The result need not be a text if no part is one. */
  readonly sideBySide: (texts: readonly Fragment[]) => Fragment
  /** Where values of a column may be of any type, unless its table says otherwise. */
  readonly certain?: Certain
  /** Tables that Bifold makes. */
  readonly made: MadeTables
  readonly writes: Writes
}

/** By their names; one that always holds a value says so in its table too. */
export type CertainColumns = ReadonlyMap<string, { readonly type: ColumnType; readonly optional: boolean }>

interface Certain {
  /** As `print`, of a column that holds nothing but values of its type. */
  readonly print: Dialect["print"]
  /**
   * All of a field's JSON text, `null` included, in parts to join, where more is known than `print` says. Undefined
   * where no more is known.
   * @param mark for values that the declaration rules out all the same
   */
  readonly field: (
    value: Fragment,
    type: ColumnType,
    optional: boolean,
    mark: Fragment,
  ) => readonly (string | Fragment)[] | undefined
  /** Whether these columns of the table do, asked once for all rows. */
  readonly holds: (table: TableName, columns: CertainColumns) => Fragment
  /** Values in the form that columns commonly hold, whose text is short. Undefined for a type without such a form. */
  readonly common: {
    readonly field: (value: Fragment, type: ColumnType, optional: boolean) => CommonForm | undefined
    /** Whether a part of a key is a number that is the text of itself, as `inId` has it. */
    readonly keyPart: (value: Fragment, type: ColumnType) => Fragment | undefined
  }
}

export interface CommonForm {
  /** Whether the value is in the common form; absent where each value has the text below. */
  readonly test?: Fragment
  /** All of a field's JSON text, `null` included, in parts that stand side by side. */
  readonly text: readonly (string | Fragment)[]
  /** Columns of the type often hold another form: its test is no part of the row's. */
  readonly alone?: true
}

/** Arithmetic: aggregates and expressions. */
interface Figures {
  readonly measure: (measure: AggregateFunction, column: Fragment, type: ColumnType) => AggregatedColumn
  /** The value of a column, or a parameter, as a column of Bifold's own holds it; not of numbers. */
  readonly plain: (column: Fragment, type: ColumnType) => Fragment
  /**
   * The result of exact arithmetic, as a column of Bifold's own holds it: rounded half away from zero, missing out of
   * range. Without a range the result is a number as `exact` takes it.
   */
  readonly settle: (numbers: Numbers, range?: Range) => Fragment
  /** Over rows, as what `exact` takes: 0 where there is nothing. */
  readonly sum: (column: Fragment, type: ColumnType) => Fragment
}

/** Exact numbers. */
export type Numbers =
  | { readonly kind: "column"; readonly value: Fragment; readonly type: ColumnType }
  /** In the dialect's own form of a number with any digits. */
  | { readonly kind: "exact"; readonly value: Fragment }
  | {
      readonly kind: "arithmetic"
      readonly operator: "add" | "subtract" | "multiply"
      readonly of: readonly Numbers[]
    }

/** In units of the last digit. */
export interface Range {
  readonly scalar: "integer" | "int64" | "decimal"
  readonly scale: number
  readonly least: bigint
  readonly greatest: bigint
}

interface Habits {
  /** Where missing values stand when an ORDER BY does not say. */
  readonly missingAre: "least" | "greatest"
  /** Rows that come out of a subquery in order stay in it when others are joined to them. */
  readonly keepOrder: boolean
  /** A common table expression that depends on a row outside runs once for that row, however often it is read. */
  readonly rememberRows: boolean
  /** A subquery makes texts of the rows that it keeps only, an aggregate takes them in its order, and there are arrays. */
  readonly readAtOnce: boolean
  /** A row of a table can be made from JSON by the table's own types. */
  readonly fillsRows: boolean
  /** Each page says how large it is at most, also where the way to its rows depends on values: these are usual. */
  readonly boundsAll: boolean
  /** Another table that has a condition of its own is gone through whole before a few rows are joined to it. */
  readonly sievesJoined: boolean
}

interface JsonForms {
  /** The members of an object as rows "change" of "key" and "value", and what an aggregate needs to have them in their order. */
  readonly members: (object: Fragment) => { readonly rows: Fragment; readonly order: Fragment }
  /** JSON text as a column of Bifold's own holds it. */
  readonly stored: (text: Fragment) => Fragment
}

/** How it finds rows that are related to others. */
interface RelatedRows {
  /** The planner knows how many rows have a bound value, and which of related rows are better found first. */
  readonly weighsValues: boolean
  /** The first rows of a query, which is not begun where none are wanted. @param named how many there may be at most */
  readonly startOf: (
    query: Fragment,
    wanted: Fragment,
    named: { readonly most: Fragment; readonly alias: Fragment },
  ) => Fragment
  /**
   * Whether the value is one of few that the query finds, where it would expect any number of them.
   * @param isIndexed an index may find the rows by the value, so that not each of them is tested
   */
  readonly isAmongFew?: (value: Fragment, query: Fragment, isIndexed: boolean) => Fragment
  /** Whether one is there, found by the row that it is related to, whatever index the tests have. */
  readonly existsFor: (from: Fragment, isRelated: Fragment, tests: readonly Fragment[]) => Fragment
  /** How many rows a table has, as far as its statistics tell. */
  readonly rowsIn?: (table: TableName) => number | undefined
}

interface MadeTables {
  /** The database's name of a column's type. */
  readonly columnType: (type: ColumnType, precision: number | undefined) => Fragment
  /** The type as the database's catalog shows it, so that the wanted and the found one compare as text. */
  readonly shownType: (type: ColumnType, precision: number | undefined) => string
  /** The check of a column whose type does not rule out other values. */
  readonly check: (type: ColumnType) => "json" | "bits" | undefined
  /** Bytes as a literal, of hexadecimal digits. */
  readonly bytes: (hex: string) => string
  /** The time of a statement in the stored form of a scalar. */
  readonly now: Readonly<Record<"date" | "time" | "timestamp", string>>
  /** Constraints have names, and are added and removed by themselves; without that they are part of the table's definition. */
  readonly altersConstraints: boolean
  /** A column counts its own numbers, beginning with those that it is given; without that a row's number is its whole key. */
  readonly countsColumns: boolean
  /** Behind ADD COLUMN. */
  readonly unlessThere: Fragment
  /** Views, functions and keys of others keep a table or column that they need from being changed. */
  readonly keepsNeeded: boolean
  /** The rows of an index have a greatest length. */
  readonly boundsIndexRows: boolean
  /**
   * A text that changes when the database may hold data of another time, after a restore or a promotion. If it is
   * absent, each process that opens the database begins a new epoch.
   * @param table its name, as a literal
   */
  readonly start?: (table: Fragment) => Fragment
  /** Ten random hexadecimal digits. */
  readonly randomEpoch: Fragment
  /** The column of the log that has its order. */
  readonly logOrder: "position" | "seq"
  /** Keeps others from changing the table until the transaction ends; absent where one writes at a time. @param table its quoted name */
  readonly lock?: (table: string) => string
  /** The text behind the closing parenthesis of CREATE TABLE. */
  readonly options: Fragment
}

interface Writes {
  /** A text that is another one after any write to the row, by all that the model knows of it. */
  readonly rowVersion: RowVersion
  /** The same by nothing but these columns, where that is something else. */
  readonly contentVersion?: RowVersion
  /** A statement can write, and read what it wrote: `WITH … AS (INSERT … RETURNING …)`. */
  readonly readsBack: boolean
  /** Columns of RETURNING besides the table's, from which `rowVersion` of the written row is taken. */
  readonly returned: Fragment
  /** A column of an upsert's RETURNING: whether the row is new. Absent where that has to be asked before. */
  readonly isNew?: Fragment
  /** After INSERT or UPDATE: whatever the table's constraints say of conflicts, the statement fails. Absent where they say nothing. */
  readonly orRefuse?: Fragment
  /** At the end of a SELECT: locks its rows until the transaction ends. */
  readonly forUpdate: Fragment
  /**
   * The forms of a value that an index can find, where a column may hold it in several; undefined for types of
   * one form. @param value in the form that `comparable` compares with
   */
  readonly likely?: (column: Fragment, value: Fragment, type: ColumnType) => Fragment | undefined
  /** Whether a unique key may take them for equal, by a collation that the database knows; where that is more than `=` says. */
  readonly alike?: (column: Fragment, value: Fragment) => Fragment
  /** How a value is held by a column, from the form of the plan. */
  readonly store: (value: Value, type: ColumnType) => Parameter
  /** Traits of this database's tables; absent where no table has any. */
  readonly oddities?: (table: TableName) => TableTraits | undefined
}

/** Effects of a table beyond those in a statement. */
export interface TableTraits {
  /** Triggers, rules or actions of foreign keys change more than a statement says, or less, and after it has answered. */
  readonly triggered?: true
  /** The statement cannot return the columns that the database adds, either always or for written rows. */
  readonly bare?: true
  /** The table has deferrable unique keys, which cannot be used by an upsert. */
  readonly deferred?: true
}

type RowVersion = (column: (name: string) => Fragment, columns: Iterable<string>) => Fragment

export type TextMatch = Extract<OperatorName, "contains" | "startsWith" | "endsWith" | "search">
export type ListMatch = Extract<OperatorName, "has" | "hasAny" | "hasAll">

export interface Printed {
  /** NULL for a missing value and for one that its declaration rules out. */
  readonly text: Fragment
  /** The text in quotes. */
  readonly bare?: Fragment
  /** As a part of an id, of the scalars that keys may have besides text: nothing in it has to be escaped. */
  readonly inId?: Fragment
  /** Whether the value itself is what `inId` gives, where that can be told by one test. */
  readonly fits?: Fragment
  /** Where `partial`: a JSON array of the database's own name and text of the value, which `encode` takes as a position. */
  readonly position?: Fragment
  /** A value that is there may have no JSON text, because its declaration rules it out. */
  readonly partial: boolean
}

/** A measure in two steps: aggregates over the rows, and the JSON text made from them, NULL without values. */
export interface AggregatedColumn {
  readonly parts: readonly Fragment[]
  readonly print: (parts: readonly Fragment[]) => Printed
}

/** NULL exactly where the value is missing: JSON `null` is a missing value. */
export const presence = (dialect: Dialect, column: Fragment, type: ColumnType): Fragment =>
  type.scalar === "json" && !type.list ? dialect.comparable(column, type) : column

/** Its rows have no more than the columns of its own. */
export const isBare = ({ writes }: Dialect, { table }: Pick<Resource, "table">): boolean =>
  writes.oddities?.(table)?.bare === true

export const withStatistics = (dialect: Dialect, statistics: () => Statistics): Dialect => ({
  ...dialect,
  related: { ...dialect.related, rowsIn: (table) => statistics().get(tableKey(table))?.rows },
})
