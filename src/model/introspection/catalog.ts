// The Catalog: a database's tables as they were read from it, before anything is made of them. storage/introspection/inspect.ts
// fills it, declare.ts turns it into a declaration.

import type { WriteAction } from "../policy-declaration.ts"

export interface Catalog {
  readonly dialect: "sqlite" | "postgres"
  /** By precedence: names of the first one's tables are never led by the schema's name. Empty on SQLite. */
  readonly schemas: readonly string[]
  readonly tables: readonly CatalogTable[]
  readonly enums: readonly CatalogEnum[]
  /** Parts that the reader of the catalog has left out. */
  readonly notes: readonly Note[]
}

/** A part that is not served, or served otherwise than its name or type says. */
export interface Note {
  /** Names as the database has them: schema (PostgreSQL), table, column. */
  readonly place: readonly string[]
  /** The outcome: `not served`, or `served as text, for reading only`. */
  readonly what: string
  readonly reason: string
  /** The next step for a person. */
  readonly hint?: string
}

/** The part of a Catalog that decides whether a service fits a database (schema-mismatches.ts). */
export interface TableList extends Pick<Catalog, "dialect" | "notes"> {
  readonly tables: readonly (Pick<CatalogTable, "schema" | "name" | "visible"> & {
    /** With their types if these describe the content, as PostgreSQL's do. */
    readonly columns: readonly (Pick<CatalogColumn, "name"> &
      Partial<Pick<CatalogColumn, "type">> & {
        /** On SQLite, in a table that Bifold made: the comment behind its type, `decimal(12,2)`; empty without a comment. */
        readonly meaning?: string
      })[]
  })[]
}

export interface CatalogTable {
  /** Absent on SQLite. */
  readonly schema?: string
  readonly name: string
  /** The bare name finds the table, without its schema. */
  readonly visible: boolean
  readonly kind: "table" | "view"
  /** SQLite's rowid or PostgreSQL's ctid identifies each row. */
  readonly rows: boolean
  readonly writable: boolean
  /** One of its constraints settles conflicts (SQLite's ON CONFLICT): another row may go, or the change may be left out. */
  readonly settles?: true
  /** Writes that the database refuses to all roles, or to this one. */
  readonly withheld?: readonly WriteAction[]
  readonly comment?: string
  readonly columns: readonly CatalogColumn[]
  readonly primaryKey?: readonly string[]
  /** Columns of unique keys besides the primary one. */
  readonly uniques: readonly (readonly string[])[]
  /** Columns of indexes that are not unique. */
  readonly indexes: readonly (readonly string[])[]
  readonly foreignKeys: readonly CatalogForeignKey[]
  /** Conditions of CHECK constraints, as SQL. */
  readonly checks: readonly string[]
}

export interface CatalogColumn {
  readonly name: string
  readonly type: ColumnType
  readonly nullable: boolean
  /** Computed by the database from other columns. */
  readonly generated: boolean
  /** The database insists on filling it in (`GENERATED ALWAYS AS IDENTITY`), or the role may not set it. */
  readonly always: boolean
  /** The role may set it when a row is made, and not change it. */
  readonly immutable?: true
  /** The database fills it in when no value is given. */
  readonly defaulted: boolean
  /** How it fills it in, as SQL, where that is known. */
  readonly expression?: string
  readonly comment?: string
}

export type ColumnType = SqliteType | PostgresType

export interface SqliteType {
  readonly kind: "sqlite"
  /** As declared, `NVARCHAR(160)`; empty when none is. */
  readonly declared: string
  /** Column of a STRICT table, which holds only values of its type. */
  readonly strict: boolean
  /** An alias of the rowid, which holds only whole numbers. */
  readonly rowid: boolean
  /** Holds whole numbers beyond 32 bits today. */
  readonly wide: boolean
  /** Column of a view, which has no declared type: `declared` is the type of its values. */
  readonly sampled?: true
  /** The collation of texts, where it is not by their bytes: `NOCASE`, `RTRIM`; empty for one that is not SQLite's own. */
  readonly collation?: string
}

export interface PostgresType {
  readonly kind: "postgres"
  /** Name of the element's type in `pg_type`, below domains and arrays. */
  readonly name: string
  readonly schema: string
  readonly form: "base" | "enum" | "range" | "composite" | "pseudo"
  /** As PostgreSQL shows it: `character varying(20)[]`. */
  readonly shown: string
  /** The type is a domain, of whatever base type. */
  readonly domain?: true
  /** 0 for no array. */
  readonly dimensions: number
  /** Characters of varchar(n), char(n). */
  readonly length?: number
  /** For a numeric, its digits; for a timestamp, digits of a second's fraction. */
  readonly precision?: number
  readonly scale?: number
  /** The database takes texts for equal that have other characters: `citext`, a nondeterministic collation. */
  readonly folded?: true
  /** Conditions of the domains on the way, as SQL about VALUE. */
  readonly checks: readonly string[]
}

export interface CatalogForeignKey {
  readonly columns: readonly string[]
  readonly target: { readonly schema?: string; readonly name: string }
  readonly targetColumns: readonly string[]
  /** The database does not enforce the target, which may be, or is known to be, missing. */
  readonly dangling: boolean
  readonly comment?: string
}

interface CatalogEnum {
  readonly schema: string
  readonly name: string
  readonly values: readonly string[]
  readonly comment?: string
}
