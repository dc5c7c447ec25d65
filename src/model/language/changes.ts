// Changes of a version, a row a kind: its form, its paths, its own checks, and the change in the model.
import * as z from "zod"
import { omitUndefined } from "../../base/compact.ts"
import { present } from "../../base/invariant.ts"
import type { JsonValue } from "../../base/json.ts"
import type { Place } from "../../base/problem.ts"
import { buildField } from "../declaration/build-field.ts"
import type {
  ChangedMember,
  ChangeFunctions,
  FieldDeclaration,
  VersionChange,
} from "../declaration/declaration.ts"
import { enumerationName } from "../declaration/default-names.ts"
import { own } from "../declaration/keys.ts"
import {
  type ChangeCode,
  type Expression,
  type ExpressionDeclaration,
  isExpressionForm,
  type ReportExpression as Report,
  readExpression,
} from "../expression.ts"
import { formerColumn } from "../former-fields.ts"
import type { ApiChange, FormerMember } from "../model.ts"
import { field } from "./fields.ts"
import {
  boolean,
  either,
  expression,
  type Form,
  isObject,
  maybe,
  members,
  names,
  number,
  only,
  plain,
  record,
  text,
  textOr,
} from "./forms.ts"
import { jsonSource, object } from "./source-text.ts"

type Change<Kind extends string> = Extract<VersionChange, { readonly [Name in Kind]: unknown }>
type KindName = "breaking" | "renamed" | "added" | "removed" | "widened" | "changed"
/** A kind without a row does not compile where its change is handed in. */
type Listed = { readonly [Name in KindName]: Change<Name> }[KindName]

export interface OfVersion {
  readonly version: string
  /** By path. */
  readonly code: Readonly<Record<string, ChangeFunctions>> | undefined
}

interface Kind<Of> {
  readonly form: Form<Of>
  /** The form of its paths. */
  readonly path: RegExp
  /** The paths as they are written. */
  written(change: Of): readonly string[]
  /** The paths since the change, where they are others. */
  since?(change: Of): readonly string[]
  /** Refuses changes that the form allows and the kind does not. @param place of the change */
  check?(change: Of, report: Report, place: Place): void
  build(change: Of, of: OfVersion): ApiChange
}

const toMember = /^\w+\.\w+$/
/** Resources and values of fields are added and renamed. */
const toAny = /^\w+(\.\w+){0,2}$/

const isExpressions = (input: unknown): boolean =>
  isObject(input) &&
  Object.keys(input).length > 0 &&
  !Object.keys(input).every((key) => isExpressionForm(key))
const expressions = either<ExpressionDeclaration | Readonly<Record<string, ExpressionDeclaration>>>(
  (input) => (isExpressions(input) ? record(expression, "expressions by name") : expression),
)
const formerFields = either<FieldDeclaration | Readonly<Record<string, FieldDeclaration>>>((input) =>
  isObject(input) && !Object.hasOwn(input, "scalar") ? record(field, "fields by name") : field,
)
const description = maybe(text)

const kinds: { readonly [Name in KindName]: Kind<Change<Name>> } = {
  breaking: {
    form: members<Change<"breaking">>("{ breaking, description }", { breaking: text, description }),
    path: /^\w+(\.\w+)?$/,
    written: ({ breaking }) => [breaking],
    build({ breaking }) {
      const [resource, member] = pathOf(breaking)
      return { kind: "breaking", resource, ...(member !== "" && { member }) }
    },
  },
  renamed: {
    form: members<Change<"renamed">>("{ renamed, to }", { renamed: text, to: text, description }),
    path: toAny,
    written: ({ renamed }) => [renamed],
    since: ({ renamed, to }) => [[...renamed.split(".").slice(0, -1), to].join(".")],
    build({ renamed, to }) {
      const [resource, before] = pathOf(renamed)
      const [field, value] = pathOf(before)
      if (value !== "") return { kind: "renamedValue", resource, field, before: value, now: to }
      if (before === "") return { kind: "renamedResource", before: resource, resource: to }
      return { kind: "renamed", resource, before, now: to }
    },
  },
  added: {
    form: members<Change<"added">>("{ added, writes }, or { added, as } of a value", {
      added: text,
      as: maybe(text),
      writes: maybe(
        plain<string | number | boolean>(
          z.union([text.schema, number.schema, boolean.schema], "a text, a number, true or false"),
        ),
      ),
      description,
    }),
    path: toAny,
    written: ({ added }) => [added],
    check({ added, as, writes }, report, place) {
      const isValue = added.split(".").length > 2
      if (as !== undefined && !isValue)
        report(
          [...place, "as"],
          `"${added}" is no state and no value.`,
          'Such as { added: "order.status.reviewing", as: "placed" }.',
        )
      if (writes !== undefined && isValue)
        report([...place, "writes"], "Writers of older versions do not have the value.", "Leave it out.")
    },
    build({ added, as, writes }) {
      const [resource, now] = pathOf(added)
      if (now === "") return { kind: "addedResource", resource }
      const [field, value] = pathOf(now)
      if (value !== "")
        return { kind: "addedValue", resource, field, now: value, ...(as !== undefined && { as }) }
      return { kind: "added", resource, now, ...(writes !== undefined && { writes }) }
    },
  },
  removed: {
    form: members<Change<"removed">>("{ removed, was, reads }", {
      removed: text,
      was: field,
      reads: expression,
      writes: maybe(only("ignored")),
      description,
    }),
    path: toMember,
    written: ({ removed }) => [removed],
    check: ({ reads }, report, place) => void readExpression(reads, report, [...place, "reads"]),
    build({ removed, was, reads, writes }) {
      const [resource, name] = pathOf(removed)
      const before = formerMember(resource, name, was, reads)
      return { kind: "removed", resource, before, ignored: writes === "ignored" }
    },
  },
  widened: {
    form: members<Change<"widened">>("{ widened, to, first }", {
      widened: text,
      to: text,
      first: textOr(names, "a member of the related resource, or a list of them"),
      required: maybe(boolean),
      description,
    }),
    path: toMember,
    written: ({ widened }) => [widened],
    since: ({ widened, to }) => [`${pathOf(widened)[0]}.${to}`],
    build({ widened, to: now, first, required = false }) {
      const [resource, before] = pathOf(widened)
      const order = (typeof first === "string" ? [first] : first).map((term) => ({
        member: term.replace(/^-/, ""),
        descending: term.startsWith("-"),
      }))
      return { kind: "widened", resource, before, now, first: order, required }
    },
  },
  changed: {
    form: members<Change<"changed">>("{ changed, was, reads, writes }, or { changed, was, code: true }", {
      changed: textOr(names, "a path, or a list of paths"),
      was: formerFields,
      code: maybe(only(true)),
      reads: maybe(expressions),
      writes: maybe(expressions),
      description,
    }),
    path: toMember,
    written: ({ changed }) => (typeof changed === "string" ? [changed] : changed),
    check: checkChanged,
    build: buildChanged,
  },
}

const kindOf = (change: unknown): Kind<VersionChange> | undefined =>
  Object.entries(kinds).find(([name]) => isObject(change) && Object.hasOwn(change, name))?.[1] as
    | Kind<VersionChange>
    | undefined
const kindFor = (change: Listed): Kind<VersionChange> => present(kindOf(change), "a change has its kind")

const anyChange = plain<never>(
  z.custom(
    () => false,
    "{ renamed, to }, { added }, { removed, was, reads }, { changed, was, reads, writes }, { changed, was, code: true }, { widened, to, first } or { breaking }",
  ),
)

/** Printed in the order in which it is written: its first member says its kind. */
export const change: Form<VersionChange> = {
  schema: either((input) => kindOf(input)?.form ?? anyChange).schema,
  print: (value) =>
    object(
      Object.entries(value).flatMap(([name, one]) => {
        const source = name === "was" ? formerFields.print(one, "") : jsonSource(one as JsonValue)
        return source === undefined ? [] : [[name, source] as const]
      }),
    ),
}

/** The paths that a change is about, as they are since. */
export function pathsOf(change: VersionChange): readonly string[] {
  const kind = kindFor(change)
  return kind.since?.(change) ?? kind.written(change)
}

/** Refuses paths of another form, and changes that their kind does not allow. */
export function checkChange(change: VersionChange, report: Report, place: Place): void {
  const { path: form, written, check } = kindFor(change)
  for (const path of written(change))
    if (!form.test(path))
      report(place, `"${path}" is no path of a resource and its member.`, "Such as order.total.")
  check?.(change, report, place)
}

export const buildChange = (change: VersionChange, of: OfVersion): ApiChange => ({
  ...kindFor(change).build(change, of),
  ...(change.description !== undefined && { description: change.description }),
})

function checkChanged(change: ChangedMember, report: Report, place: Place): void {
  const { resource, former, reads, writes } = changedParts(change)
  const paths = kinds.changed.written(change)
  const other = paths.find((path) => pathOf(path)[0] !== resource)
  if (other !== undefined) report(place, `"${other}" is of another resource than "${paths[0]}".`)
  if (!reads && !change.code)
    report(
      [...place, "reads"],
      "There is no value for readers of older versions.",
      "Say it in `reads`, or say `code: true` and give a function by `withCode`.",
    )
  for (const name of reads ? Object.keys(former) : [])
    if (!Object.hasOwn(reads ?? {}, name))
      report([...place, "reads"], `There is no value of "${name}" for readers of older versions.`)
  for (const [name, expression] of Object.entries(reads ?? {}))
    readExpression(expression, report, [...place, "reads", name])
  for (const [name, expression] of Object.entries(writes ?? {}))
    readExpression(expression, report, [...place, "writes", name])
}

function buildChanged(change: ChangedMember, { version, code }: OfVersion): ApiChange {
  const { resource, now, former, reads, writes } = changedParts(change)
  const path = firstPath(change)
  const functions = change.code ? own(code, path) : undefined
  const functionOf = (part: ChangeCode["part"]): ChangeCode | undefined =>
    functions?.[part] && {
      called: `${path} of ${version}`,
      part,
      deadline: codeDeadline,
      run: functions[part] as ChangeCode["run"],
    }
  return {
    kind: "changed",
    resource,
    now,
    before: Object.entries(former).map(([name, was]) =>
      formerMember(resource, name, was, reads ? (reads[name] ?? name) : undefined),
    ),
    ...(writes && {
      writes: new Map(Object.entries(writes).map(([name, of]) => [name, expressionOf(of)])),
    }),
    ...(functions && { code: omitUndefined({ reads: functionOf("reads"), writes: functionOf("writes") }) }),
  }
}

/** Milliseconds that a function of a change may take. */
const codeDeadline = 2_000

/** By which a change is named in `withCode`. */
export const firstPath = ({ changed }: ChangedMember): string =>
  typeof changed === "string" ? changed : changed[0]

interface ChangedParts {
  readonly resource: string
  /** Names of the resource's members since. */
  readonly now: readonly string[]
  readonly former: Readonly<Record<string, FieldDeclaration>>
  readonly reads: Readonly<Record<string, ExpressionDeclaration>> | undefined
  readonly writes: Readonly<Record<string, ExpressionDeclaration>> | undefined
}

/** Every part by its name, also a path, field or expression that stands alone. */
export function changedParts({ changed, was, reads, writes }: ChangedMember): ChangedParts {
  const paths = typeof changed === "string" ? [changed] : changed
  const [resource, name] = pathOf(paths[0] ?? "")
  const former = "scalar" in was ? { [name]: was as FieldDeclaration } : was
  const first = Object.keys(former)[0] ?? name
  return {
    resource,
    now: paths.map((path) => pathOf(path)[1]),
    former: former as ChangedParts["former"],
    reads: reads === undefined ? undefined : byName(reads, first),
    writes: writes === undefined ? undefined : byName(writes, name),
  }
}

const byName = (
  of: ExpressionDeclaration | Readonly<Record<string, ExpressionDeclaration>>,
  name: string,
): Readonly<Record<string, ExpressionDeclaration>> =>
  typeof of !== "object" || readExpression(of, noReport)
    ? { [name]: of as ExpressionDeclaration }
    : (of as Readonly<Record<string, ExpressionDeclaration>>)

/** `order.total` in two; an empty second part for a resource. */
export function pathOf(path: string): readonly [resource: string, member: string] {
  const at = path.indexOf(".")
  return at < 0 ? [path, ""] : [path.slice(0, at), path.slice(at + 1)]
}

function formerMember(
  resource: string,
  name: string,
  was: FieldDeclaration,
  reads: ExpressionDeclaration | undefined,
): FormerMember {
  const values = typeof was.of === "string" ? undefined : was.of
  const field = { ...buildField(resource, {}, name, was), column: `${formerColumn}${name}` }
  const called = enumerationName(resource, name, was)
  return {
    field,
    ...(values && { enumeration: { name: called, values: [...values], named: true } }),
    ...(reads !== undefined && { reads: expressionOf(reads) }),
  }
}

/** The rule of versions has already reported an expression that cannot be read. */
const expressionOf = (of: ExpressionDeclaration): Expression =>
  readExpression(of, noReport) ?? { kind: "constant", value: null }

const noReport = (): void => {}
