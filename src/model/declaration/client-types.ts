// The types of `db`, the handle of user code on the database.
import type { NewIdOf, RecordOf, ReferencesOf, ResourcesOf, WritableOf } from "./record-of.ts"

/** By resource. The rules of the service apply, as in the faces: hidden records and members are absent. */
export type Handle<Service> = {
  readonly [Name in keyof ResourcesOf<Service>]: RecordsHandle<Service, Name>
}

/** The handle of code that runs in a transaction. A resource of the name `attempt` has its place. */
export type TransactionHandle<Service> = Handle<Service> &
  ("attempt" extends keyof ResourcesOf<Service>
    ? unknown
    : {
        /**
         * Does a part of the transaction. When `use` throws, its writes and events are undone, and earlier ones stay.
         * Rejects with the error that `use` throws.
         */
        attempt<Result>(use: (db: TransactionHandle<Service>) => Result | Promise<Result>): Promise<Result>
      })

/** A record as user code gets it: with its version, for `ifMatch`, unless a member of its own is called so. */
export type CodeRecord<Service, Name extends keyof ResourcesOf<Service>> = RecordOf<Service, Name> &
  ("etag" extends keyof RecordOf<Service, Name>
    ? unknown
    : RecordOf<Service, Name> extends { readonly id: string }
      ? { readonly etag: string }
      : unknown)

interface RecordsHandle<Service, Name extends keyof ResourcesOf<Service>> {
  /** Null where the record is absent or hidden. */
  get(id: string): Promise<CodeRecord<Service, Name> | null>
  list(asked?: ListAsked): Promise<Listed<CodeRecord<Service, Name>>>
  /** @param input as by the faces, nested records too. Rejects with a Refusal, and then leaves the database unchanged */
  create(input: RecordInput<Service, Name> & NewIdOf<Service, Name>): Promise<CodeRecord<Service, Name>>
  /** @param input members that are absent stay as they are */
  update(
    id: string,
    input: ChangedInput<Service, Name>,
    options?: Versioned,
  ): Promise<CodeRecord<Service, Name>>
  /** The records, in the order of their ids. Within a transaction they are changed by no other until it ends. */
  lock(ids: readonly string[]): Promise<readonly CodeRecord<Service, Name>[]>
  delete(id: string, options?: Versioned): Promise<void>
  /** @param transition its name. A transition that is not possible is a Refusal, as by the faces */
  fire(
    id: string,
    transition: string,
    input?: object,
    options?: Versioned,
  ): Promise<CodeRecord<Service, Name>>
}

/** Relations take nested writes, which are checked when they are made. */
type RecordInput<Service, Name extends keyof ResourcesOf<Service>> = Partial<WritableOf<Service, Name>> & {
  readonly [Relation in ReferencesOf<Service, Name>]?: object
}

/** The result of `increment`, in the place of a number. */
export interface Increment {
  readonly increment: string
}

type ChangedInput<Service, Name extends keyof ResourcesOf<Service>> = {
  readonly [Member in keyof WritableOf<Service, Name>]?: WritableOf<Service, Name>[Member] | Increment
} & Pick<RecordInput<Service, Name>, ReferencesOf<Service, Name>>

interface ListAsked {
  /** A condition, as in GraphQL's `where`. */
  readonly where?: object
  /** Members, most significant first, `-` for descending: `["-placedAt", "customer.name"]`. */
  readonly orderBy?: readonly string[]
  /** How many, at most as many as a page may have; all of them when absent, and an error beyond 10,000. */
  readonly first?: number
  /** The cursor of an earlier page's `next`. */
  readonly after?: string
}

interface Listed<Record> {
  readonly data: readonly Record[]
  /** The cursor of the next page; null on the last page. */
  readonly next: string | null
}

interface Versioned {
  /** The version that the record must be of. */
  readonly ifMatch?: string
}
