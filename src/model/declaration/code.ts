// User code: the functions of a service beside its data. `withCode` attaches it to a service; every name, record and
// value in it has its type from the service.
import type { Code as ProblemCode } from "../../base/codes.ts"
import type { JsonValue } from "../../base/json.ts"
import { type Place, type Refusal, refusal } from "../../base/problem.ts"
import type { CodeActor } from "../code-actor.ts"
import type { RuleDeclaration, WriteAction } from "../policy-declaration.ts"
import type { CodeRecord, Increment, TransactionHandle } from "./client-types.ts"
import type { TypedComputed } from "./computed-code.ts"
import type {
  CodeDeclaration,
  RunAsDeclaration,
  ServiceDeclaration,
  VersionsDeclaration,
} from "./declaration.ts"
import type { EmittedPayload, OwnEventNames, ResourceOf } from "./event-types.ts"
import type { Handlers } from "./handlers.ts"
import type { RecordOf, ResourcesOf, ValuesOf, WritableOf } from "./record-of.ts"
import { noted } from "./source-place.ts"
import type { Fields, TypedField } from "./typed-declaration.ts"

type NoFields = Record<never, never>

/** The context that each function of user code is called with. */
export interface CodeContext<Service> {
  /** The database, within the transaction and the caller's permissions; it ends with the transaction. */
  readonly db: TransactionHandle<Service>
  readonly actor: CodeActor
  /** The time of the service. */
  readonly now: Date
  /** Aborted when the time is over. */
  readonly signal: AbortSignal
}

/** The result of an operation that declares an output; optional members may be left out. */
type Output<Service, Given extends Fields> = keyof Given extends never
  ? unknown
  : ValuesOf<Service, Given, "given">

interface CodeOptions<Input extends Fields, Given extends Fields, Events> {
  readonly description?: string
  /** The input, by name. */
  readonly input?: Input
  /** The output, by name. */
  readonly output?: Given
  /** Events that it may emit, which their resources declare: `"order.couponApplied"`. */
  readonly emits?: Events | readonly [Events, ...Events[]]
  /** Callers that may call it; none when absent. */
  readonly allow?: RuleDeclaration
  /** Roles and scopes that `db` has in place of the caller's. */
  readonly as?: RunAsDeclaration
  /** Milliseconds that it may take; 5 seconds when absent. */
  readonly deadline?: number
}

/**
 * Emits an event, in the code's transaction; await it. Rejects with a Refusal where its record is gone or not seen by `db`,
 * and where the payload does not fit.
 */
type Emit<Service, Events, Resource> = <Event extends Events>(
  type: Event,
  payload: EmittedPayload<Service, Event>,
  /** The id of the record that it is about: the action's own when absent. */
  ...record: ResourceOf<Event> extends Resource ? readonly [record?: string] : readonly [record: string]
) => Promise<void>

interface ActionOptions<Service, Resource, Input extends Fields, Given extends Fields, Events>
  extends CodeOptions<Input, Given, Events> {
  /** Runs in a transaction, which an exception rolls back. A conflict with another transaction may cause a new run. */
  readonly run: (
    call: CodeContext<Service> & {
      readonly input: ValuesOf<Service, Input, "read">
      /** As it is, and stays until the transaction ends unless `db` changes it. */
      readonly record: Resource extends keyof ResourcesOf<Service> ? CodeRecord<Service, Resource> : never
      readonly emit: Emit<Service, Events, Resource>
    },
  ) => Output<Service, Given> | Promise<Output<Service, Given>>
}

interface OperationOptions<Service, Input extends Fields, Given extends Fields, Events>
  extends CodeOptions<Input, Given, Events> {
  readonly run: (
    call: CodeContext<Service> & {
      readonly input: ValuesOf<Service, Input, "read">
      readonly emit: Emit<Service, Events, never>
    },
  ) => Output<Service, Given> | Promise<Output<Service, Given>>
}

/** `~of` is a phantom, by which the compiler infers an action's service and resource from its place. */
interface TypedAction<Service, Resource> {
  readonly "~of"?: (service: Service, resource: Resource) => void
}
interface TypedOperation<Service> {
  readonly "~of"?: (service: Service) => void
}

/** An own operation on a record: `actions: { order: { applyCoupon: action({…}) } }`. */
export function action<
  Service,
  Resource,
  const Input extends Fields = NoFields,
  const Given extends Fields = NoFields,
  const Events extends OwnEventNames<Service> = never,
>(declaration: ActionOptions<Service, Resource, Input, Given, Events>): TypedAction<Service, Resource> {
  return noted(declaration, action) as TypedAction<Service, Resource>
}

/** An own operation of the service: `operations: { recount: operation({…}) }`. */
export function operation<
  Service,
  const Input extends Fields = NoFields,
  const Given extends Fields = NoFields,
  const Events extends OwnEventNames<Service> = never,
>(declaration: OperationOptions<Service, Input, Given, Events>): TypedOperation<Service> {
  return noted(declaration, operation) as TypedOperation<Service>
}

/** The user code of a service. */
export interface ServiceCode<Service> {
  /** Own operations on records, by resource and name. */
  readonly actions?: {
    readonly [Name in keyof ResourcesOf<Service>]?: Readonly<Record<string, TypedAction<Service, Name>>>
  }
  /** Own operations that are about no record of their own. */
  readonly operations?: Readonly<Record<string, TypedOperation<Service>>>
  /** Hooks before each write of a resource, by whichever face it comes. */
  readonly before?: {
    readonly [Name in keyof ResourcesOf<Service>]?: BeforeHooks<Service, Name>
  }
  /** Fields that are computed when they are selected, by resource and name. */
  readonly computed?: {
    readonly [Name in keyof ResourcesOf<Service>]?: Readonly<Record<string, TypedComputed<Service, Name>>>
  }
  /** Functions of versions' changes that say `code: true`: they turn former fields into today's and back. */
  readonly versions?: VersionsCode<Service>
  /** Handlers by event, called after the commit, at least once: functions, or results of `handler`. */
  readonly on?: Handlers<Service>
}

/**
 * Each hook runs in the transaction of the write, which an exception rolls back. The write includes the values that
 * `create` and `update` return, also for members that no caller can write.
 */
interface HookRuns<Service, Name extends keyof ResourcesOf<Service>> {
  readonly create: (
    change: CodeContext<Service> & {
      /** The input that the caller gave. */
      readonly input: Partial<WritableOf<Service, Name>>
      /** As it will be. */
      readonly new: WritableOf<Service, Name>
    },
  ) => Filled<Service, Name>
  readonly update: (
    change: CodeContext<Service> & {
      readonly old: RecordOf<Service, Name>
      readonly input: Partial<WritableOf<Service, Name>>
      readonly new: RecordOf<Service, Name>
    },
  ) => Filled<Service, Name>
  readonly delete: (
    change: CodeContext<Service> & { readonly old: RecordOf<Service, Name> },
  ) => void | Promise<void>
}

type BeforeHooks<Service, Name extends keyof ResourcesOf<Service>> = {
  readonly [Kind in WriteAction]?: HookRuns<Service, Name>[Kind] | TypedHook<Service, Name, Kind>
}

/** `~of` is a phantom, by which the compiler infers a hook's service, resource and kind from its place. */
interface TypedHook<Service, Resource, Kind> {
  readonly "~of"?: (service: Service, resource: Resource, kind: Kind) => void
}

type HookRun<Service, Resource, Kind> = Resource extends keyof ResourcesOf<Service>
  ? Kind extends WriteAction
    ? HookRuns<Service, Resource>[Kind]
    : never
  : never

/** A hook whose `db` has permissions of its own: `before: { booking: { create: hook({ as: { roles: ["desk"] }, run: … }) } }`. */
export function hook<Service, Resource, Kind>(declaration: {
  /** Roles and scopes that `db` has in place of the caller's. */
  readonly as?: RunAsDeclaration
  readonly run: HookRun<Service, Resource, Kind>
}): TypedHook<Service, Resource, Kind> {
  return noted(declaration, hook) as TypedHook<Service, Resource, Kind>
}

/** A hook that only checks returns no value. */
type Nothing = ReturnType<() => void>

type Filled<Service, Name extends keyof ResourcesOf<Service>> =
  | Partial<WritableOf<Service, Name>>
  | undefined
  | Nothing
  | Promise<Partial<WritableOf<Service, Name>> | undefined | Nothing>

/** The service with its code: the export of a service file with code. */
export function withCode<Service extends ServiceDeclaration>(
  service: Service,
  code: ServiceCode<Service>,
): Service {
  return { ...service, code: noted(code, withCode) as unknown as CodeDeclaration }
}

/**
 * For a whole or decimal number in `db.x.update`: adds to the value at the time of the write.
 * @param by a whole number, or text in plain digits: `"-0.50"`
 */
export const increment = (by: number | bigint | string): Increment => ({ increment: String(by) })

/** Codes of refusals by user code. */
const ownCodes = [
  "conflict",
  "invalid_value",
  "forbidden",
  "not_found",
  "rule_violated",
] as const satisfies readonly ProblemCode[]

type OwnProblem = (typeof ownCodes)[number]

/**
 * Thrown by user code: the caller receives it as it is, and nothing is written. Any other exception appears only in
 * the log.
 * @param rest.place the path of the member at fault: `["code"]`
 */
export function problem(
  code: OwnProblem,
  message: string,
  rest: { readonly hint?: string; readonly place?: Place } = {},
): Refusal {
  const { hint, place = [] } = rest
  if (!ownCodes.includes(code)) throw new TypeError(`A problem is one of ${ownCodes.join(", ")}.`)
  if (typeof message !== "string" || message.trim() === "")
    throw new TypeError(`The message of a problem is a sentence, not ${JSON.stringify(message)}.`)
  if (hint !== undefined && typeof hint !== "string")
    throw new TypeError(`The hint of a problem is a text, not ${JSON.stringify(hint)}.`)
  const isStep = (step: unknown): boolean => typeof step === "string" || Number.isSafeInteger(step)
  if (!Array.isArray(place) || !place.every(isStep))
    throw new TypeError(`The place of a problem is a list such as ["code"], not ${JSON.stringify(place)}.`)
  return refusal(code, message, rest)
}

// Functions of a version's changes: their types follow from the changes that say `code: true`.

/** By version, and by the (first) path of the change. */
type VersionsCode<Service> = [VersionsOf<Service>] extends [never]
  ? LooseCode
  : VersionsOf<Service> extends infer Versions
    ? string extends keyof Versions
      ? LooseCode
      : {
          readonly [Version in keyof Versions]?: {
            readonly [Change in ByCode<Versions[Version]> as FirstPath<Change>]?: Functions<
              NowOf<Service, Change>,
              FormerOf<Service, Change>
            >
          }
        }
    : never

/** For a service whose type has no versions. */
type LooseCode = Readonly<Record<string, Readonly<Record<string, Functions<Loose, Loose>>>>>

type VersionsOf<Service> = Service extends { readonly "~type"?: { readonly versions: infer Versions } }
  ? Versions
  : VersionsDeclaration

type Loose = Readonly<Record<string, JsonValue>>

interface ChangeContext {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal
}

/** An Error stands for a missing value; clients receive the text of an error that `problem` made. */
type Given<Values> = readonly (Values | Error)[] | Promise<readonly (Values | Error)[]>

interface Functions<Now, Former> {
  /**
   * The former fields of each record, for readers of older versions.
   * @param records today's values of the changed fields, of all records of an answer, each once
   */
  reads?(records: readonly Now[], context: ChangeContext): Given<Former>
  /**
   * Today's values, for writers of older versions.
   * @param inputs the former fields that each record was given; null for an absent one
   */
  writes?(inputs: readonly Former[], context: ChangeContext): Given<Now>
}

type ChangesOf<Version> = Version extends readonly (infer Change)[]
  ? Change
  : Version extends { readonly changes: readonly (infer Change)[] }
    ? Change
    : never

type ByCode<Version> = Extract<ChangesOf<Version>, { readonly code: true }>

type PathsOf<Change> = Change extends { readonly changed: infer Paths }
  ? Paths extends readonly (infer Path)[]
    ? Path
    : Paths
  : never

type FirstPath<Change> = Change extends { readonly changed: infer Paths }
  ? Paths extends readonly [infer First extends string, ...unknown[]]
    ? First
    : Paths & string
  : never

/** Members of today's record, as far as the newest version has them by these names. */
type NowOf<Service, Change> = {
  readonly [Path in PathsOf<Change> as MemberOf<Service, Path>]: ValueAt<Service, Path>
}

type Parts<Path> = Path extends `${infer Resource}.${infer Member}` ? [Resource, Member] : never

type RecordAt<Service, Path> = Parts<Path>[0] extends keyof ResourcesOf<Service>
  ? RecordOf<Service, Parts<Path>[0]>
  : unknown

type MemberOf<Service, Path> = `${Parts<Path>[1]}Id` extends keyof RecordAt<Service, Path>
  ? `${Parts<Path>[1]}Id`
  : Parts<Path>[1]

type ValueAt<Service, Path> =
  MemberOf<Service, Path> extends keyof RecordAt<Service, Path>
    ? RecordAt<Service, Path>[MemberOf<Service, Path>]
    : JsonValue

type FormerOf<Service, Change> = Change extends { readonly was: infer Was }
  ? Was extends TypedField
    ? {
        readonly [Name in Parts<PathsOf<Change>>[1]]: ValuesOf<
          Service,
          { readonly value: Was },
          "read"
        >["value"]
      }
    : Was extends Readonly<Record<string, TypedField>>
      ? ValuesOf<Service, Was, "read">
      : Loose
  : Loose
