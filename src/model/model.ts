// The Model: the form of a declaration, or of an introspected database, made once at load. Complete, frozen, names settled.
// The engine sees no other form of a service.

import type { JsonValue } from "../base/json.ts"
import type { Constraints } from "./bounds.ts"
import type { CodeActor } from "./code-actor.ts"
import type { Condition, FirstRelated, Slot } from "./condition.ts"
import type { ChangeCode, Expression, ExpressionDeclaration } from "./expression.ts"
import type { Identity } from "./identity.ts"
import type { CostLimits, DocumentsMode, SizeLimits } from "./limits.ts"
import type { AboutDeclaration, Webhooks } from "./log.ts"
import type { NamedChange } from "./named-change.ts"
import type {
  AllowDeclaration,
  GrantDeclaration,
  Granting,
  RuleDeclaration,
  WriteAction,
} from "./policy-declaration.ts"
import type { KeyScalar, ScalarName, StoredForm } from "./scalars.ts"

export interface Model {
  readonly name: string
  readonly title: string
  readonly description?: string
  /** Release, license and contact, for the description of the API. */
  readonly about?: AboutDeclaration
  /** By resource name, in the order of the declaration. */
  readonly resources: ReadonlyMap<string, Resource>
  /** Histories of logged resources: readable only through their records. */
  readonly histories: ReadonlyMap<string, Resource>
  /** By GraphQL type name, such as `OrderStatus`. */
  readonly enums: ReadonlyMap<string, Enumeration>
  readonly limits: Limits
  readonly log?: {
    /** Milliseconds for which its entries are kept; all are when absent. */
    readonly keep?: number
    /** Changes by other programs are logged by triggers. */
    readonly capture?: true
  }
  /** Endpoints that events are sent to; absent without webhooks. */
  readonly webhooks?: Webhooks
  /** Versions of the API, newest first, which is the model as declared; absent without versions. */
  readonly versions?: readonly ApiVersion[]
  /** Model of an older version only: its name. */
  readonly version?: string
  /** Model of an older version only: the same caller's model of the newest one. */
  readonly newest?: Model
  /** Whether GraphQL documents may be registered, or must be; absent when they cannot be. */
  readonly documents?: DocumentsMode
  /** The GraphQL face is a subgraph of Apollo Federation. */
  readonly federation?: true
  /** Whether Bifold makes and changes the tables. */
  readonly managed: boolean
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
  /** Name of the resource whose records sign in. */
  readonly viewer?: string
  /** Which credentials are accepted; none when absent. */
  readonly identity?: Identity
  /** Own operations about no single record, by name; absent without any. */
  readonly operations?: ReadonlyMap<string, Action>
  /** User code that follows the log, by name; absent without handlers. */
  readonly handlers?: ReadonlyMap<string, Handler>
  /** Visible model only: the whole model that it was made from. */
  readonly audience?: Audience
  /** Model of an open service only: values of its conditions' slots. */
  readonly seats?: readonly unknown[]
}

export interface ApiVersion {
  /** A date: `2026-11-01`. */
  readonly name: string
  readonly description?: string
  /** The date on which it is no longer served. */
  readonly ends?: string
  /** Since the version before it. */
  readonly changes: readonly ApiChange[]
}

/** A change of the API since the version before, by the names that there were then and are since. */
export type ApiChange = (NamedChange | RemovedMember | ChangedMembers) & {
  /** For the changelog. */
  readonly description?: string
}

interface RemovedMember {
  readonly kind: "removed"
  readonly resource: string
  readonly before: FormerMember
  /** Writers of older versions may give it a value, which is dropped. */
  readonly ignored: boolean
}

interface ChangedMembers {
  readonly kind: "changed"
  readonly resource: string
  readonly now: readonly string[]
  readonly before: readonly FormerMember[]
  /** Values of the members since, by expressions of the former ones; absent where they cannot be written, or are by code. */
  readonly writes?: ReadonlyMap<string, Expression>
  /** User code, for changes that no expression describes. */
  readonly code?: { readonly reads?: ChangeCode; readonly writes?: ChangeCode }
}

/** A field that an older version has, and its value by an expression of the fields since. */
export interface FormerMember {
  readonly field: Field
  /** The field's own values, where it has some. */
  readonly enumeration?: Enumeration
  /** Absent where user code gives it. */
  readonly reads?: Expression
}

/** Callers whose credentials allow the same. Their model has everything that some record could show them, and no more. */
interface Audience {
  /** The whole service, as it was declared. */
  readonly whole: Model
  /** Values of the first slots of every plan, for rules to compare with; the first is the key of the viewer's record. */
  readonly seats: readonly unknown[]
  readonly signedIn: boolean
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
}

/**
 * Permissions of the visible model: a condition on records, over the whole service, in which no further rules apply.
 * An absent action is denied. An empty condition (an `and` without parts) allows all records.
 */
export interface Access {
  readonly read: Condition<Slot>
  readonly create?: Condition<Slot>
  readonly update?: Condition<Slot>
  readonly delete?: Condition<Slot>
}

export interface Limits extends SizeLimits {
  /** Rows per page: when none is asked for, and at the most. */
  readonly page: { readonly default: number; readonly max: number }
  /** For callers whose tier has no limits of its own. */
  readonly cost: CostLimits
  /** By the name of a tier. */
  readonly tiers: ReadonlyMap<string, CostLimits>
}

export interface Enumeration {
  readonly name: string
  readonly values: readonly string[]
  /** Former values, each with its value of today. */
  readonly was?: ReadonlyMap<string, string>
  readonly description?: string
  /** False when a value is not a GraphQL name (specification section 2.1.9): then it is served as a string. */
  readonly named: boolean
}

export interface TableName {
  readonly schema?: string
  readonly name: string
}

export interface Resource {
  /** camelCase singular: `orderLine`. */
  readonly name: string
  /** Resource of an older version only: its name there, where that is another. Plans have the newest one. */
  readonly alias?: string
  /** `OrderLine` */
  readonly type: string
  /** `orderLines`; also the GraphQL root field of the list. */
  readonly collection: string
  /** `order-lines` */
  readonly path: string
  /** The prefix of global ids, before `_`. No underscore, unique in the model. */
  readonly prefix: string
  readonly description?: string
  /** Names that it had, as they were declared. */
  readonly was?: readonly string[]
  readonly table: TableName
  /** Whether the database lacks needed parts now: every statement that would name its table is refused. */
  readonly hurt?: () => boolean
  readonly version: Version
  /** False for views and for resources declared so. */
  readonly writable: boolean
  /** Constraints of its table would settle conflicts in their own way, so each write asks for refusal. */
  readonly onConflict?: "refuse"
  /** Actions that no actor may do to its records; absent without any. */
  readonly withheld?: readonly WriteAction[]
  /** Changes and deletions must say which version of the record they are about. */
  readonly needsVersion: boolean
  /** Seconds for which caches may show its records again, to any caller: every caller reads the same of it. Absent: none may. */
  readonly publicFor?: number
  /** Without a key a resource is list-only: no `id`, no record address, no relations to it. */
  readonly key?: Key
  /** The tie breaker of orders without a key: the database's row identity, or every sortable column. */
  readonly tiebreak: "key" | "row" | "columns"
  readonly fields: ReadonlyMap<string, Field>
  readonly relations: ReadonlyMap<string, Relation>
  /** Unique keys besides the primary one; each is a way to ask for one record. */
  readonly uniques: readonly Unique[]
  readonly indexes: readonly Index[]
  /** Each record is made with a secret that is shown once: these fields keep its digest, and how it begins. */
  readonly secret?: { readonly digest: string; readonly hint: string; readonly form?: "signing" }
  /** A JSON member that has conditions on records of other resources, by their names. */
  readonly conditions?: string
  /** A text member that is the URL of a server in the public internet, or in these networks. */
  readonly address?: { readonly member: string; readonly networks: readonly string[] }
  /** A moment that is later than the record is made; `within`, such as `90 days`: at most so long after each write. */
  readonly ends?: { readonly member: string; readonly within?: string }
  /** Roles, scopes and tiers that its records give to their users. */
  readonly grants?: readonly GrantDeclaration[]
  /** Visible model only: grants that the caller may make by its records. */
  readonly granted?: Granting
  /** Fields whose writes by themselves are no event of the record. */
  readonly unlogged?: readonly string[]
  /** Bifold's own, hidden from every caller whatever the rules. */
  readonly internal?: true
  /** By the names of the fields that hold their states. */
  readonly machines: ReadonlyMap<string, Machine>
  /** Own operations on its records, by name; absent without any. */
  readonly actions?: ReadonlyMap<string, Action>
  /** Events that user code emits about its records, by name; absent without any. */
  readonly events?: ReadonlyMap<string, OwnEvent>
  /** User code that runs before its records are written; absent without hooks. */
  readonly before?: Hooks
  /** Fields that user code computes when they are selected. An audience sees one only with everything that the field needs. */
  readonly computed?: ReadonlyMap<string, CodeComputed>
  /** Each change of a record is kept in the log, in the transaction that makes it. */
  readonly logged: boolean
  /** For one of `Model.histories`. */
  readonly historyOf?: HistoryOf
  /** As declared; plan/access/visible-model.ts makes `access` of it. */
  readonly allow?: AllowDeclaration
  /** Visible model only; no statement names a resource's table without it. */
  readonly access?: Access
  /** Model of an older version only: values of fields that it lacks, for new records, by the fields' newest names. */
  readonly supplied?: ReadonlyMap<string, Expression>
  /** Visible model only: settable fields, also those that cannot be read. */
  readonly settable?: ReadonlyMap<string, Field>
}

/**
 * The record's version. A `column` of Bifold's own counts the writes of a record; an existing table has whatever the
 * database can say of a `row`.
 */
type Version = { readonly kind: "column"; readonly column: string } | { readonly kind: "row" }

export interface Key {
  readonly parts: readonly KeyPart[]
  /**
   * `typeid`: Bifold makes it. `database`: the database makes it. `given`: the creator gives it, as the record's `id`.
   * `natural`: people choose it, and its columns are fields too.
   */
  readonly origin: "typeid" | "database" | "given" | "natural"
}

export interface KeyPart {
  readonly column: string
  readonly scalar: KeyScalar
  readonly stored: StoredForm
}

export interface Field {
  readonly name: string
  /** Field of an older version only: its name in the newest one, where that is another. */
  readonly current?: string
  /** Member of an older version only: its successor, and the version that brought it. */
  readonly deprecated?: string
  /** Field of an older version only, beside `computed`: the values that the newest version's fields get of it. */
  readonly lens?: Lens
  /** Field of an older version only: names that the log may hold its own values under, and the condition of their sight. */
  readonly logged?: { readonly names: readonly string[]; readonly seen?: Condition<Slot> }
  /** As declared: names that it had, and its value for records from before it. */
  readonly was?: readonly string[]
  readonly from?: ExpressionDeclaration
  readonly column: string
  readonly scalar: ScalarName
  readonly list: boolean
  /** Name in `Model.enums`, for `oneOf`. */
  readonly enumeration?: string
  readonly optional: boolean
  /** Never written by a client. */
  readonly readonly: boolean
  /** Written by create only. */
  readonly immutable: boolean
  readonly unique: boolean
  /** The field can be selected, and is in no condition, order or aggregate. */
  readonly shownOnly?: true
  /** Field of an older version only: user code gives its value, or a part of it. */
  readonly byCode?: true
  /** Computed by the database (`GENERATED ALWAYS AS`), or by an expression of Bifold's own. */
  readonly generated: boolean
  /** The expression of a computed field; `column` is then its name in expressions, and no column of the table. */
  readonly computed?: Expression
  /** The field holds the state of the machine with its name, which only transitions change. */
  readonly state?: true
  readonly default?: Default
  readonly constraints: Constraints
  readonly stored: StoredForm
  readonly description?: string
  /** As declared. */
  readonly read?: RuleDeclaration
  readonly write?: RuleDeclaration
  /** Visible model only: records whose value is visible; for any other it is missing. */
  readonly seen?: Condition<Slot>
  /** Visible model only: a condition for setting the field, besides the rule of the action; false: never. */
  readonly creatable?: Condition<Slot> | false
  readonly changeable?: Condition<Slot> | false
}

/** Former fields of an older version, and the values that today's fields get from a write of them. */
export interface Lens {
  /** Names of the former fields, which are set together. */
  readonly inputs: readonly string[]
  /** Values of the newest version's fields, by their names: expressions of the former fields. Empty where they are dropped. */
  readonly writes: ReadonlyMap<string, Expression>
}

/** A state machine of a resource; the state of a record is the value of a field that only transitions change. */
export interface Machine {
  /** The field that holds the state. */
  readonly name: string
  readonly initial: string
  /** Names of states that no transition leads out of, as declared. */
  readonly final: readonly string[]
  /** By name, the initial one first. */
  readonly states: ReadonlyMap<string, State>
  /** Machine of an older version only: states of the newest one that it lacks, with its own in their place; null for none. */
  readonly lacks?: ReadonlyMap<string, string | null>
  readonly transitions: ReadonlyMap<string, Transition>
}

export interface State {
  readonly name: string
  /** State of an older version only: its name in the newest one, where that is another. */
  readonly current?: string
  readonly description?: string
  readonly was?: readonly string[]
}

export interface Transition {
  /** No other transition of the resource has it. */
  readonly name: string
  /** Transition of an older version only: its name in the newest one, where that is another. */
  readonly current?: string
  /** Member of an older version only: its successor, and the version that brought it. */
  readonly deprecated?: string
  /** The field that holds the state. */
  readonly machine: string
  readonly from: readonly string[]
  readonly to: string
  readonly description?: string
  /** By name: fields without columns. */
  readonly input: ReadonlyMap<string, Field>
  readonly sets: readonly TransitionSet[]
  /** The reason for clients where `when` does not hold. */
  readonly reason?: string
  /** As declared; plan/access/policies.ts reads them. */
  readonly when?: RuleDeclaration
  readonly allow?: RuleDeclaration
  /** Visible model only, which has just the transitions that are allowed for some record. */
  readonly access?: TransitionAccess
}

/** Conditions over the whole service, in which no further rules apply. */
export interface TransitionAccess {
  /** The condition on records for which it is allowed. */
  readonly allow: Condition<Slot>
  /** The same for all callers. */
  readonly when: Condition<Slot>
}

export interface TransitionSet {
  /** A field, or the reference of a to-one relation (`paidById`). */
  readonly member: string
  readonly value:
    | { readonly kind: "constant"; readonly json: JsonValue }
    | { readonly kind: "now" }
    | { readonly kind: "input"; readonly name: string }
    /** The key of the viewer's record. */
    | { readonly kind: "viewer" }
}

/** Each may throw; the write includes the values that `create` and `update` return. */
type Hooks = Readonly<Partial<Record<WriteAction, Hook>>>

export interface Hook extends Pick<Action, "as"> {
  readonly run: (change: object) => unknown
}

/** A field that user code computes. */
export interface CodeComputed {
  /** A field without a column. */
  readonly field: Field
  /** Fields and references of the record. */
  readonly needs: readonly string[]
  /** Milliseconds. */
  readonly deadline: number
  readonly run: (
    records: readonly Readonly<Record<string, unknown>>[],
    context: { readonly actor: CodeActor; readonly now: Date; readonly signal: AbortSignal },
  ) => unknown
}

/** An own operation, of a resource or of the service. */
export interface Action {
  readonly name: string
  /** Action of an older version only: its name in the newest one, where that is another. */
  readonly current?: string
  /** Member of an older version only: its successor, and the version that brought it. */
  readonly deprecated?: string
  readonly description?: string
  /** By name: fields without columns. */
  readonly input: ReadonlyMap<string, Field>
  readonly output: ReadonlyMap<string, Field>
  /** Types of the events that it may emit; absent where it emits none. */
  readonly emits?: readonly string[]
  /** As declared; plan/access/policies.ts reads it. */
  readonly allow?: RuleDeclaration
  /** Permissions of its handle on the database in place of the caller's. */
  readonly as?: { readonly roles: readonly string[]; readonly scopes: readonly string[] }
  /** Milliseconds that it may take. */
  readonly deadline: number
  readonly run: (call: object) => unknown
  /** Visible model only, which has just the allowed actions: the condition on records. */
  readonly access?: Condition<Slot>
}

/** An event about a record, which does not change it. */
export interface OwnEvent {
  readonly name: string
  /** `order.couponApplied` */
  readonly type: string
  readonly description?: string
  /** By name: fields without columns. In a visible model, fields that the event of some record shows. */
  readonly payload: ReadonlyMap<string, Field>
}

/** User code that runs after the commit, for each of its events, in the order of the log for each record. */
export interface Handler {
  /** Under which its position is kept; no other handler of the service has it. */
  readonly name: string
  readonly description?: string
  /** Whose records' events. */
  readonly resource: string
  /** Event types; all when absent. */
  readonly types?: readonly string[]
  /** Permissions of its handle on the database. */
  readonly as: { readonly roles: readonly string[]; readonly scopes: readonly string[] }
  /** How often an event that failed is tried again. */
  readonly retries: number
  /** Milliseconds that one call may take. */
  readonly timeout: number
  /** Where a new handler begins: with later events, or with the whole log. */
  readonly from: "now" | "start"
  readonly run: (call: object) => unknown
}

export type Default =
  | { readonly kind: "value"; readonly value: JsonValue }
  /** `delay`: milliseconds after it. */
  | { readonly kind: "now"; readonly delay?: number }
  /** The database fills it in; the expression is its own business. */
  | { readonly kind: "database" }

export interface ColumnPair {
  /** Column of the table at hand. */
  readonly from: string
  /** Column of the table that is reached. */
  readonly to: string
}

export type Relation = ToOne | ToMany

interface HistoryOf {
  readonly resource: string
  /** The column of the log that has the order of a record's entries. */
  readonly order: "number" | "seq"
  /** A record may have the id of one that is gone. */
  readonly reused: boolean
}

interface RelationBase {
  readonly name: string
  /** Relation of an older version only: its name in the newest one, where that is another. */
  readonly current?: string
  /** Member of an older version only: its successor, and the version that brought it. */
  readonly deprecated?: string
  /** Name of the target resource. */
  readonly target: string
  readonly description?: string
}

export interface ToOne extends RelationBase {
  readonly kind: "one"
  readonly was?: readonly string[]
  readonly join: readonly ColumnPair[]
  /** May be absent: a nullable foreign key, or the far side of a one-to-one. */
  readonly optional: boolean
  /** The scalar that comes with it (`customerId`): present when the foreign key is here and names the target's key. */
  readonly reference?: string
  /** Relation of an older version only, in whose place the newest one has a to-many relation; `join` is empty then. */
  readonly first?: FirstRelated
}

export interface ToMany extends RelationBase {
  readonly kind: "many"
  /** Empty when `through` is given. */
  readonly join: readonly ColumnPair[]
  readonly through?: Through
  /** The target belongs to this resource and is deleted with it. */
  readonly owned: boolean
  /** Leads to the history of the record. */
  readonly history?: true
}

/** A pure join table between this resource and the target. */
export interface Through {
  readonly table: TableName
  /** From this resource's table to the join table. */
  readonly near: readonly ColumnPair[]
  /** From the join table to the target's table. */
  readonly far: readonly ColumnPair[]
}

export interface Unique {
  /** `number`, or `year_number`: the part behind `by` in `orderByNumber`, in camelCase. */
  readonly name: string
  readonly members: readonly UniqueMember[]
  /** Unique key of an older version only, with former fields in it: the members of the newest one's. */
  readonly newest?: readonly UniqueMember[]
}

/** A field, or the reference scalar of a to-one relation. */
export type UniqueMember =
  | { readonly kind: "field"; readonly field: string }
  | { readonly kind: "reference"; readonly relation: string }

export interface Index {
  readonly columns: readonly string[]
}
