// Functions of a version's changes: their types follow from the changes that say `code: true`.
import type { JsonValue } from "../../base/json.ts"
import type { VersionsDeclaration } from "./declaration.ts"
import type { RecordOf, ResourcesOf, ValuesOf } from "./record-of.ts"
import type { TypedField } from "./typed-declaration.ts"

/** By version, and by the (first) path of the change. */
export type VersionsCode<Service> = [VersionsOf<Service>] extends [never]
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

/** For a service whose type tells no versions. */
type LooseCode = Readonly<Record<string, Readonly<Record<string, Functions<Loose, Loose>>>>>

type VersionsOf<Service> = Service extends { readonly "~type"?: { readonly versions: infer Versions } }
  ? Versions
  : VersionsDeclaration

type Loose = Readonly<Record<string, JsonValue>>

interface ChangeContext {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal
}

/** An Error in the place of one that has no value; what `problem` makes is told to the client. */
type Given<Values> = readonly (Values | Error)[] | Promise<readonly (Values | Error)[]>

interface Functions<Now, Former> {
  /**
   * The former fields of each record, for readers of older versions.
   * @param records today's values of what the change names, of all records of an answer, each once
   */
  reads?(records: readonly Now[], context: ChangeContext): Given<Former>
  /**
   * Today's values, for writers of older versions.
   * @param inputs what each record was given of the former fields; null for what was not
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
