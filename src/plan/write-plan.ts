// The WritePlan: a whole request that changes something, complete, in one transaction. `steps` is its shape; `values` has
// the values written and compared, as in a ReadPlan.
import type { JsonValue } from "../base/json.ts"
import type { Subject } from "../model/condition.ts"
import type { Lens, Model } from "../model/model.ts"
import type { Filter, RecordRoot, Root, Slot, Value } from "./read-plan.ts"

export interface WritePlan {
  readonly kind: "write"
  readonly model: Model
  /** The model of its answers, and of the conditions that find records, where the writes are of the newest version. */
  readonly answers?: Model
  /** They run in this order; the first that cannot be done undoes all of them. */
  readonly steps: readonly Step[]
  readonly values: readonly Value[]
  /** Values that functions of versions give before the steps run; absent without any. */
  readonly conversions?: readonly Conversion[]
}

/** Values of former fields that one record is given, which user code turns into values of today's members. */
export interface Conversion {
  readonly resource: string
  /** All records that one change is about have the same. */
  readonly lens: Lens
  /** JSON, by the names of the version. */
  readonly given: ReadonlyMap<string, JsonValue>
  /** The slots of today's members, by their names. */
  readonly into: ReadonlyMap<string, Slot>
  /** Where the former fields stand in the request. */
  readonly place: readonly (string | number)[]
}

/** One operation of the request: its writes, and its answer. */
export interface Step {
  /** In the order in which they run; none for a step that only reads. */
  readonly writes: readonly Write[]
  readonly answer: Root
  /** When the answer is read: `before` for what will be deleted. */
  readonly reads: "before" | "after"
  /** User code, run after the writes; its output replaces the answer. */
  readonly call?: Call
  /** A stored value of the answer that does not fit its declaration is null there; without it the write is not done. */
  readonly nulls?: true
}

/** An own operation, as it is called. */
export interface Call {
  /** For an action on a record. */
  readonly resource?: string
  readonly name: string
  /** Holds the call's input, as JSON text. */
  readonly input: Slot
  /** Holds the key of the record. */
  readonly key?: Slot
  /** The operation's place in the request, and its input's place: problems with either begin with them. */
  readonly at: readonly (string | number)[]
  readonly place: readonly (string | number)[]
  readonly places?: Places
  /** The request names the version that its record must be of. */
  readonly versioned?: true
  /** The members of the answer, in their order. */
  readonly gives: readonly CallMember[]
}

export type CallMember =
  /** The member of the code's result with this name. */
  | { readonly kind: "output"; readonly key: string; readonly name: string }
  /** Its record as it is then, null if it is gone. */
  | RecordRoot
  | Extract<Root, { readonly kind: "constant" }>

/** A write of one record, or of several that are named by a set of keys. */
export type Write = (
  | Insert
  | Update
  | Delete
  | Upsert
  | Find
  | Locate
  | Only
  | Sum
  | Link
  | Unlink
  | Collect
  | May
  | Check
  | Judge
  | Refers
) &
  Written

export type Kind<Name extends Write["kind"]> = Extract<Write, { readonly kind: Name }>

interface Written {
  readonly resource: string
  /** Part of a cascade: the step has already asked its rules, or it deletes a record that belongs to the deleted one. */
  readonly cascade?: true
  /** Its place in the request: problems with it begin with this. */
  readonly place: readonly (string | number)[]
  readonly places?: Places
  /** The change is kept in the log. */
  readonly log?: Logged
}

/** Places of a write's parts, where they differ from its `place`. They belong to the shape: all its requests have the same. */
export interface Places {
  /** The part that names the record. */
  readonly record?: Written["place"]
  /** The part that names the expected version. */
  readonly version?: Written["place"]
  /** The part where a required version is missing. */
  readonly noVersion?: Written["place"]
}

/** Slots for the text of the actor, for the moment, and for the trace of the change, as a `traceparent`. */
export interface Logged {
  readonly actor: Slot
  readonly at: Slot
  readonly trace: Slot
}

/** A member and its new value: fields and references, and the id where people choose it or Bifold makes it. */
export interface Setting {
  readonly subject: Subject
  /** A default: the input does not have the member. */
  readonly byDefault?: true
  /** The subject is the newest version's, whatever the plan's own is. */
  readonly newest?: true
  /** The caller chose the key of a record that the step makes before this write. */
  readonly made?: true
  /** User code of a version gives the slot's value, before the plan runs. */
  readonly byCode?: true
  /** Stored values that an older version shows as the given one. A record that has one of them, alone or in a list, keeps it. */
  readonly stays?: Slot
  /** The slot receives a sum, in the form that the column holds. */
  readonly isSum?: true
  /** Null clears it; a reference's value is the array of the target's key. */
  readonly slot: number
}

/**
 * Equalities that name the record. `several`: the slot holds a list with the keys of all records, which a Find gives.
 */
export interface Target {
  readonly by: RecordRoot["by"]
  readonly several?: true
  /** The record must be linked to the record whose key is in the slot, by this many-to-many relation of its resource. */
  readonly linked?: { readonly resource: string; readonly relation: string; readonly from: Slot }
}

export interface Insert {
  readonly kind: "insert"
  readonly sets: readonly Setting[]
  readonly key: Slot
  /** Where the key comes from: the slot holds it, the database makes it, or it is put together from `sets`. */
  readonly keyFrom: "slot" | "database" | "sets"
  /** Holds the version that the record begins with; 1 when absent. */
  readonly begins?: Slot
}

/** `rule`, here and below: the condition that the record must meet as it is, over the whole service; the guard adds it. */
interface Update {
  readonly kind: "update"
  readonly target: Target
  /** Empty: the update changes nothing, and the record must exist. */
  readonly sets: readonly Setting[]
  /** Only checks that the record is there, of this version, and may be written: before other writes. */
  readonly looks?: true
  /** The record is looked up for this action, which the caller must be allowed to call, or to be deleted. */
  readonly calls?: string
  /** Related records are written too, so that the record counts as written whatever is set. */
  readonly touch?: true
  /** `touch` writes only these links, and the record itself only if one of them is made or removed. */
  readonly moves?: readonly (Link | Unlink)[]
  /** A list of versions that must contain the record's (RFC 9110 section 13.1.1). */
  readonly match?: Slot
  readonly rule?: Filter
  /** Whether the actor sees the record, and may do this, was asked before the step. */
  readonly judged?: true
  /** The transition that is fired: the record must be in a state that it starts from, and meet its condition. */
  readonly fires?: Fires
  /** The event that user code emits about the record, which changes only its version. */
  readonly emits?: Emits
}

export interface Fires {
  readonly transition: string
  /** The transition's input, as JSON text; null without one. */
  readonly input: Slot
}

export interface Emits {
  /** The name of one of the resource's own events. */
  readonly event: string
  /** The payload, as JSON text. */
  readonly payload: Slot
}

interface Delete {
  readonly kind: "delete"
  readonly target: Target
  readonly match?: Slot
  readonly rule?: Filter
  /** As of an update. */
  readonly judged?: true
  /** Children of a record that goes: there need not be any. */
  readonly any?: true
}

/** Creates the record, or updates the one that has the unique key's values already. */
interface Upsert {
  readonly kind: "upsert"
  /** Members of the unique key, or the id, in the names of the newest version. */
  readonly unique: readonly Subject[]
  /** As the input has them. */
  readonly names: readonly string[]
  readonly sets: readonly Setting[]
  /** Changes of an existing record: some of `sets`. */
  readonly changes: readonly Setting[]
  /** Given members that never change: an existing record must have these values. */
  readonly fixed?: readonly Fixed[]
  /** Receives the key of the record. */
  readonly key: Slot
  /** As of an insert. */
  readonly begins?: Slot
  /** The rule for an existing record. */
  readonly rule?: Filter
}

export interface Fixed {
  /** As the input has it. */
  readonly member: string
  /** In the names of the newest version. */
  readonly that: Filter
}

/** Finds the keys of the records that a bulk write is about, at most as many as the request allows. */
interface Find {
  readonly kind: "find"
  readonly where: Filter
  /** More are a refusal, `too_many_affected`. */
  readonly most: Slot
  /** Receives the list of keys. */
  readonly into: Slot
}

/** Takes the key of a record, or of the one that its to-one relation leads to. */
interface Locate {
  readonly kind: "locate"
  readonly target: Target
  readonly relation?: string
  /** Receives the key. Without a record: a refusal, or null where it is optional. */
  readonly into: Slot
  readonly optional?: true
}

/**
 * Locks the record, and takes the key of the only related one that its actor sees; null without one. The relation leads to
 * the first of several. Several are a refusal, unless `to` is the first of them.
 */
interface Only {
  readonly kind: "only"
  readonly target: Target
  /** In the names of the plan's answers. */
  readonly relation: string
  readonly to?: Slot
  /** Receives the key. */
  readonly into: Slot
  /** The record may be missing; an existing one is locked. */
  readonly optional?: true
}

/** Locks the record, and adds to one of its numbers as it is then. There is no sum where the field does not allow it: a refusal. */
interface Sum {
  readonly kind: "sum"
  readonly target: Target
  readonly field: string
  readonly by: Slot
  /** The part of the request that says by how much. */
  readonly at: Written["place"]
  /** Receives the sum. */
  readonly into: Slot
}

/** Many-to-many: `from` and `to` hold keys. Existing links stay. */
interface Link {
  readonly kind: "link"
  readonly relation: string
  readonly from: Slot
  readonly to: Slot
  /** As of a setting: of the record in `to`. */
  readonly made?: true
}

/** Every link of `from`, of `to`, or between the two; `several`: `from` or `to` holds a list of keys. */
interface Unlink {
  readonly kind: "unlink"
  readonly relation: string
  readonly from?: Slot
  readonly to?: Slot
  readonly several?: true
  /** A link to this record stays. */
  readonly keeps?: Slot
  /** The actor sees the record in `to`. */
  readonly seen?: true
}

/** Without a write: the caller must be allowed to do this to the record, or to each of several, as they are. */
interface May {
  readonly kind: "may"
  readonly action: "update" | "delete"
  readonly key: Slot
  readonly several?: true
}

/** Without a write: the record, or each of several, must meet this. The guard adds it, over the whole service. */
export interface Check {
  readonly kind: "check"
  readonly key: Slot
  readonly several?: true
  /** Locks the record until the transaction ends. Several have been found, and are locked by that. */
  readonly locks?: true
  readonly that: Filter
  /** The number of records that several keys have to name. */
  readonly count?: number
  /** The same in its parts, before paths were settled: explains a refusal, when the step's effects are gone. */
  readonly asked?: { readonly rule: Filter; readonly sight: Filter }
  /**
   * The refusal if a record fails. `action`: create, update, delete or a transition, forbidden to the actor for the record as
   * it was (`before`) or as it would be. `reference`: this relation refers to a record that the actor does not see.
   */
  readonly refuses:
    | { readonly kind: "action"; readonly action: string; readonly before?: true }
    | { readonly kind: "reference"; readonly relation: string }
}

/** Writes that set members. */
export type Setter = Kind<"insert" | "update" | "upsert">

/**
 * Without a write: conditions on the record as a write of the step would leave it, by the tables as they are before the
 * step. Each slot has a value where its condition holds; for several records, where it holds for each.
 */
export interface Judge {
  readonly kind: "judge"
  readonly of: Setter
  readonly asks: readonly { readonly that: Filter; readonly into: Slot }[]
  readonly made: readonly MadeWith[]
}

/** A record that the same step makes, and a reference of another one leads to. */
export interface MadeWith {
  readonly relation: string
  readonly insert: Kind<"insert">
  /** Those that its own references lead to. */
  readonly made: readonly MadeWith[]
}

/** Without a write: the reference that a write of the step sets leads to a record that the actor sees, or stays as it is. */
interface Refers {
  readonly kind: "refers"
  readonly of: Setter
  readonly relation: string
  /** Holds the key, or null. */
  readonly to: Slot
  /** A hook sets it: its roles need not see the record that is written. */
  readonly hooked?: true
}

/** Without a write: the keys in some slots become a list in one. */
interface Collect {
  readonly kind: "collect"
  readonly of: readonly Slot[]
  readonly into: Slot
}
