// Parts of a migration: the tables as they were found, the steps, and the changes of each.
import type { TableName } from "../../model/model.ts"
import type { SystemTable } from "../schema/system-tables.ts"
import type {
  KeptResource,
  RenamedValue,
  Table,
  TableCheck,
  TableForeignKey,
  TableIndex,
  WantedColumn,
  WantedTable,
} from "../schema/tables.ts"

export interface FoundTable extends Omit<Table, "checks"> {
  readonly name: TableName
  /** The bare name finds it, without its schema. */
  readonly visible: boolean
  readonly indexes: readonly FoundIndex[]
  readonly foreignKeys: readonly (TableForeignKey & { readonly valid: boolean })[]
  readonly checks: readonly FoundCheck[]
  /** For the log: the prefix of its records' ids. */
  readonly beginnings?: readonly Beginning[]
}

/** In the log, of the records of a resource: before `_`. */
export interface Beginning {
  readonly resource: string
  readonly prefix: string
}

export interface FoundIndex extends TableIndex {
  /** False of one whose making was cut short. */
  readonly valid: boolean
  /** The index belongs to a UNIQUE constraint of the table. */
  readonly constraint: boolean
}

/** `filled` stands only while a column is being made required. */
export interface FoundCheck extends Omit<TableCheck, "of"> {
  readonly of: TableCheck["of"] | "filled"
  readonly valid: boolean
}

export interface Step {
  /** `rename:customer.name`: what `--allow` names. */
  readonly name: string
  /** The step in words. */
  readonly says: string
  /** Values are gone for good. */
  readonly loses: boolean
  /** The service works without the step, which only removes a leftover. */
  readonly leftover: boolean
  /** For a removal: tables whose records cannot be deleted while the kept table refers to them. */
  readonly holds?: readonly string[]
  /** The step is never run. */
  readonly refused?: Refused
  /** For a removal: its possible new name, if a rename was meant. */
  readonly renamed?: Renamed
  /** For a removal: a statement that keeps its references in a join table. */
  readonly kept?: KeptLinks
  /** For a change of type that loses the values: `from` could make new ones of them. */
  readonly isMakable?: true
  /** Names of the steps without which it cannot be done. */
  readonly needs?: readonly string[]
  readonly questions: readonly Question[]
  readonly changes: readonly Change[]
}

/** A former name as `was` has it, and the fields, relations or resources that may have had it. */
export interface Renamed {
  readonly was: string
  readonly now: readonly string[]
}

export interface KeptLinks {
  readonly table: string
  readonly text: string
}

/** The intent that a person may have had instead of the step; nothing for most. */
export const hintOf = ({ renamed, isMakable, kept, leftover }: Step): string | undefined =>
  isMakable
    ? "To keep the values, say in `from` what they become."
    : kept
      ? `To keep its references in ${kept.table}, ${leftover ? "" : "declare it beside, as optional, and "}run apply without this step, then: ${kept.text}`
      : renamed && `If it was renamed, say so: ${renamed.now.join(" or ")} has was: "${renamed.was}".`

interface Refused {
  readonly message: string
  readonly hint: string
}

/** Finds a row when the step cannot be run. About the tables as they were found. */
export interface Question extends Refused {
  readonly text: string
  /** The query returns a `value` in each row, with the number of its records (`count`) or alone: both are added to the message. */
  readonly finds?: "counts" | "names"
}

/** Rows of a resource under its former names, in the present tables of Bifold's own. */
export interface KeptOf {
  readonly resource: KeptResource
  readonly tables: readonly SystemTable[]
}

/** Changes run in the order of their kinds here, and not of the steps that they belong to. */
export type Change =
  | {
      readonly kind: "renameTable"
      readonly from: TableName
      readonly to: TableName
      /** The name that is to follow it. */
      readonly kept?: KeptOf
    }
  /** Rows of records whose ids began with these. */
  | {
      readonly kind: "renameIds"
      readonly table: WantedTable
      readonly kept: KeptOf
      readonly from: readonly string[]
    }
  | {
      readonly kind: "renameColumn"
      readonly table: WantedTable
      readonly from: string
      readonly to: string
    }
  | {
      readonly kind: "renameMade"
      readonly table: WantedTable
      readonly what: "index" | "constraint"
      readonly from: string
      readonly index?: TableIndex
      readonly to: string
    }
  | { readonly kind: "dropConstraint"; readonly table: WantedTable; readonly name: string }
  | { readonly kind: "dropIndex"; readonly table: WantedTable; readonly index: FoundIndex }
  | { readonly kind: "createTable"; readonly table: WantedTable }
  | { readonly kind: "dropColumn"; readonly table: WantedTable; readonly column: string }
  | {
      readonly kind: "addColumn"
      readonly table: WantedTable
      readonly column: WantedColumn
      /** Its values are filled in: a run that was cut short is gone on with. */
      readonly filling?: true
    }
  /** Without its values. */
  | { readonly kind: "remakeColumn"; readonly table: WantedTable; readonly column: WantedColumn }
  /** Records without a value get the value of `fill`, if it comes to one. */
  | { readonly kind: "fillColumn"; readonly table: WantedTable; readonly column: WantedColumn }
  | {
      readonly kind: "changeType"
      readonly table: WantedTable
      readonly column: WantedColumn
      /** SQL that gives the new value of the old column. */
      readonly convert: string
    }
  | { readonly kind: "setOptional"; readonly table: WantedTable; readonly column: WantedColumn }
  /** For PostgreSQL only. */
  | { readonly kind: "setCounted"; readonly table: WantedTable; readonly column: string }
  | {
      readonly kind: "renameValues"
      readonly table: WantedTable
      readonly column: string
      readonly renames: readonly RenamedValue[]
      /** The handlers that are called by their events. */
      readonly kept?: KeptOf
      /** On PostgreSQL: the checks that stand in the way, and that which takes their place meanwhile. */
      readonly drop: readonly string[]
      readonly meanwhile?: TableCheck
    }
  | {
      readonly kind: "setCheck"
      readonly table: WantedTable
      readonly drop: readonly string[]
      readonly add?: TableCheck
    }
  | { readonly kind: "setRequired"; readonly table: WantedTable; readonly column: WantedColumn }
  | { readonly kind: "createUnique"; readonly table: WantedTable; readonly index: TableIndex }
  | { readonly kind: "addForeignKey"; readonly table: WantedTable; readonly key: TableForeignKey }
  | { readonly kind: "validate"; readonly table: WantedTable; readonly name: string }
  | { readonly kind: "createIndex"; readonly table: WantedTable; readonly index: TableIndex }
  | { readonly kind: "dropTable"; readonly table: FoundTable }
  | { readonly kind: "makeOwn"; readonly commands: readonly string[] }

const order: readonly Change["kind"][] = [
  "renameTable",
  "renameIds",
  "renameColumn",
  "dropConstraint",
  "dropIndex",
  "renameMade",
  "createTable",
  "remakeColumn",
  "addColumn",
  "changeType",
  "setOptional",
  "setCounted",
  "renameValues",
  "setCheck",
  // All values are made of columns as they were, and not of values that others got.
  "fillColumn",
  "setRequired",
  // Values of other columns may come from it.
  "dropColumn",
  "createUnique",
  "addForeignKey",
  "validate",
  "createIndex",
  "dropTable",
  "makeOwn",
]

/** For most steps. */
export const plain = { loses: false, leftover: false, questions: [] } as const

/** @param member a field, a relation, or another part of the table */
export const stepName = (verb: string, { called }: WantedTable, member?: string): string =>
  member === undefined ? `${verb}:${called}` : `${verb}:${called}.${member}`

/** All that the steps change, in the order in which it can be done. */
export const changesOf = (steps: readonly Step[]): readonly Change[] =>
  steps
    .flatMap(({ changes }) => changes)
    .map((change, index) => ({ change, index }))
    .sort((a, b) => order.indexOf(a.change.kind) - order.indexOf(b.change.kind) || a.index - b.index)
    .map(({ change }) => change)
