// The language: a declaration as people write it, loose and optional. load.ts turns it into a Model.

import type { JsonValue } from "../../base/json.ts"
import type { ExpressionDeclaration } from "../expression.ts"
import type { IdentityDeclaration } from "../identity.ts"
import type { CostDeclaration, DocumentsMode, SizeLimits } from "../limits.ts"
import type { AboutDeclaration, LogDeclaration, WebhooksDeclaration } from "../log.ts"
import type {
  AllowDeclaration,
  GrantDeclaration,
  RuleDeclaration,
  WriteAction,
} from "../policy-declaration.ts"
import type { KeyScalar, ScalarName, StoredForm } from "../scalars.ts"

export interface ServiceDeclaration {
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** For the description of the API: its release, license and contact. */
  readonly about?: AboutDeclaration
  /** Enumerations that several fields share, by camelCase name; `f.oneOf("name")` refers to one. */
  readonly enums?: Readonly<Record<string, EnumDeclaration>>
  readonly resources: Readonly<Record<string, ResourceDeclaration>>
  readonly limits?: LimitsDeclaration
  /** How long the log of changes is kept. */
  readonly log?: LogDeclaration
  /** Events are sent to endpoints that clients name. */
  readonly webhooks?: WebhooksDeclaration
  /** Older versions of the API, which clients go on using. */
  readonly versions?: VersionsDeclaration
  /** Whether use of versions is counted, and who may read it by the API. Counted where Bifold manages the tables when absent. */
  readonly usage?: UsageDeclaration
  /** GraphQL documents that `bifold documents` registers: `required` answers no others. */
  readonly documents?: DocumentsMode
  /** The GraphQL face is a subgraph of Apollo Federation: it answers `_service` and `_entities`. */
  readonly federation?: true
  /** Roles that callers may have, as `role("staff")` asks. */
  readonly roles?: readonly string[]
  /** Scopes that credentials may have, as `scope("orders:write")` asks. */
  readonly scopes?: readonly string[]
  /** The resource whose records sign in. */
  readonly viewer?: string
  /** Which credentials are accepted; none when absent. */
  readonly identity?: IdentityDeclaration
  /** False for existing tables, which Bifold neither makes nor changes. */
  readonly managed?: boolean
  /** Functions of the service's own, which `withCode` attaches. */
  readonly code?: CodeDeclaration
}

export type UsageDeclaration = boolean | { readonly read: RuleDeclaration }

/** User code that `withCode` attached, by resource and name. */
export interface CodeDeclaration {
  readonly actions?: Readonly<Record<string, Readonly<Record<string, ActionDeclaration>>>>
  readonly operations?: Readonly<Record<string, ActionDeclaration>>
  readonly before?: Readonly<Record<string, HooksDeclaration>>
  readonly computed?: Readonly<Record<string, Readonly<Record<string, ComputedDeclaration>>>>
  /** The functions of changes, by version and by the (first) path of the change. */
  readonly versions?: Readonly<Record<string, Readonly<Record<string, ChangeFunctions>>>>
  /** Handlers, called after the commit, by event: `order.paid`. */
  readonly on?: Readonly<Record<string, OnDeclaration>>
}

/** Functions that run before each write of a resource, in its transaction. */
export type HooksDeclaration = Readonly<Partial<Record<WriteAction, HookRun | HookDeclaration>>>

type HookRun = (change: never) => unknown

export interface HookDeclaration {
  readonly as?: RunAsDeclaration
  readonly run: HookRun
}

/** A field that is computed when it is selected, for all records of an answer at once. */
export interface ComputedDeclaration {
  readonly type: FieldDeclaration
  /** Fields and references of the record. */
  readonly needs: readonly string[]
  /** Milliseconds. */
  readonly deadline?: number
  readonly run: (records: never, context: never) => unknown
}

/** Functions that turn today's values into former ones and back, for all records at once. */
export interface ChangeFunctions {
  readonly reads?: ChangeRun
  readonly writes?: ChangeRun
}

type ChangeRun = (values: never, context: never) => unknown

export type HandlerRun = (call: never) => unknown
export type OnDeclaration = HandlerRun | HandlerDeclaration | readonly (HandlerRun | HandlerDeclaration)[]

/** User code that follows the log. */
export interface HandlerDeclaration {
  /** Under which its position is kept; the event's when absent. */
  readonly name?: string
  readonly description?: string
  readonly as?: RunAsDeclaration
  /** After the first time. */
  readonly retries?: number
  /** Milliseconds. */
  readonly timeout?: number
  readonly from?: "start"
  readonly run: HandlerRun
}

/** An own operation, of a resource or of the service. */
export interface ActionDeclaration {
  readonly description?: string
  readonly input?: Readonly<Record<string, FieldDeclaration>>
  readonly output?: Readonly<Record<string, FieldDeclaration>>
  /** Types of the events that it may emit: `order.couponApplied`. */
  readonly emits?: string | readonly string[]
  /** Callers that may call it; none when absent. */
  readonly allow?: RuleDeclaration
  readonly as?: RunAsDeclaration
  /** Milliseconds. */
  readonly deadline?: number
  readonly run: (call: never) => unknown
}

/** Permissions of user code in place of the caller's; the caller's identity stays. */
export interface RunAsDeclaration {
  readonly roles?: readonly string[]
  readonly scopes?: readonly string[]
}

/** Limits of requests; docs/reference/limits.md describes each. */
export interface LimitsDeclaration extends Partial<SizeLimits> {
  /** Records of a page: when the request does not say, and at the most. */
  readonly page?: { readonly default?: number; readonly max?: number }
  /** Points, records and bytes of a request; points a minute and concurrent requests of a caller. */
  readonly cost?: CostDeclaration
  /** By the name of a tier, in place of `cost`. Callers without credentials have `anonymous`; keys and tokens name others. */
  readonly tiers?: Readonly<Record<string, CostDeclaration>>
}

export interface EnumDeclaration {
  readonly values: readonly [string, ...string[]]
  /** Names that values had: records with one of them get the value of today. */
  readonly formerly?: FormerValues
  readonly description?: string
}

export interface ResourceDeclaration {
  /** Prefix of public ids; the resource's name in lower case when absent. The prefix never changes. */
  readonly id?: string
  /** Absent: a TypeID in column `id`. A list: the natural key's members. `false`: none, list-only. */
  readonly key?: KeyDeclaration | readonly [string, ...string[]] | false
  /** When English plural rules get it wrong. */
  readonly plural?: string
  readonly description?: string
  /** The name that it had: its table is renamed, and keeps its records. */
  readonly was?: FormerNames
  /** snake_case of the name when absent. */
  readonly table?: TableDeclaration
  /** True: records are read-only. A list: the actions that no caller may take. */
  readonly readonly?: boolean | readonly [WriteAction, ...WriteAction[]]
  /** Updates and deletes must name the version that the client has seen (`If-Match`, `ifMatch`). */
  readonly versioned?: "required"
  /** Without a key: whether the table has a row identity (false for views). */
  readonly rows?: boolean
  /** Constraints of the table say ON CONFLICT (SQLite); Bifold refuses conflicting writes all the same. */
  readonly onConflict?: "refuse"
  readonly fields: Readonly<Record<string, FieldDeclaration>>
  readonly relations?: Readonly<Record<string, RelationDeclaration>>
  /** Keys of several members; a single field says `unique: true` itself. */
  readonly unique?: readonly (readonly [string, ...string[]])[]
  readonly indexes?: readonly (readonly [string, ...string[]])[]
  /** Each record is made with a secret that is shown once: these fields keep its digest, and how it begins. */
  readonly secret?: SecretDeclaration
  /** A JSON member that has conditions on records of other resources, by their names: the writer must be able to ask them. */
  readonly conditions?: string
  /** A text member that is the URL of a server in the public internet, or in these networks. */
  readonly address?: AddressDeclaration
  /** A moment later than the creation of the record. With `within`, at most so long after each write: `"90 days"`. */
  readonly ends?: EndsDeclaration
  /** Roles, scopes and tiers that its records give: a caller writes no record that gives more than the caller may grant. */
  readonly grants?: readonly GrantDeclaration[]
  /** Fields whose writes by themselves are no event of the record. */
  readonly unlogged?: readonly string[]
  /** Bifold's own, hidden from every caller whatever the rules. */
  readonly internal?: true
  /** State machines: one, or several by the names of the fields that hold their states. */
  readonly states?: StatesDeclaration
  /** Changes of its records are kept, and can be read: always so where it has states or events. */
  readonly history?: boolean
  /** Events that user code emits about its records, by name: `couponApplied`. A resource with events has a history. */
  readonly events?: Readonly<Record<string, EventDeclaration>>
  /** For `{ public: 60 }` caches may show answers again, to any caller, for so many seconds: all callers read the same. */
  readonly cache?: CacheDeclaration
  /** Permissions by action: callers, and conditions on the records. Absent: every action is refused. */
  readonly allow?: AllowDeclaration
}

interface CacheDeclaration {
  /** Seconds for which an answer may be shown again, to any caller, without a question to the service. */
  readonly public: number
}

/** An event of a resource's own, which user code emits. */
export interface EventDeclaration {
  readonly description?: string
  /** Values of the event: fields without columns. */
  readonly payload?: Readonly<Record<string, FieldDeclaration>>
}

/** Names of text fields, which Bifold fills in. */
interface SecretDeclaration {
  readonly digest: string
  readonly hint: string
  /** For a key that signs, `digest` has the seed that keys are made of, and `hint` the public key. */
  readonly form?: "signing"
}

interface AddressDeclaration {
  readonly member: string
  /** Private networks that may be reached, over http too: `10.0.0.0/8`. */
  readonly networks: readonly string[]
}

interface EndsDeclaration {
  readonly member: string
  readonly within?: string
}

/** The name before this one, or several that a database may still have. */
export type FormerNames = string | readonly [string, ...string[]]

/** By a value of today, the names that it had. */
export type FormerValues = Readonly<Record<string, FormerNames>>

export type TableDeclaration = string | { readonly schema?: string; readonly name: string }

/** A key that the database makes, or that is shown as `id` only; several parts make a composite id. */
export type KeyDeclaration = (
  | KeyPartDeclaration
  | { readonly parts: readonly [KeyPartDeclaration, ...KeyPartDeclaration[]] }
) & {
  /** Not generated: the `id` is given when a record is made. */
  readonly given?: true
}

export interface KeyPartDeclaration {
  readonly column: string
  readonly type: KeyScalar
  readonly stored?: StoredForm
}

export interface FieldDeclaration {
  readonly scalar: ScalarName
  readonly list?: true
  /** oneOf: the values, or the name of one of the service's enums. */
  readonly of?: readonly [string, ...string[]] | string
  /** For values of the field's own: names that they had. */
  readonly formerly?: FormerValues
  readonly optional?: boolean
  /** No two records have the same value; each unique key is a way to ask for one record. */
  readonly unique?: boolean
  /** Never written by a client. */
  readonly readonly?: boolean
  /** Written when the record is made, and not after. */
  readonly immutable?: boolean
  /** Computed by the database. */
  readonly generated?: boolean
  /** Computed from the record's other fields and relations by Bifold: it has no column and cannot be set. */
  readonly computed?: ExpressionDeclaration
  /** A JSON value, `"now"` for moments, or the result of `databaseDefault`. */
  readonly default?: JsonValue | DatabaseDefault
  /** With the default `"now"`: milliseconds after it. */
  readonly defaultDelay?: number
  readonly min?: number
  readonly max?: number
  /** For a list: the type and bounds of each item. */
  readonly items?: ItemsDeclaration
  /** For a text that is no list: names of the service that are accepted. Others may be stored from before. */
  readonly declared?: readonly string[]
  readonly pattern?: string
  /** Stands in messages for the pattern, in resources of Bifold's own. */
  readonly form?: string
  readonly precision?: number
  readonly scale?: number
  /** The name that it had: its column is renamed, and keeps its values. */
  readonly was?: FormerNames
  /** Its value for records from before it, as an expression of columns that the table has, or had until this migration: `migrate apply` fills it in. */
  readonly from?: ExpressionDeclaration
  /** snake_case of the field's name when absent. */
  readonly column?: string
  readonly stored?: StoredForm
  /** Callers that see the value, among those that see the record; all of them when absent. */
  readonly read?: RuleDeclaration
  /** Callers that may set it, among those that may write the record; all of them when absent. */
  readonly write?: RuleDeclaration
  readonly description?: string
}

interface ItemsDeclaration {
  readonly min?: number
  readonly max?: number
  /** For texts: names of the service that are accepted. Others may be stored from before. */
  readonly declared?: readonly string[]
  /** The names are types of events; a caller may give only types that it may see. */
  readonly eventTypes?: true
}

export interface DatabaseDefault {
  readonly database: true
}

export type RelationDeclaration = OneDeclaration | ManyDeclaration

export interface OneDeclaration {
  readonly kind: "one"
  readonly target: string
  readonly optional?: boolean
  /** Names that it had, so that its column is renamed and not made anew. */
  readonly was?: FormerNames
  /** The foreign key here; `<name>_id` in snake_case when absent. Only for a target with a single-column key. */
  readonly column?: string
  /** Any foreign key: column here -> column of the target's table. */
  readonly columns?: Readonly<Record<string, string>>
  /** The far side of a one-to-one: the to-one relation of the target that leads here. */
  readonly by?: string
  readonly description?: string
}

export interface ManyDeclaration {
  readonly kind: "many"
  readonly target: string
  /** The to-one relation of the target that leads here. */
  readonly by?: string
  /** A pure join table; columns default to `<resource>_id` and `<target>_id`. */
  readonly through?: ThroughDeclaration | string
  readonly owned?: boolean
  readonly description?: string
}

export interface ThroughDeclaration {
  readonly table: TableDeclaration
  /** Column of the join table -> column here. */
  readonly near: Readonly<Record<string, string>>
  /** Column of the join table -> column of the target's table. */
  readonly far: Readonly<Record<string, string>>
}

/** One machine, called `state`, or several by the names of the fields that hold their states. */
export type StatesDeclaration = MachineDeclaration | Readonly<Record<string, MachineDeclaration>>

export interface MachineDeclaration {
  /** The state of a record that is new. */
  readonly initial: string
  /** States that no transition leads out of. */
  readonly final?: string | readonly string[]
  /** Settings of single states. */
  readonly states?: Readonly<Record<string, StateDeclaration>>
  readonly transitions: Readonly<Record<string, TransitionDeclaration>>
}

export interface StateDeclaration {
  readonly description?: string
  /** Names that it had: records in it are brought along. */
  readonly was?: FormerNames
}

export interface TransitionDeclaration {
  /** States, or `"any"`: every state that is not final, but the one it leads to. */
  readonly from: string | readonly string[]
  readonly to: string
  readonly description?: string
  /** A condition on the record, for every caller. */
  readonly when?: RuleDeclaration
  /** The reason that clients get where the condition does not hold. */
  readonly reason?: string
  /** The input, by name. */
  readonly input?: Readonly<Record<string, FieldDeclaration>>
  /** New values of the record's members. */
  readonly set?: Readonly<Record<string, SetDeclaration>>
  /** Callers, and conditions on the records; when absent, callers that may update the record. */
  readonly allow?: RuleDeclaration
}

/** A constant, `"now"` for moments, the input that `given` names, or `viewer.id` for a reference to the caller. */
export type SetDeclaration = JsonValue | { readonly given: string } | { readonly viewer: "id" }

/** By date, such as `2026-11-01`. The newest is the service as it is declared; the oldest has no changes. */
export type VersionsDeclaration = Readonly<Record<string, VersionDeclaration>>

export type VersionDeclaration =
  | readonly VersionChange[]
  | {
      readonly changes: readonly VersionChange[]
      /** For the changelog. */
      readonly description?: string
      /** The date on which the version is no longer served. */
      readonly ends?: string
    }

/**
 * One change of a version, by paths such as `order.total`: a resource and its field, relation, transition, action or event.
 * An older version has the API from before the change, of the same data.
 */
export type VersionChange = (
  | RenamedMember
  | AddedMember
  | RemovedMember
  | ChangedMember
  | WidenedRelation
  | BreakingChange
) & {
  /** For the changelog. */
  readonly description?: string
}

interface RenamedMember {
  /** The path before the change: of a resource, of a member, or of a state or value such as `order.status.placed`. */
  readonly renamed: string
  /** The name since then. */
  readonly to: string
}

interface BreakingChange {
  /** The path of a part that older versions lose as well; each of these versions must have an end. */
  readonly breaking: string
}

interface AddedMember {
  /** The path since the change: of a resource, of a member, or of a state or value such as `order.status.reviewing`. */
  readonly added: string
  /** The state or value that older versions have in its place; they have none when absent. */
  readonly as?: string
  /** The value that records get from writers of older versions; the field's default when absent. */
  readonly writes?: string | number | boolean
}

interface RemovedMember {
  /** The path before the change. */
  readonly removed: string
  readonly was: FieldDeclaration
  /** The value that readers of older versions see: an expression of today's fields. */
  readonly reads: ExpressionDeclaration
  /** Values from writers of older versions are accepted and dropped; without it the field is read-only for them. */
  readonly writes?: "ignored"
}

interface WidenedRelation {
  /** The path of the to-one relation before the change. */
  readonly widened: string
  /** The to-many relation since. */
  readonly to: string
  /** Older versions have the first of its records in this order: members of the related resource, `-` before those that descend. */
  readonly first: string | readonly [string, ...string[]]
  /** The relation always led to a record. */
  readonly required?: boolean
}

export interface ChangedMember {
  /** The paths since the change, of one resource: a field, or several that one was split into. */
  readonly changed: string | readonly [string, ...string[]]
  /** The fields before the change: one of the same name, or several by their names. */
  readonly was: FieldDeclaration | Readonly<Record<string, FieldDeclaration>>
  /** Functions of `withCode` say what `reads` and `writes` do not: `versions: { "2026-11-01": { "order.number": { reads, writes } } }`. */
  readonly code?: true
  /** Their values for readers of older versions: expressions of today's fields; without them a function of `withCode` gives them. */
  readonly reads?: ExpressionDeclaration | Readonly<Record<string, ExpressionDeclaration>>
  /** Values of today's fields from writers of older versions, by expressions of the former fields; read-only when absent. */
  readonly writes?: ExpressionDeclaration | Readonly<Record<string, ExpressionDeclaration>>
}
