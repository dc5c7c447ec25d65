// What a step asks for, change by change, and what comes of it.
import type { Entry, Store } from "../support/naive-access.ts"

/** `closed`: not offered to them at all. `absent`: what is named is not there, or not seen. */
export type Reason =
  | "closed"
  | "absent"
  | "forbidden"
  | "stale"
  | "violated"
  | "illegal"
  | "unmet"
  /** By own code. */
  | "declined"

/** One record's change; `id` of a new one is the one that it will have. */
export type Change =
  | {
      readonly kind: "create"
      readonly resource: string
      readonly id: string
      readonly given: Entry
      /** References that are given by a key, not by nesting. */
      readonly chosen?: readonly string[]
      /** It has to be what a change of these may leave, too. */
      readonly either?: Entry
    }
  | {
      readonly kind: "update"
      readonly resource: string
      readonly id: string
      readonly given: Entry
      /** As of a new one. */
      readonly chosen?: readonly string[]
      /** A condition names it: what is not seen is not meant. */
      readonly several?: true
      /** The version that is named is another one. */
      readonly stale?: boolean
      /** Said as operations on what is seen: what becomes what it looks like already is not set. */
      readonly patched?: true
      /** It has to be what may be made, too. */
      readonly either?: Entry
    }
  /** The record becomes what is given; where people choose its key it is made when there is none. */
  | { readonly kind: "put"; readonly resource: string; readonly id: string; readonly given: Entry }
  /** The record with this value of a unique field is changed; it is made where there is none. */
  | {
      readonly kind: "upsert"
      readonly resource: string
      readonly id: string
      readonly unique: string
      readonly given: Entry
      /** Members that are not given are cleared, as by PUT. */
      readonly clears?: true
    }
  | {
      readonly kind: "delete"
      readonly resource: string
      readonly id: string
      readonly several?: true
      readonly stale?: boolean
    }
  | {
      readonly kind: "link" | "unlink"
      readonly resource: string
      readonly id: string
      readonly relation: string
      readonly other: string
    }
  /** A transition of all of these at once. */
  | {
      readonly kind: "fire"
      readonly resource: string
      readonly ids: readonly string[]
      readonly transition: string
      readonly given: Entry
      readonly several?: true
      readonly stale?: boolean
    }
  /** The next one of several records of one step begins: those before it do not vouch for it. */
  | { readonly kind: "another" }
  /** The next step of a batch or of a document begins: it sees what those before it did. */
  | { readonly kind: "step" }
  /** It has to be seen. */
  | { readonly kind: "see"; readonly resource: string; readonly id: string }
  /** Written under another record, to which it has to belong. */
  | {
      readonly kind: "belongs"
      readonly resource: string
      readonly id: string
      readonly relation: string
      readonly other: string
    }

export interface Outcome {
  /** None: it is done. */
  readonly reasons: ReadonlySet<Reason>
  /** The same with the change that each is about, in the order in which they are met. */
  readonly refusals: readonly string[]
  /** What hooks were told, those of what is not done as well. */
  readonly told: readonly Told[]
  /** A deletion of which it is not said whether its hooks can undo that it may be. */
  readonly unsure?: boolean
  /** One of its steps updates a record twice: that is `forbidden` where a rule that leads back looks at what both set. */
  readonly twice?: boolean
  /** The records as they are then. */
  readonly store: Store
  /** What own code gives. */
  readonly output?: Entry
}

export type HookName = "create" | "update" | "delete"

/** What a hook is told of a record that is about to be written. */
export interface Told {
  readonly resource: string
  readonly hook: HookName
  readonly old?: Entry
  readonly input?: Entry
  readonly new?: Entry
}

/** What the code of a hook comes to. */
export interface HookEffect {
  /** By `db`, one after the other; what is refused of those that are caught leaves nothing. */
  readonly asks: readonly { readonly change: Change; readonly caught: boolean }[]
  /** It throws then. */
  readonly declines: boolean
  /** Otherwise these are set too. */
  readonly sets: Entry
  /** References that it sets lead to what these roles see. */
  readonly as?: { readonly roles: readonly string[] }
}

/** What the hook does that is run, if there is one. */
export type Hooked = (told: Told) => HookEffect | undefined
