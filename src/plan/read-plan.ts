// The Plan: a whole request, complete. Nothing after it sees the request, and it knows neither face nor SQL.
// `roots` is the shape, which decides the statement; `values` are bound to it. Equal shapes share one statement.

import type { Json, JsonText } from "../base/json.ts"
import type { Problem } from "../base/problem.ts"
import type { Cost } from "../base/request.ts"
import type { Condition, Slot, Subject } from "../model/condition.ts"
import type { Charge } from "../model/limits.ts"
import type { Model } from "../model/model.ts"
import type { Value } from "../model/scalars.ts"

export interface ReadPlan {
  readonly kind: "read"
  /** The model that gives the plan's names their meaning; a version of a service is a Model of its own. */
  readonly model: Model
  readonly roots: readonly Root[]
  readonly values: readonly Value[]
  /** Present where a face keeps the plan, since clients ask it again and again: the engine keeps its run here. */
  readonly kept?: { run?: unknown }
}

export type { Slot } from "../model/condition.ts"
export type { Value } from "../model/scalars.ts"
export type Filter = Condition<Slot>

/** Every output object is built from members in their order, each under its output `key`. */
interface Keyed {
  readonly key: string
}
interface Constant extends Keyed {
  readonly kind: "constant"
  readonly json: JsonText
  /** A root: the price of a page that is read beside the statement and put in its place. */
  readonly charge?: Charge
}

export type Root =
  | RecordRoot
  | ({ readonly kind: "list"; readonly resource: string; readonly list: List } & Keyed)
  /** Several records, in this order, with null for a missing one. */
  | ({ readonly kind: "records"; readonly of: readonly (RecordRoot | Constant)[] } & Keyed)
  /** An object with these members, null where there is no such record. */
  | ({ readonly kind: "object"; readonly of: readonly (RecordRoot | Constant)[] } & Keyed)
  | Constant

export interface RecordRoot extends Keyed {
  readonly kind: "record"
  readonly resource: string
  /** Equalities that name at most one record: its id, or a unique key. Empty with an image. */
  readonly by: readonly Equality[]
  /** Answers from this state of a record, under the same rules, in place of a stored record. */
  readonly image?: RecordImage
  readonly members: readonly Member[]
  /** The answer is the value of the only member, not an object around it. */
  readonly bare?: true
  /** The member must lead to a record, or the operation beside it is refused. */
  readonly required?: true
  /** The record's version is wanted beside the answer: `Answer.versions`. */
  readonly versioned?: true
}

/** A member of the record has the value in the slot. */
export interface Equality {
  readonly subject: Subject
  readonly slot: number
  /**
   * The subject is a field of the newest version, whatever the plan's own is. The key of an older version has these fields in
   * its place; the first such equality holds all of them.
   */
  readonly former?: readonly Equality[]
}

/** The state of a record at some time. */
export interface RecordImage {
  /** The members that are known; others are missing. */
  readonly subjects: readonly Subject[]
  /** An array of their values: of a key, the array of its parts. */
  readonly slot: number
  readonly where?: Filter
}

export type Member =
  | ({ readonly kind: "id" } & Keyed)
  | ({ readonly kind: "field"; readonly field: string } & Keyed)
  | ({ readonly kind: "reference"; readonly relation: string } & Keyed)
  /** The version that `ifMatch` compares, as a string. */
  | ({ readonly kind: "version" } & Keyed)
  | ({ readonly kind: "one"; readonly relation: string; readonly members: readonly Member[] } & Keyed)
  | ({ readonly kind: "many"; readonly relation: string; readonly list: List } & Keyed)
  /** The secret of a record created in this request: the slot holds it, the database never sees it. */
  | ({ readonly kind: "secret"; readonly slot: number } & Keyed)
  /** An object for each transition that the caller may see, in their order. */
  | ({ readonly kind: "transitions"; readonly members: readonly TransitionMember[] } & Keyed)
  /** A value computed by user code from members that the statement reads. */
  | ({ readonly kind: "computed"; readonly field: string } & Keyed)
  /** For a list's row only. */
  | ({ readonly kind: "cursor" } & Keyed)
  /** An object of the same record, such as a connection's `node`. */
  | ({ readonly kind: "object"; readonly members: readonly Member[] } & Keyed)
  | Constant

export type TransitionMember =
  /** Whether the caller may fire it on this record now. */
  | ({ readonly kind: "allowed" } & Keyed)
  /** Why not: each once, in the order state, condition, permission. */
  | ({ readonly kind: "reasons"; readonly members: readonly ReasonMember[] } & Keyed)
  /** The part that is the same for all records: JSON by the transition's name. */
  | ({ readonly kind: "said"; readonly of: Readonly<Record<string, JsonText>> } & Keyed)
  | Constant

export type ReasonMember = ({ readonly kind: "code" | "message" } & Keyed) | Constant

export interface List {
  readonly where?: Filter
  /** Total: ends with terms that distinguish any two rows. */
  readonly order: readonly OrderTerm[]
  readonly page: Page
  readonly members: readonly ListMember[]
}

export interface OrderTerm {
  /** To-one relations from the listed resource to the one that has the subject. */
  readonly path: readonly string[]
  readonly subject: Subject | { readonly kind: "row" }
  readonly descending: boolean
  /** Where missing values stand; absent when there can be none. */
  readonly nulls?: "first" | "last"
}

export interface Page {
  /** `backward` takes the last rows; rows are given in the list's order all the same. */
  readonly direction: "forward" | "backward"
  readonly limit: Slot
  /** A round number at or above the limit: a statement states a page's size by it, and so serves several sizes. */
  readonly atMost: number
  readonly after?: Keyset
  readonly before?: Keyset
}
/**
 * A position in the order: one entry per term, null where the row at the position has no value. An `id` or `reference` term
 * has the array of the key's parts, also for a single key. A `row` term has the row identity's text.
 */
export type Keyset = readonly (Slot | null)[]

export type ListMember =
  | ({ readonly kind: "rows"; readonly members: readonly Member[] } & Keyed)
  | ({ readonly kind: "page"; readonly fact: PageInfo } & Keyed)
  /** Rows that meet the condition, on all pages. */
  | ({ readonly kind: "total" } & Keyed)
  | ({ readonly kind: "aggregate"; readonly members: readonly AggregateMember[] } & Keyed)
  | ({ readonly kind: "groups"; readonly groups: Groups } & Keyed)
  | ({ readonly kind: "object"; readonly members: readonly ListMember[] } & Keyed)
  | Constant

/** `next` is the end cursor where there is a next page, else null; `previous` likewise. */
export type PageInfo = "hasNext" | "hasPrevious" | "startCursor" | "endCursor" | "next" | "previous"

export interface Groups {
  readonly by: readonly Subject[]
  readonly limit: Slot
  readonly members: readonly AggregateMember[]
}

export type AggregateMember =
  | ({ readonly kind: "count" } & Keyed)
  | ({ readonly kind: "measure"; readonly measure: AggregateFunction; readonly field: string } & Keyed)
  /** For groups only: the group's value of `by[index]`. */
  | ({ readonly kind: "group"; readonly index: number } & Keyed)
  | ({ readonly kind: "object"; readonly members: readonly AggregateMember[] } & Keyed)
  | Constant

export type AggregateFunction = "sum" | "avg" | "min" | "max"

/** A failure of user code to compute a value. */
export interface Failure extends Problem {
  /** The value is missing where there has to be one. */
  readonly missing?: true
}

/** The engine's answer: one JSON text per root, null where a record is missing. */
export interface Answer {
  readonly roots: readonly (Json | null)[]
  /** Versions of the roots that are `versioned`; absent when none is. */
  readonly versions?: readonly (string | null)[]
  /** For each step of a WritePlan: whether an upsert made the record; absent when there is no upsert. */
  readonly created?: readonly boolean[]
  /** The answer is a repetition, for a repeated request with the same key; no write took place. */
  readonly replayed?: true
  /** The texts hold placeholders (placeholders.ts), or nulls that user code may not give: faces complete them. */
  readonly flawed: boolean
  /** Seconds for which caches may show it to any caller; absent where it depends on who asks. */
  readonly publicFor?: number
  /** Points of the request so far; absent where callers have no limits over time. */
  readonly cost?: Cost
  /** Failures behind the marks in the answer, by their numbers. */
  readonly failures?: readonly Failure[]
  /** Errors of user code: for the log, never for the client. */
  readonly fault?: unknown
}
