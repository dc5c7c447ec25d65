// Versions of a declaration, newest first, with what their changes say read.
import { omitUndefined } from "../../base/compact.ts"
import { buildField } from "../declaration/build-field.ts"
import type {
  ChangedMember,
  ChangeFunctions,
  CodeDeclaration,
  FieldDeclaration,
  VersionChange,
  VersionDeclaration,
  VersionsDeclaration,
} from "../declaration/declaration.ts"
import { enumerationName } from "../declaration/default-names.ts"
import { own } from "../declaration/keys.ts"
import {
  type ChangeCode,
  type Expression,
  type ExpressionDeclaration,
  readExpression,
} from "../expression.ts"
import { formerColumn } from "../former-fields.ts"
import type { ApiChange, ApiVersion, FormerMember } from "../model.ts"

export const buildVersions = (
  declared: VersionsDeclaration,
  code: CodeDeclaration["versions"],
): readonly ApiVersion[] =>
  Object.entries(declared)
    .map(([name, version]) => {
      const { changes, ...said } = versionParts(version)
      return omitUndefined<ApiVersion>({
        name,
        ...said,
        changes: changes.map((change) => buildChange(change, { version: name, code: own(code, name) })),
      })
    })
    .toSorted((one, other) => (one.name < other.name ? 1 : -1))

export const versionParts = (version: VersionDeclaration): Exclude<VersionDeclaration, readonly unknown[]> =>
  "changes" in version ? version : { changes: version }

interface OfVersion {
  readonly version: string
  /** By path. */
  readonly code: Readonly<Record<string, ChangeFunctions>> | undefined
}

function buildChange(change: VersionChange, of: OfVersion): ApiChange {
  const said = change.description === undefined ? {} : { description: change.description }
  if ("renamed" in change) {
    const [resource, before] = pathOf(change.renamed)
    const [field, value] = pathOf(before)
    if (value !== "") return { kind: "renamedValue", resource, field, before: value, now: change.to, ...said }
    if (before === "") return { kind: "renamedResource", before: resource, resource: change.to, ...said }
    return { kind: "renamed", resource, before, now: change.to, ...said }
  }
  if ("breaking" in change) {
    const [resource, member] = pathOf(change.breaking)
    return { kind: "breaking", resource, ...(member !== "" && { member }), ...said }
  }
  if ("added" in change) {
    const [resource, now] = pathOf(change.added)
    if (now === "") return { kind: "addedResource", resource, ...said }
    const [field, value] = pathOf(now)
    if (value !== "")
      return omitUndefined<ApiChange>({
        kind: "addedValue",
        resource,
        field,
        now: value,
        as: change.as,
        ...said,
      })
    const { writes } = change
    return { kind: "added", resource, now, ...(writes !== undefined && { writes }), ...said }
  }
  if ("removed" in change) {
    const [resource, name] = pathOf(change.removed)
    const before = formerMember(resource, name, change.was, change.reads)
    return { kind: "removed", resource, before, ignored: change.writes === "ignored", ...said }
  }
  if ("widened" in change) {
    const [resource, before] = pathOf(change.widened)
    const { to: now, required = false } = change
    return { kind: "widened", resource, before, now, first: orderOf(change.first), required, ...said }
  }
  return { ...buildChanged(change, of), ...said }
}

const orderOf = (
  first: string | readonly string[],
): Extract<ApiChange, { readonly kind: "widened" }>["first"] =>
  (typeof first === "string" ? [first] : first).map((term) => ({
    member: term.replace(/^-/, ""),
    descending: term.startsWith("-"),
  }))

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

/** With names for what stands by itself. */
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

/** The rule of versions has reported what is none. */
const expressionOf = (of: ExpressionDeclaration): Expression =>
  readExpression(of, noReport) ?? { kind: "constant", value: null }

const noReport = (): void => {}
