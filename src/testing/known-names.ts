// Types of a service in its tests: names of members, roles, scopes and callers. A name that is left
// open in a declaration, or put together while a test runs, is checked then.
import type { RolesOf, ScopesOf } from "../model/declaration/names-of.ts"
import type { ReferencesOf, ResourcesOf, WritableOf } from "../model/declaration/record-of.ts"

export type NamesOf<Service> = Extract<keyof ResourcesOf<Service>, string>

/**
 * Records by the names of their resources, each as the body of a POST that may also have an `id`, and fields that no actor may
 * write.
 */
export type RecordsOf<Service> = {
  readonly [Name in NamesOf<Service>]?: readonly Given<MembersOf<Service, Name>>[]
}

/** Values are checked when the record is made. */
type Given<Member extends PropertyKey> = { readonly [Name in Member]?: unknown }

type MembersOf<Service, Name extends NamesOf<Service>> =
  | "id"
  | keyof WritableOf<Service, Name>
  | ReferencesOf<Service, Name>

type Part<Role extends string, Scope extends string, Name extends string> =
  | "signedIn"
  | "anyone"
  | `role:${Role}`
  | `scope:${Scope}`
  | `${Name}:${string}`

type Who<Role extends string, Scope extends string, Name extends string> =
  | Part<Role, Scope, Name>
  | `${Part<Role, Scope, Name>}+${string}`

/** The text itself where it may be meant, else those that may be. */
export type Known<Service, Text extends string> = string extends Text
  ? Text
  : Text extends Who<RolesOf<Service>, ScopesOf<Service>, NamesOf<Service>>
    ? Text
    : Who<RolesOf<Service>, ScopesOf<Service>, NamesOf<Service>>
