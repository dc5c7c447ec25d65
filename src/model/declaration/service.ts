// The builders a service is written with. They give plain declarations (declaration.ts) and add types, so that the compiler
// checks every name. load.ts checks the same again, for files that no compiler has seen.
import type { JsonValue } from "../../base/json.ts"
import type { IdentityDeclaration } from "../identity.ts"
import type { CostDeclaration, DocumentsMode } from "../limits.ts"
import type { AboutDeclaration, LogDeclaration, WebhooksDeclaration } from "../log.ts"
import type { Checked, Mistake, Spread } from "../mistake.ts"
import type { AllowDeclaration, RuleDeclaration } from "../policy-declaration.ts"
import type { ScalarName } from "../scalars.ts"
import type {
  DatabaseDefault,
  EventDeclaration,
  FieldDeclaration,
  FormerNames,
  FormerValues,
  KeyDeclaration,
  LimitsDeclaration,
  MachineDeclaration,
  OneDeclaration,
  ResourceDeclaration,
  StatesDeclaration,
  ThroughDeclaration,
  TransitionDeclaration,
  UsageDeclaration,
  VersionsDeclaration,
} from "./declaration.ts"
import type { Asked, CheckedAllow, CheckedRule } from "./policy-types.ts"
import type { CheckedFields, CheckedRelations, CheckedResources, Members } from "./service-checks.ts"
import { noted } from "./source-place.ts"
import type { Described, End, Known, Listed, MachinesOf, Start, WithStates } from "./state-types.ts"
import type {
  BuiltResource,
  Enums,
  Fields,
  LocalNames,
  Relations,
  Resources,
  ServiceNames,
  TypedField,
  TypedMany,
  TypedOne,
  TypedService,
  WrittenWithin,
} from "./typed-declaration.ts"

// --- fields ---

/** Members that builders take in a form of their own, or that only some take. */
type OwnOptions =
  | "scalar"
  | "list"
  | "of"
  | "items"
  | "optional"
  | "default"
  | "read"
  | "write"
  | "formerly"
  | "min"
  | "max"
  | "pattern"
  | "precision"
  | "scale"
  // For Bifold's own resources.
  | "defaultDelay"
  | "declared"
  | "form"

interface FieldOptions<Value> extends Omit<FieldDeclaration, OwnOptions> {
  readonly default?: Value | DatabaseDefault
}

/** Rules of a field; its type keeps them for `service` to check. */
interface Ruled<Read, Write> {
  /** Callers that see the value, among those that see the record; all of them when absent. */
  readonly read?: Read
  /** Callers that may set it, among those that may write the record; all of them when absent. */
  readonly write?: Write
}

interface TextOptions extends FieldOptions<string> {
  /** Characters. */
  readonly min?: number
  readonly max?: number
}

interface PatternOptions extends TextOptions {
  /** An ECMAScript pattern that the whole text must match. */
  readonly pattern?: string
}

interface NumberOptions<Value> extends FieldOptions<Value> {
  readonly min?: number
  readonly max?: number
}

interface DecimalOptions extends NumberOptions<number | string> {
  /** Digits in all; 18 at the most where Bifold makes the table. */
  readonly precision?: number
  /** Digits after the point. In an existing PostgreSQL table it may be negative: zeros before the point. */
  readonly scale?: number
}

interface FractionOptions extends FieldOptions<string> {
  /** Digits of a second's fraction; 6 when absent. */
  readonly precision?: number
}

interface BytesOptions extends FieldOptions<string> {
  /** Bytes. */
  readonly min?: number
  readonly max?: number
}

interface ChoiceOptions<Value> extends FieldOptions<Value> {
  /** By a value of today, the names that it had: records with one of them get the value of today. */
  readonly formerly?: FormerValues
}

interface ListOptions extends FieldOptions<readonly JsonValue[]> {
  /** Items. */
  readonly min?: number
  readonly max?: number
}

interface Presence<Optional extends boolean> {
  /** The field may be without a value. */
  readonly optional?: Optional
}

type Values = readonly [string, ...string[]]
type ValueOf<Of extends Values | string> = Of extends Values ? Of[number] : string

type Build<Scalar extends ScalarName, Options> = <
  const Optional extends boolean = false,
  const Read extends RuleDeclaration = never,
  const Write extends RuleDeclaration = never,
>(
  options?: Options & Presence<Optional> & Ruled<Read, Write>,
) => TypedField<Scalar, Optional, never, false, unknown, Read | Write>

const build = <Scalar extends ScalarName, Options extends object>(scalar: Scalar): Build<Scalar, Options> =>
  function field(options) {
    return noted({ scalar, ...options }, field)
  }

export const f = {
  text: build<"text", PatternOptions>("text"),
  email: build<"email", TextOptions>("email"),
  url: build<"url", TextOptions>("url"),
  slug: build<"slug", TextOptions>("slug"),
  integer: build<"integer", NumberOptions<number>>("integer"),
  int64: build<"int64", NumberOptions<number | string>>("int64"),
  float: build<"float", NumberOptions<number>>("float"),
  decimal: build<"decimal", DecimalOptions>("decimal"),
  boolean: build<"boolean", FieldOptions<boolean>>("boolean"),
  date: build<"date", FieldOptions<string>>("date"),
  time: build<"time", FractionOptions>("time"),
  timestamp: build<"timestamp", FractionOptions>("timestamp"),
  uuid: build<"uuid", FieldOptions<string>>("uuid"),
  json: build<"json", FieldOptions<JsonValue>>("json"),
  bytes: build<"bytes", BytesOptions>("bytes"),

  /** One of the values, or of the values of one of the service's `enums`. */
  oneOf<
    const Of extends Values | string,
    const Optional extends boolean = false,
    const Given extends ValueOf<Of> = never,
    const Read extends RuleDeclaration = never,
    const Write extends RuleDeclaration = never,
  >(
    of: Of,
    options?: ChoiceOptions<Given> & Presence<Optional> & Ruled<Read, Write>,
  ): TypedField<"oneOf", Optional, Of, false, Given, Read | Write> {
    const field: FieldDeclaration = noted({ scalar: "oneOf", of, ...options }, f.oneOf)
    return field as TypedField<"oneOf", Optional, Of, false, Given, Read | Write>
  },

  /** A list of such items, without missing ones; `min` and `max` of the list count items. */
  list<
    Scalar extends ScalarName,
    const Of extends Values | string,
    const Optional extends boolean = false,
    const Read extends RuleDeclaration = never,
    const Write extends RuleDeclaration = never,
  >(
    item: TypedField<Scalar, false, Of, false>,
    options?: ListOptions & Presence<Optional> & Ruled<Read, Write>,
  ): TypedField<Scalar, Optional, Of, true, never, Read | Write> {
    const { min, max, ...form } = item
    const items = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
    const each = Object.keys(items).length > 0 ? { items } : {}
    const field: FieldDeclaration = noted({ ...form, ...each, list: true, ...options }, f.list)
    return field as TypedField<Scalar, Optional, Of, true, never, Read | Write>
  },
}

/** The default that the database fills in. */
export const databaseDefault: DatabaseDefault = { database: true }

// --- relations ---

interface HereOptions<Optional extends boolean> {
  readonly optional?: Optional
  readonly description?: string
  readonly by?: never
}
/** The foreign key is one column here; `<name>_id` when absent. */
interface ColumnOptions<Optional extends boolean> extends HereOptions<Optional> {
  /** The name that it had: its column is renamed, and keeps its values. */
  readonly was?: FormerNames
  readonly column?: string
  readonly columns?: never
}
/** Any foreign key: column here -> column of the target's table. */
interface ColumnsOptions<Optional extends boolean, Columns> extends HereOptions<Optional> {
  readonly columns: Columns
  readonly column?: never
  readonly was?: never
}
/** The far side of a one-to-one. */
interface FarOptions<By extends string> {
  /** The to-one relation of the target that leads here. */
  readonly by: By
  readonly description?: string
  readonly optional?: never
  readonly column?: never
  readonly columns?: never
  readonly was?: never
}

/** At most one record of the target; its key comes along as a scalar, `customerId` beside `customer`. */
export function one<
  const Target extends string,
  const Optional extends boolean = false,
  const By extends string = never,
  const Columns extends Readonly<Record<string, string>> = never,
>(
  target: Target,
  options?: ColumnOptions<Optional> | ColumnsOptions<Optional, Columns> | FarOptions<By>,
): [By] extends [never]
  ? TypedOne<Target, Optional, never, [Columns] extends [never] ? true : boolean>
  : TypedOne<Target, true, By, false>
export function one(target: string, options: object = {}): OneDeclaration {
  return noted({ kind: "one", target, ...options }, one)
}

interface ByOptions<By extends string> {
  /** The to-one relation of the target that leads here. */
  readonly by: By
  /** The targets belong to this record and are deleted with it. */
  readonly owned?: boolean
  readonly description?: string
  readonly through?: never
}
interface ThroughOptions {
  /** A pure join table: its name, when its columns are `<resource>_id` and `<target>_id`. */
  readonly through: ThroughDeclaration | string
  readonly description?: string
  readonly owned?: boolean
  readonly by?: never
}

/** Any number of records of the target. */
export function many<const Target extends string, const By extends string = never>(
  target: Target,
  options: ByOptions<By> | ThroughOptions,
): TypedMany<Target, By> {
  return noted({ kind: "many", target, ...options }, many)
}

// --- rules ---

/** Callers with this role. */
export const role = <const Name extends string>(name: Name): { readonly role: Name } =>
  noted({ role: name }, role)

/** Callers whose credential has this scope. */
export const scope = <const Name extends string>(name: Name): { readonly scope: Name } =>
  noted({ scope: name }, scope)

/**
 * In rules of `create` and `update`: the same operation makes the record that this reference leads to.
 * An example is an organization with its first member.
 */
export const together = <const Name extends string>(relation: Name): { readonly together: Name } =>
  noted({ together: relation }, together)

/** Authenticated callers. */
export const signedIn = { signedIn: true } as const

/** Every caller, anonymous ones too. */
export const anyone = { anyone: true } as const

/** Restricts a rule to these fields of its records; `id`, references and relations come with a record. */
export const only = <const Name extends string, const When extends RuleDeclaration>(
  fields: readonly [Name, ...Name[]],
  when: When,
): { readonly fields: readonly Name[]; readonly when: When } => ({ fields, when })

/** Members of the authenticated viewer's record: `viewer.id`. */
interface Viewer extends Readonly<Record<string, { readonly viewer: string }>> {
  readonly id: { readonly viewer: "id" }
}

export const viewer = new Proxy({}, { get: (_, name) => ({ viewer: String(name) }) }) as Viewer

// --- states ---

/** A value for a transition's `set` that is taken from its `input`. */
export const given = <const Name extends string>(name: Name): { readonly given: Name } => ({ given: name })

// --- resources and the service ---

/** Members of Bifold's own resources. */
type InternalMembers = "secret" | "conditions" | "address" | "ends" | "grants" | "unlogged" | "internal"
type CheckedMembers = "key" | "fields" | "relations" | "unique" | "indexes" | "states" | "events" | "allow"

interface ResourceOptions<
  OwnFields extends Fields,
  OwnRelations extends Relations,
  Key,
  Allow,
  States,
  Names,
  Events,
> extends Omit<ResourceDeclaration, InternalMembers | CheckedMembers> {
  /** Absent: ids made by Bifold. A list: the natural key's members. `false`: none, the resource can only be listed. */
  readonly key?: Key extends readonly unknown[] ? NoInfer<MemberList<OwnFields, OwnRelations>> : Key
  readonly fields: OwnFields & NoInfer<CheckedFields<OwnFields, OwnRelations, States, Names>>
  readonly relations?: OwnRelations & NoInfer<CheckedRelations<OwnRelations, Names>>
  /** Unique keys of several members; a single field says `unique: true` itself. */
  readonly unique?: readonly NoInfer<MemberList<WithStates<OwnFields, States>, OwnRelations>>[]
  readonly indexes?: readonly NoInfer<MemberList<WithStates<OwnFields, States>, OwnRelations>>[]
  /** State machines: one, or several by the names of the fields that hold their states. */
  readonly states?: States & NoInfer<CheckedStates<States, OwnFields, OwnRelations, Names>>
  /** Events that user code emits about its records: `{ couponApplied: { payload: { worth: f.integer() } } }`. */
  readonly events?: Events
  /** Permissions by action: callers, and conditions on the records. Absent: every action is refused. */
  readonly allow?: Allow & NoInfer<CheckedAllow<Allow, WithStates<OwnFields, States>, OwnRelations, Names>>
}

type MemberList<OwnFields extends Fields, OwnRelations extends Relations> = readonly [
  Members<OwnFields, OwnRelations>["names"],
  ...Members<OwnFields, OwnRelations>["names"][],
]

/** One kind of record. Where it is written within a service, names of the service are checked here too. */
export function resource<
  const OwnFields extends Fields,
  const OwnRelations extends Relations = Record<never, never>,
  const Key extends KeyDeclaration | readonly [string, ...string[]] | false = KeyDeclaration,
  const Allow extends AllowDeclaration = Record<never, never>,
  const States extends StatesDeclaration = Record<never, never>,
  Names = unknown,
  const Events extends Readonly<Record<string, EventDeclaration>> = Record<never, never>,
>(
  declaration: ResourceOptions<OwnFields, OwnRelations, Key, Allow, States, Names, Events>,
): BuiltResource<OwnFields, OwnRelations, Key, Allow, States, Names, Events> {
  return noted(declaration, resource) as unknown as BuiltResource<
    OwnFields,
    OwnRelations,
    Key,
    Allow,
    States,
    Names,
    Events
  >
}

interface ServiceOptions<
  OwnResources extends Resources,
  OwnEnums extends Enums,
  Role extends string,
  Scope extends string,
  Name extends string,
  Tier extends string,
  OwnVersions extends VersionsDeclaration,
> {
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** For the description of the API: its release, license and contact. */
  readonly about?: AboutDeclaration
  /** Enumerations that several fields share, by camelCase name. */
  readonly enums?: OwnEnums
  readonly resources: OwnResources & {
    readonly [Here in Name]: WrittenWithin<
      ServiceNames<Name, Settled<OwnEnums, Record<never, never>>, Settled<Role, never>, Settled<Scope, never>>
    >
  } & NoInfer<
      CheckedResources<OwnResources, ServiceNames<keyof OwnResources & string, OwnEnums, Role, Scope>>
    >
  readonly limits?: LimitsDeclaration & {
    readonly tiers?: { readonly [Here in Tier]: CostDeclaration }
  }
  /** How long the log of changes is kept. */
  readonly log?: LogDeclaration
  /** Events are sent to endpoints that clients name. */
  readonly webhooks?: NoInfer<WebhooksDeclaration<Settled<Role, never>, Settled<Scope, never>>>
  /** Older versions of the API, which clients go on using. */
  readonly versions?: OwnVersions
  /** Whether use of versions is counted, and who may read it by the API. Counted where Bifold manages the tables when absent. */
  readonly usage?: UsageDeclaration
  /** GraphQL documents that `bifold documents` registers: `required` answers no others. */
  readonly documents?: DocumentsMode
  /** The GraphQL face is a subgraph of Apollo Federation: it answers `_service` and `_entities`. */
  readonly federation?: true
  /** Roles that callers may have. */
  readonly roles?: readonly Role[]
  /** Scopes that credentials may have. */
  readonly scopes?: readonly Scope[]
  /** The resource whose records sign in. */
  readonly viewer?: NoInfer<keyof OwnResources & string>
  /** Which credentials are accepted; none when absent. */
  readonly identity?: NoInfer<
    IdentityDeclaration<Settled<Role, never>, Settled<Scope, never>, Settled<Tier, never>>
  >
  /** False for existing tables, which Bifold neither makes nor changes. True when absent. */
  readonly managed?: boolean
}

/** Makes a plain type of an undeclared member: the compiler infers no name from its `never`. */
type Settled<Declared, Absent> = [Declared] extends [never] ? Absent : Declared

/** The whole service. */
export function service<
  const OwnResources extends Resources,
  const OwnEnums extends Enums = Record<never, never>,
  const Role extends string = never,
  const Scope extends string = never,
  Name extends string = string,
  const Tier extends string = never,
  const OwnVersions extends VersionsDeclaration = never,
>(
  declaration: ServiceOptions<OwnResources, OwnEnums, Role, Scope, Name, Tier, OwnVersions>,
): TypedService<OwnResources, OwnEnums, Role, Scope, OwnVersions> {
  return declaration as TypedService<OwnResources, OwnEnums, Role, Scope, OwnVersions>
}

// Checks of states by the compiler: named states can be reached, and members that are set and asked exist.
type Text<Key> = Key & string

/** Finds unknown members: the compiler accepts them where it infers the type of an argument. */
type Stray<Name, Known> = Name extends Known
  ? unknown
  : Mistake<`there is no member "${Text<Name>}" here`, Spread<Known>[0]>

/** The form of `states`, with mistakes where they stand. */
type CheckedStates<States, OwnFields extends Fields, OwnRelations extends Relations, Names> = [
  keyof States,
] extends [never]
  ? unknown
  : CheckedMachines<States, WithStates<OwnFields, States>, OwnRelations, keyof MachinesOf<States>, Names>

type CheckedMachines<
  States,
  All extends Fields,
  OwnRelations extends Relations,
  Held,
  Names,
> = States extends { readonly initial: string }
  ? CheckedMachine<States, All, OwnRelations, Held, Names>
  : { readonly [Name in keyof States]: CheckedMachine<States[Name], All, OwnRelations, Held, Names> }

type CheckedMachine<Machine, All extends Fields, OwnRelations extends Relations, Held, Names> = {
  readonly [Said in keyof Machine]: Said extends "final"
    ? Checked<Unreached<Machine[Said], Machine>>
    : Said extends "states"
      ? { readonly [State in keyof Machine[Said]]: Checked<Unnamed<State, Machine>> }
      : Said extends "transitions"
        ? {
            readonly [Name in keyof Machine[Said]]: CheckedTransition<
              Machine[Said][Name],
              Machine,
              All,
              OwnRelations,
              Held,
              Names
            >
          }
        : Stray<Said, keyof MachineDeclaration>
}

type Unreached<Names, Machine> =
  Exclude<Listed<Names>, Known<Machine> | Described<Machine> | "any"> extends infer State
    ? State extends string
      ? Mistake<`no transition leads to the state "${State}"`, Spread<Known<Machine>>[0]>
      : never
    : never

type Unnamed<State, Machine> = State extends Known<Machine> | Start<Machine> | End<Machine>
  ? never
  : Mistake<`no transition leads to the state "${Text<State>}", or from it`, Spread<Known<Machine>>[0]>

type CheckedTransition<
  Transition,
  Machine,
  All extends Fields,
  OwnRelations extends Relations,
  Held,
  Names,
> = {
  readonly [Said in keyof Transition]: Said extends "from"
    ? Checked<Unreached<Transition[Said], Machine>>
    : Said extends "when" | "allow"
      ? CheckedRule<Transition[Said], Asked<All, OwnRelations>, never, Names>
      : Said extends "set"
        ? {
            readonly [Member in keyof Transition[Said]]: Checked<
              SetMistake<Member, Transition[Said][Member], Transition, All, OwnRelations, Held>
            >
          }
        : Stray<Said, keyof TransitionDeclaration>
}

/** Fields, and references such as `customerId`. */
type Settable<All extends Fields, OwnRelations extends Relations, Held> =
  | Exclude<keyof All, Held>
  | `${Text<LocalNames<OwnRelations>>}Id`

type SetMistake<Member, Value, Transition, All extends Fields, OwnRelations extends Relations, Held> =
  Member extends Settable<All, OwnRelations, Held>
    ? Value extends { readonly given: infer Name extends string }
      ? Name extends InputsOf<Transition>
        ? never
        : Mistake<`no input is called "${Name}"`, Spread<InputsOf<Transition>>[0]>
      : never
    : Mistake<`no member "${Text<Member>}" can be set`, Spread<Settable<All, OwnRelations, Held>>[0]>

type InputsOf<Transition> = Transition extends { readonly input: infer Input } ? keyof Input : never
